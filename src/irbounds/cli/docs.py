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
#: kinds of pages, with their directories, in the order of the site
KINDS = {
    "Begin": ".",
    "Tutorials": "tutorials",
    "How-to": "how-to",
    "Coming from other tools": "coming-from",
    "Concepts": "concepts",
    "Reference": "reference",
    "Validation": "validation",
    "Design": "design",
}
FIRST = ("start", "questions")  # pages before the others of their kind
INDEX = "index"  # the first page of the site; the command lists the pages itself


def doc_pages() -> dict[str, Path]:
    """Return the pages by name, in the order of the site."""
    return {path.stem: path for paths in _pages_by_kind().values() for path in paths}


def _pages_by_kind() -> dict[str, list[Path]]:
    for place in PLACES:
        if place.is_dir():
            paths = {kind: (place / name).glob("*.md") for kind, name in KINDS.items()}
            return {
                kind: sorted((path for path in some if path.stem != INDEX), key=_order)
                for kind, some in paths.items()
            }
    raise ParameterError("the pages of the documentation are not installed")


def _order(path: Path) -> tuple[bool, int, str]:
    """Return the place of a page among those of its kind: ``FIRST``, then by name."""
    is_first = path.stem in FIRST
    return not is_first, FIRST.index(path.stem) if is_first else 0, path.stem


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
        return Answer(None, text=_list_pages())
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


def _list_pages() -> str:
    """Return the names and headings of all pages, by kind."""
    kinds = {kind: paths for kind, paths in _pages_by_kind().items() if paths}
    width = max(len(path.stem) for paths in kinds.values() for path in paths)
    parts = [
        "\n".join([kind, *(f"  {path.stem:{width}}  {title_of(path)}" for path in paths)])
        for kind, paths in kinds.items()
    ]
    return "\n\n".join(parts) + "\n"
