"""Reports: which sections, in which order, and where their numbers come from."""
