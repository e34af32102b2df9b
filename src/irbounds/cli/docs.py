"""``irbounds docs``: the pages of the documentation, in the terminal."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from ..errors import ParameterError, quote
from ..requests.request import Option, Request
from ..requests.verb import verb
from ..results.result import Answer
from ..validation import nearest_hint

PACKAGE = Path(__file__).parent.parent
#: directories of the pages: in the installed package, or next to the source
PLACES = (PACKAGE / "docs", PACKAGE.parent.parent / "docs")
INDEX = "README"  # for people who open the directory; the command lists the pages itself


def doc_pages() -> dict[str, Path]:
    """Return the pages by name."""
    for place in PLACES:
        if place.is_dir():
            paths = sorted(place.glob("*.md"))
            return {path.stem: path for path in paths if path.stem != INDEX}
    raise ParameterError("the pages of the documentation are not installed")


Topic = Annotated[
    str | None,
    Option(
        "A page; without it, the pages are listed.",
        metavar="TOPIC",
        is_argument=True,
        completions=doc_pages,
    ),
]


@dataclass(frozen=True, kw_only=True)
class DocsRequest(Request):
    """The options of ``docs``."""

    topic: Topic = field(default=None, kw_only=False)


@verb(
    DocsRequest,
    group="Help",
    shows=(),
    is_parallel=False,
    examples=("irbounds docs", "irbounds docs intervals", "irbounds docs recall | less -R"),
)
def docs(request: DocsRequest) -> Answer[None]:
    """Show a page of the documentation, or list the pages.

    Returns
    -------
    None
        The page is printed.
    """
    pages = doc_pages()
    if request.topic is None:
        width = max(map(len, pages), default=0)
        lines = [f"{name:{width}}  {title_of(path)}" for name, path in pages.items()]
        return Answer(None, text="\n".join(lines) + "\n")
    if request.topic not in pages:
        hint = nearest_hint(request.topic, tuple(pages)) or "; irbounds docs lists all"
        raise ParameterError(f"no page {quote(request.topic)}{hint}")
    text = pages[request.topic].read_text(encoding="utf-8")
    if not sys.stdout.isatty():
        return Answer(None, text=text)
    from rich.markdown import Markdown

    from ..presentation.terminal import make_console

    console = make_console()
    with console.pager(styles=True) if console.height < text.count("\n") else console:
        console.print(Markdown(text))
    return Answer(None, text="")


def title_of(path: Path) -> str:
    """Return the heading of a page."""
    with path.open(encoding="utf-8") as file:
        return next((line.strip("# \n") for line in file if line.startswith("#")), "")
