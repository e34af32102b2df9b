"""Sheets of strata: counts by stratum, of one retrieved set or of several.

The sheet of one retrieved set has one line per stratum, which says whether it was retrieved. The
sheet of several sets is that of the TREC Legal Track. There the sets of several teams divide the
corpus into one stratum per pattern of who retrieved a document and who did not. ``teams`` names the
teams, and ``pattern`` has an R or an N per team, in that order. One sample of the strata is used
for all teams: the retrieved strata of a team are those with an R at its place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ..errors import InputError, quote
from ..results import InputFile, Results, Sample, Stratum
from ..results.samples import CHECK_FIELDS, segment_of
from .sheets import Row, Sheet, read_sheet

ALL = "all"  # of a stratum were sampled
COUNTS = ("population", "sampled", "relevant")
SIZE_COLUMNS = ("stratum", "retrieved", "population")
STRATA_COLUMNS = ("stratum", "retrieved", *COUNTS)
SYSTEMS_COLUMNS = ("teams", "pattern", *COUNTS)
NOT_SAMPLED = {"sampled": "0", "relevant": "0"}
OPTIONAL = ("assessable", *CHECK_FIELDS)
#: meanings of headings; the track's own names include r2, the count after appeals
NAMES = {
    **{name: name for name in (*STRATA_COLUMNS, *OPTIONAL, "teams", "pattern", "topic")},
    **{"N": "population", "n": "sampled", "a": "assessable", "r2": "relevant"},
}
RETRIEVED, UNRETRIEVED = "R", "N"
TRUE_WORDS = ("yes", "y", "true", "1", "r", "retrieved")
FALSE_WORDS = ("no", "n", "false", "0", "unretrieved")
TOTAL_WORDS = {"total", "totals", "sum", "all", "gesamt", "insgesamt", "summe"}


def read_samples(path: str | Path) -> Results[Sample]:
    r"""Read a sheet of strata of one retrieved set or of several.

    The columns are ``stratum, retrieved, population, sampled, relevant[, assessable]``, in any
    order. ``retrieved`` is yes or no. ``population`` is the number of documents in the stratum,
    ``sampled`` the number of those drawn at random (or ``all``), ``relevant`` the number of
    relevant ones among these, and ``assessable`` the number among these that could be judged. Where
    documents were assessed again, ``relevant_checked`` is the number of relevant ones that were,
    and ``relevant_confirmed`` the number of these that are relevant; ``irrelevant_checked`` is the
    number of those judged not relevant that were, and ``irrelevant_overturned`` the number of these
    that are relevant.

    A sheet of several sets has ``teams`` and ``pattern`` in place of ``stratum`` and ``retrieved``,
    and perhaps ``topic``. N, n, r2 and a are accepted as in the TREC Legal Track.

    Parameters
    ----------
    path
        A CSV (with commas or semicolons) or TSV file, or a workbook of Excel (``.xlsx``), for which
        the extra ``irbounds[excel]`` is needed.

    Returns
    -------
    Results of Sample
        One sample, or one per topic and team.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> rows = ["stratum,retrieved,population,sampled,relevant", "top,yes,2000,100,50",
    ...         "rest,no,100000,100,3"]
    >>> with TemporaryDirectory() as directory:
    ...     path = Path(directory) / "strata.csv"
    ...     _ = path.write_text("\n".join(rows))
    ...     (sample,) = read_samples(path)
    >>> [(stratum.name, stratum.population, stratum.relevant) for stratum in sample]
    [('top', 2000, 50), ('rest', 100000, 3)]
    """
    sheet = read_sheet(path)
    headings = {heading.lower() for heading in sheet.headings}
    # r1 is the track's count before appeals
    names = NAMES if {"r2", "relevant"} & headings else {**NAMES, "r1": "relevant"}
    if headings & {"teams", "pattern"}:
        return _read_systems(sheet, *sheet.rows(names, SYSTEMS_COLUMNS))
    return Results([_read_strata(sheet, *sheet.rows(names, STRATA_COLUMNS))])


def read_populations(path: str | Path) -> Sample:
    """Read strata whose samples are not counted yet: ``stratum, retrieved, population``."""
    sheet = read_sheet(path)
    rows, warnings = sheet.rows(NAMES, SIZE_COLUMNS)
    sizes = [
        replace(row, cells={name: row[name] for name in SIZE_COLUMNS} | NOT_SAMPLED) for row in rows
    ]
    return _read_strata(sheet, sizes, warnings)


def _read_strata(sheet: Sheet, rows: Sequence[Row], warnings: tuple[str, ...]) -> Sample:
    strata: dict[tuple[str, bool], Stratum] = {}
    for row in rows:
        stratum = _parse_stratum(row, row["stratum"], _parse_retrieved(row))
        # a part of the corpus that is retrieved in part is two strata with one name
        key = (stratum.name, stratum.retrieved)
        if key in strata:
            raise row.error(f"stratum {quote(stratum.name)} ({segment_of(stratum)}) is there twice")
        strata[key] = stratum
    if len({is_retrieved for _, is_retrieved in strata}) < 2:
        raise InputError(
            f"{sheet.source}: every stratum is {segment_of(stratum)}: recall needs both segments; "
            "one without documents is a stratum with a population of 0"
        )
    return Sample(tuple(strata.values()), inputs=_inputs(sheet), warnings=warnings)


def _read_systems(sheet: Sheet, rows: Sequence[Row], warnings: tuple[str, ...]) -> Results[Sample]:
    topics: dict[str, list[Row]] = {}
    for row in rows:
        topics.setdefault(row["topic"], []).append(row)
    samples = []
    for topic, of_topic in topics.items():
        teams = of_topic[0]["teams"].split()
        strata = _parse_topic(of_topic, teams)
        for place, team in enumerate(teams):
            parts = tuple(replace(part, retrieved=part.name[place] == RETRIEVED) for part in strata)
            if len({part.retrieved for part in parts}) < 2:
                raise of_topic[0].error(
                    f"every stratum of topic {quote(topic)} is {segment_of(parts[0])} by {team}: "
                    "recall needs both segments"
                )
            samples.append(Sample(parts, team, topic or None, _inputs(sheet), warnings=warnings))
    return Results(samples)


def _parse_topic(rows: Sequence[Row], teams: Sequence[str]) -> list[Stratum]:
    """Return the strata of a topic, named by their patterns; the caller sets ``retrieved``."""
    if not teams or len(set(teams)) < len(teams):
        raise rows[0].error(f"teams must be different names; got {quote(rows[0]['teams'])}")
    known: set[str] = set()
    for row in rows:
        pattern = row["pattern"].upper()
        if row["teams"].split() != list(teams):
            raise row.error(
                f"teams {quote(row['teams'])} where the first line has {quote(' '.join(teams))}"
            )
        if len(pattern) != len(teams) or not set(pattern) <= {RETRIEVED, UNRETRIEVED}:
            raise row.error(
                f"pattern must have an R or an N for each of {len(teams)} teams; "
                f"got {quote(row['pattern'])}"
            )
        if pattern in known:
            raise row.error(f"pattern {quote(pattern)} is there twice")
        known.add(pattern)
    return [_parse_stratum(row, row["pattern"].upper(), False) for row in rows]


def _parse_stratum(row: Row, name: str, retrieved: bool) -> Stratum:
    if not name:
        raise row.error("a stratum without a name")
    population = row.count("population")
    optional = {
        column: row.count(column)
        for column in OPTIONAL
        # an empty cell: nothing was assessed again
        if row[column] or (column == "assessable" and column in row.cells)
    }
    stratum = Stratum(
        name,
        retrieved,
        population,
        population if row["sampled"].lower() == ALL else row.count("sampled"),
        row.count("relevant"),
        **optional,
    )
    for contradiction in stratum.contradictions():
        raise row.error(contradiction)
    return stratum


def _parse_retrieved(row: Row) -> bool:
    """Return whether a stratum was retrieved."""
    word = row["retrieved"].lower()
    if word in TRUE_WORDS + FALSE_WORDS:
        return word in TRUE_WORDS
    words = re.findall(r"\w+", f"{row['stratum']} {word}".lower())
    hint = "; is this a row of totals? delete it" if set(words) & TOTAL_WORDS else ""
    raise row.error(
        f"retrieved must be yes ({', '.join(TRUE_WORDS[1:])}) or no "
        f"({', '.join(FALSE_WORDS[1:])}); got {quote(row['retrieved'])}{hint}"
    )


def _inputs(sheet: Sheet) -> tuple[InputFile, ...]:
    return (InputFile(sheet.source, sheet.fingerprint),)
