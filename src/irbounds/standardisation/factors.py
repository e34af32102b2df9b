"""Standardisation factors: what a set of reference systems says of each query, as a file to share.

A standardised score means something only beside the systems that it was standardised by. Whoever
wants to place a new system among published ones needs no runs of theirs, only these numbers: for
each measure and query the mean and the standard deviation of the reference systems' scores. They
are kept as JSON that people can read, with a fingerprint of the exact numbers, so that two papers
can tell whether they speak of the same scale.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import __version__
from ..atomic_write import write_atomically
from ..errors import DataError, InputError, IrboundsError, ParameterError, quote, quote_several
from ..measurement.names import same_names
from ..reading.mappings import parse_json
from ..reading.sources import Source
from ..results import InputFile

FORMAT = "irbounds standardisation factors"
FORMAT_VERSION = 1
KINDS = {dict: "an object", list: "a list", str: "text", int: "a whole number"}

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Factors:
    """Mean and standard deviation of the reference systems' scores: measure x query."""

    #: the reference systems
    systems: tuple[str, ...]
    measures: tuple[str, ...]
    queries: tuple[str, ...]
    means: Floats
    #: with n - 1 below; 0 where all reference systems have the same score
    standard_deviations: Floats
    #: names and fingerprints of what they were computed from
    inputs: tuple[InputFile, ...] = ()

    def __post_init__(self) -> None:
        for name in ("systems", "measures", "queries"):
            labels = tuple(getattr(self, name))
            _check_labels(name, labels, least=2 if name == "systems" else 1)
            object.__setattr__(self, name, labels)
        for name in ("means", "standard_deviations"):
            values = np.array(getattr(self, name), dtype=np.float64)
            shape = (len(self.measures), len(self.queries))
            if values.shape != shape:
                raise ParameterError(f"{name} must be of shape {shape}; got {values.shape}")
            values.setflags(write=False)
            object.__setattr__(self, name, values)
        self._check_numbers()

    def __repr__(self) -> str:
        return (
            f"<Factors: {', '.join(self.measures)} of {len(self.systems):,} systems on "
            f"{len(self.queries):,} queries>"
        )

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of systems, measures, queries and numbers, in whatever order they stand."""
        content = {"reference_systems": sorted(self.systems), "measures": self.by_measure()}
        # Python writes the shortest decimal that reads back to the same double: exact numbers
        text = json.dumps(content, sort_keys=True, separators=(",", ":"))
        return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"

    def select(self, measures: Sequence[str]) -> Factors:
        """Return the factors of some of the measures.

        Parameters
        ----------
        measures
            Names of measures, in the order of the result. A measure is found by any name that means
            the same: ``AP`` by ``map``. It keeps the name that it has here.

        Returns
        -------
        Factors
            With these measures only.
        """
        places = [self._place(measure) for measure in measures]
        return replace(
            self,
            measures=tuple(self.measures[place] for place in places),
            means=self.means[places],
            standard_deviations=self.standard_deviations[places],
        )

    def _place(self, measure: str) -> int:
        known = self.measures
        same = [measure] if measure in known else same_names(measure, known)
        if len(same) > 1:
            both = quote_several(same)
            raise ParameterError(f"measure {quote(measure)} may be any of {both} in the factors")
        if not same:
            raise DataError(f"the factors do not have {measure}, only {', '.join(known)}")
        return known.index(same[0])

    def by_measure(self) -> dict[str, dict[str, dict[str, float]]]:
        """Return measure -> query -> ``mean`` and ``standard_deviation``, as in the file."""
        rows = zip(self.measures, self.means, self.standard_deviations, strict=True)
        return {
            measure: {
                query: {"mean": mean, "standard_deviation": deviation}
                for query, mean, deviation in zip(
                    self.queries, means.tolist(), deviations.tolist(), strict=True
                )
            }
            for measure, means, deviations in rows
        }

    def _check_numbers(self) -> None:
        finite, deviations = np.isfinite(self.means), self.standard_deviations
        self._check("mean", "a finite number", self.means, finite)
        not_negative = np.isfinite(deviations) & (deviations >= 0)
        self._check("standard deviation", "a finite number, 0 or more", deviations, not_negative)

    def _check(self, what: str, rule: str, values: Floats, holds: NDArray[np.bool_]) -> None:
        if holds.all():
            return
        m, q = np.argwhere(~holds)[0]
        cell = f"{self.measures[m]}, query {quote(self.queries[q])}"
        raise ParameterError(f"{cell}: the {what} must be {rule}; got {values[m, q]:g}")


def _check_labels(name: str, labels: Sequence[str], least: int) -> None:
    if len(labels) < least:
        raise ParameterError(f"{name} of factors must be at least {least}; got {len(labels)}")
    seen: set[str] = set()
    for label in labels:
        if label in seen:
            raise ParameterError(f"{name} of factors must differ; {quote(label)} is there twice")
        seen.add(label)


def write_factors(factors: Factors, path: str | Path) -> None:
    """Write standardisation factors as a JSON file (atomically).

    Parameters
    ----------
    factors
        Factors, from ``score_factors``.
    path
        The file. It is replaced if it exists.

    Returns
    -------
    None
        ``read_factors`` returns the same numbers from the file.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> factors = Factors(("a", "b"), ("AP",), ("q1",), [[0.3]], [[0.1]])
    >>> with TemporaryDirectory() as directory:
    ...     write_factors(factors, f"{directory}/ours.json")
    ...     read_factors(f"{directory}/ours.json").fingerprint == factors.fingerprint
    True
    """
    whole = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "irbounds": __version__,
        "fingerprint": factors.fingerprint,
        "reference_systems": list(factors.systems),
        "inputs": [asdict(one) for one in factors.inputs],
        "measures": factors.by_measure(),
    }
    text = json.dumps(whole, indent=1, ensure_ascii=False) + "\n"
    with write_atomically(path) as file:
        # a file name that is no Unicode: the replacement is JSON's own escape, and reads back
        file.write(text.encode(errors="backslashreplace"))


def read_factors(path: str | Path) -> Factors:
    """Read standardisation factors from a JSON file and check them.

    An invalid file raises ``InputError``, which names the file. Unknown keys are ignored, so that a
    file may contain notes.

    Parameters
    ----------
    path
        A file that ``write_factors`` wrote.

    Returns
    -------
    Factors
        The factors, with the numbers that were written.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as directory:
    ...     path = f"{directory}/ours.json"
    ...     write_factors(Factors(("a", "b"), ("AP",), ("q1",), [[0.3]], [[0.1]]), path)
    ...     factors = read_factors(path)
    >>> factors
    <Factors: AP of 2 systems on 1 queries>
    """
    with Source(path) as source:
        text = source.text()
    try:
        whole = parse_json(text)
        _check_format(whole)
        factors = _factors(whole)
        _check_fingerprint(_part(whole, "fingerprint", str), factors.fingerprint)
    except IrboundsError as error:
        raise InputError(f"{source.name}: {error}") from None
    return factors


def _check_format(whole: Mapping[str, Any]) -> None:
    if whole.get("format") != FORMAT:
        raise InputError(
            f"not a file of standardisation factors: its 'format' must be {FORMAT!r}; "
            f"got {quote(whole.get('format'))}"
        )
    version = _part(whole, "format_version", int)
    if version != FORMAT_VERSION:
        raise InputError(f"format_version must be {FORMAT_VERSION}; got {version}")


def _check_fingerprint(written: str, computed: str) -> None:
    if written != computed:
        raise InputError(
            f"the fingerprint does not match the content, which was changed: the file says "
            f"{quote(written)}, its numbers have {computed!r}"
        )


def _factors(whole: Mapping[str, Any]) -> Factors:
    """Factors from a parsed file; whatever is not of the right kind is an error."""
    _part(whole, "irbounds", str)
    systems = tuple(_text(one) for one in _part(whole, "reference_systems", list))
    inputs = tuple(_input_file(one) for one in _part(whole, "inputs", list))
    by_measure = _part(whole, "measures", dict)
    parts = {measure: _part(by_measure, measure, dict) for measure in by_measure}
    queries = tuple(next(iter(parts.values()), ()))
    numbers = np.array(
        [_numbers(measure, part, queries) for measure, part in parts.items()]
    ).reshape(len(parts), len(queries), 2)
    return Factors(systems, tuple(parts), queries, numbers[..., 0], numbers[..., 1], inputs)


def _numbers(measure: str, part: Mapping[str, Any], queries: Sequence[str]) -> list[list[float]]:
    """Mean and standard deviation of each query, for one measure."""
    if set(part) != set(queries):
        query = min(set(part) ^ set(queries))
        raise InputError(
            f"every measure must have the same queries; {measure} differs in {quote(query)}"
        )
    rows = []
    for query in queries:
        where = f"{measure}, query {quote(query)}: "
        pair = _part(part, query, dict, f"{measure}: query ")
        rows.append([_number(pair, key, where) for key in ("mean", "standard_deviation")])
    return rows


def _number(pair: Mapping[str, Any], key: str, where: str) -> float:
    value = _present(pair, key, where)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(f"{where}{key!r} must be a number; got {quote(value)}")
    return float(value)


def _input_file(one: Any) -> InputFile:
    if not isinstance(one, dict):
        raise InputError(f"'inputs' must hold objects; got {quote(one)}")
    return InputFile(*(_part(one, key, str, "inputs: ") for key in ("name", "fingerprint")))


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise InputError(f"'reference_systems' must hold text; got {quote(value)}")
    return value


def _part(whole: Mapping[str, Any], key: str, kind: type, where: str = "") -> Any:
    """The value of a key, which must be there and of its kind."""
    value = _present(whole, key, where)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise InputError(f"{where}{key!r} must be {KINDS[kind]}; got {quote(value)}")
    return value


def _present(whole: Mapping[str, Any], key: str, where: str) -> Any:
    if key not in whole:
        raise InputError(f"{where}no key {key!r}")
    return whole[key]
