"""The gym."""
