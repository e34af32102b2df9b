"""Replicates: from arrays of scores to what other draws of queries could have given."""
