"""What the rest stands on: files, locks, clocks, processes, the registry of games, small texts."""
