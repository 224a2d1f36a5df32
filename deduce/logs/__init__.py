"""Text to values and back: events, logs, claims, problems as JSON, undo."""
