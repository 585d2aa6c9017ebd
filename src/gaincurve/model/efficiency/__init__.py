"""What runs cost: records of queries, and their summary."""
