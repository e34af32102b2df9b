"""Requests: the options of the verbs, each declared once for Python and the command line."""
