"""The formats of other tools: one record for each, and one place that recognises them."""
