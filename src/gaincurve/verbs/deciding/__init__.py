"""What `decide` looks at: the pairs of runs, the model of unjudged documents, and how ends close."""
