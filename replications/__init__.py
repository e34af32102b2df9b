"""Replications of five papers, and the calibration of intervals: ``python -m replications``."""
