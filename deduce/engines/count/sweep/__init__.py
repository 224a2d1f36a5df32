"""Counting by a sweep: dynamic programming over the variables in a planned order."""
