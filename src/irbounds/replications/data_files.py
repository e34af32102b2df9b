"""Find a file of a study: in a part of the data directory or in itself, plain or ``.gz``."""

from __future__ import annotations

from pathlib import Path

from ..datasets.fetch import plain_or_compressed
from ..errors import InputError


def data_file(directory: Path, part: str, name: str) -> Path:
    """Return the file ``name``, or ``name.gz``, of ``directory/part`` or of ``directory`` itself.

    Raises
    ------
    InputError
        When it is in neither.
    """
    for place in (directory / part, directory):
        found = plain_or_compressed(place / name)
        if found is not None:
            return found
    raise InputError(
        f"{directory}: no {name} here, nor in a directory {part}, plain or as .gz "
        "(see irbounds data list)"
    )
