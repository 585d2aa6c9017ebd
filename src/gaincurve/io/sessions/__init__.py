"""Session logs and runs of sessions, read."""
