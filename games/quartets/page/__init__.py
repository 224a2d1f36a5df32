"""The page of Blink Quartets: a referee for a real table."""
