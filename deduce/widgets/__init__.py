"""Interaction in notebooks and on pages of their own; needs the extra ``widgets``.

`stepper` goes through a log event by event, `explorer` through the states of a search game, and
`sheet` is the table with cells to click that the assistants of the games are made of. Widgets hold
no rules: each shows a frozen value (a knowledge, a session, a graph) and puts another in its place.
"""
