"""The page of Mastermind: guesses by tapping, what remains possible, what to guess next."""
