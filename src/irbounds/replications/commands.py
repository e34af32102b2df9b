"""The commands ``irbounds study ...``: their options, their help and their Python functions.

This file declares the options. The computation of each study is in the module named after its
paper, which is loaded when the study runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, get_args

from ..errors import ParameterError
from ..requests.options import (
    N_RELEVANT,
    RECALL,
    RESAMPLES,
    RETRIEVED_SAMPLE,
    RETRIEVED_SIZE,
    SEED,
    UNRETRIEVED_SAMPLE,
    CorpusSize,
    Images,
    Qrels,
    Runs,
    Samples,
)
from ..requests.request import Option, Request, join
from ..requests.verb import verb
from ..results.result import Answer, Results
from ..validation import check_count

if TYPE_CHECKING:
    from ..planning.recall_scenarios import RecallDesign
    from .paper_tables import CollectionTable, StudyTable

Data = Annotated[
    Path | None,
    Option(
        "Directory of the collections that the paper used.",
        "irbounds data list names the files. Without it the directory that IRBOUNDS_DATA names is "
        "used. Without either, park2010, park2011 and zobel2020 simulate a collection of the same "
        "size, and webber2013 leaves out the parts that need data.",
        metavar="DIRECTORY",
        panel="Input",
        file="read",
        variable="IRBOUNDS_DATA",
    ),
]


# ---- Park (2010) and Park (2011) ----


@dataclass(frozen=True, kw_only=True)
class Park2010Request(Request):
    """The options of ``study park2010``."""

    data: Data = None
    n_samples: Samples = 1000
    seed: Annotated[int, SEED] = 0


@dataclass(frozen=True, kw_only=True)
class Park2011Request(Park2010Request):
    """The options of ``study park2011``."""

    n_resamples: Annotated[int, RESAMPLES] = 1000

    def check(self) -> None:
        """Raise ``ParameterError`` where there are too few resamples for an interval."""
        check_count("n_resamples", self.n_resamples, minimum=2)


@verb(
    Park2010Request,
    name="study park2010",
    group="Studies",
    docs="published-park",
    shows=("published", "report"),
    examples=(
        "irbounds study park2010 --data data",
        "irbounds study park2010 --data data --n-samples 100 -o park2010.csv",
    ),
)
def park2010(request: Park2010Request) -> Answer[Results[StudyTable]]:
    """Repeat Park (2010): normal and t intervals of AP.

    Tables 1 to 8: how often intervals of mean AP, raw and standardised, miss the true mean. Reads
    robust2004_ap.csv and, for Table 8, TREC-3 (adhoc3_ap.csv) from the data directory or from its
    directory scores. Without adhoc3_ap.csv, Table 8 is on TREC-8 (adhoc8_ap.csv), so there the
    numbers differ from the paper's.

    Returns
    -------
    Results of StudyTable
        One per table of the paper: ``.ours``, ``.theirs`` and the Monte Carlo ``.noise`` of ours.

    Examples
    --------
    >>> from irbounds.replications.commands import park2010
    >>> tables = park2010(n_samples=2)
    >>> len(tables), tables[0].columns[0]
    (8, 'mean')
    """
    from .park2010 import answer_park2010

    return answer_park2010(request)


@verb(
    Park2011Request,
    name="study park2011",
    group="Studies",
    docs="published-park",
    shows=("published", "report"),
    examples=(
        "irbounds study park2011 --data data",
        "irbounds study park2011 --data data --n-samples 100 -o park2011.csv",
        "irbounds study park2011 --data data --figures figures",
    ),
)
def park2011(request: Park2011Request) -> Answer[Results[StudyTable]]:
    """Repeat Park (2011): bootstrap intervals of AP.

    Tables 1 to 3: how often percentile, BCa and studentised logit intervals of mean AP miss the
    true mean. Reads robust2004_ap.csv from the data directory or from its directory scores.

    Returns
    -------
    Results of StudyTable
        One per table of the paper: ``.ours``, ``.theirs`` and the Monte Carlo ``.noise`` of ours.

    Examples
    --------
    >>> from irbounds.replications.commands import park2011
    >>> tables = park2011(n_samples=2, n_resamples=10)
    >>> [table.number for table in tables]
    [1, 2, 3]
    """
    from .park2011 import answer_park2011

    return answer_park2011(request)


# ---- Webber (2013) ----

PartName = Literal["figures", "coverage", "legal09", "clef"]
ScenarioName = Literal["neutral", "legal", "small", "own"]
PAPER_SCENARIOS: tuple[ScenarioName, ...] = ("neutral", "legal", "small")
PARTS_WITH_DATA: tuple[PartName, ...] = ("legal09", "clef")
#: options of ``scenario="own"``; of the second tuple one is enough
OWN_SIZES = ("corpus_size", "n_relevant", "recall", "retrieved_sample", "unretrieved_sample")
OWN_RETRIEVED = ("precision", "retrieved_size")

Part = Annotated[
    Sequence[PartName] | PartName | None,
    Option(
        "Parts of the study.",
        "figures: what is computed without samples; coverage: Tables IX and X; legal09: Table XII; "
        "clef: coverage on fully judged topics. The last two need data.",
        commas=True,
        default="all, or coverage where a scenario is given",
    ),
]
Scenario = Annotated[
    Sequence[ScenarioName] | ScenarioName | None,
    Option(
        "Corpora that samples are drawn from.",
        "neutral, legal and small are the paper's; own is a corpus of the sizes that are given.",
        commas=True,
        default="the paper's three",
    ),
]
Realisations = Annotated[
    int, Option("Corpora drawn from each of the paper's scenarios.", minimum=2)
]
Precision = Annotated[
    float | None, Option("Fraction of retrieved documents relevant.", panel="Input")
]


@dataclass(frozen=True, kw_only=True)
class Webber2013Request(Request):
    """The options of ``study webber2013``."""

    data: Data = None
    part: Part = None
    scenario: Scenario = None
    corpus_size: CorpusSize = None
    n_relevant: Annotated[int | None, N_RELEVANT] = None
    recall: Annotated[float | None, RECALL] = None
    precision: Precision = None
    retrieved_size: Annotated[int | None, RETRIEVED_SIZE] = None
    retrieved_sample: Annotated[int | None, RETRIEVED_SAMPLE] = None
    unretrieved_sample: Annotated[int | None, UNRETRIEVED_SAMPLE] = None
    n_realisations: Realisations = 1000
    n_samples: Samples = 1000
    seed: Annotated[int, SEED] = 0

    def check(self) -> None:
        """Raise ``ParameterError`` where options contradict each other."""
        if self.part is not None:
            if self.scenario is not None and "coverage" not in self.part:
                raise ParameterError("scenario is for part='coverage'")
            for part in PARTS_WITH_DATA:
                if part in self.part and self.data is None:
                    raise ParameterError(f"part={part!r} needs data")
        if "own" not in self.scenarios:
            self.refuse("for scenario='own'", *OWN_SIZES, *OWN_RETRIEVED)
            return
        if not self.list_changed(*OWN_RETRIEVED):
            raise ParameterError("scenario='own' needs precision or retrieved_size")
        options = self.list_changed(*OWN_SIZES)
        if missing := [name for name in OWN_SIZES if name not in options]:
            raise ParameterError(f"scenario='own' needs {join(missing)}")
        from ..planning.recall_scenarios import make_realisation

        make_realisation(self.design)

    def explain_no_figure(self) -> str:
        """Return why there is no figure; an empty text where there is one."""
        if "figures" in self.parts or ("coverage" in self.parts and self.has_paper_scenario):
            return ""
        return (
            "there are figures of part='figures', and of part='coverage' for the paper's scenarios"
        )

    @property
    def parts(self) -> Sequence[PartName]:
        """The chosen parts; by default coverage of a chosen scenario, else all with data."""
        if self.part is not None:
            return [self.part] if isinstance(self.part, str) else self.part
        if self.scenario is not None:
            return ["coverage"]
        has_data = self.data is not None
        return [part for part in get_args(PartName) if has_data or part not in PARTS_WITH_DATA]

    @property
    def scenarios(self) -> Sequence[ScenarioName]:
        """The scenarios, without repetition."""
        scenarios = self.scenario or PAPER_SCENARIOS
        return tuple(dict.fromkeys([scenarios] if isinstance(scenarios, str) else scenarios))

    @property
    def has_paper_scenario(self) -> bool:
        """Whether one of the scenarios is the paper's."""
        return any(scenario in PAPER_SCENARIOS for scenario in self.scenarios)

    @property
    def design(self) -> RecallDesign:
        """The sizes of ``scenario="own"``."""
        from ..planning.recall_scenarios import RecallDesign

        names = (*OWN_SIZES, *OWN_RETRIEVED)
        return RecallDesign(**{name: getattr(self, name) for name in names})


@verb(
    Webber2013Request,
    name="study webber2013",
    group="Studies",
    docs="published-webber",
    shows=("published", "report"),
    examples=(
        "irbounds study webber2013 --data data",
        "irbounds study webber2013 --data data --part legal09",
        "irbounds study webber2013 --scenario small --n-realisations 200",
        "irbounds study webber2013 --scenario own --corpus-size 100000 \\\n"
        "--n-relevant 2000 --recall 0.7 --precision 0.5 \\\n"
        "--retrieved-sample 300 --unretrieved-sample 700 --n-samples 10000",
    ),
)
def webber2013(request: Webber2013Request) -> Answer[Results[StudyTable]]:
    """Repeat Webber (2013): intervals of recall from samples.

    Tables IX, X and XII and most figures: how often nine intervals contain the true recall, by
    samples from corpora drawn at random. With ``scenario own`` the corpus has your own sizes, so
    that you see beforehand what coverage to expect of your samples. Reads legal09 and clef-tar2017
    from the data directory; without it both parts are left out.

    Returns
    -------
    Results of StudyTable
        One per table or figure of the paper: ``.ours``, ``.theirs`` and ``.noise``.

    Examples
    --------
    >>> from irbounds.replications.commands import webber2013
    >>> sizes = {"corpus_size": 5000, "n_relevant": 300, "recall": 0.6, "precision": 0.5}
    >>> samples = {"retrieved_sample": 60, "unretrieved_sample": 90, "n_samples": 50}
    >>> table, = webber2013(scenario="own", **sizes, **samples)
    >>> table.name
    'Own sizes'
    """
    from .webber2013 import answer_webber2013

    return answer_webber2013(request)


# ---- Bestgen (2015) ----


@dataclass(frozen=True, kw_only=True)
class Bestgen2015Request(Request):
    """The options of ``study bestgen2015``: it has none."""


@verb(
    Bestgen2015Request,
    name="study bestgen2015",
    group="Studies",
    docs="published-bestgen",
    shows=("published", "report"),
    is_parallel=False,
    examples=(
        "irbounds study bestgen2015",
        "irbounds study bestgen2015 -o bestgen2015.csv",
        "irbounds study bestgen2015 --figures figures",
    ),
)
def bestgen2015(request: Bestgen2015Request) -> Answer[Results[StudyTable]]:
    """Repeat Bestgen (2015): the expected AP of a random ranking.

    Tables 1 and 2 and Figure 1: the paper's procedure term by term with our closed form, the claims
    of the paper in numbers, and the curves of the difference to the prevalence. Nothing is random;
    only the seconds differ from run to run.

    Returns
    -------
    Results of StudyTable
        Tables 1 and 2 and the claims; ``.records()`` also has the points of Figure 1.

    Examples
    --------
    >>> from irbounds.replications.commands import bestgen2015
    >>> [table.name for table in bestgen2015()]
    ['Table 1', 'Table 2', 'Sections 3 and 4']
    """
    from .bestgen2015 import answer_bestgen2015

    return answer_bestgen2015()


# ---- Zobel and Rashidi (2020) ----

MIN_IMAGES = 3  # two to make an interval from, and one left out
OWN_LABEL = "own collection"


Label = Annotated[
    str | None,
    Option(
        "Name of your collection in tables and figures.",
        metavar="NAME",
        panel="Input",
        default=OWN_LABEL,
    ),
]


@dataclass(frozen=True, kw_only=True)
class Zobel2020Request(Request):
    """The options of ``study zobel2020``."""

    qrels: Qrels = field(default=None, kw_only=False)
    runs: Runs = field(default=None, kw_only=False)
    corpus_size: CorpusSize = None
    label: Label = None
    data: Data = None
    n_images: Images = 1000
    seed: Annotated[int, SEED] = 0

    def check(self) -> None:
        """Raise ``ParameterError`` where there are too few images or half a collection."""
        check_count("n_images", self.n_images, minimum=MIN_IMAGES)
        if self.qrels is None:
            self.refuse("for a collection of your own: give qrels and runs", "corpus_size", "label")
            return
        if self.runs is None:
            raise ParameterError("qrels needs runs: give the judgments first, then the runs")
        if self.corpus_size is None:
            raise ParameterError("qrels and runs need corpus_size")
        object.__setattr__(self, "data", None)  # also where IRBOUNDS_DATA names a directory


@verb(
    Zobel2020Request,
    name="study zobel2020",
    group="Studies",
    docs="published-zobel",
    shows=("published", "report"),
    examples=(
        "irbounds study zobel2020 --data data",
        "irbounds study zobel2020 --data data --figures figures",
        "irbounds study zobel2020 qrels.txt runs/ --corpus-size 500000 --label mine",
    ),
)
def zobel2020(request: Zobel2020Request) -> Answer[Results[CollectionTable]]:
    """Repeat Zobel and Rashidi (2020): images of the corpus.

    Tables 2 to 4: the precision of measures by images of the corpus. One collection is compared
    with the paper's four. By default it is TREC 2003 Robust, which has the corpus of TREC-7 and
    TREC-8: robust03 of the data directory, qrels.txt and *.run, plain or compressed. With QRELS and
    RUN it is a collection of your own, and the size of its corpus is needed.

    Returns
    -------
    Results of CollectionTable
        Tables 2 to 4: ``.numbers`` by row and collection, ours first.

    Examples
    --------
    >>> from irbounds.replications.commands import zobel2020
    >>> tables = zobel2020(data="data")  # doctest: +SKIP
    """
    from .zobel2020 import answer_zobel2020

    return answer_zobel2020(request)
