"""Ways to answer queries; `deduce.engines.choose` lists which one answers what."""
