"""Recall, precision and yield from random samples of assessed documents."""
