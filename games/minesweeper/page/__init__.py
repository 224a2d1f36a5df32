"""The page of Minesweeper: a board to tap, with the probability of a mine in every cell."""
