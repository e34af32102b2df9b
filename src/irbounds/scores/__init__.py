"""Per-query scores: the score table, scoring, ties and the diagnosis."""
