"""Compare irbounds with other packages: ``python -m benchmarks``."""
