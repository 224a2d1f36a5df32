"""Every sentence of the page of Cultist Wars."""

from __future__ import annotations

from deduce.pages.sentences import Table

__all__ = ["TEXTS"]

TEXTS: Table = {
    "title": "Cultist Wars",
    "example.game": "A whole game of two bots, 87 orders.",
    "view.board": "Board",
    "view.orders": "Orders",
    "replay.saved": "{names} · {n} orders",
    "replay.step": "Turn {n} of {all}",
    "replay.start": "Before the first order",
    "replay.order": "{n}. {name}: {order}",
    "replay.hit": "Unit {unit} is hit for {damage}.",
    "replay.obstacle": "The shot ends at an obstacle.",
    "replay.neutral": "Neutral unit {unit} moves.",
    "replay.units": "{first} has {a}, {second} has {b} living units.",
    "replay.over": "The game is over: {result}.",
    "replay.wins": "{name} wins {a} to {b}",
    "replay.draw": "a draw",
    "replay.fault": "{name} loses at once: {reason}",
    "replay.going": "the game is not over",
    "replay.orders": "The orders",
    "replay.tap": "Tap an order to see the board after it.",
}
"""Message key -> sentence; see `deduce.pages.sentences`."""
