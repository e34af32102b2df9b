"""The verbs: one file each, with its options, what it does, and the examples of its help."""
