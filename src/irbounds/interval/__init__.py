"""Interval methods, one a file."""
