"""Whole games of Cluedo between programs: the table, the referee, the players, tournaments."""
