"""Files of scores that are read as a stream, for several test modules."""

from __future__ import annotations

import polars as pl

from irbounds.reading.score_stream import open_stream
from irbounds.reading.stream_survey import check_distinct, survey

GOOD = pl.DataFrame({"qid": ["a", "b", "c"], "one": [0.1, 0.2, 0.3], "two": [1, 0, 1]})


def write(name: str, frame: pl.DataFrame = GOOD) -> str:
    """Write a frame as Parquet, and return the name of the file."""
    frame.write_parquet(name)
    return name


def read_all(sources):
    """Return a stream and its survey; queries must be distinct."""
    stream = open_stream(sources)
    known = survey(stream)
    check_distinct(stream)
    return stream, known
