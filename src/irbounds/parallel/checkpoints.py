"""Finished blocks in a folder, so that work goes on where it was stopped.

Each piece of work has a folder of its own, numbered in the order in which pieces come up, with a
file that says what the work is (in words and digests, and the versions) and one for each finished
block, named by its units. Work that differs in anything from what the folder holds is refused, with
what differs.

Files appear whole or not at all, and each begins with a digest of the work, the block and the rest.
So a file is not used that is damaged, belongs to another block or to other work: its block is
worked on again, and that is said. Nothing is forced to the disk before it takes its name: after a
power cut a file may be empty or hold rubbish, and the digest tells.

Nothing in a folder is believed before it is looked at: it may be made by somebody else, or by an
accident that the digest does not tell. No link is followed and no device opened
(``directories.py``), a description has the parts that it must have, and a block the arrays that its
units give, in shape and type, before they are used. So no file can take more memory than its block.
What cannot be told are other numbers under a digest that is right.

Two processes may work in one folder. Neither waits for the other; both write the same bits.
"""

from __future__ import annotations

import hashlib
import io
import json
import logging
import math
import re
import time
import zipfile
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import CheckpointError
from .directories import Directory, open_directory
from .same_work import ANOTHER_FOLDER, FORMAT, account_of, check_same
from .work import Arrays, Block, Layout, Units, Work

logger = logging.getLogger("irbounds")

Engine = Callable[[Sequence[Block]], Generator[Units]]

ABOUT = "work.json"
ENDING = ".block"
DIGEST = hashlib.sha256().digest_size
PIECE = re.compile(r"(\d{4,})-[\w-]+", re.ASCII)
MAX_ABOUT = 8 << 20  # bytes of a description, besides those for each of its units
EACH_UNIT = 32  # bytes in a description
MAX_TEXT = 500  # characters of a name or a value in it
MAX_NUMBER = 1 << 63
OVERHEAD = 1024  # bytes of an array in a file besides its numbers, and of the file itself
#: how numpy describes an array of numbers, after a mark and the length of the description
NPY = re.compile(
    rb"\x93NUMPY\x01\x00..\{'descr': '([<>|][biufc][0-9]{1,2})', 'fortran_order': (False|True), "
    rb"'shape': \(([0-9, ]{0,200})\), \} *\n",
    re.DOTALL,
)
LEFTOVER = re.compile(rf"\..*{re.escape(ENDING)}\..*", re.DOTALL)
LEFT = 3600  # seconds after which an unfinished file belongs to a process that was ended


class Checkpoint:
    """A folder of finished blocks."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._n_pieces = 0
        self._is_told = False
        _check_folder(folder)

    def blocks_done(
        self, work: Work, blocks: Sequence[Block], engine: Engine, layout: Layout | None
    ) -> Generator[Units]:
        """What each block gives, in order: read where it is there, else worked on and written."""
        self._n_pieces += 1
        piece = _begun(self.folder, self._n_pieces, work, blocks, layout)
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

    #: the checkpoint, and the piece in it
    folder: Path
    name: str
    #: as they were cut when the work began
    blocks: list[Block]
    #: a digest of what the work is
    work: bytes
    #: what units give, where that is known
    layout: Layout | None

    def file(self, block: Block) -> str:
        return f"{block.start:08d}-{block.stop:08d}{ENDING}"

    def digest(self, block: Block, payload: bytes | memoryview) -> bytes:
        digest = hashlib.sha256(self.work)
        digest.update(f"{block.start} {block.stop}\n".encode())
        digest.update(payload)
        return digest.digest()

    def read(self, block: Block) -> Units | None:
        """What a block gave; None where it is not there, or cannot be used."""
        payload = self.payload(block)
        if payload is None:
            return None
        try:
            return _unpacked(payload, block, self.layout)
        except Exception:  # whatever an archive does that is not ours
            self._tell_damage(block)
            return None

    def payload(self, block: Block) -> memoryview | None:
        with open_directory(self.folder, self.name) as directory:
            content = directory.read(self.file(block), _most_bytes(block, self.layout))
        if content is None:
            return None
        digest, payload = content[:DIGEST], memoryview(content)[DIGEST:]
        if self.digest(block, payload) == digest:
            return payload
        self._tell_damage(block)
        return None

    def write(self, block: Block, units: Units) -> None:
        payload = _packed(units)
        with (
            open_directory(self.folder, self.name) as directory,
            directory.write(self.file(block)) as opened,
        ):
            opened.write(self.digest(block, payload))
            opened.write(payload)

    def _tell_damage(self, block: Block) -> None:
        file = self.folder / self.name / self.file(block)
        logger.warning("%s is damaged or of other work; its block is worked on again", file)


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
    with open_directory(folder) as directory:
        for name in directory.names():
            if name.startswith("."):
                continue
            kind = directory.kind(name)
            if not PIECE.fullmatch(name) or kind != "a directory":
                raise CheckpointError(
                    f"{folder}: this is no checkpoint, it holds {name} ({kind}); give an empty "
                    "folder, or the name of a new one"
                )


def _begun(
    folder: Path, number: int, work: Work, blocks: Sequence[Block], layout: Layout | None
) -> _Piece:
    """A piece of work as it began, which may be now."""
    here = account_of(work, blocks[-1].stop)
    identity = hashlib.sha256(_written(here)).digest()
    name = f"{number:04d}-{work.what.replace(' ', '-')}"
    folder.mkdir(parents=True, exist_ok=True)
    _check_number(folder, number, name, work.what)
    with suppress(FileExistsError):
        (folder / name).mkdir()
    with open_directory(folder, name) as directory:
        there = _read_about(directory, blocks[-1].stop)
        if there is None:
            _write_about(directory, here | {"ends": [block.stop for block in blocks]})
            return _Piece(folder, name, list(blocks), identity, layout)
        ends = there.pop("ends")
        check_same(folder, there, here)
        _sweep(directory)
    cut = [range(begin, end) for begin, end in pairwise([0, *ends])]
    return _Piece(folder, name, cut, identity, layout)


def _check_number(folder: Path, number: int, chosen: str, what: str) -> None:
    """Raise ``CheckpointError`` where another kind of work has the number of a piece."""
    with open_directory(folder) as directory:
        others = {name for name in directory.names() if name.startswith(f"{number:04d}-")}
    for name in sorted(others - {chosen}):
        with open_directory(folder, name) as directory:
            there = _read_about(directory, 0)
        if there is not None:
            check_same(folder, {"what": there["what"]}, {"what": what})


def _write_about(directory: Directory, about: dict[str, Any]) -> None:
    digest = hashlib.sha256(_written(about)).hexdigest()
    with directory.write(ABOUT) as opened:
        opened.write(_written(about | {"digest": digest}))


def _read_about(directory: Directory, n_units: int) -> dict[str, Any] | None:
    """What a piece of work is; None where nobody has said so yet."""
    content = directory.read(ABOUT, MAX_ABOUT + EACH_UNIT * n_units)
    if content is None:
        return None
    try:
        about = json.loads(content)
        digest = about.pop("digest")
        if hashlib.sha256(_written(about)).hexdigest() != digest or not _is_account(about):
            raise ValueError
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError):
        raise CheckpointError(
            f"{directory.path / ABOUT}: this is damaged, or no checkpoint of irbounds; "
            f"{ANOTHER_FOLDER}"
        ) from None
    checked: dict[str, Any] = about
    return checked


def _is_account(about: dict[str, Any]) -> bool:
    """Whether a description has the parts of one, as far as this version knows its format."""
    numbers, texts = [about["format"], about["n_units"], *about["ends"]], [about["what"]]
    if about["format"] == FORMAT:
        texts.append(about["function"])
        for group in ("versions", "asked", "read", "rest"):
            texts += [*about[group].keys(), *about[group].values()]
    return (
        all(type(number) is int and number < MAX_NUMBER for number in numbers)
        and all(type(text) is str and text.isprintable() for text in texts)
        and all(len(text) < MAX_TEXT for text in texts)
        and _is_cut(about["ends"], about["n_units"])
    )


def _is_cut(ends: Any, n_units: int) -> bool:
    """Whether blocks that end so hold every unit once; no units are one block of none."""
    if n_units == 0 or type(ends) is not list:
        return bool(ends == [0])
    return ends[-1:] == [n_units] and all(begin < end for begin, end in pairwise([0, *ends]))


def _written(about: dict[str, Any]) -> bytes:
    return json.dumps(about, indent=1).encode()


def _sweep(directory: Directory) -> None:
    """Remove what processes that were killed in the middle of writing have left."""
    now = time.time()
    for name in directory.names():
        with suppress(FileNotFoundError):
            if LEFTOVER.fullmatch(name) and directory.age(name, now) > LEFT:
                directory.remove(name)


def _packed(units: Units) -> memoryview:
    """Arrays by unit and place."""
    payload = io.BytesIO()
    named: dict[str, Any] = {
        f"{u}-{k}": array for u, unit in enumerate(units) for k, array in enumerate(unit)
    }
    np.savez(payload, **named)
    return payload.getbuffer()


def _most_bytes(block: Block, layout: Layout | None) -> int | None:
    """How large the file of a block can be; None where what units give is not known."""
    if layout is None:
        return None
    arrays = [part for unit in block for part in layout(unit)]
    n_bytes = sum(math.prod(shape) * np.dtype(kind).itemsize for shape, kind in arrays)
    return n_bytes + OVERHEAD * (len(arrays) + 1)


def _unpacked(payload: memoryview, block: Block, layout: Layout | None) -> Units:
    """The arrays of a block; an error where they are not those that ``_packed`` would write.

    Nothing is unpacked that is larger than it is in the file, and no array made before it is known
    that its numbers are there.
    """
    found: list[list[Any]] = [[] for _ in block]
    with zipfile.ZipFile(io.BytesIO(payload)) as archive:
        members = archive.infolist()
        plain = all(member.compress_type == zipfile.ZIP_STORED for member in members)
        if not plain or sum(member.file_size for member in members) > len(payload):
            raise ValueError("larger than the file")
        for member in members:  # in the order written
            found[int(member.filename.partition("-")[0])].append(_array(archive.read(member)))
    units: Units = [tuple(unit) for unit in found]
    names = [f"{u}-{k}.npy" for u, unit in enumerate(units) for k in range(len(unit))]
    if names != [member.filename for member in members]:
        raise ValueError("other names")
    if layout is not None and any(
        _layout_of(arrays) != [(tuple(shape), np.dtype(kind)) for shape, kind in layout(unit)]
        for unit, arrays in zip(block, units, strict=True)
    ):
        raise ValueError("other arrays")
    return units


def _array(content: bytes) -> Any:
    """An array of numbers as numpy writes it; not by numpy's reader, which takes much else, too."""
    described = NPY.match(content)
    if described is None:
        raise ValueError("no numbers")
    kind, is_fortran, sizes = described.groups()
    shape = tuple(int(size) for size in sizes.split(b",") if size.strip())
    dtype = np.dtype(kind.decode())
    if math.prod(shape) * dtype.itemsize != len(content) - described.end():
        raise ValueError("another size")
    numbers = bytearray(memoryview(content)[described.end() :])  # which can be written to
    return np.ndarray(shape, dtype, numbers, order="F" if is_fortran == b"True" else "C")


def _layout_of(arrays: Arrays) -> list[tuple[tuple[int, ...], Any]]:
    return [(array.shape, array.dtype) for array in arrays]
