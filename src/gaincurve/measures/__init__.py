"""Measures: one decorated function each; their notation and registry."""

FAMILIES = (
    "gain",
    "binary",
    "sets",
    "counts",
    "earlier",
    "satisfaction",
    "instances",
    "incomplete",
    "sampled",
    "cascade",
    "blended",
    "sessions",
)
"""The modules that hold measures, in the order in which they are listed."""
