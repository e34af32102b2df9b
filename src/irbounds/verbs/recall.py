"""``recall``: recall and related quantities from random samples of assessed documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from ..errors import ParameterError, quote
from ..presentation.registry import View
from ..requests.options import (
    ALTERNATIVE,
    CREDIT_FOUND,
    METHOD,
    RETRIEVED_IDS,
    ConfidenceLevel,
    CorpusList,
    CorpusSize,
    Draws,
    Prior,
    Retrieved,
    Seed,
    Unretrieved,
)
from ..requests.request import Option, Request, join
from ..requests.verb import verb
from ..results.result import Answer
from ..validation import Alternative, RecallMethod, as_list, check_claim, check_fraction

if TYPE_CHECKING:
    from ..results import RecallEstimate, Results, Sample

SOURCES = ("retrieved_ids", "run", "cut_rank", "cut_score", "corpus_size", "corpus", "strata")
DOCUMENTS = ("assessed", "query", *SOURCES)
METHODS_OF_CLAIMS = ("exact", "beta-binomial", "beta-jeffreys")


def _samples(name: str, value: Any) -> Any:
    """Return a file, or the samples that are given as objects."""
    from ..results import Sample, Stratum

    if isinstance(value, str | Path):
        return value
    items = (value,) if isinstance(value, Sample) else tuple(as_list(value))
    if items and all(isinstance(item, Stratum) for item in items):
        items = (Sample(items),)
    if not items or not all(isinstance(item, Sample) for item in items):
        raise ParameterError(
            f"{name} must be a file, a Sample, several of them, or strata; got {quote(value)}"
        )
    if len({(sample.system, sample.topic) for sample in items}) < len(items):
        raise ParameterError(f"{name}: several samples need different systems or topics")
    return items


def _quantities(name: str, values: Sequence[str]) -> tuple[str, ...]:
    """Return quantities as they are spelled, which may be given in any case; F1 is F."""
    from ..samples.quantities import QUANTITIES

    known = {quantity.lower(): quantity for quantity in QUANTITIES} | {"f1": "F"}
    for value in values:
        if value.lower() not in known:
            raise ParameterError(
                f"{name} must be one of {', '.join(QUANTITIES)}; got {quote(value)}"
            )
    return tuple(dict.fromkeys(known[value.lower()] for value in values))


SAMPLES = Option(
    "Sheet of strata or of many retrieved sets: CSV, TSV, XLSX or -.",
    "Columns stratum, retrieved (yes or no), population, sampled, relevant and, optionally, "
    "assessable. Documents that were assessed again: relevant_checked and relevant_confirmed, "
    "irrelevant_checked and irrelevant_overturned. A sheet of many retrieved sets has the "
    "columns teams and pattern (R or N per team) instead of stratum and retrieved and, "
    "optionally, topic. In Python also a ``Sample``, several of them, or a list of ``Stratum``.",
    metavar="SAMPLES",
    panel="Input",
    file="read",
    is_argument=True,
    check=_samples,
)
CreditFound = Annotated[
    bool,
    replace(
        CREDIT_FOUND,
        more="Its relevant documents are added to the retrieved set, and all quantities are those "
        "of the final set. For methods exact, beta-binomial and beta-jeffreys.",
    ),
]
AtLeast = Annotated[
    float | None,
    Option(
        "Claim about recall, to be judged: at least X.",
        "The verdict is that of a guaranteed lower limit, by method exact unless another one is "
        "given. Where it is not shown, the larger sample that would show it is stated.",
        metavar="X",
        panel="Method",
        check=check_fraction,
    ),
]
Assessed = Annotated[
    Any,
    Option(
        "Assessed documents: a random sample of each segment.",
        "TREC judgments, with the inclusion probability as an optional fifth column, CSV or XLSX "
        "with doc_id, relevance and, optionally, query_id and stratum or iprob, or an export of "
        "ASReview. Relevance below 0: the document could not be judged. Judgments of a pool are "
        "not a random sample. Without strata "
        "and probabilities, the sample must have been drawn for this retrieved set: one that was "
        "drawn for another cut is not a simple random sample of these segments. Where the "
        "retrieved set was read in full, retrieved may give its counts, and the documents are a "
        "sample of the rest. In Python also a dict of ids to relevances.",
        metavar="FILE",
        panel="Input",
        file="read",
    ),
]
RetrievedIds = Annotated[
    Any, replace(RETRIEVED_IDS, more="For assessed. In Python also an iterable of ids.")
]
RunFile = Annotated[
    Any,
    Option(
        "Run instead of the retrieved ids, for assessed.",
        "Its documents are the retrieved set, down to the cut. In Python also a frame, a dict or a "
        "``Run``.",
        metavar="FILE",
        panel="Input",
        file="read",
    ),
]
Query = Annotated[
    str | None,
    Option("Query, where files have several of them.", metavar="ID", panel="Input"),
]
CutRank = Annotated[
    int | None,
    Option("Keep the first K documents of the run.", metavar="K", panel="Input", minimum=1),
]
CutScore = Annotated[
    float | None,
    Option("Keep documents of the run that score S or more.", metavar="S", panel="Input"),
]
StrataSizes = Annotated[
    Any,
    Option(
        "Sizes of the strata that the assessed documents name.",
        "CSV or XLSX with stratum, retrieved, population.",
        metavar="FILE",
        panel="Input",
        file="read",
    ),
]
QuantityNames = Annotated[
    Sequence[str] | str | None,
    Option(
        "Quantities: recall, precision, F, yield, prevalence, elusion.",
        "In any case; F1 is F.",
        metavar="NAME,...",
        commas=True,
        check=_quantities,
        default="all that the method provides; recall for a claim or several samples",
    ),
]
RecallMethodName = Annotated[
    RecallMethod | None,
    replace(METHOD, more="", default="beta-binomial; exact for a claim"),
]
AllMethods = Annotated[
    bool, Option("Show recall by the nine methods of Webber (2013).", panel="Method")
]


ClaimSide = Annotated[
    Alternative | None,
    replace(
        ALTERNATIVE,
        default="two-sided; greater for a claim",
        more="greater: the set is at least this good, with lower limits of recall, precision and "
        "F, and upper limits of elusion, prevalence and yield. less: the opposite sides.",
    ),
]


@dataclass(frozen=True, kw_only=True)
class RecallRequest(Request):
    """The options of ``recall``."""

    samples: Annotated[Any, SAMPLES] = field(default=None, kw_only=False)
    retrieved: Retrieved = None
    unretrieved: Unretrieved = None
    assessed: Assessed = None
    retrieved_ids: RetrievedIds = None
    run: RunFile = None
    query: Query = None
    cut_rank: CutRank = None
    cut_score: CutScore = None
    corpus_size: CorpusSize = None
    corpus: CorpusList = None
    strata: StrataSizes = None
    at_least: AtLeast = None
    credit_found: CreditFound = False
    quantity: QuantityNames = None
    method: RecallMethodName = None
    prior: Prior = None
    all_methods: AllMethods = False
    confidence_level: ConfidenceLevel = 0.95
    alternative: ClaimSide = None
    n_draws: Draws = 10_000
    seed: Seed = 0

    def check(self) -> None:
        """Raise ``ParameterError`` where options contradict each other."""
        super().check()
        self._check_inputs()
        self._check_method()
        if not self.all_methods:  # what is used is recorded
            object.__setattr__(self, "method", self.chosen_method)
        object.__setattr__(self, "alternative", self.chosen_alternative)

    def _check_inputs(self) -> None:
        counts = [name for name in ("retrieved", "unretrieved") if getattr(self, name) is not None]
        if counts == ["retrieved"] and self.assessed is not None:
            counts = []  # the counts of a review; the documents are a sample of the rest
        groups = [self.list_changed("samples"), counts, self.list_changed(*DOCUMENTS)]
        if sum(map(bool, groups)) != 1:
            received = [name for names in groups for name in names]
            raise ParameterError(
                "needs retrieved and unretrieved, samples, or assessed, one of these; got "
                f"{join(received) if received else 'none of them'}"
            )
        if len(counts) == 1:
            other = "unretrieved" if self.retrieved else "retrieved"
            raise ParameterError(f"needs {other} too: recall takes samples of both segments")
        if groups[2]:
            from ..samples.documents import check_sources

            if self.assessed is None:
                raise ParameterError("needs assessed, the documents that were drawn and assessed")
            check_sources(**{name: getattr(self, name) for name in SOURCES})

    @property
    def chosen_method(self) -> RecallMethod:
        """The method that is given, else exact for a claim and beta-binomial for a description."""
        return self.method or ("beta-binomial" if self.at_least is None else "exact")

    @property
    def chosen_alternative(self) -> Alternative:
        """The side that is given; a claim has a lower limit."""
        return self.alternative or ("two-sided" if self.at_least is None else "greater")

    def _check_claim(self) -> None:
        if self.at_least is None:
            return
        check_claim("at_least", self.at_least, self.confidence_level)
        if self.alternative not in (None, "greater"):
            raise ParameterError(
                f"at_least needs a lower limit; alternative is {self.alternative!r}"
            )
        if self.chosen_method not in METHODS_OF_CLAIMS:
            raise ParameterError(
                f"at_least is judged by {join(METHODS_OF_CLAIMS)}; the method is {self.method!r}"
            )
        if self.all_methods:
            raise ParameterError("at_least is judged by one method; leave out all_methods")
        if self.quantity and "recall" not in self.quantity:
            raise ParameterError("at_least is about recall; add it to quantity")

    def _check_method(self) -> None:
        from ..samples.recall_intervals import check_options

        self._check_claim()
        if self.all_methods:
            if set(self.quantity or ()) - {"recall"}:
                raise ParameterError("quantity is not for all_methods, which are about recall")
            self.refuse("not for all_methods", "method", "prior", "credit_found")
        check_options(
            self.chosen_method, self.prior, self.n_draws, self.credit_found, self.quantity or ()
        )

    def read_samples(self) -> tuple[Sample, ...]:
        """Return the sample, or those of every retrieved set in a sheet of many."""
        from ..reading.strata_sheet import read_samples
        from ..results import Sample
        from ..samples.counts import segment_strata
        from ..samples.documents import sampled_strata

        if self.samples is not None:
            is_file = isinstance(self.samples, str | Path)
            return tuple(read_samples(self.samples) if is_file else self.samples)
        if self.assessed is None:
            return (Sample(segment_strata(self.retrieved, self.unretrieved)),)
        sources = {name: getattr(self, name) for name in SOURCES}
        return (
            sampled_strata(self.assessed, query=self.query, retrieved=self.retrieved, **sources),
        )

    def estimate(self, sample: Sample, *, is_only: bool) -> Results[RecallEstimate]:
        """Return the estimates of one sample; by default only recall of a claim or of several."""
        from ..results import Results
        from ..samples.quantities import QUANTITIES
        from ..samples.recall_intervals import all_recall_intervals, sample_estimates

        options: dict[str, Any] = {
            "confidence_level": self.confidence_level,
            "alternative": self.chosen_alternative,
        }
        if self.all_methods:
            return all_recall_intervals(sample, **options)
        is_description = is_only and self.at_least is None
        estimates = sample_estimates(
            sample,
            quantities=self.quantity or (tuple(QUANTITIES) if is_description else ("recall",)),
            method=self.chosen_method,
            prior=self.prior,
            credit_found=self.credit_found,
            at_least=self.at_least if is_only else None,
            n_draws=self.n_draws,
            rng=self.seed,
            **options,
        )
        if is_only or self.at_least is None:
            return estimates
        # the sample that would show the claim takes seconds for each of many sets
        return Results(
            replace(row, at_least=self.at_least) if row.quantity == "recall" else row
            for row in estimates
        )


@verb(
    RecallRequest,
    group="Audit recall",
    docs="recall",
    shows=("table", "figure", "report", "top"),
    is_parallel=False,
    examples=(
        "irbounds recall --retrieved 2000 100 50 --unretrieved 100000 100 3",
        "irbounds recall --retrieved 5000 all 1000 --unretrieved 95000 1500 0 \\\n"
        "    --at-least 0.75",
        "irbounds recall strata.csv --quantity recall,yield --method exact",
        "irbounds recall strata.csv --method normal-official --format csv",
        "irbounds recall --assessed sample.qrels --retrieved-ids found.txt \\\n"
        "    --corpus-size 102000",
        "irbounds recall --assessed sample.qrels --run review.run --query 1 \\\n"
        "    --cut-rank 500 --corpus ids.txt",
    ),
)
def recall(request: RecallRequest) -> Answer[Results[RecallEstimate]]:
    """Estimate the recall of a retrieved set from random samples.

    One sample is drawn at random from the retrieved documents, another one from the rest of the
    corpus, and both are assessed. The input is the counts, a sheet of strata, or the documents.
    Precision, F, yield (the number of relevant documents), prevalence and elusion are estimated
    from the same samples.

    Returns
    -------
    Results of RecallEstimate
        One per sample and quantity: ``.quantity``, ``.value``, ``.interval``, ``.strata``. Recall
        with a claim has ``.is_shown`` and ``.sample_needed``.

    Examples
    --------
    >>> import irbounds
    >>> estimates = irbounds.recall(retrieved=(2000, 100, 50), unretrieved=(100_000, 100, 3))
    >>> first = estimates[0]
    >>> first.quantity, round(first.value, 2), round(first.interval.low, 3)
    ('recall', 0.25, 0.111)
    >>> claim = irbounds.recall(
    ...     retrieved=(5000, "all", 1000), unretrieved=(95_000, 1500, 0), at_least=0.75
    ... )[0]
    >>> claim.is_shown, round(claim.interval.low, 3), claim.interval.method
    (True, 0.842, 'exact')
    """
    from ..progress import count_steps
    from ..reports.recall_audit import DRAWN, TITLE, audit_sections, lines_to_sign
    from ..results import Results
    from ..results.samples import sample_lines
    from ..samples.claims import warn_of_swapped

    samples = request.read_samples()
    if len(samples) == 1:
        estimates = request.estimate(samples[0], is_only=True)
    else:
        several: list[RecallEstimate] = []
        with count_steps("computing posteriors", len(samples)) as step:
            for sample in samples:
                several += request.estimate(sample, is_only=False)
                step()
        estimates = Results(several)
    notes = list(dict.fromkeys(line for sample in samples for line in sample.notes))
    is_drawn = request.assessed is None or any(line.startswith(DRAWN) for line in notes)
    if request.at_least is not None and not is_drawn:
        notes.append("no line of irbounds draw: nothing shows how the sample was drawn")
    strata = [
        {
            "topic": sample.topic,
            "system": sample.system,
            "strata": [part.as_dict() for part in sample],
        }
        for sample in samples
    ]
    warnings = [line for sample in samples for line in sample.warnings]
    return Answer(
        estimates,
        View(topic="topic" if request.assessed is None else "query"),
        [*sample_lines(samples), *notes],
        list(dict.fromkeys((*warn_of_swapped(samples), *warnings))),
        tuple(dict.fromkeys(file for sample in samples for file in sample.inputs)),
        facts={"notes": notes, "samples": strata},
        make_page_sections=lambda view: audit_sections(samples, estimates, view.digits),
        signatures=lines_to_sign(estimates),
        title=TITLE,
    )
