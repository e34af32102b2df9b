"""``python -m irbounds`` is ``irbounds``."""

from .cli import main

main()
