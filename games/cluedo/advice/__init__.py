"""Which suggestion gives most information."""
