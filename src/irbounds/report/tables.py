"""A table once, in every format: for people with rounded cells, for programs with full records."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["FORMATS", "Table", "labelled", "render"]


@dataclass(frozen=True)
class Table:
    """Rounded ``cells`` to look at and full ``records`` to compute with, row by row."""

    title: str
    headings: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    records: tuple[Mapping[str, Any], ...]
    #: columns from this one on are numbers and stand to the right
    first_number: int = 1


def labelled(kind: str, records: Iterable[Mapping[str, Any]]) -> tuple[dict[str, Any], ...]:
    """Records that say which kind of table they are of: several kinds may share a file."""
    return tuple({"table": kind, **record} for record in records)


def render(tables: Sequence[Table], form: str, about: Mapping[str, Any]) -> str:
    """Text in one of the ``FORMATS``; ``about`` is what JSON says besides the records."""
    return FORMATS[form](tables, about)


def _csv(tables: Sequence[Table], about: Mapping[str, Any]) -> str:
    """Tables of several kinds share one header: what a row has no value for stays empty."""
    text = io.StringIO()
    records = [record for table in tables for record in table.records]
    columns = dict.fromkeys(column for record in records for column in record)
    writer = csv.DictWriter(text, list(columns), lineterminator="\n")
    writer.writeheader()
    writer.writerows({k: "" if _is_nan(v) else v for k, v in r.items()} for r in records)
    return text.getvalue()


def _json(tables: Sequence[Table], about: Mapping[str, Any]) -> str:
    records = [_cleaned(record) for table in tables for record in table.records]
    return json.dumps({**about, "results": records}, indent=2, ensure_ascii=False) + "\n"


def _jsonl(tables: Sequence[Table], about: Mapping[str, Any]) -> str:
    return "".join(
        json.dumps(_cleaned(record), ensure_ascii=False) + "\n"
        for table in tables
        for record in table.records
    )


def _markdown(tables: Sequence[Table], about: Mapping[str, Any]) -> str:
    return "\n".join(_markdown_table(table) for table in tables)


def _markdown_table(table: Table) -> str:
    rule = ["---" if k < table.first_number else "---:" for k in range(len(table.headings))]
    escaped = [[cell.replace("|", "\\|") for cell in row] for row in (table.headings, *table.cells)]
    rows = [escaped[0], rule, *escaped[1:]]
    body = "\n".join("| " + " | ".join(row) + " |" for row in rows)
    return f"**{table.title}**\n\n{body}\n"


def _latex(tables: Sequence[Table], about: Mapping[str, Any]) -> str:
    return "\n".join(_latex_table(table) for table in tables)


def _latex_table(table: Table) -> str:
    n_numbers = len(table.headings) - table.first_number
    lines = [" & ".join(map(_latex_text, row)) + r" \\" for row in (table.headings, *table.cells)]
    return "\n".join(
        (
            f"% {table.title} (needs the booktabs package)",
            rf"\begin{{tabular}}{{{'l' * table.first_number}{'r' * n_numbers}}}",
            r"\toprule",
            lines[0],
            r"\midrule",
            *lines[1:],
            r"\bottomrule",
            r"\end{tabular}",
            "",
        )
    )


def _latex_text(text: str) -> str:
    special = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    special |= {"<": "$<$", ">": "$>$", "\N{PLUS-MINUS SIGN}": r"$\pm$"}
    return "".join(special.get(c, f"\\{c}" if c in "&%$#_{}" else c) for c in text)


def _is_nan(value: Any) -> bool:
    return isinstance(value, float) and math.isnan(value)


def _cleaned(record: Mapping[str, Any]) -> dict[str, Any]:
    """JSON has no NaN and no infinity: what is not known or not bounded is null."""
    return {
        key: None if isinstance(value, float) and not math.isfinite(value) else value
        for key, value in record.items()
    }


FORMATS: dict[str, Callable[[Sequence[Table], Mapping[str, Any]], str]] = {
    "csv": _csv,
    "json": _json,
    "jsonl": _jsonl,
    "markdown": _markdown,
    "latex": _latex,
}
