"""States and a saved game that the docs and the commands use."""
