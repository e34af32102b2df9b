"""Interval methods, one a file: each makes confidence limits of a sample."""
