"""The page of Cluedo: set-up, turns by tapping, the sheet, the log, advice, minds, accusing."""
