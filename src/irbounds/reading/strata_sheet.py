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
from ..results.samples import CHECK_FIELDS, CHECKS
from .error_list import ErrorList
from .sheets import Meanings, Row, Sheet, parse_count, read_sheet, take_written_counts

COUNTS = ("population", "sampled", "relevant")
NOT_COUNTS = ("stratum", "retrieved", "teams", "pattern", "topic", "r1")
ALL = "all"  # of a stratum were sampled
SIZE_COLUMNS = ("stratum", "retrieved", "population")
STRATA_COLUMNS = ("stratum", "retrieved", *COUNTS)
SYSTEMS_COLUMNS = ("teams", "pattern", *COUNTS)
OPTIONAL = ("assessable", *CHECK_FIELDS)
#: the track's own names; r1 is the count of the first assessment, r2 the count after appeals
SHORT = {"N": "population", "n": "sampled", "a": "assessable", "r2": "relevant"}
FIRST_COUNT = "r1"
NOTE_FINAL = "column r1 (relevant before appeals) is ignored: the final count is there"
NOTE_FIRST = "column r1 (relevant before appeals) is used: there is no final count"
RETRIEVED, UNRETRIEVED = "R", "N"
TRUE_WORDS = ("yes", "y", "true", "1", "r", "retrieved")
FALSE_WORDS = ("no", "n", "false", "0", "unretrieved")
TOTAL_WORDS = {"total", "totals", "sum", "all", "gesamt", "insgesamt", "summe"}


def read_strata(path: str | Path) -> Sample:
    r"""Read a sheet of strata of one retrieved set.

    The columns are ``stratum, retrieved, population, sampled, relevant[, assessable]``, in any
    order. ``retrieved`` is yes or no (or y and n, true and false, 1 and 0, R and N). ``population``
    is the number of documents in the stratum, ``sampled`` the number of those drawn at random (or
    ``all``, if the stratum was read in full), ``relevant`` the number of relevant ones among these,
    and ``assessable`` the number among these that could be judged. Where documents were assessed
    again, ``relevant_checked`` is the number of relevant ones that were, and ``relevant_confirmed``
    the number of these that are relevant; ``irrelevant_checked`` is the number of those judged not
    relevant that were assessed again, and ``irrelevant_overturned`` the number of these that are
    relevant after all. The cells are empty for a stratum without such a second assessment. Other
    columns are ignored, and the sample's ``warnings`` name them.

    Parameters
    ----------
    path
        A CSV (with commas or semicolons) or TSV file, or a workbook of Excel (``.xlsx``), for which
        the extra ``irbounds[excel]`` is needed.

    Returns
    -------
    Sample
        The strata.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> rows = ["stratum,retrieved,population,sampled,relevant", "top,yes,2000,100,50",
    ...         "rest,no,100000,100,3"]
    >>> with TemporaryDirectory() as directory:
    ...     path = Path(directory) / "strata.csv"
    ...     _ = path.write_text("\n".join(rows))
    ...     sample = read_strata(path)
    >>> [(stratum.name, stratum.population, stratum.relevant) for stratum in sample]
    [('top', 2000, 50), ('rest', 100000, 3)]
    """
    return _parse_strata(read_sheet(path))


def read_systems_sheet(path: str | Path) -> Results[Sample]:
    r"""Read a sheet of the retrieved sets of several teams.

    The columns are ``teams, pattern, population, sampled, relevant[, assessable][, topic]``, or N,
    n, r2 and a as in the overviews of the TREC Legal Track. ``pattern`` has an R or an N per team.
    The columns of a second assessment are those of ``read_strata``.

    Parameters
    ----------
    path
        A CSV (with commas or semicolons) or TSV file, or a workbook of Excel (``.xlsx``), for which
        the extra ``irbounds[excel]`` is needed.

    Returns
    -------
    Results of Sample
        One per topic and team.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> rows = ["teams,pattern,population,sampled,relevant", "A B,RR,500,50,40",
    ...         "A B,RN,800,50,20", "A B,NN,90000,100,2"]
    >>> with TemporaryDirectory() as directory:
    ...     path = Path(directory) / "strata.csv"
    ...     _ = path.write_text("\n".join(rows))
    ...     samples = read_systems_sheet(path)
    >>> [(sample.system, [stratum.retrieved for stratum in sample]) for sample in samples]
    [('A', [True, True, False]), ('B', [True, False, False])]
    """
    return _parse_systems(read_sheet(path))


def read_samples(path: str | Path) -> Results[Sample]:
    r"""Read a sheet of strata of one retrieved set or of several.

    The header tells the two kinds apart.

    Parameters
    ----------
    path
        A sheet as ``read_strata`` or ``read_systems_sheet`` reads it.

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
    ...     samples = read_samples(path)
    >>> len(samples), len(list(samples[0]))
    (1, 2)
    """
    sheet = read_sheet(path)
    if {heading.lower() for heading in sheet.headings} & {"teams", "pattern"}:
        return _parse_systems(sheet)
    return Results([_parse_strata(sheet)])


def read_populations(path: str | Path) -> Sample:
    """Read strata whose samples are not counted yet: ``stratum, retrieved, population``."""
    return _parse_strata(read_sheet(path), only_sizes=True)


def _parse_strata(sheet: Sheet, *, only_sizes: bool = False) -> Sample:
    errors = ErrorList(sheet.source, sheet.unit)
    notes: tuple[str, ...] = ()
    if only_sizes:
        meanings = sheet.meanings(SIZE_COLUMNS, (), SHORT)
    else:
        meanings, notes = _find_meanings(sheet, STRATA_COLUMNS, OPTIONAL, (FIRST_COUNT,))
    rows, written = take_written_counts(sheet, sheet.rows(meanings), NOT_COUNTS)
    notes = (*sheet.notes, *notes, *written)
    strata = [
        _parse_stratum(row, row["stratum"], _parse_retrieved(row, errors), errors) for row in rows
    ]
    # a part of the corpus that is retrieved in part is two strata with one name
    keys = [
        (stratum.name, f"stratum {quote(stratum.name)} ({_word(stratum.retrieved)})")
        for stratum in strata
    ]
    _check_names(keys, rows, errors)
    errors.raise_if_any()
    for side in (True, False):
        if not any(stratum.retrieved is side for stratum in strata):
            raise InputError(
                f"{sheet.source}: no stratum is {_word(side)}: recall needs both segments; one "
                "without documents is a stratum with a population of 0"
            )
    return Sample(tuple(strata), inputs=_inputs(sheet), notes=notes, warnings=meanings.warnings)


def _parse_systems(sheet: Sheet) -> Results[Sample]:
    errors = ErrorList(sheet.source, sheet.unit)
    meanings, notes = _find_meanings(sheet, SYSTEMS_COLUMNS, (*OPTIONAL, "topic", FIRST_COUNT))
    rows, written = take_written_counts(sheet, sheet.rows(meanings), NOT_COUNTS)
    notes = (*sheet.notes, *notes, *written)
    topics: dict[str, list[Row]] = {}
    for row in rows:
        topics.setdefault(row.cells.get("topic", ""), []).append(row)
    strata = {topic: _parse_topic(of_topic, topic, errors) for topic, of_topic in topics.items()}
    errors.raise_if_any()
    return Results(
        Sample(
            tuple(
                replace(stratum, retrieved=stratum.name[place] == RETRIEVED) for stratum in of_topic
            ),
            system=team,
            topic=topic or None,
            inputs=_inputs(sheet),
            notes=notes,
            warnings=meanings.warnings,
        )
        for topic, of_topic in strata.items()
        for place, team in enumerate(topics[topic][0]["teams"].split())
    )


def _parse_topic(rows: Sequence[Row], topic: str, errors: ErrorList) -> list[Stratum]:
    """Return the strata of a topic, named by their patterns; the caller sets ``retrieved``."""
    teams = rows[0]["teams"].split()
    where = f" of topic {topic}" if topic else ""
    if not teams or len(set(teams)) < len(teams):
        errors.add(f"teams must be different names; got {quote(rows[0]['teams'])}", rows[0].line)
    for row in rows:
        _check_pattern(row, teams, where, errors)
    patterns = [row["pattern"].upper() for row in rows]
    _check_names(
        [(pattern, f"pattern {quote(pattern)}{where}") for pattern in patterns], rows, errors
    )
    for place, team in enumerate(teams):
        marks = {pattern[place : place + 1] for pattern in patterns}
        if marks < {RETRIEVED, UNRETRIEVED}:
            word = _word(RETRIEVED in marks)
            errors.add(f"every stratum{where} is {word} by {team}: recall needs both segments")
    return [
        _parse_stratum(row, pattern, False, errors)
        for row, pattern in zip(rows, patterns, strict=True)
    ]


def _check_pattern(row: Row, teams: Sequence[str], where: str, errors: ErrorList) -> None:
    if row["teams"].split() != teams:
        errors.add(
            f"teams {quote(row['teams'])} where the first line{where} has {quote(' '.join(teams))}",
            row.line,
        )
    marks = row["pattern"].upper()
    if len(marks) != len(teams) or not set(marks) <= {RETRIEVED, UNRETRIEVED}:
        errors.add(
            f"pattern must have an R or an N for each of {len(teams)} teams; "
            f"got {quote(row['pattern'])}",
            row.line,
        )


def _find_meanings(
    sheet: Sheet, needed: Sequence[str], optional: Sequence[str], unoffered: Sequence[str] = ()
) -> tuple[Meanings, tuple[str, ...]]:
    """Return the meanings of columns, and a note if the first count was ignored or used."""
    has_final = {"r2", "relevant"} & {heading.lower() for heading in sheet.headings}
    also = {**SHORT, FIRST_COUNT: FIRST_COUNT if has_final else "relevant"}
    meanings = sheet.meanings(needed, optional, also, unoffered)
    for pair in CHECKS:
        present = [column for column in pair if column in meanings]
        if len(present) == 1:
            (missing,) = set(pair) - set(present)
            raise InputError(
                f"{sheet.source}: column {quote(present[0])} without {quote(missing)}: documents "
                "that were assessed again need both counts"
            )
    notes: tuple[str, ...] = ()
    if FIRST_COUNT in sheet.headings:
        notes = (NOTE_FINAL if has_final else NOTE_FIRST,)
    return meanings, notes


def _parse_stratum(row: Row, name: str, retrieved: bool, errors: ErrorList) -> Stratum:
    is_census = row.cells.get("sampled", "").lower() == ALL
    parsed = {
        column: parse_count(row, column, errors)
        for column in (*COUNTS, *OPTIONAL)
        if column in row.cells
        and (row[column] or column not in CHECK_FIELDS)
        and not (is_census and column == "sampled")
    }
    if is_census:
        parsed["sampled"] = parsed["population"]
    counts = {column: count for column, count in parsed.items() if count is not None}
    population, sampled, relevant = (counts.get(column, 0) for column in COUNTS)
    others = {column: counts.get(column) for column in OPTIONAL}
    stratum = Stratum(name, retrieved, population, sampled, relevant, **others)
    # contradictions that follow from a count which could not be read are not reported
    for contradiction in stratum.contradictions() if len(counts) == len(parsed) else ():
        errors.add(contradiction, row.line)
    return stratum


def _check_names(keys: Sequence[tuple[str, str]], rows: Sequence[Row], errors: ErrorList) -> None:
    """Add errors for strata without a name and repeated ones; keys are names and descriptions."""
    known: set[str] = set()
    for (name, description), row in zip(keys, rows, strict=True):
        if not name:
            errors.add("a stratum without a name", row.line)
        elif description in known:
            errors.add(f"{description} is there twice", row.line)
        known.add(description)


def _parse_retrieved(row: Row, errors: ErrorList) -> bool:
    """Return whether a stratum was retrieved."""
    word = row["retrieved"].lower()
    if word not in TRUE_WORDS + FALSE_WORDS:
        errors.add(
            f"retrieved must be yes ({', '.join(TRUE_WORDS[1:])}) or no "
            f"({', '.join(FALSE_WORDS[1:])}); got {quote(row['retrieved'])}{_totals_hint(row)}",
            row.line,
        )
    return word in TRUE_WORDS


def _totals_hint(row: Row) -> str:
    words = re.findall(r"\w+", f"{row['stratum']} {row['retrieved']}".lower())
    return "; is this a row of totals? delete it" if set(words) & TOTAL_WORDS else ""


def _word(retrieved: bool) -> str:
    return "retrieved" if retrieved else "unretrieved"


def _inputs(sheet: Sheet) -> tuple[InputFile, ...]:
    return (InputFile(sheet.source, sheet.fingerprint),)
