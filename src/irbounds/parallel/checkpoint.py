"""Checkpoints: finished blocks in a directory, from which interrupted work continues.

Each piece of work has a subdirectory, numbered in the order of the pieces. It contains one file
that describes the work (text, digests and versions) and one file per finished block, named by its
units. Work whose identity differs from the description is refused, with what differs.

Files are written atomically, and each block file begins with a digest of the work, the block and
the content. A file that is damaged or belongs to another block or to other work is therefore not
used: its block is computed again, with a warning. Files are not synchronised to the disk before
they are renamed. After a power failure a file may be empty or contain arbitrary bytes, which the
digest detects.

Nothing in the directory is trusted before it is checked, because it may come from somebody else or
be damaged in a way that the digest does not detect. No link is followed and no device opened
(``checkpoint_directory.py``), a description must have the required parts, and a block the arrays
that its units return, in shape and dtype. So no file can use more memory than its block. Other
numbers with a correct digest cannot be detected.

Two processes may use the same directory. Neither waits for the other; both write the same bits.
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
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import CheckpointError
from .checkpoint_directory import Directory, open_directory
from .digests import (
    DIGEST_PREFIX,
    compute_digest,
    describe_value,
    describe_version_differences,
    library_versions,
    qualified_name,
)
from .work import Arrays, Block, Layout, Units, Work

logger = logging.getLogger("irbounds")

Engine = Callable[[Sequence[Block]], Generator[Units]]

FORMAT = 1
DESCRIPTION = "work.json"
BLOCK_EXTENSION = ".block"
ANOTHER_DIRECTORY = "give another directory, or remove this one"
DIGEST_BYTES = hashlib.sha256().digest_size
PIECE = re.compile(r"(\d{4,})-[\w-]+", re.ASCII)
MAX_DESCRIPTION_BYTES = 8 << 20  # besides those for each unit
UNIT_BYTES = 32  # per unit in a description
MAX_TEXT = 500  # characters of a name or a value in a description
MAX_NUMBER = 1 << 63
OVERHEAD_BYTES = 1024  # of an array in a file besides its numbers, and of the file itself
#: numpy's description of an array of numbers, after the magic number and the length
NPY = re.compile(
    rb"\x93NUMPY\x01\x00..\{'descr': '([<>|][biufc][0-9]{1,2})', 'fortran_order': (False|True), "
    rb"'shape': \(([0-9, ]{0,200})\), \} *\n",
    re.DOTALL,
)
UNFINISHED = re.compile(rf"\..*{re.escape(BLOCK_EXTENSION)}\..*", re.DOTALL)
MAX_WRITING_TIME = 3600  # seconds after which an unfinished file is left over from a killed process


class Checkpoint:
    """A directory of finished blocks."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._n_pieces = 0
        self._is_reported = False
        _check_directory(directory)

    def run_blocks(
        self, work: Work, blocks: Sequence[Block], engine: Engine, layout: Layout | None
    ) -> Generator[Units]:
        """Yield the result of each block in order: read if it is finished, else run and written."""
        self._n_pieces += 1
        piece = _open_piece(self.directory, self._n_pieces, work, blocks, layout)
        missing = [block for block in piece.blocks if piece.read_payload(block) is None]
        self._report(work.what, len(piece.blocks) - len(missing), len(piece.blocks))
        return _run_missing(piece, missing, engine)

    def _report(self, what: str, n_finished: int, n_blocks: int) -> None:
        """Log once where the work continues: at the first piece that is not complete."""
        if self._is_reported or n_finished == n_blocks:
            return
        self._is_reported = True
        n_before = self._n_pieces - 1
        if n_finished or n_before:
            before = f", after {n_before} finished piece{'s' * (n_before > 1)}" if n_before else ""
            logger.info(
                f"continuing from {self.directory}: {n_finished} of {n_blocks} blocks of {what} "
                f"are finished{before}"
            )


@dataclass(frozen=True)
class _Piece:
    """A piece of work in its subdirectory."""

    #: the checkpoint, and the name of the subdirectory
    directory: Path
    name: str
    #: as they were cut when the work began
    blocks: list[Block]
    #: a digest of the description of the work
    work: bytes
    #: the arrays of each unit, if they are known
    layout: Layout | None

    def file_name(self, block: Block) -> str:
        return f"{block.start:08d}-{block.stop:08d}{BLOCK_EXTENSION}"

    def digest(self, block: Block, payload: bytes | memoryview) -> bytes:
        digest = hashlib.sha256(self.work)
        digest.update(f"{block.start} {block.stop}\n".encode())
        digest.update(payload)
        return digest.digest()

    def read(self, block: Block) -> Units | None:
        """Return the result of a block; None if it is not there or cannot be used."""
        payload = self.read_payload(block)
        if payload is None:
            return None
        try:
            return _decode_units(payload, block, self.layout)
        except Exception:  # any error of an archive that is not ours
            self._warn_of_damage(block)
            return None

    def read_payload(self, block: Block) -> memoryview | None:
        """Return the content of a block's file; None if it is missing or its digest is wrong."""
        with open_directory(self.directory, self.name) as directory:
            content = directory.read(self.file_name(block), _max_bytes(block, self.layout))
        if content is None:
            return None
        digest, payload = content[:DIGEST_BYTES], memoryview(content)[DIGEST_BYTES:]
        if self.digest(block, payload) == digest:
            return payload
        self._warn_of_damage(block)
        return None

    def write(self, block: Block, units: Units) -> None:
        """Write the result of a block (atomically)."""
        payload = _encode_units(units)
        with (
            open_directory(self.directory, self.name) as directory,
            directory.write(self.file_name(block)) as file,
        ):
            file.write(self.digest(block, payload))
            file.write(payload)

    def _warn_of_damage(self, block: Block) -> None:
        file = self.directory / self.name / self.file_name(block)
        logger.warning("%s is damaged or of other work; its block is computed again", file)


def _run_missing(piece: _Piece, missing: Sequence[Block], engine: Engine) -> Generator[Units]:
    """Yield the result of each block in order; run and write those that are missing."""
    to_write = set(missing)
    with closing(engine(missing)) as results:
        for block in piece.blocks:
            units = next(results) if block in to_write else piece.read(block)
            if units is None:  # damaged or removed since it was checked
                with closing(engine([block])) as again:
                    units = next(again)
                to_write.add(block)
            if block in to_write:
                piece.write(block, units)
            yield units


def _check_directory(path: Path) -> None:
    """Raise ``CheckpointError`` unless a path is a checkpoint, an empty directory or unused."""
    if path.is_symlink() and not path.exists():
        raise CheckpointError(f"checkpoint {path}: broken symbolic link; give a directory")
    if not path.exists():
        return
    if not path.is_dir():
        raise CheckpointError(f"checkpoint {path}: this is a file; give a directory")
    with open_directory(path) as directory:
        for name in directory.names():
            if name.startswith("."):
                continue
            kind = directory.kind(name)
            if not PIECE.fullmatch(name) or kind != "a directory":
                raise CheckpointError(
                    f"{path}: not a checkpoint, it contains {name} ({kind}); give an empty "
                    "directory, or the path of a new one"
                )


def _open_piece(
    directory: Path, number: int, work: Work, blocks: Sequence[Block], layout: Layout | None
) -> _Piece:
    """Return a piece of work as it was begun earlier, or begin it now."""
    here = describe_work(work, blocks[-1].stop)
    identity = hashlib.sha256(_to_json(here)).digest()
    name = f"{number:04d}-{work.what.replace(' ', '-')}"
    directory.mkdir(parents=True, exist_ok=True)
    _check_number(directory, number, name, work.what)
    with suppress(FileExistsError):
        (directory / name).mkdir()
    with open_directory(directory, name) as opened:
        there = _read_description(opened, blocks[-1].stop)
        if there is None:
            _write_description(opened, here | {"ends": [block.stop for block in blocks]})
            return _Piece(directory, name, list(blocks), identity, layout)
        ends = there.pop("ends")
        check_identity(directory, there, here)
        _remove_unfinished(opened)
    begun_blocks = [range(begin, end) for begin, end in pairwise([0, *ends])]
    return _Piece(directory, name, begun_blocks, identity, layout)


def _check_number(path: Path, number: int, own_name: str, what: str) -> None:
    """Raise ``CheckpointError`` if another kind of work has the number of a piece."""
    with open_directory(path) as directory:
        others = {name for name in directory.names() if name.startswith(f"{number:04d}-")}
    for name in sorted(others - {own_name}):
        with open_directory(path, name) as directory:
            there = _read_description(directory, 0)
        if there is not None:
            check_identity(path, {"what": there["what"]}, {"what": what})


def _remove_unfinished(directory: Directory) -> None:
    """Remove the unfinished files of processes that were killed while writing."""
    now = time.time()
    for name in directory.names():
        with suppress(FileNotFoundError):
            if UNFINISHED.fullmatch(name) and directory.age(name, now) > MAX_WRITING_TIME:
                directory.remove(name)


# ---- identity: is this the same work? ----
#
# A change of one option changes many of the shared arguments: ``n_samples`` also changes the number
# of units, another run also the number of documents. So an error names the options that differ. If
# none differs, it names the inputs that differ, and otherwise the shared arguments.


def describe_work(work: Work, n_units: int) -> dict[str, Any]:
    """Return everything that determines the result of the work, as text and digests."""
    inputs = {
        words: [work.shared[name] for name in work.inputs if work.inputs[name] == words]
        for words in sorted(set(work.inputs.values()))
    }
    others = sorted({*work.shared} - {*work.inputs})
    return {
        "format": FORMAT,
        "what": work.what,
        "versions": library_versions(),
        "options": {name: describe_value(value) for name, value in work.options.items()},
        "inputs": {
            words: f"{DIGEST_PREFIX}{compute_digest(values)}" for words, values in inputs.items()
        },
        "others": {name: describe_value(work.shared[name]) for name in others},
        "function": qualified_name(work.function),
        "n_units": n_units,
    }


def check_identity(directory: Path, there: Mapping[str, Any], here: Mapping[str, Any]) -> None:
    """Raise ``CheckpointError`` with what differs between two descriptions of work."""
    if there == here:
        return
    raise CheckpointError(
        f"{directory}: this checkpoint is of other work: {_describe_difference(there, here)}; "
        f"{ANOTHER_DIRECTORY}"
    )


def _describe_difference(there: Mapping[str, Any], here: Mapping[str, Any]) -> str:
    if there["what"] != here["what"]:
        return f"{there['what']} there and {here['what']} here"
    if there["format"] != here["format"]:
        return f"its format is {there['format']} there and {here['format']} here"
    if there["versions"] != here["versions"]:
        return describe_version_differences(there["versions"], here["versions"])
    options, inputs, others = (
        _different_values(there[group], here[group]) for group in ("options", "inputs", "others")
    )
    if options:
        return ", ".join(_describe_option(name, *values) for name, values in options.items())
    if inputs:
        return ", ".join(f"{words} differ" for words in inputs)
    if others:
        return f"the data that it is computed from differ ({', '.join(others)})"
    if there["n_units"] != here["n_units"]:
        return f"its size is {there['n_units']} there and {here['n_units']} here"
    return f"{there['function']} there and {here['function']} here"


def _different_values(
    there: Mapping[str, str], here: Mapping[str, str]
) -> dict[str, tuple[str, str]]:
    """Return the values that differ, there and here, by name."""
    names = dict.fromkeys((*here, *there))
    pairs = {name: (there.get(name, "missing"), here.get(name, "missing")) for name in names}
    return {name: values for name, values in pairs.items() if values[0] != values[1]}


def _describe_option(name: str, there: str, here: str) -> str:
    if there.startswith(DIGEST_PREFIX) or here.startswith(DIGEST_PREFIX):
        return f"{name} differ" if name.endswith("s") else f"{name} differs"
    return f"{name} is {there} there and {here} here"


def _write_description(directory: Directory, description: dict[str, Any]) -> None:
    digest = hashlib.sha256(_to_json(description)).hexdigest()
    with directory.write(DESCRIPTION) as file:
        file.write(_to_json(description | {"digest": digest}))


def _read_description(directory: Directory, n_units: int) -> dict[str, Any] | None:
    """Return the description of a piece of work; None if there is none yet."""
    content = directory.read(DESCRIPTION, MAX_DESCRIPTION_BYTES + UNIT_BYTES * n_units)
    if content is None:
        return None
    try:
        description = json.loads(content)
        digest = description.pop("digest")
        is_same = hashlib.sha256(_to_json(description)).hexdigest() == digest
        if not is_same or not _is_description(description):
            raise ValueError
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError):
        raise CheckpointError(
            f"{directory.path / DESCRIPTION}: this is damaged, or not a checkpoint of irbounds; "
            f"{ANOTHER_DIRECTORY}"
        ) from None
    checked: dict[str, Any] = description
    return checked


def _is_description(description: dict[str, Any]) -> bool:
    """Return whether a description has all its parts, as far as this version knows its format."""
    numbers = [description["format"], description["n_units"], *description["ends"]]
    texts = [description["what"]]
    if description["format"] == FORMAT:
        texts.append(description["function"])
        for group in ("versions", "options", "inputs", "others"):
            texts += [*description[group].keys(), *description[group].values()]
    return (
        all(type(number) is int and number < MAX_NUMBER for number in numbers)
        and all(type(text) is str and text.isprintable() for text in texts)
        and all(len(text) < MAX_TEXT for text in texts)
        and _is_cut(description["ends"], description["n_units"])
    )


def _is_cut(ends: Any, n_units: int) -> bool:
    """Return whether blocks with these ends contain every unit once; no units are one block."""
    if n_units == 0 or type(ends) is not list:
        return bool(ends == [0])
    return ends[-1:] == [n_units] and all(begin < end for begin, end in pairwise([0, *ends]))


def _to_json(description: dict[str, Any]) -> bytes:
    return json.dumps(description, indent=1).encode()


# ---- the arrays of a block as bytes ----


def _encode_units(units: Units) -> memoryview:
    """Return an archive of arrays, named by unit and position."""
    payload = io.BytesIO()
    named: dict[str, Any] = {
        f"{u}-{k}": array for u, unit in enumerate(units) for k, array in enumerate(unit)
    }
    np.savez(payload, **named)
    return payload.getbuffer()


def _max_bytes(block: Block, layout: Layout | None) -> int | None:
    """Return the maximum size of a block's file; None if the arrays of its units are not known."""
    if layout is None:
        return None
    arrays = [part for unit in block for part in layout(unit)]
    n_bytes = sum(math.prod(shape) * np.dtype(kind).itemsize for shape, kind in arrays)
    return n_bytes + OVERHEAD_BYTES * (len(arrays) + 1)


def _decode_units(payload: memoryview, block: Block, layout: Layout | None) -> Units:
    """Return the arrays of a block; raise an error if ``_encode_units`` would not write them so.

    Nothing is decompressed that is larger than its file, and no array is allocated before all its
    numbers are known to be there.
    """
    arrays_by_unit: list[list[Any]] = [[] for _ in block]
    with zipfile.ZipFile(io.BytesIO(payload)) as archive:
        members = archive.infolist()
        is_plain = all(member.compress_type == zipfile.ZIP_STORED for member in members)
        if not is_plain or sum(member.file_size for member in members) > len(payload):
            raise ValueError("larger than the file")
        for member in members:  # in the order in which they were written
            unit = int(member.filename.partition("-")[0])
            arrays_by_unit[unit].append(_decode_array(archive.read(member)))
    units: Units = [tuple(arrays) for arrays in arrays_by_unit]
    names = [f"{u}-{k}.npy" for u, unit in enumerate(units) for k in range(len(unit))]
    if names != [member.filename for member in members]:
        raise ValueError("other names")
    if layout is not None and any(
        _layout_of_arrays(arrays)
        != [(tuple(shape), np.dtype(kind)) for shape, kind in layout(unit)]
        for unit, arrays in zip(block, units, strict=True)
    ):
        raise ValueError("other arrays")
    return units


def _decode_array(content: bytes) -> Any:
    """Return an array of numbers as numpy writes it; numpy's own reader accepts much else."""
    header = NPY.match(content)
    if header is None:
        raise ValueError("no numbers")
    kind, is_fortran, sizes = header.groups()
    shape = tuple(int(size) for size in sizes.split(b",") if size.strip())
    dtype = np.dtype(kind.decode())
    if math.prod(shape) * dtype.itemsize != len(content) - header.end():
        raise ValueError("another size")
    numbers = bytearray(memoryview(content)[header.end() :])  # a writable copy
    return np.ndarray(shape, dtype, numbers, order="F" if is_fortran == b"True" else "C")


def _layout_of_arrays(arrays: Arrays) -> list[tuple[tuple[int, ...], Any]]:
    return [(array.shape, array.dtype) for array in arrays]
