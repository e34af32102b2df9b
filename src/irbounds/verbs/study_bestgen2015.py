"""``study bestgen2015``: the expected AP of a random ranking, with the paper's numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..requests.request import Request
from ..requests.verb import verb
from ..results.result import Answer, Results

if TYPE_CHECKING:
    from ..presentation.figures.style import Figure
    from ..results import StudyTable


@dataclass(frozen=True, kw_only=True)
class Bestgen2015Request(Request):
    """The options of ``study bestgen2015``: it has none."""


@verb(
    Bestgen2015Request,
    name="study bestgen2015",
    group="Studies",
    docs="random-baseline",
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
    >>> from irbounds.verbs.study_bestgen2015 import bestgen2015
    >>> [table.name for table in bestgen2015()]
    ['Table 1', 'Table 2', 'Sections 3 and 4']
    """
    from ..presentation.bestgen2015 import NOTES, bestgen_tables, finding_sentences
    from ..presentation.sections import Section
    from ..replications.bestgen2015 import bestgen2015 as study
    from ..results.studies import HEADING

    found = study()
    sentences = [*finding_sentences(found.tables), *NOTES]

    def figures() -> list[Figure]:
        from ..presentation.figures.bestgen2015 import bestgen_figures

        return bestgen_figures(found.points)

    tables = bestgen_tables(found.tables, found.points)
    section = Section(HEADING, sentences, tables, figures, ["study", "random-baseline"])
    return Answer(
        Results(found.tables),
        facts={"notes": sentences},
        make_sections=lambda view: [section],
    )
