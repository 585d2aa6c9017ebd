"""What a page is made from: judgments, graded runs and sessions, and what was chosen."""
