"""gaincurve sweep."""
