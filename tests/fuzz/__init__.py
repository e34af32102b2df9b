"""A fuzzer of every reader, every saved file and every numerical verb.

``pytest tests/fuzz`` runs the quick part, ``make fuzz`` the long one. See ``engine.py``.
"""
