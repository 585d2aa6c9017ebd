"""gaincurve report."""
