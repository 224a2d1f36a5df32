"""Answers for people and for programs: text, JSON and HTML. No logic."""
