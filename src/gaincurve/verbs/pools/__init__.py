"""Ways to choose and order the documents of a pool: a record for each."""
