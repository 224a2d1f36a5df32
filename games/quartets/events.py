"""The statements of a game of Blink Quartets: its events."""

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
    """``by`` declares a group: its cards leave their hand and count for them."""

    by: str
    group: str


Event = Ask | Answer | Quartet
