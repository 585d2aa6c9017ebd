"""A made-up experiment: lists, sessions and texts, from one seed."""
