"""Where a study finds a file: in a data folder's part or in its own folder, plain or ``.gz``."""

from __future__ import annotations

from pathlib import Path

from ..datasets.fetch import plain_or_compressed
from ..errors import InputError


def data_file(folder: Path, part: str, name: str) -> Path:
    """Return the file ``name``, or ``name.gz``, of ``folder/part`` or of ``folder`` itself.

    Raises
    ------
    InputError
        When it is in neither.
    """
    for place in (folder / part, folder):
        found = plain_or_compressed(place / name)
        if found is not None:
            return found
    raise InputError(
        f"{folder}: no {name} here, nor in a folder {part}, plain or as .gz "
        "(see irbounds data list)"
    )
