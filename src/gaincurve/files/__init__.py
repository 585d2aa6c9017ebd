"""Paths in: judgments, runs and session logs read, graded as they are read, and let go."""
