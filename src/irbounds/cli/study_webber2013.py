"""``irbounds study webber2013``: recall intervals, the paper's figures and tables beside ours."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import ParameterError
from .options import Form, Format, Output, Seed
from .showing import asked
from .study_webber2013_figures import webber_figures
from .study_webber2013_options import (
    Part,
    Parts,
    Population,
    Precision,
    Realisations,
    Recall,
    RecallData,
    Retrieved,
    RetrievedSample,
    Samples,
    Scenario,
    Scenarios,
    UnretrievedSample,
    Yield,
)
from .writing import chosen_form, collected_warnings, write_result

if TYPE_CHECKING:
    from ..presentation.figures.style import Figure
    from ..results import InputFile, RecallCoverage, StudyTable

EXAMPLES = (
    "\b\nExamples:\n"
    "  irbounds study webber2013 --data data\n"
    "  irbounds study webber2013 --data data --part legal09\n"
    "  irbounds study webber2013 --part coverage --scenario small --realisations 200\n"
    "  irbounds study webber2013 --scenario own --population 100000 --yield 2000 --recall 0.7 \\\n"
    "      --precision 0.5 --retrieved-sample 300 --unretrieved-sample 700 --samples 10000"
)

NEEDS_DATA = (Part.legal09, Part.clef)
#: the methods that are tried, as a report explains them
METHOD_TOPICS = (
    "naive-binomial",
    "normal",
    "laplace",
    "agresti-coull",
    "koopman",
    "beta-jeffreys",
    "beta-binomial",
)
PAPERS_SIZE = 1000  # realisations, and samples of each
PAPERS_SCENARIOS = (Scenario.neutral, Scenario.legal, Scenario.small)


@dataclass
class _Found:
    """What the parts have given so far."""

    tables: list[StudyTable] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    inputs: list[InputFile] = field(default_factory=list)
    #: what Figures 10 to 14 are drawn from
    coverages: list[RecallCoverage] = field(default_factory=list)


def webber2013(
    data: RecallData = None,
    part: Parts = None,
    scenario: Scenarios = None,
    realisations: Realisations = 1000,
    samples: Samples = 1000,
    population: Population = None,
    yield_: Yield = None,
    recall: Recall = None,
    precision: Precision = None,
    retrieved: Retrieved = None,
    retrieved_sample: RetrievedSample = None,
    unretrieved_sample: UnretrievedSample = None,
    seed: Seed = 0,
    form: Format = None,
    output: Output = None,
) -> None:
    """Webber (2013): intervals of recall from samples; Tables IX, X and XII and most figures.

    How often nine intervals hold the true recall is tried on samples from corpora drawn at random;
    with --scenario own on a corpus of your own sizes, so that you see beforehand what your samples
    can promise.
    """
    chosen = chosen_form(form, output)
    own = {
        "population": population,
        "yield": yield_,
        "recall": recall,
        "precision": precision,
        "retrieved": retrieved,
        "retrieved_sample": retrieved_sample,
        "unretrieved_sample": unretrieved_sample,
    }
    scenarios = scenario or list(PAPERS_SCENARIOS)
    _check_own(scenarios, own)
    parts = _chosen_parts(part, data, named=bool(scenario))
    _check_drawn(parts, scenarios)
    found, warned = _Found(), list[str]()
    with collected_warnings(warned):
        if Part.figures in parts:
            _add_figures(found)
        if Part.coverage in parts:
            _add_coverage(found, scenarios, own, realisations, samples, seed)
        if Part.legal09 in parts and data is not None:
            _add_legal09(found, data)
        if Part.clef in parts and data is not None:
            _add_clef(found, data, samples, seed)
    if part is None and scenario is None and data is None:
        found.notes.append("no --data, so Table XII and the coverage on real topics are left out")
    about = {"seed": seed, "n_realisations": realisations, "n_samples": samples}
    with_lines = Part.figures in parts
    _write(
        found, warned, chosen, output, about, partial(webber_figures, found.coverages, with_lines)
    )


def _check_own(scenarios: Sequence[Scenario], own: dict[str, Any]) -> None:
    """The sizes of one's own are for --scenario own, which needs them."""
    given = [name for name, value in own.items() if value is not None]
    if Scenario.own not in scenarios:
        if given:
            raise ParameterError(f"{_options(given)} needs --scenario own")
        return
    if own["precision"] is None and own["retrieved"] is None:
        raise ParameterError("--scenario own needs --precision or --retrieved")
    optional = ("precision", "retrieved")
    missing = [name for name in own if name not in given and name not in optional]
    if missing:
        raise ParameterError(f"--scenario own needs {_options(missing)}")


def _check_drawn(parts: Sequence[Part], scenarios: Sequence[Scenario]) -> None:
    """Whether there is a figure; said before minutes of work."""
    folder = asked().figures
    tried = Part.coverage in parts and any(one in PAPERS_SCENARIOS for one in scenarios)
    if folder is not None and not tried and Part.figures not in parts:
        raise ParameterError(
            f"--figures {folder}: there are figures of --part figures, and of --part coverage for "
            "the paper's scenarios"
        )


def _options(names: Iterable[str]) -> str:
    return ", ".join(f"--{name.replace('_', '-')}" for name in names)


def _chosen_parts(part: list[Part] | None, data: Path | None, *, named: bool) -> list[Part]:
    """What was asked for; else what a scenario is for, else all that there is data for."""
    if part:
        if named and Part.coverage not in part:
            raise ParameterError("--scenario is for --part coverage")
        if data is None and any(one in NEEDS_DATA for one in part):
            raise ParameterError("--part legal09 and --part clef need --data FOLDER")
        return part
    if named:
        return [Part.coverage]
    return [one for one in Part if data is not None or one not in NEEDS_DATA]


def _add_figures(found: _Found) -> None:
    from ..presentation.terminal import progress_of
    from ..presentation.webber2013 import FIGURE_NOTES
    from ..studies.webber2013_figures import figure_tables
    from ..studies.webber2013_widths import width_tables

    with progress_of("computing widths") as progress:
        found.tables += [*figure_tables(), *width_tables(progress)]
    found.notes += FIGURE_NOTES


def _add_coverage(
    found: _Found,
    scenarios: Sequence[Scenario],
    own: dict[str, Any],
    realisations: int,
    samples: int,
    seed: int,
) -> None:
    from ..presentation.terminal import progress_of
    from ..presentation.webber2013 import COVERAGE_NOTES
    from ..studies.webber2013_coverage import own_design, scenario_coverages, tables_of

    chosen = [
        own_design(**own) if one is Scenario.own else one.value for one in dict.fromkeys(scenarios)
    ]
    with progress_of("trying samples") as progress:
        found.coverages += scenario_coverages(
            chosen, n_realisations=realisations, n_samples=samples, rng=seed, progress=progress
        )
    found.tables += tables_of(found.coverages)
    if any(one in PAPERS_SCENARIOS for one in scenarios):
        found.notes += COVERAGE_NOTES
        if min(realisations, samples) < PAPERS_SIZE:
            found.notes.append(
                f"{realisations:,} corpora and {samples:,} samples of each: the paper has "
                f"{PAPERS_SIZE:,} of both, and fewer are further from its numbers"
            )


def _add_legal09(found: _Found, data: Path) -> None:
    from ..presentation.terminal import progress_of
    from ..studies.webber2013_legal import legal09_table

    with progress_of("Legal Track teams") as progress:
        table, inputs = legal09_table(data, progress)
    found.tables.append(table)
    found.inputs += inputs


def _add_clef(found: _Found, data: Path, samples: int, seed: int) -> None:
    from ..presentation.terminal import progress_of
    from ..studies.webber2013_coverage import clef_tables

    with progress_of("sampling from topics") as progress:
        tables, inputs = clef_tables(data, n_samples=samples, rng=seed, progress=progress)
    found.tables += tables
    found.inputs += inputs


def _write(
    found: _Found,
    warned: Sequence[str],
    form: Form,
    output: Path | None,
    about: dict[str, Any],
    figures: Callable[[], list[Figure]],
) -> None:
    from .. import __version__
    from ..presentation.pages import Section
    from ..presentation.webber2013 import finding_sentences, webber_tables
    from ..results.studies import HEADING

    findings, tables = finding_sentences(found.tables), webber_tables(found.tables)
    write_result(
        [Section(HEADING, findings, tables, figures, ["study", *METHOD_TOPICS])],
        form=form,
        output=output,
        inputs=found.notes,
        warnings=warned,
        about={
            "irbounds": __version__,
            "notes": [*found.notes, *findings],
            "warnings": list(warned),
            **about,
            "inputs": [asdict(one) for one in found.inputs],
        },
    )
