"""Readers of files and frames: judgments, runs, scores, samples and corpora."""
