"""A state and a replay that the documentation and the commands use."""
