"""``irbounds check``: the diagnosis alone."""

from __future__ import annotations

import typer

from .options import (
    Depth,
    DuplicateRule,
    Duplicates,
    Float32,
    Format,
    Order,
    OrderRule,
    Output,
    Qrels,
    Queries,
    QueriesRule,
    Runs,
    check_standard_input,
)
from .writing import chosen_form, write_result

__all__ = ["EXAMPLES", "check"]

EXAMPLES = (
    "\b\nExamples:\n"
    "  irbounds check qrels.txt bm25.run dense.run.gz\n"
    "  irbounds check qrels.txt runs/* --format json > diagnosis.json"
)


def check(
    qrels: Qrels,
    runs: Runs,
    queries: Queries = QueriesRule.judged,
    duplicates: Duplicates = DuplicateRule.error,
    order: Order = OrderRule.score,
    float32: Float32 = False,
    depth: Depth = None,
    form: Format = None,
    output: Output = None,
) -> None:
    """What is odd about judgments and runs, without scoring them.

    Shows for each run its queries, entries, distinct documents, depth, the judged share of the
    first 10 and 100 and the share of tied entries; judged queries that are missing, queries without
    judgments or with one score for all, repeated documents, ranks that contradict scores; how far
    ties could move the mean AP; and fingerprints (SHA-256). Exit status: 0 nothing odd, 1 warnings,
    2 errors.
    """
    from .. import __version__
    from ..api import check as diagnose
    from ..api import read_qrels, read_runs
    from ..report.diagnosis import diagnosis_record, diagnosis_tables, summary_lines
    from ..report.terminal import progress

    chosen = chosen_form(form, output)
    check_standard_input([qrels, *runs])
    judgments = read_qrels(qrels)
    with progress("reading runs", len(runs)) as step:
        packed = read_runs(
            runs,
            progress=step,
            duplicates=duplicates.value,
            order=order.value,
            float32=float32,
            depth=depth,
        )
    diagnosis = diagnose(judgments, packed, queries=queries.value)
    write_result(
        diagnosis_tables(diagnosis),
        form=chosen,
        output=output,
        above=summary_lines(diagnosis),
        warnings=diagnosis.warnings,
        about={"irbounds": __version__, **diagnosis_record(diagnosis)},
    )
    raise typer.Exit(1 if diagnosis.warnings else 0)
