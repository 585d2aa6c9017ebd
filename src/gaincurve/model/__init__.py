"""What things are: judgments, runs, graded runs, scenarios, scores. NumPy only."""
