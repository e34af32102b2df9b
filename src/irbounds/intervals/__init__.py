"""Interval methods, one per file: each computes confidence limits of a sample."""
