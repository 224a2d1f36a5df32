"""What pages are made of: features, each with its views, intents and jobs; and parts of `play`."""
