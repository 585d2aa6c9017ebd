"""gaincurve session."""
