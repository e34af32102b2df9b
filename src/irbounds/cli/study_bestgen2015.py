"""``irbounds study bestgen2015``: what a random ranking scores, the paper's numbers beside ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .options import Format, Output
from .writing import chosen_form, write_result

if TYPE_CHECKING:
    from ..presentation.figures.style import Figure

EXAMPLES = (
    "\b\nExamples:\n"
    "  irbounds study bestgen2015\n"
    "  irbounds study bestgen2015 --format csv > bestgen2015.csv\n"
    "  irbounds study bestgen2015 --figures figures"
)


def bestgen2015(form: Format = None, output: Output = None) -> None:
    """Bestgen (2015): the expected AP of a random ranking; Tables 1 and 2 and Figure 1.

    The paper's procedure term by term beside our closed form, what the paper claims in numbers, and
    the curves of the difference to the prevalence. Nothing is random; only seconds differ from run
    to run.
    """
    from .. import __version__
    from ..presentation.bestgen2015 import NOTES, bestgen_tables, finding_sentences
    from ..presentation.pages import Section
    from ..results.studies import HEADING
    from ..studies.bestgen2015 import bestgen2015 as study

    chosen = chosen_form(form, output)
    found = study()
    said = [*finding_sentences(found.tables), *NOTES]

    def figures() -> list[Figure]:
        from ..presentation.figures.bestgen2015 import bestgen_figures

        return bestgen_figures(found.points)

    tables = bestgen_tables(found.tables, found.points)
    write_result(
        [Section(HEADING, said, tables, figures, ["study", "random-baseline"])],
        form=chosen,
        output=output,
        about={"irbounds": __version__, "notes": said},
    )
