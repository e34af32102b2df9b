"""``read_qrels`` and ``read_run``: whatever holds judgments or a ranking, by its kind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..errors import InputError, ParameterError
from ..parameters import DuplicateRule, OrderRule
from .assemble import assemble_qrels, assemble_run, check_run_options
from .columns import Columns
from .frames import (
    FRAME_ENDINGS,
    RECORD_NAMES,
    columns_from_frame,
    columns_from_records,
    read_frame,
)
from .mappings import columns_from_json, columns_from_mapping
from .records import Qrels, Run
from .sources import Source, base_name, file_ending
from .trec import read_qrels_columns, read_run_columns

JSON_ENDINGS = {".json", ".jsonl", ".ndjson"}


def read_qrels(source: Any, *, name: str | None = None) -> Qrels:
    """Read relevance judgments.

    Parameters
    ----------
    source
        A path (TREC text, JSON, JSON lines, CSV, TSV or Parquet; plain or compressed with gzip,
        zstd, bzip2 or xz), ``-`` for standard input, a dict of dict, a pandas or polars frame (a
        LazyFrame is collected), an iterable of records with named fields, a ranx ``Qrels``, or a
        ``Qrels`` of irbounds.
    name
        The name of the judgments; by default that of the file.

    Returns
    -------
    Qrels
        The judgments, query by query.

    Examples
    --------
    >>> read_qrels({"q1": {"a": 1, "b": 0}, "q2": {"a": 2}})
    <Qrels qrels: 3 judgments of 2 queries>
    """
    if isinstance(source, Qrels):
        return replace(source, name=name) if name else source
    columns = _columns(source, "the judgments", is_run=False)
    return assemble_qrels(columns, name or _name(source, "qrels"))


def read_run(
    source: Any,
    *,
    name: str | None = None,
    duplicates: DuplicateRule = "error",
    order: OrderRule = "score",
    float32: bool = False,
    depth: int | None = None,
) -> Run:
    """Read one system's rankings and sort them in trec_eval's order.

    Parameters
    ----------
    source
        As for ``read_qrels``.
    name
        The name of the system; by default that of the file without its extensions.
    duplicates
        A document twice in a query is an ``"error"``. With ``"first"`` the better-ranked entry
        counts, and the others are counted and dropped.
    order
        By ``"score"``, ties by document id descending; or by the ``"rank"`` column.
    float32
        Round scores to single precision first, as trec_eval 9 and pytrec_eval do.
    depth
        The number of documents to keep per query.

    Returns
    -------
    Run
        The rankings, best document first.

    Examples
    --------
    >>> run = read_run({"q1": {"a": 1.5, "b": 2.5}}, name="mine")
    >>> run, run.to_dict()
    (<Run mine: 2 entries for 1 queries>, {'q1': {'b': 2.5, 'a': 1.5}})
    """
    check_run_options(duplicates, order, depth)
    if isinstance(source, Run):
        if (duplicates, order, float32, depth) != ("error", "score", False, None):
            raise ParameterError("options of reading do not apply to a Run; read its source again")
        return replace(source, name=name) if name else source
    return assemble_run(
        _columns(source, f"the run {name!r}" if name else "the run", is_run=True),
        name or _name(source, "run"),
        duplicates=duplicates,
        order=order,
        float32=float32,
        depth=depth,
    )


def _columns(source: Any, what: str, *, is_run: bool) -> Columns:
    """Columns of any source; ``what`` it is called in errors where it is not a file."""
    if isinstance(source, str | Path):
        return _columns_from_file(source, is_run)
    if type(source).__module__.partition(".")[0] == "ranx":
        source = source.to_dict()
    if isinstance(source, Mapping):
        return columns_from_mapping(source, what, is_run=is_run)
    if hasattr(type(source), "columns"):
        return columns_from_frame(source, what, is_run=is_run)
    if isinstance(source, Iterable):
        return columns_from_records(source, what, is_run=is_run)
    raise InputError(
        f"{what}: a path, a dict of dict, a frame or records are expected; "
        f"got {type(source).__name__}"
    )


def _columns_from_file(path: str | Path, is_run: bool) -> Columns:
    with Source(path) as source:
        ending = file_ending(path, source)
        if ending in FRAME_ENDINGS:
            frame = read_frame(source, ending, used=RECORD_NAMES)
            return columns_from_frame(
                frame, source.name, is_run=is_run, fingerprint=source.fingerprint
            )
        if ending in JSON_ENDINGS:
            return columns_from_json(source, is_run=is_run)
        return read_run_columns(source) if is_run else read_qrels_columns(source)


def _name(source: Any, otherwise: str) -> str:
    if isinstance(source, str | Path):
        return otherwise if str(source) == "-" else base_name(source)
    name = getattr(source, "name", None)
    return name if isinstance(name, str) and name else otherwise
