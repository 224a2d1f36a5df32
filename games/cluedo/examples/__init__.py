"""Logs of games, complete or broken off, that the commands, the docs and the tests use."""
