"""The report: one offline page that answers a person's questions, and recomputes its numbers when asked."""
