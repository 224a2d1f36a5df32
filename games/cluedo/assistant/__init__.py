"""A game that is being played: the session, its file, the terminal and the page."""
