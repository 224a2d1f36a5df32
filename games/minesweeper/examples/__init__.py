"""Example transcripts and states, for the commands, the docs and the notebooks."""
