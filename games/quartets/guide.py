"""The rules of Blink Quartets as a page of text, which ``deduce quartets rules`` prints.

Blink Quartets, 2 to 10 players

Cards in groups, usually of four, are dealt face down, as equally as possible. No player looks at a
card: what a card is follows only from what the players say. The player who lays aside the most
groups wins.

  turn       The player may declare groups. Then they ask another player who has cards for a card.
             They need a card of the same group themselves.
  yes        The card is handed over, and the turn continues.
  no         The player who was asked has the turn.
  declare    The player has all cards of a group, and lays them aside.

After every statement some deal must agree with all statements so far. A player who makes that
impossible loses: the statement is undone, and they take no more turns, but can still be asked. The
last remaining player wins. If two players lay aside the same number of groups, the one whose last
group came first wins.

What follows from a statement:
  - A player who asks holds a card of the group; in most games, not the card itself.
  - A player who says no does not hold the card.

Options ("deduce quartets new --help") settle what groups of players play differently: whether a
player may ask for a card that may be their own, may be dealt a complete group, or must declare
one. docs/games/quartets.md, section 4, lists them all. First steps:
  deduce quartets new --players Ann,Ben,Cid --groups "8 of 4" game.quartets
  deduce quartets play game.quartets --computer Ben
"""
