"""What the others know, and what follows: which card to show, accuse or wait."""
