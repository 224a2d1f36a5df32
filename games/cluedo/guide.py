"""The rules of Cluedo as a page of text, which ``deduce cluedo rules`` prints.

CLUEDO (in America: CLUE)

Aim       Find out who committed the murder, with which weapon, and in which
          room: one card of each category, hidden in the envelope.

Deck      21 cards: 6 suspects, 6 weapons and 9 rooms. Other editions and decks
          of your own are possible ("deduce cluedo new" asks).

Deal      One card of each category is put into the envelope, unseen. All other
          cards are dealt to the players; hands may differ by one card. Some
          groups put cards that are left over face up on the table, where they
          are in no hand; others leave them aside, unseen.

Turn      The players take turns clockwise. A player who has moved into a room
          may make a suggestion: a suspect, a weapon, and that room. A player
          may name cards of their own hand.

Answers   Clockwise from the suggester, each player in turn answers. A player
          who holds none of the named cards passes. The first who holds at
          least one must show one of them, of their choice, to the suggester
          only; then no further player answers.

Accusing  Once, on their own turn, a player may accuse: a suspect, a weapon and
          a room. They look into the envelope. If all three cards are in it,
          they win. If not, they make no more suggestions, but go on answering.

What follows from what happens at the table:
  - A player who passed holds none of the named cards.
  - A player who showed a card holds at least one of them; the suggester knows
    which one.
  - A wrong accusation: not all of its cards are in the envelope.
  - Nothing follows from the choice of a suggestion.

Some editions differ: in Master Detective every player who can shows a card; in
others both neighbors answer. A log can record this: it holds what was seen.

How to type a log: "deduce cluedo track --help". First steps:
  deduce cluedo new evening.cluedo
  deduce cluedo track evening.cluedo
  deduce cluedo sheet evening.cluedo
"""
