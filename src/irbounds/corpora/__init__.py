"""How precise measurements are on this corpus: analyses of its images (Zobel and Rashidi 2020)."""
