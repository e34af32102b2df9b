"""Pipelines over several stages: scores of runs, chance levels, images of the corpus."""
