"""Us and the neighbours side by side: ``python -m benchmarks``."""
