"""Texts of topics and documents, read."""
