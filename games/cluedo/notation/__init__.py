"""How logs are written and read: tokens, names, events, whole logs."""
