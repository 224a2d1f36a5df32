"""Whole solutions on disk: packed states in sorted files, tier by tier, for 10^6 to 10^9 states."""
