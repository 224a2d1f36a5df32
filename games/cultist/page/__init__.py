"""The page of Cultist Wars: a recorded game board by board."""
