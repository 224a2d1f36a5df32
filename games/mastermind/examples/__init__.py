"""Example logs of Mastermind and of Bulls and Cows."""
