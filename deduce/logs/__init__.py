"""Text to values and back: events, logs, claims, problems as JSON and as text, undo."""
