"""How a page reaches a person: a static site, a server on this computer, a notebook."""
