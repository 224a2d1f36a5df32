"""The commands of ``deduce propre``, one module for those that belong together."""
