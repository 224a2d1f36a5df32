"""Many seeded trials: run in parallel, saved in a file that can be continued, and evaluated."""
