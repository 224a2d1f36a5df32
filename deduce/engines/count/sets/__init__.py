"""Counting by sets: each value takes a set of the variables."""
