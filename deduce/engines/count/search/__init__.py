"""Counting by search: branch, propagate, split, and count no component twice."""
