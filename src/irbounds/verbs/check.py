"""``check``: what is unusual about judgments and runs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..presentation.registry import View, make_section
from ..requests.inputs import JudgedRuns
from ..requests.verb import verb
from ..results.result import Answer

if TYPE_CHECKING:
    from ..presentation.page_content import Section
    from ..results import Diagnosis

DEFAULT_MEASURE = "AP"


@dataclass(frozen=True, kw_only=True)
class CheckRequest(JudgedRuns):
    """The options of ``check``."""

    @property
    def measure_names(self) -> list[str]:
        """The measures that ties, short lists or single precision may move."""
        return list(self.measures or [DEFAULT_MEASURE])

    def check_measures(self) -> None:
        """Raise ``MeasureError`` where a measure has no expected score over ties."""
        from ..scores.ties import check_ties

        check_ties("expected", self.parse_measures())


@verb(
    CheckRequest,
    group="Compare systems",
    docs="formats",
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
    same rankings, scores that single precision would change, and what ties do to mean scores. Names
    every file that cannot be read. Exit status: 0 nothing unusual, 1 warnings, 2 errors.

    Returns
    -------
    Diagnosis
        ``.warnings`` are sentences, ``.runs`` and ``.qrels`` the numbers, ``.ties`` the effects of
        ties on mean scores.

    Examples
    --------
    >>> import irbounds
    >>> runs = {"mine": {"q": {"a": 2.0, "b": 1.0}}, "yours": {"q": {"a": 20.0, "b": 10.0}}}
    >>> irbounds.check({"q": {"a": 1, "b": 0}}, runs).warnings
    ('the same rankings in inputs that differ: mine, yours',)
    """
    from ..results import InputFile
    from ..results.input_diagnosis import diagnosis_record
    from ..results.result import records
    from ..scores.scoring import diagnose_runs

    judgments, runs = request.read_judged()
    diagnosis = diagnose_runs(judgments, runs, request.measure_names, queries=request.queries)

    def sections(view: View) -> list[Section]:
        figures = make_section(diagnosis.ties, view).figures
        topics = ["diagnosis", "ties"]
        return [replace(make_section([diagnosis], view), figures=figures, topics=topics)]

    files = [(diagnosis.qrels.name, diagnosis.qrels.fingerprint)]
    files += [(run.name, run.fingerprint) for run in diagnosis.runs]
    return Answer(
        diagnosis,
        warnings=diagnosis.warnings,
        inputs=[InputFile(*file) for file in files],
        facts={**diagnosis_record(diagnosis), "ties": records(diagnosis.ties)},
        make_sections=sections,
        status=1 if diagnosis.warnings else 0,
    )
