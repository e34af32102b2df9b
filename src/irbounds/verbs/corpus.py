"""``corpus``: the precision of scores, ranks and measures, from images of the corpus."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

from ..errors import ParameterError
from ..presentation.registry import View
from ..requests.inputs import JudgedRuns, RunOptions, input_lines
from ..requests.options import (
    Baseline,
    ConfidenceLevel,
    CorpusList,
    CorpusSize,
    Images,
    Seed,
    check_corpus,
)
from ..requests.request import Option
from ..requests.verb import verb
from ..results.result import Answer
from ..validation import check_choice

if TYPE_CHECKING:
    from ..results.corpus_images import CorpusResults

Analysis = Literal["scores", "ranks", "differences"]

Show = Annotated[
    Sequence[Analysis] | Analysis | None,
    Option(
        "Tables to show.",
        "May be repeated.",
        metavar="TABLE,...",
        panel="Output",
        default="scores and ranks; with resampled queries only theirs",
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
class CorpusRequest(RunOptions, JudgedRuns):
    """The options of ``corpus``."""

    corpus_size: CorpusSize = None
    corpus: CorpusList = None
    n_images: Images = 1000
    seed: Seed = 0
    confidence_level: ConfidenceLevel = 0.95
    show: Show = None
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
        if "differences" not in (self.show or ()) and not self.resample_queries:
            self.refuse("for show='differences' and resample_queries", "baseline")

    def check_measures(self) -> None:
        """Raise ``MeasureError`` where a measure cannot be computed on images."""
        for measure in self.parse_measures():
            measure.check_images()


@verb(
    CorpusRequest,
    group="Compare systems",
    docs="corpus",
    shows=("table", "figure", "report", "top"),
    examples=(
        "irbounds corpus qrels.txt runs/ --corpus-size 528155",
        "irbounds corpus qrels.txt bm25.run dense.run --corpus docids.txt -m AP",
        "irbounds corpus qrels.txt runs/ --corpus-size 528155 --resample-queries",
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
        ``DifferencePrecision`` and ``VarianceSplit``. ``.images`` has the scores on every image.

    Examples
    --------
    >>> import irbounds
    >>> judged = {"q": {"a": 1, "b": 0, "c": 1}}
    >>> run = {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}
    >>> rows = irbounds.corpus(judged, {"mine": run}, measures="AP", corpus_size=50, show="scores")
    >>> [(row.measure, round(row.value, 2), row.decimals) for row in rows]
    [('AP', 0.83, 1)]
    """
    from ..corpora.bootstrap import corpus_bootstrap
    from ..progress import show_progress
    from ..results.corpus_images import CorpusResults

    judgments, runs = request.read_judged()
    level, baseline = request.confidence_level, request.baseline
    if baseline is not None:
        check_choice("baseline", baseline, [run.name for run in runs])
    shown = request.show or (() if request.resample_queries else ("scores", "ranks")[: len(runs)])
    with show_progress("drawing images") as progress:
        images = corpus_bootstrap(
            judgments,
            runs,
            request.measure_names,
            corpus_size=request.corpus_size,
            corpus=request.corpus,
            n_images=request.n_images,
            rng=request.seed,
            queries=request.queries,
            progress=progress,
        )
    rows: list[Any] = []
    with show_progress("comparing systems"):
        for name in dict.fromkeys(shown):
            if name == "scores":
                rows += images.score_precision(level)
            elif name == "ranks":
                rows += images.rank_precision(level)
            else:
                rows += images.difference_precision(baseline, level)
        if request.resample_queries:
            rows += images.variance_split(baseline, level)
    line = f"images {images.n_images:,} of {images.corpus_size:,} documents (seed {images.seed})"
    if not request.resample_queries:
        line += ", for these queries only; for an error bar: irbounds evaluate, or resample queries"
    return Answer(
        CorpusResults(rows, images),
        View(queries=request.query_words),
        [*input_lines(images.root), line],
        images.warnings,
        images.root.inputs,
        images.root.diagnosis,
        {"corpus_size": images.corpus_size, "n_images": images.n_images, "seed": images.seed},
    )
