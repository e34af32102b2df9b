"""``check``: what is unusual about judgments and runs."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from ..requests.inputs import JudgedRuns, RunOptions
from ..requests.verb import verb
from ..results.result import Answer

if TYPE_CHECKING:
    from ..results import Diagnosis


@dataclass(frozen=True, kw_only=True)
class CheckRequest(RunOptions, JudgedRuns):
    """The options of ``check``."""


@verb(
    CheckRequest,
    group="Compare systems",
    docs="formats",
    shows=("table",),
    is_parallel=False,
    examples=(
        "irbounds check qrels.txt bm25.run dense.run.gz",
        "irbounds check qrels.txt dense.run -m nDCG@10,RR",
        "irbounds check qrels.txt runs/ --format json > diagnosis.json",
    ),
)
def check(request: CheckRequest) -> Answer[Diagnosis]:
    """Report what is unusual about judgments and runs.

    Missing, repeated and unjudged queries, short lists, ranks that contradict scores, runs with the
    same rankings, scores that single precision would change, and what ties do to the mean AP. CSV
    and JSON have the numbers of every run. Names every file that cannot be read. Exit status: 0
    nothing unusual, 1 warnings, 2 errors.

    Returns
    -------
    Diagnosis
        ``.warnings`` are sentences, ``.runs`` and ``.qrels`` the numbers.

    Examples
    --------
    >>> import irbounds
    >>> runs = {"mine": {"q": {"a": 2.0, "b": 1.0}}, "yours": {"q": {"a": 20.0, "b": 10.0}}}
    >>> irbounds.check({"q": {"a": 1, "b": 0}}, runs).warnings
    ('the same rankings in inputs that differ: mine, yours',)
    """
    from ..results import InputFile
    from ..scores.scoring import diagnose_runs

    judgments, runs = request.read_judged()
    diagnosis = diagnose_runs(judgments, runs, request.measure_names, queries=request.queries)
    facts = asdict(diagnosis)
    del facts["runs"]  # the records of the result
    return Answer(
        diagnosis,
        warnings=diagnosis.warnings,
        inputs=[InputFile(part.name, part.fingerprint) for part in (judgments, *runs)],
        facts=facts,
        status=1 if diagnosis.warnings else 0,
    )
