"""Example logs of the games that are one file: whole games, named after what ends the name."""
