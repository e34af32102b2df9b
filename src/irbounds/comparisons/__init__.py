"""Systems against each other: differences, tests, ranks, published results."""
