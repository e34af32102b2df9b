"""Whether a folder holds the work that is asked for, and if not, what differs, as a person says it.

Work is described by what its units share, under the names that the program has for it. A change of
one option changes much of that: ``n_samples`` also how many units there are, another run also how
many documents. So what a person gave is named first; if none of that differs, what was read from
files; else whatever it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ..errors import CheckpointError
from .digests import DIGEST_OF
from .versions import different_versions

__all__ = ["check_same"]

#: what a person gives, by the last part of its name
GIVEN = {
    "n_resamples",
    "n_samples",
    "n_images",
    "n_draws",
    "seed",
    "corpus_size",
    "methods",
    "confidence_levels",
    "bounds",
    "replacement",
    "n",
}
#: what comes from files, by the first part of its name
READ = {
    "columns": "the scores",
    "scores": "the scores",
    "rows": "the scores",
    "differences": "the scores",
    "draw": "the scores",
    "packed": "the runs, judgments or corpus",
    "pools": "the runs, judgments or corpus",
    "drawn": "the judgments, corpus or measures",
    "realisations": "the corpora",
}
#: other names, in words
WORDS = {
    "n_kept": "the number of images kept in full, which memory decides,",
    "outside": "the share outside an interval on each side",
    "precision": "the precision",
    "statistic": "the statistic",
    "tables": "the measures",
}
#: what a function works on, by the module that it is in
KINDS = {
    "baseline.random_rankings": "random rankings",
    "compare.sign_flip": "exact sign-flip tests",
    "corpus.validity": "images left out",
    "design.coverage": "the coverage of intervals",
    "design.recall_coverage": "the coverage of recall intervals",
    "resample.documents": "images of a corpus",
    "resample.label_shuffles": "shuffled scores",
    "resample.pools": "images of a corpus in pools",
    "resample.queries": "resampled queries",
    "resample.sign_flips": "drawn sign-flip tests",
    "resample.two_way": "resampled queries of images",
}


def check_same(folder: Path, there: Mapping[str, Any], here: Mapping[str, Any]) -> None:
    """Raise ``CheckpointError`` with what differs between two accounts of work."""
    if there == here:
        return
    raise CheckpointError(
        f"{folder}: this checkpoint is of other work: {_different(there, here)}; give another "
        "folder, or remove this one"
    )


def _different(there: Mapping[str, Any], here: Mapping[str, Any]) -> str:
    if there["work"] != here["work"]:
        return f"{_kind(there['work'])} there and {_kind(here['work'])} here"
    if there["format"] != here["format"]:
        return f"its format is {there['format']} there and {here['format']} here"
    if there["versions"] != here["versions"]:
        return different_versions(there["versions"], here["versions"])
    by_rank: dict[int, list[str]] = {}
    for rank, said in _differences(there["shared"], here["shared"]):
        by_rank.setdefault(rank, []).append(said)
    if not by_rank:
        return f"its size is {there.get('n_units')} there and {here['n_units']} here"
    return ", ".join(dict.fromkeys(by_rank[min(by_rank)]))


def _kind(function: str) -> str:
    """In words where there are some."""
    module = function.rpartition(".")[0].removeprefix("irbounds.")
    return KINDS.get(module, function)


def _differences(there: Mapping[str, str], here: Mapping[str, str]) -> Iterator[tuple[int, str]]:
    """What differs in words, with a rank: what was given, what was read, all else."""
    for name in sorted(there.keys() | here.keys()):
        values = there.get(name, "missing"), here.get(name, "missing")
        if values[0] == values[1]:
            continue
        first, last = name.partition(".")[0], name.rpartition(".")[2]
        digests = any(value.startswith(DIGEST_OF) for value in values)
        if last in GIVEN:
            yield 0, _said(last, values, digests)
        elif first in READ and (digests or "." in name):
            yield 1, f"{READ[first]} differ"
        else:
            yield 2, _said(WORDS.get(first, last), values, digests)


def _said(name: str, values: tuple[str, str], digests: bool) -> str:
    there, here = values
    if digests:
        return f"{name} differ" if name.endswith("s") else f"{name} differs"
    return f"{name} is {there} there and {here} here"
