"""``irbounds check``: the diagnosis alone."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from .inputs import RunOptions, judgments_and_runs
from .options import (
    Depth,
    Digits,
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

if TYPE_CHECKING:
    from ..results import Diagnosis

EXAMPLES = (
    "\b\nExamples:\n"
    "  irbounds check qrels.txt bm25.run dense.run.gz\n"
    "  irbounds check qrels.txt reranked.run -m nDCG@10 -m RR\n"
    "  irbounds check qrels.txt runs/* --format json > diagnosis.json\n"
    "  irbounds check qrels.txt reranked.run --figure ties.svg"
)

TieMeasures = Annotated[
    list[str] | None,
    typer.Option(
        "--measure",
        "-m",
        metavar="NAME",
        help="A measure whose scores ties, short lists or single precision may move; may be "
        "repeated. Default: AP.",
    ),
]


def check(
    qrels: Qrels,
    runs: Runs,
    measures: TieMeasures = None,
    queries: Queries = QueriesRule.judged,
    duplicates: Duplicates = DuplicateRule.error,
    order: Order = OrderRule.score,
    float32: Float32 = False,
    depth: Depth = None,
    digits: Digits = None,
    form: Format = None,
    output: Output = None,
) -> None:
    """What is odd about judgments and runs.

    Shows for each run its queries, entries, distinct documents, depth, the judged share of the
    first 10 and 100 and the share of tied entries; judged queries that are missing, queries without
    judgments, with short lists or with one score for all, repeated documents, ranks that contradict
    scores; what ties do to mean scores; and fingerprints (SHA-256). Warns of runs with the same
    rankings, of many ties and of scores that single precision would change. Names every file that
    cannot be read. Exit status: 0 nothing odd, 1 warnings, 2 errors.
    """
    from .. import __version__
    from ..api import check as diagnose
    from ..api import check_measures, tie_effects
    from ..presentation.registry import section_of
    from ..results import records
    from ..results.diagnosis import diagnosis_record, diagnosis_tables, summary_lines

    chosen = chosen_form(form, output)
    check_standard_input([qrels, *runs])
    named = measures or ["AP"]
    check_measures(named, "expected")
    options = RunOptions(duplicates.value, order.value, float32, depth)
    judgments, packed = judgments_and_runs(qrels, runs, options)
    diagnosis = diagnose(judgments, packed, named, queries=queries.value)
    effects = tie_effects(judgments, packed, named, queries=queries.value)
    section = replace(
        section_of(effects),
        heading="Diagnosis of the inputs",
        sentences=(),
        tables=diagnosis_tables(diagnosis, effects, digits),
        topics=["diagnosis", "ties"],
    )
    write_result(
        [section],
        form=chosen,
        output=output,
        inputs=summary_lines(diagnosis),
        warnings=diagnosis.warnings,
        about={
            "irbounds": __version__,
            **diagnosis_record(diagnosis),
            "ties": records(effects),
            "inputs": _inputs(diagnosis),
        },
    )
    raise typer.Exit(1 if diagnosis.warnings else 0)


def _inputs(diagnosis: Diagnosis) -> list[dict[str, str]]:
    qrels = diagnosis.qrels
    files = [(qrels.name, qrels.fingerprint)]
    files += [(run.name, run.fingerprint) for run in diagnosis.runs]
    return [{"name": name, "fingerprint": fingerprint} for name, fingerprint in files]
