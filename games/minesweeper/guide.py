"""The rules of Minesweeper as a page of text, which ``deduce minesweeper rules`` prints.

Minesweeper, 1 player

Some cells of a board are mines. Opening a cell that is a mine loses; any other cell shows how many
of its up to eight neighbours are mines, and around a 0 all neighbours are opened too. The game is
won when every cell that is not a mine is open.

  classic start   the first cell that is opened is not a mine
  modern start    the first cell and its neighbours are not mines

All placements of the mines that the start allows are equally likely. Cells are named by column and
row: A1 is the top left corner, AD16 the bottom right corner of the expert board.

A board is written row by row: a digit is an open cell, '.' a hidden one, 'F' a flag (which is read
as hidden, since it is what a player believes); a line 'mines: 10' gives the number of mines. A log
begins with 'board: expert' or 'board: 12x8:15', then come lines such as 'C4: 2'.
"""
