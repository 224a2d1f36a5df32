"""The page of Pig-slaying: a log step by step, the roles over time, puzzles to solve."""
