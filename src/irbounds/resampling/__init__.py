"""Resampling of queries, documents, signs and labels: replicates of scores and means."""
