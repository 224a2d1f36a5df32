"""Every sentence of the page of Blink Quartets; the referee's own sentences are the toolkit's."""

from __future__ import annotations

from deduce.pages.sentences import Table

__all__ = ["TEXTS"]

TEXTS: Table = {
    "title": "Quartets",
    "view.turn": "Turn",
    "view.cards": "Cards",
    "view.verdict": "Verdict",
    # Set-up
    "setup.players": "Players, clockwise, separated by commas",
    "setup.default_players": "Ann, Ben, Cid, Dot",
    "setup.groups": "Groups: one a line, such as  fish: cod, eel, ray, pike",
    "setup.groups_hint": "or only how many and of which size: 4 of 4; the names then come up "
    "during the game",
    "setup.preset": "Rules",
    "setup.preset.recommended": "usual",
    "setup.preset.literal": "to the letter",
    "setup.preset.strict": "declaring is a duty",
    "setup.start": "Start",
    "setup.no_players": "name the players, separated by commas",
    "setup.no_groups": "describe the groups: one a line, or for example 4 of 4",
    # Turns
    "turn.to": "{name} asks whom?",
    "turn.group": "For a card of which group?",
    "turn.card": "For which card?",
    "turn.ask": "Ask",
    "turn.declare": "Declare {group}",
    "turn.declare_title": "Or {name} declares a group",
    "turn.sure": "certain",
    "turn.answer": "{name} answers",
    "turn.yes": "Yes",
    "turn.no": "No",
    "turn.loses": "loses",
    "turn.must": "must say so",
    "turn.choose": "choose a player and a card first",
    "turn.type": "Or type what was said",
    "turn.type_hint": "for example  {example}  or  yes  or  declare {group}",
    "turn.say": "Enter",
    "turn.table": "On the table",
    "contradiction.none": "No deal is possible while the log contradicts itself.",
    # Cards
    "cards.title": "Where the cards can be",
    "cards.deals": ("{n} deal remains possible", "{n} deals remain possible"),
    "cards.undecided": "The number of deals is not known within the time limit.",
    "cards.cell": "{card}, {player}: {value}",
    "cards.yes": "yes",
    "cards.no": "no",
    "cards.aside": "{group}: laid aside",
    "cards.help": "The percentages are shares of the possible deals. Tap a cell to see why.",
    "cards.why": "{card} with {player}",
    "cards.close": "Close",
    "cards.all_aside": "Every group is laid aside.",
    # Advice
    "view.advice": "Advice",
    "advice.title": "What to say",
    "advice.over": "The game is over: nothing can be said any more.",
    "advice.none": "Nothing can be asked.",
    "advice.certain": "{name} certainly has {group}.",
    "advice.barred": "Asking for a card of these groups loses:",
    "advice.ask": "Ask {to} for {card}",
    "advice.must": "the answer must be yes",
    "advice.never": "the answer must be no",
    "advice.yes": "yes with {share}",
    "advice.loses": "This loses: no deal would remain possible.",
    "advice.help": "The probability that the answer is yes, over all deals that remain possible. "
    "Tap one to ask it.",
    "advice.more": ("{n} more question leaves a deal.", "{n} more questions leave a deal."),
    # A state
    "state.saved": "A single state",
    "state.title": "Is a deal possible?",
    "state.valid": "A deal is possible, for example:",
    "state.invalid": "No deal is possible:",
    "state.ways": (
        "There is {n} way to give every place a card.",
        "There are {n} ways to give every place a card.",
    ),
    # Verdict
    "verdict.title": "Is every statement possible?",
    "verdict.valid": "Every statement leaves a deal. One of the deals that remain:",
    "verdict.invalid": "A statement loses.",
    "verdict.proof": "Why",
    "verdict.step": "After {n} statements of {all}",
    "verdict.start": "Before the first statement",
    "verdict.now": "What is known then",
}
"""Message key -> sentence; see `deduce.pages.sentences`."""
