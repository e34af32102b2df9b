"""The papers' experiments, their tables beside ours."""
