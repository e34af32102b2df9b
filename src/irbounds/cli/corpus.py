"""``irbounds corpus``: how precise scores, ranks and measures are, from images of the corpus."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import ParameterError
from ..parameters import check_choice
from ..reports.corpus import ANALYSES, Analysis, CorpusRequest
from .inputs import DEFAULT_MEASURES, RunOptions, judgments_and_runs, which_queries
from .options import (
    ConfidenceLevel,
    CorpusList,
    CorpusSize,
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
    QueriesRule,
    Runs,
    Seed,
    check_corpus_size,
    check_standard_input,
    numbers_of,
)
from .showing import make_view
from .writing import (
    chosen_form,
    collected_warnings,
    lines_about,
    record_about,
    write_result,
)

if TYPE_CHECKING:
    from ..corpora.bootstrap import CorpusBootstrap

EXAMPLES = (
    "\b\nExamples:\n"
    "  irbounds corpus qrels.txt runs/*.run --corpus-size 528155\n"
    "  irbounds corpus qrels.txt bm25.run dense.run --corpus docids.txt -m AP -m 'RBP(p=0.95)'\n"
    "  irbounds corpus qrels.txt runs/*.run --corpus-size 528155 --show queries --system bm25\n"
    "  irbounds corpus qrels.txt a.run b.run --corpus-size 528155 --pools a,b --depths 10,25\n"
    "  irbounds corpus qrels.txt runs/*.run --corpus-size 528155 --queries --baseline bm25\n"
    "  irbounds corpus qrels.txt runs/*.run --corpus-size 528155 --output images.csv\n"
    "  irbounds corpus qrels.txt runs/*.run --corpus-size 528155 -m AP --figure images.png"
)
DEFAULT_DEPTHS = [10, 25, 100]


ImageMeasures = Annotated[
    list[str] | None,
    typer.Option(
        "--measure",
        "-m",
        metavar="NAME",
        help="AP, nDCG, P, R, RBP, INSQ, RR, ERR or Rprec in ir_measures' spelling; may be "
        "repeated. Default: AP and nDCG@10.",
    ),
]
Images = Annotated[
    int, typer.Option("--n-images", metavar="N", min=2, help="How many images to draw.")
]
Show = Annotated[
    list[str] | None,
    typer.Option(
        metavar="TABLE",
        help=f"Which tables: {', '.join(ANALYSES)}; may be repeated. Default: scores, ranks (of "
        "two systems or more) and measures; with --pools or --queries, theirs alone.",
    ),
]
System = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Whose score on every query --show queries shows."),
]
Baseline = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="All others less this system, in --show differences and --queries. Default: all pairs "
        "of systems in the one, each system's own score in the other.",
    ),
]
Pools = Annotated[
    str | None,
    typer.Option(
        metavar="SYSTEM,BASELINE",
        help="Also compare these two on judgments of their own first documents alone.",
    ),
]
Depths = Annotated[
    str | None,
    typer.Option(metavar="K,K", help="How deep --pools judges. Default: 10,25,100."),
]
ResampleQueries = Annotated[
    bool,
    typer.Option(
        "--queries",
        help="Queries too: split the variance of a mean into queries, documents and both together, "
        "with an interval for new queries on a new corpus.",
    ),
]
Common = Annotated[
    bool,
    typer.Option(
        "--common",
        help="Only the queries that every run has. Default: every judged query, 0 where a run "
        "lacks it.",
    ),
]


def corpus(
    qrels: Qrels,
    runs: Runs,
    corpus_size: CorpusSize = None,
    corpus_list: CorpusList = None,
    measures: ImageMeasures = None,
    n_images: Images = 1000,
    seed: Seed = 0,
    confidence_level: ConfidenceLevel = 0.95,
    show: Show = None,
    system: System = None,
    baseline: Baseline = None,
    pools: Pools = None,
    depths: Depths = None,
    queries: ResampleQueries = False,
    common: Common = False,
    duplicates: Duplicates = DuplicateRule.error,
    order: Order = OrderRule.score,
    float32: Float32 = False,
    depth: Depth = None,
    digits: Digits = None,
    form: Format = None,
    output: Output = None,
) -> None:
    """How precise scores, ranks and measures are, from images of the corpus.

    An image is the corpus drawn again: as many documents, with replacement, so that some are
    missing and some are there twice or more. Every run is scored on every image, and what varies
    from image to image is what this corpus leaves open. Queries stay as they are, unless --queries
    is given. docs/corpus.md says how to read the tables.
    """
    from ..api import check_confidence_level, check_corpus_measures, corpus_bootstrap
    from ..presentation.terminal import progress_of
    from ..reports.corpus import corpus_section

    chosen = chosen_form(form, output)
    check_confidence_level(confidence_level)
    _check_corpus(corpus_size, corpus_list)
    check_standard_input([qrels, *runs, *([corpus_list] if corpus_list else [])])
    check_corpus_measures(measures or DEFAULT_MEASURES)
    rule = QueriesRule.common if common else QueriesRule.judged
    request = CorpusRequest(
        shown=_analyses(show or ()),
        system=system,
        baseline=baseline,
        pools=_pair(pools),
        depths=_depths(depths, pools),
        queries=queries,
        confidence_level=confidence_level,
        view=make_view(digits, which_queries(None, rule)),
    )
    _check_request(request)
    options = RunOptions(duplicates.value, order.value, float32, depth)
    judgments, packed = judgments_and_runs(qrels, runs, options)
    _check_names(request, [run.name for run in packed])
    with progress_of("drawing images") as progress:
        images = corpus_bootstrap(
            judgments,
            packed,
            measures or DEFAULT_MEASURES,
            corpus_size=corpus_size,
            corpus=corpus_list,
            n_images=n_images,
            rng=seed,
            queries=rule.value,
            progress=progress,
        )
    # scoring knows the rule by the name that it has in all other commands
    said = [line.replace("--queries common", "--common") for line in images.warnings]
    with collected_warnings(said):
        section = corpus_section(images, request)
    write_result(
        [section],
        form=chosen,
        output=output,
        inputs=[*lines_about(images.root), _line_about(images, request)],
        warnings=said,
        about=record_about(
            images.root,
            said,
            found=list(section.sentences),
            corpus_size=images.corpus_size,
            n_images=images.n_images,
            seed=images.seed,
        ),
    )


def _check_corpus(corpus_size: int | None, corpus_list: str | None) -> None:
    if corpus_size is None and corpus_list is None:
        raise ParameterError(
            "needs --corpus-size D, how many documents the corpus holds, or --corpus FILE, the "
            "list of their ids"
        )
    check_corpus_size(corpus_size, corpus_list)


def _analyses(names: Sequence[str]) -> tuple[Analysis, ...]:
    for name in names:
        check_choice("--show", name, ANALYSES)
    return tuple(one for one in dict.fromkeys(names) if one in ANALYSES)


def _pair(pools: str | None) -> tuple[str, str] | None:
    """``a,b`` as two names."""
    if pools is None:
        return None
    names = [name.strip() for name in pools.split(",")]
    if len(names) != 2 or not all(names) or names[0] == names[1]:
        raise ParameterError(
            f"--pools must be two different systems, as in bm25,dense; got {pools!r} (Python's "
            "shallow_pools also takes names that hold a comma)"
        )
    return names[0], names[1]


def _depths(text: str | None, pools: str | None) -> list[int]:
    if text is None:
        return DEFAULT_DEPTHS
    if pools is None:
        raise ParameterError(f"--depths is for --pools; got {text!r} without it")
    depths = numbers_of("--depths", text)
    if min(depths) < 1 or len(set(depths)) < len(depths):
        raise ParameterError(f"--depths must be different, each at least 1; got {text!r}")
    return depths


def _check_request(request: CorpusRequest) -> None:
    """Options that need each other; said before anything is read."""
    wants_queries = "queries" in request.shown
    if wants_queries and request.system is None:
        raise ParameterError("--show queries needs --system NAME: whose score on every query")
    if request.system is not None and not wants_queries:
        raise ParameterError(f"--system is for --show queries; got {request.system!r} without it")
    if request.baseline is not None and not (request.queries or "differences" in request.shown):
        raise ParameterError(
            f"--baseline is for --show differences and --queries; got {request.baseline!r} without "
            "either"
        )


def _check_names(request: CorpusRequest, systems: Sequence[str]) -> None:
    """Names of systems; said before images are drawn."""
    if request.system is not None:
        check_choice("--system", request.system, systems)
    if request.baseline is not None:
        check_choice("--baseline", request.baseline, systems)
    for name in request.pools or ():
        check_choice("--pools", name, systems)


def _line_about(images: CorpusBootstrap, request: CorpusRequest) -> str:
    line = f"images {images.n_images:,} of {images.corpus_size:,} documents (seed {images.seed})"
    if request.queries:
        return line
    return f"{line}, for these queries only; for an error bar: irbounds evaluate, or --queries"
