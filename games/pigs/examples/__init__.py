"""Example logs and a deal of Pig-slaying."""
