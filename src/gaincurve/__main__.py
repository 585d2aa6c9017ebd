"""`python -m gaincurve`."""

from gaincurve.cli import entry

entry()
