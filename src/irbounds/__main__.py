"""``python -m irbounds`` is ``irbounds``."""

from .cli import main

if __name__ == "__main__":
    main()
