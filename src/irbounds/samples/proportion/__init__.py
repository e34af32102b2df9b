"""Intervals on the share of relevant documents in one segment, one method a file."""
