"""What pages are made of; each module has a feature, whose `Feature` a presenter gets."""
