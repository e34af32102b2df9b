"""What the site adds to the pages.

The Python reference, files beside ``docs``, and the files that the code on pages writes.
"""

from __future__ import annotations

import atexit
import os
import posixpath
import re
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

sys.path.insert(0, str(Path(__file__).parents[1]))  # mkdocs loads this file by its path

from site_build.api_pages import PLACE, api_navigation, api_pages
from site_build.page_html import improve_html
from site_build.run_pages import list_pages, run_in_processes

ROOT = Path(__file__).parents[1]
#: files of the project that pages link to, in the directory of the site that holds them
PROJECT = "project"
PROJECT_FILES = (
    *("CHANGELOG.md", "CONTRIBUTING.md", "VISION.md", "LICENSE", "CITATION.cff"),
    "calculator/recall.html",
)
#: set: pages are not run, and what they would write is a placeholder
WITHOUT_RUNS = "IRBOUNDS_SITE_WITHOUT_RUNS"
LINK = re.compile(r"(\]\()([^()\s]+)(\))")
DOCTEST = re.compile(r"^```python\n(?=>>> )", re.MULTILINE)
TABLE_ROW = re.compile(r"^\|.*$", re.MULTILINE)
CODE = re.compile(r"`[^`\n]+`")
#: weights of pages in the search, by the beginning of their path
SEARCH_BOOSTS = {"design/": 0.2, f"{PROJECT}/": 0.2, "validation/": 0.6}


def on_config(config: Any) -> Any:
    """List the pages of the Python reference where the navigation names their directory."""
    config.nav = [_expand(entry) for entry in config.nav]
    return config


def _expand(entry: Any) -> Any:
    if isinstance(entry, str):
        return entry
    ((name, target),) = entry.items()
    if isinstance(target, list):
        return {name: [_expand(page) for page in target]}
    return {name: api_navigation()} if target == f"{PLACE}/" else entry


def on_files(files: Files, config: Any) -> Files:
    """Add the files of the project, and the notebooks."""
    for name in PROJECT_FILES:
        _add(files, config, f"{PROJECT}/{name}", ROOT / name)
    for path in sorted((ROOT / "examples").glob("*.ipynb")):
        _add(files, config, f"{PROJECT}/examples/{path.name}", path)
    for name, text in api_pages().items():
        files.append(File.generated(config, name, content=text))
    for name, path in run_pages_with_files(Path(config.docs_dir)).items():
        _add(files, config, name, path)
    return files


def run_pages_with_files(docs: Path) -> dict[str, Path]:
    """Run the pages that link to what their code writes, and return these files by name.

    Raises
    ------
    PluginError
        When code fails, prints something else than its page, or does not write a file.
    """
    linked = {
        name: sorted(written_names(name, (docs / f"{name}.md").read_text(encoding="utf-8")))
        for name in list_pages()
    }
    runs = Path(tempfile.mkdtemp(prefix="irbounds-pages-"))
    atexit.register(shutil.rmtree, runs, ignore_errors=True)
    pages = [name for name, names in linked.items() if names]
    if os.environ.get(WITHOUT_RUNS):
        _write_placeholders(runs, linked)
    elif run_in_processes(pages, runs=runs):
        raise PluginError("code on pages does not run as shown; see above")
    files = {}
    for page, names in linked.items():
        for name in names:
            path = runs / page / name
            if not path.is_file():
                raise PluginError(f"docs/{page}.md: no command on it writes {name}")
            files[f"{page}/{name}"] = path
    return files


def _write_placeholders(runs: Path, linked: dict[str, list[str]]) -> None:
    """Write an empty picture in place of each file, for tests of the site itself."""
    for page, names in linked.items():
        for name in names:
            path = runs / page / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')


def written_names(page: str, text: str) -> set[str]:
    """Return the files that a page links to as written by its code: links ``STEM/NAME``."""
    stem = posixpath.basename(page)
    return {link[1] for link in re.finditer(rf"\((?:\./)?{stem}/([^()\s#]+)", text)}


def _add(files: Files, config: Any, name: str, path: Path) -> None:
    files.append(File.generated(config, name, abs_src_path=str(path)))


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Make links to files beside ``docs`` links to their copies in the site.

    GitHub needs an escaped bar in code within a table, and has no language for doctests.
    """
    source = page.file.src_uri
    for beginning, boost in SEARCH_BOOSTS.items():
        if source.startswith(beginning):
            page.meta["search"] = {"boost": boost}
    # where the page is in the repository
    place = source.removeprefix(f"{PROJECT}/") if source.startswith(PROJECT) else f"docs/{source}"

    def relink(match: re.Match[str]) -> str:
        path, hash_sign, anchor = match[2].partition("#")
        if not path or re.match(r"[a-z]+:", path):
            return match[0]
        target = posixpath.normpath(posixpath.join(posixpath.dirname(place), path))
        inside = (
            target.removeprefix("docs/") if target.startswith("docs/") else f"{PROJECT}/{target}"
        )
        link = os.path.relpath(inside, posixpath.dirname(source) or ".")
        return f"{match[1]}{link}{hash_sign}{anchor}{match[3]}"

    markdown = TABLE_ROW.sub(lambda row: CODE.sub(_unescape_bar, row[0]), markdown)
    return LINK.sub(relink, DOCTEST.sub("```pycon\n", markdown))


def _unescape_bar(code: re.Match[str]) -> str:
    return code[0].replace(r"\|", "|")


def on_post_page(output: str, page: Any, config: Any) -> str:
    """Name the dialogue of the search, for readers of screens; the theme does not."""
    search = 'data-md-component="search" role="dialog"'
    return output.replace(search, f'{search} aria-label="Search"')


def on_page_content(html: str, page: Any, config: Any, files: Files) -> str:
    """Change the HTML of a page."""
    return improve_html(html)
