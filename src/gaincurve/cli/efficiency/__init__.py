"""Efficiency logs on the command line: read, and shown beside the scores."""
