"""Engines that decide, find a world, or show that there is none; and what they are exported as."""
