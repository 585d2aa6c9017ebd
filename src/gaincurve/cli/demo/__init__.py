"""gaincurve demo."""
