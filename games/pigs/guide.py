"""The rules of Pig-slaying as a page of text, which ``deduce pigs rules`` prints.

Pig-slaying (SDOI2010), 2 to 10 seats

One Master (MP), loyals (ZP) and rebels (FP) sit in a circle. Seat 1 is the Master; all other roles
are hidden. The rebels win when the Master dies, the Master and the loyals when all rebels are dead.
Every seat has 4 hp (hit points) and 4 cards, and plays by the policy below, so every action, and
every action that is not taken, is evidence of roles.

Turn      Draw 2 cards; then use the leftmost card that is usable now, and look again from the left.

  P peach      with less than 4 hp: 1 hp more
  K slash      if the next seat is an enemy, once in a turn: it discards a dodge or loses 1 hp
  F duel       if there is an enemy: both discard slashes in turn; who cannot loses 1 hp
  N invasion   every other seat discards a slash or loses 1 hp
  W volley     every other seat discards a dodge or loses 1 hp
  Z crossbow   equipped at once: any number of slashes in a turn
  D dodge      only as an answer
  J nullify    stops a duel, an invasion or a volley for a seat that has declared its side; from the
               user on, the first seat of that side uses one, and the other side may counter it

Enemies   Of the Master: declared rebels and suspicious seats. Of a loyal: declared rebels. Of a
          rebel: the Master and declared loyals. A rebel duels the Master, others their first enemy.

Declaring A seat declares its side when it uses a slash, a duel or a nullify. An undeclared seat
          whose invasion or volley damages the Master is suspicious.

At 0 hp   The seat discards a peach and has 1 hp, or dies and shows its role. The killer of a rebel
          draws 3 cards. A Master who kills a loyal loses all cards.

Every numbered paragraph is in docs/games/pigs.md. First steps:
  deduce pigs puzzle --players 4 --seed 2 > puzzle.pigs
  deduce pigs infer puzzle.pigs
  deduce pigs why 4=FP puzzle.pigs
"""
