"""``irbounds recall``: recall and its relatives from random samples of assessed documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from .. import __version__
from ..presentation.registry import View
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
from .recall_wishes import (
    DEFAULT_METHOD,
    RecallWishes,
    check_wishes,
    estimated,
    quantity_named,
)
from .showing import asked, make_view
from .writing import chosen_form, collected_warnings, write_result

if TYPE_CHECKING:
    from ..results import RecallEstimate, Sample

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
RECORD_FORMS = (Form.csv, Form.json, Form.jsonl)


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
    wishes = RecallWishes(
        all_methods=all_methods,
        quantities=tuple(dict.fromkeys(quantity_named(one, beta) for one in quantities or ())),
        beta=beta,
        method=method,
        prior=prior,
        confidence_level=confidence_level,
        alternative=alternative.value,
        cap_at_one=cap_at_one,
        n_draws=n_draws,
        seed=seed,
    )
    check_wishes(wishes)
    samples = samples_of(
        sheet,
        Segments(
            retrieved and whole_numbers("--retrieved", retrieved, SEGMENT_NUMBERS),
            unretrieved and whole_numbers("--unretrieved", unretrieved, SEGMENT_NUMBERS),
            assessable and whole_numbers("--assessable", assessable, ASSESSABLE_NUMBERS),
        ),
        Documents(
            assessed=assessed,
            retrieved_ids=retrieved_ids,
            run=run,
            query=query,
            cut_rank=cut_rank,
            cut_score=cut_score,
            corpus_size=corpus_size,
            corpus=corpus,
            strata=strata,
        ),
    )
    said = list(dict.fromkeys(line for sample in samples for line in sample.warnings))
    with collected_warnings(said):
        found = estimated(samples, wishes)
    # several quantities and systems share their strata, and so what is to be said of these
    view = make_view(
        digits,
        topic="topic" if assessed is None else "query",
        has_records=chosen in RECORD_FORMS or asked().report is not None,
    )
    _write(samples, found, list(dict.fromkeys(said)), view, chosen, output)


def _write(
    samples: Sequence[Sample],
    found: Sequence[tuple[RecallEstimate, ...]],
    said: Sequence[str],
    view: View,
    form: Form,
    output: Path | None,
) -> None:
    from ..presentation.registry import section_of
    from ..reports.recall_audit import ATTESTATION, audit_sections
    from ..results.samples import sample_lines

    everything = [one for of_sample in found for one in of_sample]
    notes = list(dict.fromkeys(line for sample in samples for line in sample.notes))
    inputs = dict.fromkeys(one for sample in samples for one in sample.inputs)
    section = section_of(everything, view)
    write_result(
        [section],
        form=form,
        output=output,
        inputs=[*sample_lines(samples), *notes],
        warnings=said,
        about={
            "irbounds": __version__,
            "warnings": list(said),
            "notes": notes,
            "found": section.sentences,
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
        only_on_page=audit_sections(samples, everything, view.digits) if asked().report else (),
        signatures=ATTESTATION,
    )
