"""Many seeded trials: run in parallel, kept in a file that can be continued, and judged."""
