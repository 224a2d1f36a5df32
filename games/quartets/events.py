"""What is said in a game of Blink Quartets."""

from __future__ import annotations

from attrs import frozen

__all__ = ["Answer", "Ask", "Event", "Quartet"]


@frozen
class Ask:
    """``by`` asks ``to`` for a card."""

    by: str
    to: str
    card: str


@frozen
class Answer:
    """``by`` answers the question just asked; on yes the card goes to the asker."""

    by: str
    yes: bool


@frozen
class Quartet:
    """``by`` declares a group: its cards leave her hand and count for her."""

    by: str
    group: str


Event = Ask | Answer | Quartet
