"""gaincurve curve."""
