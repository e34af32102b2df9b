"""``corpus``: the precision of scores, ranks and measures, from images of the corpus."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from ..errors import ParameterError
from ..presentation.registry import View
from ..reports.corpus_analyses import (
    Analysis,
    analyse_images,
    corpus_section,
    default_analyses,
    precision_sentences,
)
from ..requests.inputs import JudgedRuns, input_lines
from ..requests.options import (
    Baseline,
    ConfidenceLevel,
    CorpusList,
    CorpusSize,
    Images,
    Seed,
    System,
    check_corpus,
)
from ..requests.request import Option
from ..requests.verb import verb
from ..results.result import Answer
from ..validation import check_choice

if TYPE_CHECKING:
    from ..corpora.bootstrap import CorpusBootstrap
    from ..results import Results
    from ..results.corpus_systems import CorpusResults


Show = Annotated[
    Sequence[Analysis] | Analysis | None,
    Option(
        "Tables to show.",
        "May be repeated. queries needs a system.",
        metavar="TABLE,...",
        panel="Output",
        default="scores, ranks and measures; with resampled queries only theirs",
        commas=True,
    ),
]
ResampleQueries = Annotated[
    bool,
    Option(
        "Resample queries too, for new queries on a new corpus.",
        "Splits the variance of a mean into queries, documents and both together, with an interval "
        "for new queries on a new corpus.",
    ),
]


@dataclass(frozen=True, kw_only=True)
class CorpusRequest(JudgedRuns):
    """The options of ``corpus``."""

    corpus_size: CorpusSize = None
    corpus: CorpusList = None
    n_images: Images = 1000
    seed: Seed = 0
    confidence_level: ConfidenceLevel = 0.95
    show: Show = None
    system: System = None
    baseline: Baseline = None
    resample_queries: ResampleQueries = False

    def check(self) -> None:
        """Raise ``ParameterError`` where options are missing or contradict each other."""
        super().check()
        if self.corpus_size is None and self.corpus is None:
            raise ParameterError(
                "needs corpus_size or corpus: the number of documents, or the list of their ids"
            )
        check_corpus(self.corpus_size, self.corpus)
        tables = self.show or ()
        if "queries" in tables and self.system is None:
            raise ParameterError("show='queries' needs system, whose score on every query is shown")
        if "queries" not in tables:
            self.refuse("for show='queries'", "system")
        if "differences" not in tables and not self.resample_queries:
            self.refuse("for show='differences' and resample_queries", "baseline")

    def check_measures(self) -> None:
        """Raise ``MeasureError`` where a measure cannot be computed on images."""
        for measure in self.parse_measures():
            measure.check_images()

    def check_names(self, systems: Sequence[str]) -> None:
        """Raise ``ParameterError`` where there is no system of a name."""
        for option, name in (("system", self.system), ("baseline", self.baseline)):
            if name is not None:
                check_choice(option, name, systems)

    @property
    def has_precision(self) -> bool:
        """Whether the precision of scores and ranks is shown, besides resampled queries."""
        return self.show is not None or not self.resample_queries

    def read_images(self) -> CorpusBootstrap:
        """Read judgments and runs, and score them on images of the corpus."""
        from ..corpora.bootstrap import corpus_bootstrap
        from ..progress import show_progress

        judgments, runs = self.read_judged()
        self.check_names([run.name for run in runs])
        with show_progress("drawing images") as progress:
            return corpus_bootstrap(
                judgments,
                runs,
                self.measure_names,
                corpus_size=self.corpus_size,
                corpus=self.corpus,
                n_images=self.n_images,
                rng=self.seed,
                queries=self.queries,
                progress=progress,
            )

    def analyse(self, images: CorpusBootstrap) -> list[Results[Any]]:
        """Return the requested analyses of images."""
        level, analyses = self.confidence_level, []
        if self.has_precision:
            names: Any = dict.fromkeys(self.show or default_analyses(images.systems))
            analyses = [
                analyse_images(images, name, level, system=self.system, baseline=self.baseline)
                for name in names
            ]
        if self.resample_queries:
            analyses.append(images.variance_split(self.baseline, level))
        return analyses


@verb(
    CorpusRequest,
    group="Compare systems",
    docs="corpus",
    shows=("table", "figure", "report", "top"),
    examples=(
        "irbounds corpus qrels.txt runs/ --corpus-size 528155",
        "irbounds corpus qrels.txt bm25.run dense.run --corpus docids.txt -m AP",
        "irbounds corpus qrels.txt runs/ --corpus-size 528155 --resample-queries",
        "irbounds corpus qrels.txt runs/ --corpus docids.txt --show queries \\\n    --system bm25",
    ),
)
def corpus(request: CorpusRequest) -> Answer[CorpusResults]:
    """Show how much scores and ranks depend on the documents.

    An image of the corpus is a replicate: as many documents, drawn from the corpus with
    replacement, so that some are missing and some occur twice or more. Every run is scored on every
    image, and the variation between images shows the uncertainty due to the documents. Queries are
    not resampled unless requested. ``irbounds measures`` lists the measures that can be computed on
    images, AP, nDCG and P@k among them.

    Returns
    -------
    CorpusResults
        The rows of all tables that are shown: ``ScorePrecision``, ``RankPrecision``,
        ``MeasurePrecision`` and others. ``.images`` has the scores on every image.

    Examples
    --------
    >>> import irbounds
    >>> judged = {"q": {"a": 1, "b": 0, "c": 1}}
    >>> run = {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}
    >>> rows = irbounds.corpus(judged, {"mine": run}, measures="AP", corpus_size=50, show="scores")
    >>> [(row.measure, round(row.value, 2), row.decimals) for row in rows]
    [('AP', 0.83, 1)]
    """
    from ..results.corpus_systems import CorpusResults

    images = request.read_images()
    analyses = request.analyse(images)
    sentences: list[str] = []
    if request.has_precision:
        sentences = precision_sentences(images, request.confidence_level)
    return Answer(
        CorpusResults((row for rows in analyses for row in rows), images),
        View(queries=request.query_words),
        [*input_lines(images.root), _image_line(images, request.resample_queries)],
        images.warnings,
        images.inputs,
        images.root.diagnosis,
        {"corpus_size": images.corpus_size, "n_images": images.n_images, "seed": images.seed},
        make_sections=lambda view: [corpus_section(analyses, view, sentences)],
    )


def _image_line(images: CorpusBootstrap, is_for_new_queries: bool) -> str:
    line = f"images {images.n_images:,} of {images.corpus_size:,} documents (seed {images.seed})"
    if is_for_new_queries:
        return line
    more = "for these queries only; for an error bar: irbounds evaluate, or resample queries"
    return f"{line}, {more}"
