"""Interactive views for notebooks and for pages of their own; needs the extra ``widgets``.

`stepper` shows a log event by event, `explorer` the states of a search game, and `sheet` has the
table and the picture to click that the assistants of the games use. Widgets contain no rules: each
shows a frozen value (a knowledge, a session, a graph) and replaces it by another.
"""
