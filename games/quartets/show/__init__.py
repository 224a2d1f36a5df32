"""How Blink Quartets is shown: as text, as pictures, and the views of its values."""
