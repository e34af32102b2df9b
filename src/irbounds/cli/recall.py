"""``irbounds recall``: recall and its relatives from random samples of assessed documents."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from .. import __version__
from ..errors import ParameterError
from ..parameters import Alternative as AlternativeName
from ..parameters import check_confidence_level
from .options import (
    Alternative,
    AlternativeOption,
    ConfidenceLevel,
    CorpusList,
    CorpusSize,
    Digits,
    Form,
    Format,
    Output,
    Seed,
)
from .recall_inputs import Documents, Segments, samples_of, whole_numbers
from .recall_options import (
    ASSESSABLE_NUMBERS,
    SEGMENT_NUMBERS,
    AllMethods,
    Assessable,
    Assessed,
    Beta,
    CapAtOne,
    CutRank,
    CutScore,
    Draws,
    MethodName,
    PriorText,
    Quantities,
    Query,
    Retrieved,
    RetrievedIds,
    RunFile,
    SheetFile,
    StrataSizes,
    Unretrieved,
)
from .recall_showing import SIGNATURES, recall_details, recall_figures, recall_topics
from .showing import asked
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
QUANTITIES = (RECALL, "precision", "F", "yield", "prevalence", "elusion")
F_OF_BETA = re.compile(r"f(\d+(?:\.\d+)?)", re.IGNORECASE | re.ASCII)


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
    yield, prevalence and elusion come from the same samples. docs/recall.md says what to sample,
    which method to take, and what the interval means.
    """
    chosen = chosen_form(form, output)
    wishes = _Wishes(
        all_methods,
        tuple(dict.fromkeys(_quantity(one, beta) for one in quantities or ())),
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
        Segments(
            retrieved and whole_numbers("--retrieved", retrieved, SEGMENT_NUMBERS),
            unretrieved and whole_numbers("--unretrieved", unretrieved, SEGMENT_NUMBERS),
            assessable and whole_numbers("--assessable", assessable, ASSESSABLE_NUMBERS),
        ),
        Documents(
            assessed, retrieved_ids, run, query, cut_rank, cut_score, corpus_size, corpus, strata
        ),
    )
    said = list(dict.fromkeys(line for sample in samples for line in sample.warnings))
    with collected_warnings(said):
        found = _estimated(samples, wishes)
    # several quantities and systems share their strata, and so what is to be said of these
    shape = _Shape(chosen, digits, "topic" if assessed is None else "query")
    _write(samples, found, list(dict.fromkeys(said)), wishes, shape, output)


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


@dataclass(frozen=True)
class _Shape:
    """How results are shown."""

    form: Form
    digits: int | None
    #: what to call the thing that was searched for
    topic_word: str

    @property
    def full(self) -> bool:
        """Whether records are wanted; a report has them too."""
        return self.form in RECORD_FORMS or asked().report is not None


def _quantity(text: str, beta: float) -> str:
    """A quantity in any case; F1 is F, unless another weight is asked for."""
    known = {name.lower(): name for name in QUANTITIES}
    if text.lower() in known:
        return known[text.lower()]
    weighed = F_OF_BETA.fullmatch(text)
    if weighed is None:
        raise ParameterError(f"--quantity must be one of {', '.join(QUANTITIES)}; got {text!r}")
    if float(weighed[1]) == beta == 1:
        return "F"
    raise ParameterError(
        f"--quantity {text}: --beta gives the weight of F; write --quantity F --beta {weighed[1]}"
    )


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
    default = (RECALL,) if is_one_of_many else QUANTITIES
    found = sample_estimates(
        sample,
        quantities=wishes.quantities or default,
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
    shape: _Shape,
    output: Path | None,
) -> None:
    from ..report.recall import sample_lines
    from ..report.recall_sentences import recall_sentences

    everything = [one for of_sample in found for one in of_sample]
    notes = list(dict.fromkeys(line for sample in samples for line in sample.notes))
    sentences = recall_sentences(everything, shape.digits)
    inputs = dict.fromkeys(one for sample in samples for one in sample.inputs)
    write_result(
        _tables(found, wishes, shape),
        form=shape.form,
        output=output,
        above=[*sample_lines(samples), *notes],
        found=sentences,
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
        figures=partial(recall_figures, found, all_methods=wishes.all_methods),
        topics=recall_topics(everything),
        signatures=SIGNATURES,
        details=partial(recall_details, samples, found, shape.digits),
    )


def _tables(
    found: Sequence[tuple[RecallEstimate, ...]], wishes: _Wishes, shape: _Shape
) -> list[Table]:
    from ..report.recall import method_table, quantity_table, system_tables

    digits, full, word = shape.digits, shape.full, shape.topic_word
    if wishes.all_methods:
        return [method_table(one, digits, full=full, topic_word=word) for one in found]
    if len(found) == 1:
        return [quantity_table(found[0], digits, full=full, topic_word=word)]
    return system_tables([one for of_sample in found for one in of_sample], digits, full=full)
