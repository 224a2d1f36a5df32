"""Views of states and replays: text, and HTML pages."""
