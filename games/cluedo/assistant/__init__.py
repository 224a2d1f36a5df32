"""Keeping the log of a game while it is played: session, file, terminal, page."""
