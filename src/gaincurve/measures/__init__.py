"""Measures: one decorated function each; their notation and registry."""
