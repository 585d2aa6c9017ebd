"""gaincurve estimate."""
