"""Finished blocks in a folder, so that work goes on where it was stopped.

Each piece of work has a folder of its own in the order in which pieces come up, with a file that
says what the work is (its function, what its units share, the version) and one for each finished
block. Files appear whole or not at all, and each begins with a digest of the rest: a damaged one is
noticed, said, and its block worked on again. Work that differs in anything from what the folder
holds is refused, with what differs.
"""

from __future__ import annotations

import hashlib
import io
import json
import warnings
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import CheckpointError, CheckpointWarning
from ..whole_files import whole_file
from .digests import description_of, name_of
from .work import Block, Units, Work

__all__ = ["Checkpoint"]

Engine = Callable[[Sequence[Block]], Generator[Units]]

ABOUT = "work.json"
ENDING = ".block"
FORMAT = 1
LIBRARIES = ("numpy", "scipy", "numba")
DIGEST = hashlib.sha256().digest_size


class Checkpoint:
    """A folder of finished blocks."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._n_pieces = 0

    def blocks_done(self, work: Work, blocks: Sequence[Block], engine: Engine) -> Generator[Units]:
        """What each block gives, in order: read where it is there, else worked on and written."""
        self._n_pieces += 1
        kind = name_of(work).rpartition(".")[2].strip("_")
        folder = self.folder / f"{self._n_pieces:04d}-{kind}"
        cut = _begun(folder, work, blocks)
        return _blocks_done(folder, cut, engine)


def _begun(folder: Path, work: Work, blocks: Sequence[Block]) -> list[Block]:
    """The blocks as they were cut when the work began, which may be now."""
    about = {
        "format": FORMAT,
        "work": name_of(work),
        "versions": versions(),
        "n_units": blocks[-1].stop,
        "shared": description_of(work),
    }
    file = folder / ABOUT
    if file.exists():
        there = _read_about(file)
        ends = there.pop("ends", None)
        _check_same(folder, there, about)
        return [range(a, b) for a, b in zip([0, *ends[:-1]], ends, strict=True)]
    folder.mkdir(parents=True, exist_ok=True)
    about["ends"] = [block.stop for block in blocks]
    with whole_file(file) as opened:
        opened.write(json.dumps(about, indent=1).encode())
    return list(blocks)


def versions() -> dict[str, str]:
    """What decides the bits of a result, besides the work."""
    from .. import __version__

    return {"irbounds": __version__} | {name: version(name) for name in LIBRARIES}


def _read_about(file: Path) -> dict[str, Any]:
    try:
        about = json.loads(file.read_bytes())
    except ValueError:
        about = None
    if not isinstance(about, dict) or "shared" not in about or not about.get("ends"):
        raise CheckpointError(f"{file}: this is damaged, or no checkpoint of irbounds")
    return about


def _check_same(folder: Path, there: dict[str, Any], here: dict[str, Any]) -> None:
    """Raise ``CheckpointError`` with the first thing that differs."""
    for key in ("format", "work", "n_units"):
        _compare(folder, key.replace("_", " "), there.get(key), here[key])
    for part, name in (("versions", "version of {}"), ("shared", "{}")):
        for key in sorted(there[part].keys() | here[part].keys()):
            _compare(folder, name.format(key), there[part].get(key), here[part].get(key))


def _compare(folder: Path, name: str, there: Any, here: Any) -> None:
    if there == here:
        return
    digests = all(str(one).startswith("sha256:") for one in (there, here))
    how = "differs" if digests else f"is {there} there and {here} here"
    raise CheckpointError(
        f"{folder}: this checkpoint is of other work: {name} {how}; give another folder, or remove "
        "this one"
    )


def _blocks_done(folder: Path, blocks: Sequence[Block], engine: Engine) -> Generator[Units]:
    files = [folder / f"{number:06d}{ENDING}" for number in range(len(blocks))]
    missing = {number for number, file in enumerate(files) if _read(file) is None}
    with closing(engine([blocks[number] for number in sorted(missing)])) as worked:
        for number, file in enumerate(files):
            if number in missing:
                units = next(worked)
                _write(file, units)
            else:
                units = _read(file) or next(engine([blocks[number]]))  # damaged a moment ago
            yield units


def _write(file: Path, units: Units) -> None:
    """Arrays by unit and place, after a digest of all of them."""
    payload = io.BytesIO()
    named: dict[str, Any] = {
        f"{u}-{k}": array for u, unit in enumerate(units) for k, array in enumerate(unit)
    }
    np.savez(payload, **named)
    content = payload.getbuffer()
    with whole_file(file) as opened:
        opened.write(hashlib.sha256(content).digest())
        opened.write(content)


def _read(file: Path) -> Units | None:
    """What a block gave; None where it is not there, or is damaged."""
    if not file.exists():
        return None
    content = file.read_bytes()
    digest, payload = content[:DIGEST], content[DIGEST:]
    if hashlib.sha256(payload).digest() != digest:
        warnings.warn(f"{file} is damaged; its block is worked on again", CheckpointWarning, 4)
        return None
    found: dict[int, list[Any]] = {}
    with np.load(io.BytesIO(payload), allow_pickle=False) as arrays:
        for name in arrays.files:  # in the order written
            found.setdefault(int(name.partition("-")[0]), []).append(arrays[name])
    return [tuple(unit) for unit in found.values()]
