"""Ways to answer queries; `deduce.engines.choose` says which one answers what."""
