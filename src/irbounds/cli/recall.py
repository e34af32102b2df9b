"""``irbounds recall``: recall and its relatives from random samples of assessed documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .. import __version__
from ..errors import ParameterError
from ..parameters import Alternative as AlternativeName
from ..parameters import check_confidence_level
from .options import (
    Alternative,
    AlternativeOption,
    ConfidenceLevel,
    Digits,
    Form,
    Format,
    Output,
    Seed,
)
from .recall_inputs import Documents, Segments, samples_of
from .writing import chosen_form, collected_warnings, write_result

if TYPE_CHECKING:
    from ..report.tables import Table
    from ..results import RecallEstimate, Sample

__all__ = ["EXAMPLES", "recall"]

EXAMPLES = (
    "\b\nExamples:\n"
    "  irbounds recall --retrieved 2000 100 50 --unretrieved 100000 100 3\n"
    "  irbounds recall --retrieved 2000 100 50 --unretrieved 100000 100 3 --all-methods\n"
    "  irbounds recall --retrieved 2000 100 50 --unretrieved 100000 100 3 --alternative greater\n"
    "  irbounds recall strata.csv --quantity recall --quantity yield\n"
    "  irbounds recall legal09_strata.csv --method normal-official --format csv\n"
    "  irbounds recall --assessed sample.qrels --retrieved-ids found.txt --corpus-size 102000\n"
    "  irbounds recall --assessed sample.qrels --run bm25.run --query 7 --cut-rank 500 "
    "--corpus ids.txt"
)
DEFAULT_METHOD = "beta-binomial"
RECALL = "recall"
RECORD_FORMS = (Form.csv, Form.json, Form.jsonl)


class Quantity(StrEnum):
    """What can be asked about a retrieved set."""

    recall = "recall"
    precision = "precision"
    F = "F"
    yield_ = "yield"
    elusion = "elusion"
    prevalence = "prevalence"


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
SegmentCounts = tuple[int, int, int]
Retrieved = Annotated[
    SegmentCounts | None,
    typer.Option(
        metavar="N SAMPLED RELEVANT",
        help="The retrieved set: its documents, those drawn from it at random, and the relevant "
        "ones among these.",
    ),
]
Unretrieved = Annotated[
    SegmentCounts | None,
    typer.Option(metavar="N SAMPLED RELEVANT", help="The same of the rest of the corpus."),
]
Assessable = Annotated[
    tuple[int, int] | None,
    typer.Option(
        metavar="RETRIEVED UNRETRIEVED",
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
        "Relevance below 0: could not be judged.",
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
CorpusSize = Annotated[
    int | None,
    typer.Option(metavar="D", help="With --assessed: how many documents the corpus holds in all."),
]
CorpusList = Annotated[
    str | None,
    typer.Option(
        "--corpus",
        metavar="FILE",
        help="In place of the size, the ids of all its documents, one a line.",
    ),
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
    list[Quantity] | None,
    typer.Option(
        "--quantity",
        help="May be repeated. Default: all that the method has; of a sheet of many sets, recall.",
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


def recall(
    sheet: SheetFile = None,
    retrieved: Retrieved = None,
    unretrieved: Unretrieved = None,
    assessable: Assessable = None,
    assessed: Assessed = None,
    retrieved_ids: RetrievedIds = None,
    run: RunFile = None,
    query: Query = None,
    cut_rank: CutRank = None,
    cut_score: CutScore = None,
    corpus_size: CorpusSize = None,
    corpus: CorpusList = None,
    strata: StrataSizes = None,
    quantities: Quantities = None,
    beta: Beta = 1.0,
    method: MethodName = DEFAULT_METHOD,
    prior: PriorText = None,
    all_methods: AllMethods = False,
    confidence_level: ConfidenceLevel = 0.95,
    alternative: AlternativeOption = Alternative.two_sided,
    cap_at_one: CapAtOne = False,
    n_draws: Draws = 10_000,
    seed: Seed = 0,
    digits: Digits = None,
    form: Format = None,
    output: Output = None,
) -> None:
    """Recall of a retrieved set from random samples, with its interval.

    A sample is drawn at random from what was retrieved, another from the rest, and both are
    assessed. Give the counts, or a sheet of strata, or the documents themselves. Precision, F,
    yield, elusion and prevalence come from the same samples. docs/recall.md says what to sample,
    which method to take, and what the interval means.
    """
    chosen = chosen_form(form, output)
    wishes = _Wishes(
        all_methods,
        tuple(dict.fromkeys(one.value for one in quantities or ())),
        beta,
        method,
        prior,
        confidence_level,
        alternative.value,
        cap_at_one,
        n_draws,
        seed,
    )
    _check_wishes(wishes)
    samples = samples_of(
        sheet,
        Segments(retrieved, unretrieved, assessable),
        Documents(
            assessed, retrieved_ids, run, query, cut_rank, cut_score, corpus_size, corpus, strata
        ),
    )
    said = list(dict.fromkeys(line for sample in samples for line in sample.warnings))
    with collected_warnings(said):
        found = _estimated(samples, wishes)
    # several quantities and systems share their strata, and so what is to be said of these
    _write(samples, found, list(dict.fromkeys(said)), wishes, digits, chosen, output)


@dataclass(frozen=True)
class _Wishes:
    """What is to be estimated, and how."""

    all_methods: bool
    quantities: tuple[str, ...]
    beta: float
    method: str
    prior: str | None
    confidence_level: float
    alternative: AlternativeName
    cap_at_one: bool
    n_draws: int
    seed: int


def _check_wishes(wishes: _Wishes) -> None:
    """Options that need each other; said before anything is read."""
    check_confidence_level(wishes.confidence_level)
    if wishes.all_methods:
        if set(wishes.quantities) - {RECALL}:
            raise ParameterError("--all-methods is about recall: leave --quantity out")
        if wishes.method != DEFAULT_METHOD or wishes.prior is not None:
            raise ParameterError("--all-methods takes the place of --method and --prior")
    if wishes.beta != 1 and wishes.quantities and "F" not in wishes.quantities:
        raise ParameterError(f"--beta is for --quantity F; got {wishes.beta:g} without it")


def _estimated(samples: Sequence[Sample], wishes: _Wishes) -> list[tuple[RecallEstimate, ...]]:
    """The results of each sample; one alone takes no time worth a bar."""
    from ..report.terminal import progress

    if len(samples) == 1:
        return [_of_sample(samples[0], wishes, is_one_of_many=False)]
    with progress("computing posteriors", len(samples)) as step:
        found = []
        for sample in samples:
            found.append(_of_sample(sample, wishes, is_one_of_many=True))
            step()
        return found


def _of_sample(
    sample: Sample, wishes: _Wishes, *, is_one_of_many: bool
) -> tuple[RecallEstimate, ...]:
    from .. import all_recall_intervals, sample_estimates

    if wishes.all_methods:
        return all_recall_intervals(
            sample,
            confidence_level=wishes.confidence_level,
            alternative=wishes.alternative,
            cap_at_one=wishes.cap_at_one,
        )
    default = (RECALL,) if is_one_of_many else tuple(Quantity)
    found = sample_estimates(
        sample,
        quantities=[str(one) for one in wishes.quantities or default],
        beta=wishes.beta,
        method=wishes.method,
        prior=wishes.prior,
        confidence_level=wishes.confidence_level,
        alternative=wishes.alternative,
        cap_at_one=wishes.cap_at_one,
        n_draws=wishes.n_draws,
        rng=wishes.seed,
    )
    if len(found) < len(wishes.quantities):
        has = ", ".join(one.quantity for one in found)
        raise ParameterError(f"--method {wishes.method} has, of these, only {has}")
    return found


def _write(
    samples: Sequence[Sample],
    found: Sequence[tuple[RecallEstimate, ...]],
    said: Sequence[str],
    wishes: _Wishes,
    digits: int | None,
    form: Form,
    output: Path | None,
) -> None:
    from ..report.recall import recall_sentences, sample_lines

    everything = [one for of_sample in found for one in of_sample]
    notes = list(dict.fromkeys(line for sample in samples for line in sample.notes))
    sentences = recall_sentences(everything)
    inputs = dict.fromkeys(one for sample in samples for one in sample.inputs)
    write_result(
        _tables(found, wishes, digits, full=form in RECORD_FORMS),
        form=form,
        output=output,
        above=[*sample_lines(samples), *notes, *sentences],
        warnings=said,
        about={
            "irbounds": __version__,
            "warnings": list(said),
            "notes": notes,
            "found": sentences,
            "inputs": [asdict(one) for one in inputs],
            "samples": [
                {
                    "topic": one.topic,
                    "system": one.system,
                    "strata": [asdict(stratum) for stratum in one],
                }
                for one in samples
            ],
        },
    )


def _tables(
    found: Sequence[tuple[RecallEstimate, ...]], wishes: _Wishes, digits: int | None, *, full: bool
) -> list[Table]:
    from ..report.recall import method_table, quantity_table, system_tables

    if wishes.all_methods:
        return [method_table(one, digits, full=full) for one in found]
    if len(found) == 1:
        return [quantity_table(found[0], digits, full=full)]
    return system_tables([one for of_sample in found for one in of_sample], digits, full=full)
