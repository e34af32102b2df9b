"""Result cards: one mean that others can compare theirs with."""
