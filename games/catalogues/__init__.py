"""The sentences of the games: a gettext catalogue for each language (`deduce.system.language`)."""
