"""Answers for people and for programs: text, JSON, HTML, SVG and figures. No logic."""
