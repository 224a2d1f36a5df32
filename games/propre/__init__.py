"""Propreantepenultimate Card: a shedding game whose rules are a numbered specification."""

from deduce.registry import Registration

__all__ = ["REGISTRATION"]

REGISTRATION = Registration(
    name="propre",
    summary="Propreantepenultimate Card: its specification played, solved and advised upon",
    commands="games.propre.cli:propre",
    search="games.propre.game:open_game",
    cases={
        "options": "games.propre.cases:options",
        "transitions": "games.propre.cases:transitions",
        "games": "games.propre.cases:games",
        "solved": "games.propre.cases:solved",
        "derived": "games.propre.cases:derived",
    },
    examples="games.propre.examples",
)
