"""How logs are written and read: names, answers, lines."""
