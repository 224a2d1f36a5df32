"""What the opponents know, and what follows: which card to show, whether to accuse or wait."""
