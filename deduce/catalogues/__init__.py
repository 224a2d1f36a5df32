"""The sentences of pages, proofs and advice that are no game's own, in every language."""
