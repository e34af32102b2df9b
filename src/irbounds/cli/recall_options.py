"""Options of ``irbounds recall`` alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated

import typer

from .recall_inputs import whole_numbers

SEGMENT_NUMBERS = "documents, sampled, relevant"
ASSESSABLE_NUMBERS = "assessable retrieved, assessable unretrieved"


def _checked(option: str, meanings: str) -> Callable[[Sequence[str] | None], object]:
    """Look at an option's numbers before anything is said of the arguments behind them."""

    def check(texts: Sequence[str] | None) -> Sequence[str] | None:
        if texts is not None:
            whole_numbers(option, texts, meanings)
        return texts

    return check


SheetFile = Annotated[
    str | None,
    typer.Argument(
        metavar="SHEET",
        help="CSV or TSV of strata: stratum, retrieved (yes or no), population, sampled, relevant "
        "and, if wanted, assessable; or of many retrieved sets: teams, pattern (an R or an N for "
        "each team), population, sampled, relevant and, if wanted, assessable and topic. - is "
        "standard input.",
    ),
]
SegmentCounts = tuple[str, str, str]
Retrieved = Annotated[
    SegmentCounts | None,
    typer.Option(
        metavar="N SAMPLED RELEVANT",
        callback=_checked("--retrieved", SEGMENT_NUMBERS),
        help="The retrieved set: its documents, those drawn from it at random, and the relevant "
        "ones among these.",
    ),
]
Unretrieved = Annotated[
    SegmentCounts | None,
    typer.Option(
        metavar="N SAMPLED RELEVANT",
        callback=_checked("--unretrieved", SEGMENT_NUMBERS),
        help="The same of the rest of the corpus.",
    ),
]
Assessable = Annotated[
    tuple[str, str] | None,
    typer.Option(
        metavar="RETRIEVED UNRETRIEVED",
        callback=_checked("--assessable", ASSESSABLE_NUMBERS),
        help="With --retrieved and --unretrieved: how many of each sample could be judged at all. "
        "Default: all.",
    ),
]
Assessed = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="The assessed documents, which must be a random sample of each segment or stratum "
        "(judgments of a pool are not): TREC judgments, a fifth column being the inclusion "
        "probability; or CSV with doc_id, relevance and, if wanted, query_id and stratum or iprob. "
        "Relevance below 0: could not be judged. Without strata and probabilities, the sample must "
        "have been drawn for this very retrieved set: one that was drawn for another cut is no "
        "simple random sample of its segments.",
    ),
]
RetrievedIds = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="With --assessed: the retrieved documents, one id a line."),
]
RunFile = Annotated[
    str | None,
    typer.Option(
        "--run", metavar="FILE", help="In place of --retrieved-ids: a run, as far as it is kept."
    ),
]
Query = Annotated[
    str | None,
    typer.Option(metavar="ID", help="Whose documents, where a file has several queries."),
]
CutRank = Annotated[
    int | None, typer.Option(metavar="K", min=1, help="The first K documents of --run.")
]
CutScore = Annotated[
    float | None, typer.Option(metavar="S", help="The documents of --run that score S or more.")
]
StrataSizes = Annotated[
    str | None,
    typer.Option(
        "--strata",
        metavar="FILE",
        help="With --assessed that names strata: their sizes, as CSV with stratum, retrieved, "
        "population.",
    ),
]
MethodName = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="beta-binomial, beta-jeffreys, koopman (no strata), laplace, agresti-coull, normal, "
        "normal-official, naive-binomial or monte-carlo; for --quantity precision and elusion also "
        "wilson, jeffreys, clopper-pearson and wald.",
    ),
]
PriorText = Annotated[
    str | None,
    typer.Option(
        metavar="PRIOR",
        help="For beta-binomial and monte-carlo: 0.5, uniform, most-conservative, or ALPHA,BETA. "
        "Default: 0.5.",
    ),
]
AllMethods = Annotated[
    bool,
    typer.Option(
        "--all-methods", help="Recall by the nine methods of Webber (2013), side by side."
    ),
]
Quantities = Annotated[
    list[str] | None,
    typer.Option(
        "--quantity",
        metavar="NAME",
        help="recall, precision, F, yield, prevalence or elusion; may be repeated. Default: all "
        "that the method has; of a sheet of many sets, recall.",
    ),
]
Beta = Annotated[
    float,
    typer.Option(metavar="B", help="How many times as much recall weighs as precision, in F."),
]
CapAtOne = Annotated[
    bool,
    typer.Option(
        "--cap-at-one",
        help="Let recall's upper end be 1 where the unretrieved sample holds nothing relevant.",
    ),
]
Draws = Annotated[int, typer.Option("--n-draws", metavar="N", help="Draws of monte-carlo.")]
