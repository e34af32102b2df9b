"""Standardisation factors: the mean and standard deviation of reference systems per query.

A standardised score is relative to the systems that it was standardised by. To compare a new system
with published ones, the factors are enough, and the runs are not needed: for each measure and query
the mean and the standard deviation of the reference systems' scores. They are stored as readable
JSON, with a fingerprint of the exact numbers, so that two papers can check whether they use the
same scale.
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
KINDS = {dict: "an object", list: "a list", str: "text", int: "an integer"}

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Factors:
    """Mean and standard deviation of the reference systems' scores: measure x query."""

    #: the reference systems
    systems: tuple[str, ...]
    measures: tuple[str, ...]
    queries: tuple[str, ...]
    means: Floats
    #: with the divisor n - 1; 0 if all reference systems have the same score
    standard_deviations: Floats
    #: names and fingerprints of the inputs
    inputs: tuple[InputFile, ...] = ()

    def __post_init__(self) -> None:
        for name in ("systems", "measures", "queries"):
            labels = tuple(getattr(self, name))
            _check_labels(name, labels, minimum=2 if name == "systems" else 1)
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
        """SHA-256 of systems, measures, queries and numbers, independent of their order."""
        content = {"reference_systems": sorted(self.systems), "measures": self.by_measure()}
        # Python writes the shortest decimal that is read as the same double
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

    def _check(self, quantity: str, rule: str, values: Floats, holds: NDArray[np.bool_]) -> None:
        if holds.all():
            return
        m, q = np.argwhere(~holds)[0]
        cell = f"{self.measures[m]}, query {quote(self.queries[q])}"
        raise ParameterError(f"{cell}: the {quantity} must be {rule}; got {values[m, q]:g}")


def _check_labels(name: str, labels: Sequence[str], minimum: int) -> None:
    """Raise ``ParameterError`` unless labels are enough and differ."""
    if len(labels) < minimum:
        raise ParameterError(f"{name} of factors must be at least {minimum}; got {len(labels)}")
    known: set[str] = set()
    for label in labels:
        if label in known:
            raise ParameterError(f"{name} of factors must differ; {quote(label)} is there twice")
        known.add(label)


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
    document = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "irbounds": __version__,
        "fingerprint": factors.fingerprint,
        "reference_systems": list(factors.systems),
        "inputs": [asdict(file) for file in factors.inputs],
        "measures": factors.by_measure(),
    }
    text = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
    with write_atomically(path) as file:
        # a file name that is not Unicode is written with JSON's escapes, which can be read again
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
        document = parse_json(text)
        _check_format(document)
        factors = _parse_factors(document)
        _check_fingerprint(_get(document, "fingerprint", str), factors.fingerprint)
    except IrboundsError as error:
        raise InputError(f"{source.name}: {error}") from None
    return factors


def _check_format(document: Mapping[str, Any]) -> None:
    if document.get("format") != FORMAT:
        raise InputError(
            f"not a file of standardisation factors: its 'format' must be {FORMAT!r}; "
            f"got {quote(document.get('format'))}"
        )
    version = _get(document, "format_version", int)
    if version != FORMAT_VERSION:
        raise InputError(f"format_version must be {FORMAT_VERSION}; got {version}")


def _check_fingerprint(stored: str, computed: str) -> None:
    if stored != computed:
        raise InputError(
            f"the fingerprint does not match the content, which was changed: the file has "
            f"{quote(stored)}, its numbers have {computed!r}"
        )


def _parse_factors(document: Mapping[str, Any]) -> Factors:
    """Return the factors of a parsed file; raise ``InputError`` for values of a wrong type."""
    _get(document, "irbounds", str)
    systems = tuple(map(_check_text, _get(document, "reference_systems", list)))
    inputs = tuple(map(_parse_input_file, _get(document, "inputs", list)))
    by_measure = _get(document, "measures", dict)
    parts = {measure: _get(by_measure, measure, dict) for measure in by_measure}
    queries = tuple(next(iter(parts.values()), ()))
    numbers = np.array(
        [_parse_numbers(measure, part, queries) for measure, part in parts.items()]
    ).reshape(len(parts), len(queries), 2)
    return Factors(systems, tuple(parts), queries, numbers[..., 0], numbers[..., 1], inputs)


def _parse_numbers(
    measure: str, part: Mapping[str, Any], queries: Sequence[str]
) -> list[list[float]]:
    """Return the mean and standard deviation of each query, for one measure."""
    if set(part) != set(queries):
        query = min(set(part) ^ set(queries))
        raise InputError(
            f"every measure must have the same queries; {measure} differs in {quote(query)}"
        )
    rows = []
    for query in queries:
        where = f"{measure}, query {quote(query)}: "
        pair = _get(part, query, dict, f"{measure}: query ")
        rows.append([_get_number(pair, key, where) for key in ("mean", "standard_deviation")])
    return rows


def _get_number(pair: Mapping[str, Any], key: str, where: str) -> float:
    value = _get_value(pair, key, where)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(f"{where}{key!r} must be a number; got {quote(value)}")
    return float(value)


def _parse_input_file(file: Any) -> InputFile:
    if not isinstance(file, dict):
        raise InputError(f"'inputs' must hold objects; got {quote(file)}")
    return InputFile(*(_get(file, key, str, "inputs: ") for key in ("name", "fingerprint")))


def _check_text(value: Any) -> str:
    if not isinstance(value, str):
        raise InputError(f"'reference_systems' must hold text; got {quote(value)}")
    return value


def _get(document: Mapping[str, Any], key: str, kind: type, where: str = "") -> Any:
    """Return the value of a key; raise ``InputError`` unless it is there and of its type."""
    value = _get_value(document, key, where)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise InputError(f"{where}{key!r} must be {KINDS[kind]}; got {quote(value)}")
    return value


def _get_value(document: Mapping[str, Any], key: str, where: str) -> Any:
    if key not in document:
        raise InputError(f"{where}no key {key!r}")
    return document[key]
