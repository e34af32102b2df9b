"""``study webber2013``: intervals of recall, with the paper's tables and figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Annotated, Literal, get_args

from ..errors import ParameterError
from ..requests.options import (
    N_RELEVANT,
    RECALL,
    RETRIEVED_SAMPLE,
    RETRIEVED_SIZE,
    SEED,
    UNRETRIEVED_SAMPLE,
    CorpusSize,
    Samples,
    StudyData,
)
from ..requests.request import Option, Request, join
from ..requests.verb import verb
from ..results.result import Answer, Results

if TYPE_CHECKING:
    from ..planning.recall_scenarios import RecallDesign
    from ..presentation.figures.style import Figure
    from ..results import InputFile, RecallCoverage, StudyTable

PartName = Literal["figures", "coverage", "legal09", "clef"]
ScenarioName = Literal["neutral", "legal", "small", "own"]
PAPERS_SCENARIOS: tuple[ScenarioName, ...] = ("neutral", "legal", "small")
BALANCED = "neutral"  # the one scenario of Figure 13
NEEDS_DATA: tuple[PartName, ...] = ("legal09", "clef")
PAPERS_SIZE = 1000  # realisations, and samples of each
#: of ``scenario="own"``; one of the last two is enough
SIZES = ("corpus_size", "n_relevant", "recall", "retrieved_sample", "unretrieved_sample")
EITHER = ("precision", "retrieved_size")
#: the methods that are tried, as a report explains them
METHOD_TOPICS = (
    *("naive-binomial", "normal", "laplace", "agresti-coull"),
    *("koopman", "beta-jeffreys", "beta-binomial"),
)

Part = Annotated[
    Sequence[PartName] | PartName | None,
    Option(
        "Parts of the study.",
        "figures: what is computed without samples; coverage: Tables IX and X; legal09: Table XII; "
        "clef: coverage on fully judged topics. The last two need data.",
        commas=True,
        default="all, or coverage where a scenario is given",
    ),
]
Scenario = Annotated[
    Sequence[ScenarioName] | ScenarioName | None,
    Option(
        "Corpora that samples are drawn from.",
        "neutral, legal and small are the paper's; own is a corpus of the sizes that are given.",
        commas=True,
        default="the paper's three",
    ),
]
Realisations = Annotated[
    int, Option("Corpora drawn from each of the paper's scenarios.", minimum=2)
]
Precision = Annotated[
    float | None, Option("Fraction of retrieved documents relevant.", panel="Input")
]


@dataclass(frozen=True, kw_only=True)
class Webber2013Request(Request):
    """The options of ``study webber2013``."""

    data: StudyData = None
    part: Part = None
    scenario: Scenario = None
    corpus_size: CorpusSize = None
    n_relevant: Annotated[int | None, N_RELEVANT] = None
    recall: Annotated[float | None, RECALL] = None
    precision: Precision = None
    retrieved_size: Annotated[int | None, RETRIEVED_SIZE] = None
    retrieved_sample: Annotated[int | None, RETRIEVED_SAMPLE] = None
    unretrieved_sample: Annotated[int | None, UNRETRIEVED_SAMPLE] = None
    n_realisations: Realisations = 1000
    n_samples: Samples = 1000
    seed: Annotated[int, SEED] = 0

    def check(self) -> None:
        """Raise ``ParameterError`` where options contradict each other."""
        if self.part is not None:
            if self.scenario is not None and "coverage" not in self.part:
                raise ParameterError("scenario is for part='coverage'")
            for part in NEEDS_DATA:
                if part in self.part and self.data is None:
                    raise ParameterError(f"part={part!r} needs data")
        if "own" not in self.scenarios:
            self.refuse("for scenario='own'", *SIZES, *EITHER)
            return
        if not self.changed(*EITHER):
            raise ParameterError("scenario='own' needs precision or retrieved_size")
        given = self.changed(*SIZES)
        if missing := [name for name in SIZES if name not in given]:
            raise ParameterError(f"scenario='own' needs {join(missing)}")
        from ..planning.recall_scenarios import realisation_of

        realisation_of(self.design)

    def explain_no_figure(self) -> str:
        """Return why there is no figure; nothing where there is one."""
        if "figures" in self.parts or ("coverage" in self.parts and self.is_papers):
            return ""
        return (
            "there are figures of part='figures', and of part='coverage' for the paper's scenarios"
        )

    @property
    def parts(self) -> Sequence[PartName]:
        """Return the parts: as given, else coverage of a scenario, else all with data."""
        if self.part is not None:
            return [self.part] if isinstance(self.part, str) else self.part
        if self.scenario is not None:
            return ["coverage"]
        return [one for one in get_args(PartName) if self.data is not None or one not in NEEDS_DATA]

    @property
    def scenarios(self) -> Sequence[ScenarioName]:
        """Return the scenarios, each once."""
        given = self.scenario or PAPERS_SCENARIOS
        return tuple(dict.fromkeys([given] if isinstance(given, str) else given))

    @property
    def is_papers(self) -> bool:
        """Return whether one of the scenarios is the paper's."""
        return any(one in PAPERS_SCENARIOS for one in self.scenarios)

    @property
    def design(self) -> RecallDesign:
        """Return the sizes of ``scenario="own"``."""
        from ..planning.recall_scenarios import RecallDesign

        return RecallDesign(**{name: getattr(self, name) for name in (*SIZES, *EITHER)})


@dataclass
class _Found:
    """Results of the parts so far."""

    tables: list[StudyTable] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    inputs: list[InputFile] = field(default_factory=list)
    #: for Figures 10 to 14
    coverages: list[RecallCoverage] = field(default_factory=list)


@verb(
    Webber2013Request,
    name="study webber2013",
    group="Studies",
    docs="recall-methods",
    shows=("published", "report"),
    examples=(
        "irbounds study webber2013 --data data",
        "irbounds study webber2013 --data data --part legal09",
        "irbounds study webber2013 --scenario small --n-realisations 200",
        "irbounds study webber2013 --scenario own --corpus-size 100000 \\\n"
        "--n-relevant 2000 --recall 0.7 --precision 0.5 \\\n"
        "--retrieved-sample 300 --unretrieved-sample 700 --n-samples 10000",
    ),
)
def webber2013(request: Webber2013Request) -> Answer[Results[StudyTable]]:
    """Repeat Webber (2013): intervals of recall from samples.

    Tables IX, X and XII and most figures: how often nine intervals contain the true recall, by
    samples from corpora drawn at random. With ``scenario own`` the corpus has your own sizes, so
    that you see beforehand what coverage to expect of your samples. Reads legal09 and clef-tar2017
    from the data directory; without it both parts are left out.

    Returns
    -------
    Results of StudyTable
        One per table or figure of the paper: ``.ours``, ``.theirs`` and ``.noise``.

    Examples
    --------
    >>> from irbounds.verbs.study_webber2013 import webber2013
    >>> sizes = {"corpus_size": 5000, "n_relevant": 300, "recall": 0.6, "precision": 0.5}
    >>> samples = {"retrieved_sample": 60, "unretrieved_sample": 90, "n_samples": 50}
    >>> table, = webber2013(scenario="own", **sizes, **samples)
    >>> table.name
    'Own sizes'
    """
    from ..presentation.sections import Section
    from ..presentation.webber2013 import finding_sentences, webber_tables
    from ..results.studies import HEADING

    found = _Found()
    for part in get_args(PartName):
        if part in request.parts:
            PARTS[part](found, request)
    if request.part is None and request.scenario is None and request.data is None:
        found.lines.append("no data, so Table XII and the coverage on real topics are left out")
    sentences, tables = finding_sentences(found.tables), webber_tables(found.tables)
    figures = partial(_figures, found.coverages, "figures" in request.parts)
    section = Section(HEADING, sentences, tables, figures, ["study", *METHOD_TOPICS])
    return Answer(
        Results(found.tables),
        lines=found.lines,
        inputs=found.inputs,
        facts={
            "notes": [*found.lines, *sentences],
            "seed": request.seed,
            "n_realisations": request.n_realisations,
            "n_samples": request.n_samples,
        },
        make_sections=lambda view: [section],
    )


# ---- the parts ----


def _add_figures(found: _Found, request: Webber2013Request) -> None:
    from ..parallel.progress import show_progress
    from ..presentation.webber2013 import FIGURE_NOTES
    from ..replications.webber2013_figures import figure_tables
    from ..replications.webber2013_widths import width_tables

    with show_progress("computing widths") as progress:
        found.tables += [*figure_tables(), *width_tables(progress)]
    found.lines += FIGURE_NOTES


def _add_coverage(found: _Found, request: Webber2013Request) -> None:
    from ..parallel.progress import show_progress
    from ..presentation.webber2013 import COVERAGE_NOTES
    from ..replications.webber2013_coverage import scenario_coverages, tables_of

    n_realisations, n_samples = request.n_realisations, request.n_samples
    with show_progress("trying samples") as progress:
        found.coverages += scenario_coverages(
            [request.design if one == "own" else one for one in request.scenarios],
            n_realisations=n_realisations,
            n_samples=n_samples,
            rng=request.seed,
            progress=progress,
        )
    found.tables += tables_of(found.coverages)
    if request.is_papers:
        found.lines += COVERAGE_NOTES
        if min(n_realisations, n_samples) < PAPERS_SIZE:
            found.lines.append(
                f"{n_realisations:,} corpora and {n_samples:,} samples of each: the paper has "
                f"{PAPERS_SIZE:,} of both, and fewer are further from its numbers"
            )


def _add_legal09(found: _Found, request: Webber2013Request) -> None:
    from ..parallel.progress import show_progress
    from ..replications.webber2013_legal import legal09_table

    assert request.data
    with show_progress("Legal Track teams") as progress:
        table, inputs = legal09_table(request.data, progress)
    found.tables.append(table)
    found.inputs += inputs


def _add_clef(found: _Found, request: Webber2013Request) -> None:
    from ..parallel.progress import show_progress
    from ..replications.webber2013_coverage import clef_tables

    assert request.data
    with show_progress("sampling from topics") as progress:
        tables, inputs = clef_tables(
            request.data, n_samples=request.n_samples, rng=request.seed, progress=progress
        )
    found.tables += tables
    found.inputs += inputs


PARTS = {
    "figures": _add_figures,
    "coverage": _add_coverage,
    "legal09": _add_legal09,
    "clef": _add_clef,
}


# ---- the figures ----


def _figures(coverages: Sequence[RecallCoverage], with_lines: bool) -> list[Figure]:
    """Return the paper's figures of the parts, in its order."""
    from ..presentation.figures import webber2013 as drawn
    from ..replications import webber2013_boxes as boxes

    known = [one for one in coverages if one.scenario in drawn.SCENARIOS]
    figures = [drawn.coverage_boxes(one, boxes.coverage_boxes(one)) for one in known]
    figures += [
        drawn.gap_boxes(one, *boxes.gap_boxes(one)) for one in known if one.scenario == BALANCED
    ]
    if known:
        figures.append(drawn.closest_shares(known))
    if with_lines:
        figures += _lines()
    return sorted(figures, key=lambda one: str(one.name))


def _lines() -> list[Figure]:
    """Return Figures 2 to 8 and 15 to 17, at more points than their tables have."""
    from ..parallel.progress import show_progress
    from ..presentation.figures import webber2013 as drawn
    from ..replications import webber2013_curves as curves

    with show_progress("computing lines") as progress:
        by_size = curves.widths_by_size(progress)
    return [
        drawn.sampling_distribution(curves.estimator_scatter()),
        drawn.bias_of_the_estimator(curves.bias_curves()),
        *map(drawn.coverage_of_proportions, curves.proportion_coverages()),
        drawn.most_conservative_priors(curves.prior_curves()),
        drawn.widths_by_yield(curves.widths_by_yield()),
        drawn.widths_by_quality(curves.widths_by_quality()),
        drawn.widths_by_size(by_size),
    ]
