"""The verbs: each takes objects, not paths, and gives one result."""
