"""``irbounds study``: the papers' experiments, their tables beside ours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .groups import command_group
from .options import Form, Format, Output, Seed
from .showing import with_shared_options
from .study_bestgen2015 import EXAMPLES as BESTGEN2015_EXAMPLES
from .study_bestgen2015 import bestgen2015
from .study_webber2013 import EXAMPLES as WEBBER2013_EXAMPLES
from .study_webber2013 import webber2013
from .writing import chosen_form, write_result

if TYPE_CHECKING:
    from ..presentation.figures.style import Figure
    from ..presentation.pages import Section
    from ..results import StudyTable
    from ..scores.score_table import ScoreTable
    from ..studies.collections import StudyCollection
    from ..studies.zobel2020 import Zobel2020

app = command_group("study", "Run a paper's experiments again; its tables beside ours.")

Data = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER",
        envvar="IRBOUNDS_DATA",
        show_envvar=False,
        help="Where robust2004_ap.csv is (or in its folder scores). Default: the folder that "
        "IRBOUNDS_DATA names, else a simulated collection of the same size.",
    ),
]
CorpusData = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER",
        envvar="IRBOUNDS_DATA",
        show_envvar=False,
        help="Where robust03 is, the folder of TREC 2003 Robust (qrels.txt and *.run, plain or as "
        ".gz). Default: the folder that IRBOUNDS_DATA names, else a simulated collection of the "
        "same size.",
    ),
]
Samples = Annotated[int, typer.Option("--n-samples", metavar="N", help="Samples per system and n.")]
SIMULATED = "simulated collection: the paper's numbers are for comparison, not to be met"
ROBUST = ("robust2004_ap.csv", 110, 249)
OTHER = ("adhoc8_ap.csv", 129, 50)
N_QUERIES = 100  # of the simulated collection that takes the place of robust03
OTHER_COLLECTION = 8  # the table that is on another collection than the paper's
ZOBEL2020_TOPICS = ("corpus-queries", "corpus-scores", "corpus-ranks", "corpus-pools")
ZOBEL2020_EXAMPLES = (
    "\b\nExamples:\n  irbounds study zobel2020 --data data\n"
    "  irbounds study zobel2020 --data data --format csv > zobel2020.csv"
)


def _example(name: str) -> str:
    return (
        f"\b\nExamples:\n  irbounds study {name} --data data\n"
        f"  irbounds study {name} --data data --n-samples 100 --format csv > {name}.csv"
    )


def park2010(
    data: Data = None,
    n_samples: Samples = 1000,
    seed: Seed = 0,
    form: Format = None,
    output: Output = None,
) -> None:
    """Park (2010): normal and t intervals of AP, raw and standardised; Tables 1 to 8.

    Table 8 is on TREC-8 (adhoc8_ap.csv) in place of the paper's TREC-3, so there the numbers
    differ.
    """
    from ..presentation.terminal import progress_of
    from ..studies.park2010 import park2010 as study
    from ..studies.park2010 import references_that_agree

    chosen = chosen_form(form, output)
    population = _population(data, *ROBUST, seed)
    other = _population(data, *OTHER, seed + 1)
    with progress_of("trying samples") as progress:
        tables = study(population, other, n_samples=n_samples, rng=seed, progress=progress)
    agree = references_that_agree(population, seed)
    notes = [f"queries on which five random systems agree, left out: {agree:.2f} on average"]
    if data is not None:
        notes.append("Table 8 is on TREC-8 in place of TREC-3, which is not among the data")
    inputs = (*population.inputs, *other.inputs)
    about = {"seed": seed, "n_samples": n_samples, "inputs": [asdict(one) for one in inputs]}
    met = [table for table in tables if table.number != OTHER_COLLECTION]
    methods = ("normal", "student-t", "standardised")
    section = _park_section(tables, met if data else (), methods)
    _write(section, notes, data, chosen, output, about)


def park2011(
    data: Data = None,
    n_samples: Samples = 1000,
    n_resamples: Annotated[
        int, typer.Option(metavar="N", help="Bootstrap resamples for each sample.")
    ] = 1000,
    seed: Seed = 0,
    form: Format = None,
    output: Output = None,
) -> None:
    """Park (2011): percentile, BCa and studentised logit intervals of AP; Tables 1 to 3."""
    from ..presentation.terminal import progress_of
    from ..studies.park2011 import park2011 as study

    chosen = chosen_form(form, output)
    population = _population(data, *ROBUST, seed)
    with progress_of("trying samples") as progress:
        tables = study(
            population, n_samples=n_samples, n_resamples=n_resamples, rng=seed, progress=progress
        )
    about = {
        "seed": seed,
        "n_samples": n_samples,
        "n_resamples": n_resamples,
        "inputs": [asdict(one) for one in population.inputs],
    }
    methods = ("percentile", "bca", "studentised-logit")
    section = _park_section(tables, tables if data else (), methods)
    _write(section, [], data, chosen, output, about)


def zobel2020(
    data: CorpusData = None,
    n_images: Annotated[int, typer.Option(metavar="N", help="Images of the corpus.")] = 1000,
    seed: Seed = 0,
    form: Format = None,
    output: Output = None,
) -> None:
    """Zobel and Rashidi (2020): the precision of measures, by images of the corpus; Tables 2 to 4.

    TREC 2003 Robust, which has the corpus of TREC-7 and TREC-8, stands beside the paper's four
    collections.
    """
    from ..parameters import check_count
    from ..presentation.registry import section_of
    from ..presentation.terminal import progress_of
    from ..presentation.zobel2020 import NOTES, finding_sentences
    from ..studies.zobel2020 import LEAST_IMAGES
    from ..studies.zobel2020 import zobel2020 as study

    chosen = chosen_form(form, output)
    check_count("n_images", n_images, least=LEAST_IMAGES)  # before a dozen runs are read
    collection = _collection(data, seed)
    with progress_of("drawing images") as progress:
        found = study(collection, n_images=n_images, rng=seed, progress=progress)
    notes = [
        *([SIMULATED] if data is None else []),
        _systems_note(found, collection),
        *NOTES,
    ]
    findings = finding_sentences(found.tables, found.papers_way)
    section = replace(
        section_of(found.tables),
        sentences=findings,
        figures=partial(_zobel2020_figures, found),
        topics=["study", *ZOBEL2020_TOPICS],
    )
    write_result(
        [section],
        form=chosen,
        output=output,
        inputs=notes,
        warnings=found.images.warnings,
        about=_about_images(found, [*notes, *findings]),
    )


for study, examples in (
    (park2010, _example("park2010")),
    (park2011, _example("park2011")),
    (zobel2020, ZOBEL2020_EXAMPLES),
    (webber2013, WEBBER2013_EXAMPLES),
    (bestgen2015, BESTGEN2015_EXAMPLES),
):
    with_options = with_shared_options(
        study,
        *("figures", "report"),
        name=f"study {study.__name__}",
        works=study is not bestgen2015,  # which draws nothing
        reads=study is not bestgen2015,
    )
    app.command(study.__name__, epilog=examples)(with_options)


def _collection(data: Path | None, seed: int) -> StudyCollection:
    from ..presentation.terminal import progress
    from ..studies.collections import robust03_collection, robust03_files, simulated_collection

    if data is None:
        with progress("simulating queries", N_QUERIES) as step:
            return simulated_collection(seed, step, N_QUERIES)
    with progress("reading runs", len(robust03_files(data)[1])) as step:
        return robust03_collection(data, step)


def _systems_note(found: Zobel2020, collection: StudyCollection) -> str:
    """Which systems there are, and which of them is the typical one."""
    systems = found.images.systems
    note = (
        f"all {len(systems)} full runs, #1 the best by RBP (the paper: the best 50 of 74 to 129); "
        f"#2 is {systems[1]}"
    )
    if collection.left_out:
        note += f"; left out as too short: {', '.join(collection.left_out)}"
    return note


def _zobel2020_figures(found: Zobel2020) -> list[Figure]:
    from ..presentation.figures.zobel2020 import zobel2020 as figures
    from ..presentation.terminal import progress_of
    from ..studies.zobel2020_figures import zobel2020_figures

    with progress_of("judging shallow pools") as progress:
        return figures(zobel2020_figures(found.images, progress))


def _about_images(found: Zobel2020, said: Sequence[str]) -> dict[str, Any]:
    from .. import __version__

    images = found.images
    return {
        "irbounds": __version__,
        "notes": list(said),
        "warnings": list(images.warnings),
        "seed": images.seed,
        "n_images": images.n_images,
        "corpus_size": images.corpus_size,
        "systems": list(images.systems),
        "inputs": [asdict(one) for one in images.inputs],
    }


def _population(
    data: Path | None, name: str, n_systems: int, n_queries: int, seed: int
) -> ScoreTable:
    from ..presentation.terminal import progress
    from ..studies.populations import real_scores, simulated_scores

    if data is not None:
        return real_scores(data, name)
    with progress("simulating queries", n_queries) as step:
        return simulated_scores(n_systems, n_queries, seed, step)


def _park_section(
    tables: Sequence[StudyTable], met: Sequence[StudyTable], methods: Sequence[str]
) -> Section:
    """``met`` are the tables whose numbers the paper's are to be met by, if any are."""
    from ..presentation.registry import section_of
    from ..results.studies import study_sentence

    return replace(
        section_of(tables),
        sentences=[study_sentence(met)] if met else [],
        figures=partial(_park_figures, tables),
        topics=["study", "calibration", *methods],
    )


def _write(
    section: Section,
    notes: Sequence[str],
    data: Path | None,
    form: Form,
    output: Path | None,
    about: dict[str, Any],
) -> None:
    from .. import __version__

    inputs = [SIMULATED, *notes] if data is None else list(notes)
    write_result(
        [section],
        form=form,
        output=output,
        inputs=inputs,
        about={"irbounds": __version__, "notes": [*inputs, *section.sentences], **about},
    )


def _park_figures(tables: Sequence[StudyTable]) -> list[Figure]:
    from ..presentation.figures.park import park_figures

    return park_figures(tables)
