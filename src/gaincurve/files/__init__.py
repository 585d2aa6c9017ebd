"""From paths to experiments: judgments, runs and session logs, graded as they are read."""
