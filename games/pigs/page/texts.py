"""Every sentence of the page of Pig-slaying; sentences about events are the toolkit's."""

from __future__ import annotations

from deduce.pages.sentences import Table

__all__ = ["TEXTS"]

TEXTS: Table = {
    "view.table": "Table",
    "view.sheet": "Cards",
    "view.roles": "Roles",
    "setup.puzzle": "Solve a puzzle",
    "setup.seats": "Seats",
    "setup.grade": "How hard, 1 to 5",
    "setup.wrong_seats": "a puzzle has {low} to {high} seats, not {seats}",
    "setup.any": "any",
    "setup.make": "Make a puzzle",
    "setup.none": "no puzzle was found this time; try again",
    "puzzle.begun": "Who is a rebel? Mark the roles, and let the tutor judge them.",
    "tutor.look": "Look at seat {n}.",
    "tutor.rests": "It is {route}.",
    "sheet.role": "Seat {seat}",
    "sheet.card": "Seat {seat}, card {card}",
    "sheet.fate": "Seat {seat}, card {card}",
    "table.title": "The table",
    "table.step": "Event {n} of {all}",
    "table.start": "Before the first turn",
    "table.event": "{n}. {event}",
    "table.picture": "Which seats are rebels",
    "table.rebel": "rebel {share}",
    "table.seat": "Seat {n}",
    "table.role": "role",
    "table.open": "open",
    "table.changes": "What this event shows",
    "table.nothing": "Nothing new about the roles.",
    "table.certain": "Seat {n} is certainly a {role}: {route}.",
    "table.change": "Seat {n}: a rebel with {old} → {new}",
    "table.hint": "Tap a seat to see why.",
    "table.unfinished": "The last turn is not finished; it counts from its next event on.",
    "table.both": "Both roles are possible.",
    "table.hidden": "The answers are hidden: this is a puzzle. The tutor shows them again.",
    "roles.title": "The probability of being a rebel, over time",
    "roles.event": "event",
    "roles.skip": "Events that change nothing are left out.",
    "roles.begin": "(start)",
    "seat.why": "Seat {n}: {role}",
    "seat.close": "Close",
}
"""Message key -> sentence; see `deduce.pages.sentences`."""
