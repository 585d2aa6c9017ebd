"""Curves: values by rank, read upwards (gain), sideways (effort) and against each other (crossings)."""
