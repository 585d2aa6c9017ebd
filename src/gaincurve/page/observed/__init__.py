"""What the report keeps of runs and sessions."""
