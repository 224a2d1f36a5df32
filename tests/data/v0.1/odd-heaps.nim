1,3,5 player 0
