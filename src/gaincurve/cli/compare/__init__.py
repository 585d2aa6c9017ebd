"""gaincurve compare."""
