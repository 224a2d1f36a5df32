"""What engines have in common, and others may use: a problem as integers, bounds, what remains."""
