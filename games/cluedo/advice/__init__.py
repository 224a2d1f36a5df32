"""Which suggestion tells most."""
