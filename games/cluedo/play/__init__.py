"""Whole games of Cluedo between players: the table, the players, tournaments."""
