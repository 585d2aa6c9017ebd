"""Files in: opened, recognised and read. Results out: tables, JSON, whole files."""
