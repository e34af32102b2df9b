"""Finished blocks in a folder, so that work goes on where it was stopped.

Each piece of work has a folder of its own, numbered in the order in which pieces come up, with a
file that says what the work is (in words and digests, and the versions) and one for each finished
block, named by its units. Work that differs in anything from what the folder holds is refused, with
what differs.

Files appear whole or not at all, and each begins with a digest of the work, the block and the rest.
So a file is not used that is damaged, belongs to another block or to other work: its block is
worked on again, and that is said. Nothing is forced to the disk before it takes its name: after a
power cut a file may be empty or hold rubbish, and the digest tells.

Two processes may work in one folder. Neither waits for the other; both write the same bits.
"""

from __future__ import annotations

import hashlib
import io
import json
import logging
import re
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import CheckpointError
from ..whole_files import whole_file
from .same_work import ANOTHER_FOLDER, account_of, check_same
from .work import Block, Units, Work

__all__ = ["Checkpoint"]

logger = logging.getLogger("irbounds")

Engine = Callable[[Sequence[Block]], Generator[Units]]

ABOUT = "work.json"
ENDING = ".block"
DIGEST = hashlib.sha256().digest_size
PIECE = re.compile(r"(\d{4,})-[\w-]+", re.ASCII)
LEFT = 3600  # seconds after which an unfinished file belongs to a process that was ended


class Checkpoint:
    """A folder of finished blocks."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._n_pieces = 0
        self._is_told = False
        _check_folder(folder)

    def blocks_done(self, work: Work, blocks: Sequence[Block], engine: Engine) -> Generator[Units]:
        """What each block gives, in order: read where it is there, else worked on and written."""
        self._n_pieces += 1
        piece = _begun(self.folder, self._n_pieces, work, blocks)
        missing = [block for block in piece.blocks if piece.payload(block) is None]
        self._tell(work.what, len(piece.blocks) - len(missing), len(piece.blocks))
        return _blocks_done(piece, missing, engine)

    def _tell(self, what: str, n_there: int, n_blocks: int) -> None:
        """Say once from where work goes on: at the first piece that is not all there."""
        if self._is_told or n_there == n_blocks:
            return
        self._is_told = True
        n_before = self._n_pieces - 1
        if n_there or n_before:
            before = f", after {n_before} finished piece{'s' * (n_before > 1)}" if n_before else ""
            logger.info(
                f"going on from {self.folder}: {n_there} of {n_blocks} blocks of {what} are there"
                f"{before}"
            )


@dataclass(frozen=True)
class _Piece:
    """A piece of work in its folder."""

    folder: Path
    #: as they were cut when the work began
    blocks: list[Block]
    #: a digest of what the work is
    work: bytes

    def file(self, block: Block) -> Path:
        return self.folder / f"{block.start:08d}-{block.stop:08d}{ENDING}"

    def digest(self, block: Block, payload: bytes | memoryview) -> bytes:
        digest = hashlib.sha256(self.work)
        digest.update(f"{block.start} {block.stop}\n".encode())
        digest.update(payload)
        return digest.digest()

    def read(self, block: Block) -> Units | None:
        """What a block gave; None where it is not there, or cannot be used."""
        payload = self.payload(block)
        return None if payload is None else _unpacked(payload)

    def payload(self, block: Block) -> bytes | None:
        file = self.file(block)
        try:
            content = file.read_bytes()
        except FileNotFoundError:
            return None
        digest, payload = content[:DIGEST], content[DIGEST:]
        if self.digest(block, payload) == digest:
            return payload
        logger.warning("%s is damaged or of other work; its block is worked on again", file)
        return None

    def write(self, block: Block, units: Units) -> None:
        payload = _packed(units)
        with whole_file(self.file(block)) as opened:
            opened.write(self.digest(block, payload))
            opened.write(payload)


def _blocks_done(piece: _Piece, missing: Sequence[Block], engine: Engine) -> Generator[Units]:
    waiting = set(missing)
    with closing(engine(missing)) as worked:
        for block in piece.blocks:
            units = next(worked) if block in waiting else piece.read(block)
            if units is None:  # damaged or gone since a moment ago
                with closing(engine([block])) as again:
                    units = next(again)
                waiting.add(block)
            if block in waiting:
                piece.write(block, units)
            yield units


def _check_folder(folder: Path) -> None:
    """Raise ``CheckpointError`` where a folder is something else."""
    if folder.is_symlink() and not folder.exists():
        raise CheckpointError(f"checkpoint {folder}: this is a link to nothing; name a folder")
    if not folder.exists():
        return
    if not folder.is_dir():
        raise CheckpointError(f"checkpoint {folder}: this is a file; name a folder")
    for path in sorted(folder.iterdir()):
        if not path.name.startswith(".") and not (PIECE.fullmatch(path.name) and path.is_dir()):
            raise CheckpointError(
                f"{folder}: this is no checkpoint, it holds {path.name}; give an empty folder, or "
                "the name of a new one"
            )


def _begun(folder: Path, number: int, work: Work, blocks: Sequence[Block]) -> _Piece:
    """A piece of work as it began, which may be now."""
    here = account_of(work, blocks[-1].stop)
    identity = hashlib.sha256(_written(here)).digest()
    file = _folder_of(folder, number, work.what) / ABOUT
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        _write_about(file, here | {"ends": [block.stop for block in blocks]})
        return _Piece(file.parent, list(blocks), identity)
    there = _read_about(file)
    ends = there.pop("ends")
    check_same(folder, there, here)
    _sweep(file.parent)
    cut = [range(begin, end) for begin, end in zip([0, *ends[:-1]], ends, strict=True)]
    return _Piece(file.parent, cut, identity)


def _folder_of(folder: Path, number: int, what: str) -> Path:
    """Where a piece is kept; an error where another kind of work has its number."""
    chosen = folder / f"{number:04d}-{what.replace(' ', '-')}"
    for path in folder.glob(f"{number:04d}-*/{ABOUT}"):
        if path.parent != chosen:
            check_same(folder, {"what": _read_about(path)["what"]}, {"what": what})
    return chosen


def _write_about(file: Path, about: dict[str, Any]) -> None:
    digest = hashlib.sha256(_written(about)).hexdigest()
    with whole_file(file) as opened:
        opened.write(_written(about | {"digest": digest}))


def _read_about(file: Path) -> dict[str, Any]:
    try:
        about = json.loads(file.read_bytes())
        digest = about.pop("digest")
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError):
        about, digest = {}, ""
    if hashlib.sha256(_written(about)).hexdigest() != digest:
        raise CheckpointError(
            f"{file}: this is damaged, or no checkpoint of irbounds; {ANOTHER_FOLDER}"
        )
    found: dict[str, Any] = about
    return found


def _written(about: dict[str, Any]) -> bytes:
    return json.dumps(about, indent=1).encode()


def _sweep(folder: Path) -> None:
    """Remove what processes that were killed in the middle of writing have left."""
    for path in folder.glob(f".*{ENDING}.*"):
        with suppress(FileNotFoundError):
            if time.time() - path.stat().st_mtime > LEFT:
                path.unlink()


def _packed(units: Units) -> memoryview:
    """Arrays by unit and place."""
    payload = io.BytesIO()
    named: dict[str, Any] = {
        f"{u}-{k}": array for u, unit in enumerate(units) for k, array in enumerate(unit)
    }
    np.savez(payload, **named)
    return payload.getbuffer()


def _unpacked(payload: bytes) -> Units:
    found: dict[int, list[Any]] = {}
    with np.load(io.BytesIO(payload), allow_pickle=False) as arrays:
        for name in arrays.files:  # in the order written
            found.setdefault(int(name.partition("-")[0]), []).append(arrays[name])
    return [tuple(unit) for unit in found.values()]
