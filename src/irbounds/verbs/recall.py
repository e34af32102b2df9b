"""``recall``: recall and related quantities from random samples of assessed documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from ..errors import ParameterError, quote
from ..requests.options import (
    ALTERNATIVE,
    METHOD,
    RETRIEVED_IDS,
    ConfidenceLevel,
    CorpusList,
    CorpusSize,
    Prior,
    Retrieved,
    Seed,
    Unretrieved,
)
from ..requests.request import Option, Request, join
from ..requests.verb import verb
from ..results import Stratum
from ..results.result import Answer
from ..results.samples import Sample
from ..validation import Alternative, RecallMethod, as_list, check_claim, check_fraction

if TYPE_CHECKING:
    from ..results import RecallEstimate, Results

DOCUMENTS = ("assessed", "query", "retrieved_ids", "corpus_size", "corpus", "strata")
METHODS_OF_CLAIMS = ("exact", "beta-binomial", "beta-jeffreys")
METHODS_WITH_CREDIT = METHODS_OF_CLAIMS
DEFAULT: RecallMethod = "beta-binomial"


def _samples(name: str, value: Any) -> Any:
    """Return a file, or strata that are given as objects."""
    if isinstance(value, str | Path):
        return value
    strata = tuple(as_list(value))
    if not strata or not all(isinstance(stratum, Stratum) for stratum in strata):
        raise ParameterError(f"{name} must be a file or several Stratum; got {quote(value)}")
    return strata


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
    "Sheet of strata: CSV, TSV, XLSX or -.",
    "Columns stratum, retrieved (yes or no), population, sampled, relevant and, optionally, "
    "assessable. Documents that were assessed again: relevant_checked and relevant_confirmed, "
    "irrelevant_checked and irrelevant_overturned. In Python also a list of ``Stratum``.",
    metavar="SAMPLES",
    panel="Input",
    file="read",
    is_argument=True,
    check=_samples,
)
CreditFound = Annotated[
    bool,
    Option(
        "Add what the unretrieved sample found to the result.",
        "Its relevant documents are added to the retrieved set, and all quantities are those of "
        "the final set. For methods exact, beta-binomial and beta-jeffreys.",
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
        "with doc_id, relevance and, optionally, query_id and stratum or iprob. Relevance below "
        "0: the document could not be judged. Judgments of a pool are not a random sample. Without "
        "strata and probabilities, the sample must have been drawn for this retrieved set: one "
        "that was drawn for another cut is not a simple random sample of these segments. Where the "
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
Query = Annotated[
    str | None,
    Option("Query, where assessed has several of them.", metavar="ID", panel="Input"),
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
        default="all that the method provides; recall for a claim",
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
NDraws = Annotated[int, Option("Random draws of monte-carlo.", metavar="N", minimum=100)]


@dataclass(frozen=True, kw_only=True)
class RecallRequest(Request):
    """The options of ``recall``."""

    samples: Annotated[Any, SAMPLES] = field(default=None, kw_only=False)
    retrieved: Retrieved = None
    unretrieved: Unretrieved = None
    assessed: Assessed = None
    retrieved_ids: RetrievedIds = None
    query: Query = None
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
    n_draws: NDraws = 10_000
    seed: Seed = 0

    def check(self) -> None:
        """Raise ``ParameterError`` where options contradict each other."""
        super().check()
        self._check_inputs()
        is_claim = self.at_least is not None
        if is_claim:
            self._check_claim()
        if self.all_methods:
            if set(self.quantity or ()) - {"recall"}:
                raise ParameterError("quantity is not for all_methods, which are about recall")
            self.refuse("not for all_methods", "method", "prior", "credit_found")
        else:  # what is used is recorded
            object.__setattr__(self, "method", self.method or ("exact" if is_claim else DEFAULT))
            self._check_method()
        side = self.alternative or ("greater" if is_claim else "two-sided")
        object.__setattr__(self, "alternative", side)

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
        if not groups[2]:
            return
        if self.assessed is None:
            raise ParameterError("needs assessed, the documents that were drawn and assessed")
        if self.retrieved_ids is None:
            raise ParameterError("needs retrieved_ids, the retrieved documents")
        if self.corpus is not None and self.corpus_size is not None:
            raise ParameterError(
                "corpus and corpus_size: give one of them; got both, corpus_size "
                f"{self.corpus_size}"
            )
        if self.corpus is None and self.corpus_size is None and self.strata is None:
            raise ParameterError(
                "needs corpus_size or corpus: the number of documents in the corpus, or their ids"
            )

    def _check_claim(self) -> None:
        check_claim("at_least", self.at_least, self.confidence_level)
        if self.alternative not in (None, "greater"):
            raise ParameterError(
                f"at_least needs a lower limit; alternative is {self.alternative!r}"
            )
        if self.method not in (None, *METHODS_OF_CLAIMS):
            raise ParameterError(
                f"at_least is judged by {join(METHODS_OF_CLAIMS)}; the method is {self.method!r}"
            )
        if self.all_methods:
            raise ParameterError("at_least is judged by one method; leave out all_methods")
        if self.quantity and "recall" not in self.quantity:
            raise ParameterError("at_least is about recall; add it to quantity")

    def _check_method(self) -> None:
        from ..samples.priors import parse_prior
        from ..samples.quantities import list_provided
        from ..samples.recall_intervals import METHODS_WITH_PRIOR

        parse_prior(self.prior)
        if self.prior is not None and self.method not in METHODS_WITH_PRIOR:
            raise ParameterError(
                f"prior is for {join(METHODS_WITH_PRIOR)}; the method is {self.method!r}"
            )
        if self.credit_found and self.method not in METHODS_WITH_CREDIT:
            raise ParameterError(
                f"credit_found is for {join(METHODS_WITH_CREDIT)}; the method is {self.method!r}"
            )
        provided = list_provided(self.method or DEFAULT)
        if missing := [name for name in self.quantity or () if name not in provided]:
            raise ParameterError(
                f"method={self.method!r} provides {', '.join(provided)}, not "
                f"{', '.join(missing)}; use method='beta-binomial' for all quantities"
            )

    def read_sample(self) -> Sample:
        """Return the strata with their counts."""
        from ..reading.strata_sheet import read_strata
        from ..samples.counts import check_strata
        from ..samples.documents import count_documents

        if self.assessed is not None:
            sample = count_documents(
                self.assessed,
                self.retrieved_ids,
                query=self.query,
                corpus=self.corpus,
                corpus_size=self.corpus_size,
                strata=self.strata,
                retrieved=self.retrieved,
            )
        elif isinstance(self.samples, str | Path):
            sample = read_strata(self.samples)
        elif self.samples is not None:
            sample = Sample(self.samples)
        else:
            assert self.retrieved is not None
            assert self.unretrieved is not None
            inside = Stratum("retrieved", True, *self.retrieved)
            sample = Sample((inside, Stratum("unretrieved", False, *self.unretrieved)))
        return replace(sample, strata=check_strata(sample.strata))

    def estimate(self, sample: Sample) -> Results[RecallEstimate]:
        """Return the estimates of a sample."""
        from ..results import Results
        from ..samples.claims import judge_claim
        from ..samples.priors import parse_prior
        from ..samples.quantities import SampleRequest, list_provided
        from ..samples.recall_intervals import estimate_by_all_methods, estimate_quantities

        assert self.alternative is not None
        request = SampleRequest(
            sample.strata,
            self.method or DEFAULT,
            parse_prior(self.prior),
            self.confidence_level,
            self.alternative,
            self.n_draws,
            self.seed,
            self.credit_found,
        )
        if self.all_methods:
            return estimate_by_all_methods(request)
        at_least = self.at_least
        if at_least is None:
            return estimate_quantities(request, self.quantity or list_provided(request.method))
        return Results(
            judge_claim(request, row, at_least) if row.quantity == "recall" else row
            for row in estimate_quantities(request, self.quantity or ["recall"])
        )


@verb(
    RecallRequest,
    group="Audit recall",
    docs="recall",
    shows=("table", "figure", "report"),
    is_parallel=False,
    examples=(
        "irbounds recall --retrieved 2000 100 50 --unretrieved 100000 100 3",
        "irbounds recall --retrieved 5000 all 1000 --unretrieved 95000 1500 0 \\\n"
        "    --at-least 0.75",
        "irbounds recall strata.csv --quantity recall,yield --method exact",
        "irbounds recall --assessed sample.qrels --retrieved-ids found.txt \\\n"
        "    --corpus-size 102000",
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
        One per quantity: ``.quantity``, ``.value``, ``.interval``, ``.strata``. Recall
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
    from ..reports.recall_audit import TITLE, audit_sections, lines_to_sign
    from ..results.samples import sample_lines
    from ..samples.claims import warn_of_swapped

    sample = request.read_sample()
    estimates = request.estimate(sample)
    return Answer(
        estimates,
        lines=[*sample_lines(sample.strata), *sample.notes],
        warnings=list(dict.fromkeys((*warn_of_swapped(sample.strata), *sample.warnings))),
        inputs=tuple(dict.fromkeys(sample.inputs)),
        facts={
            "notes": list(sample.notes),
            "samples": [{"strata": [part.as_dict() for part in sample.strata]}],
        },
        make_page_sections=lambda view: audit_sections(estimates, view.digits),
        signatures=lines_to_sign(estimates),
        title=TITLE,
    )
