"""Sample sizes before an experiment: of queries, and of documents for recall."""
