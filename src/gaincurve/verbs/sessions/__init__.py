"""The verbs for whole sessions."""
