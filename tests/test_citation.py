"""Citation: version, dates and papers are the same in every file, and badges are up to date."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
from datetime import date
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

from irbounds import __version__

ROOT = Path(__file__).parent.parent
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text())
PAGE = (ROOT / "docs" / "citing.md").read_text()
#: papers that the package repeats (``python -m replications``)
PAPERS = {"park2010", "park2011", "webber2013", "bestgen2015", "zobel2020"}


def read_bibtex(text: str) -> dict[str, dict[str, str]]:
    """Return the fields of the BibTeX entries on a page by key, without braces."""
    entries = {}
    for block in re.findall(r"```bibtex\n(.*?)```", text, re.DOTALL):
        for key, body in re.findall(r"^@\w+\{(\w+),\n(.*?)^\}$", block, re.MULTILINE | re.DOTALL):
            fields = re.findall(r"^  (\w+) = (.+?),?$", body, re.MULTILINE)
            entries[key] = {name: re.sub("[{}]", "", value) for name, value in fields}
    return entries


ENTRIES = read_bibtex(PAGE)
REFERENCES = {
    f"{reference['authors'][0]['family-names'].lower()}{reference['year']}": reference
    for reference in CITATION["references"]
}


def test_version_and_date_are_the_same_everywhere():
    version, released = __version__, CITATION["date-released"]
    assert isinstance(released, date)
    assert CITATION["version"] == version
    heading = re.search(
        r"^## (\S+) - (\d{4}-\d\d-\d\d)$", (ROOT / "CHANGELOG.md").read_text(), re.M
    )
    assert heading
    assert heading.groups() == (version, released.isoformat())
    entry = ENTRIES["irbounds"]
    assert entry["note"] == f"Python package, version {version}, released {released.isoformat()}"
    assert (entry["year"], entry["month"]) == (
        str(released.year),
        released.strftime("%b").lower(),
    )
    assert entry["title"] == CITATION["title"]


def test_no_page_shows_another_version():
    """Versions of irbounds in examples are those of the package."""
    shown = re.compile(r'(?:"irbounds": "|irbounds:? )(\d+\.\d+\.\d+)')
    versions = {
        (path.name, version)
        for path in [*(ROOT / "docs").rglob("*.md"), ROOT / "README.md"]
        for version in shown.findall(path.read_text())
    }
    assert len(versions) >= 4
    assert {version for _, version in versions} == {__version__}, versions


def test_papers_are_those_of_the_studies():
    assert ENTRIES.keys() == PAPERS | {"irbounds"}
    assert REFERENCES.keys() == PAPERS
    rows = re.findall(r"^\| (\w+).* \((\d{4})\) \| \w", PAGE, re.MULTILINE)
    assert {f"{name.lower()}{year}" for name, year in rows} == PAPERS


@pytest.mark.parametrize("key", sorted(PAPERS))
def test_bibtex_agrees_with_the_citation_file(key):
    entry, reference = ENTRIES[key], REFERENCES[key]
    names = [f"{a['given-names']} {a['family-names']}" for a in reference["authors"]]
    assert entry["author"] == " and ".join(names)
    assert entry["title"].lower() == reference["title"].lower()
    assert entry["year"] == str(reference["year"])
    assert entry.get("doi") == reference.get("doi")
    assert entry.get("journal") == reference.get("journal")
    assert entry.get("booktitle") == reference.get("collection-title")
    assert entry.get("volume") == (str(reference["volume"]) if "volume" in reference else None)


def test_page_is_shown_by_the_command(irbounds):
    assert irbounds("docs", "citing").stdout.decode() == PAGE


@pytest.mark.skipif(shutil.which("bibtex") is None, reason="needs bibtex")
def test_bibtex_reads_the_entries(tmp_path):
    entries = re.findall(r"```bibtex\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "all.bib").write_text("\n".join(entries))
    (tmp_path / "all.aux").write_text("\\citation{*}\n\\bibstyle{plain}\n\\bibdata{all}\n")
    result = subprocess.run(["bibtex", "all"], cwd=tmp_path, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout
    assert "Warning" not in result.stdout
    assert (tmp_path / "all.bbl").read_text().count("\\bibitem") == len(PAPERS) + 1


def load_badges():
    spec = importlib.util.spec_from_file_location(
        "draw_badges", ROOT / "site_build" / "draw_badges.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_badges_are_up_to_date():
    badges = load_badges().draw_badges()
    readme = (ROOT / "README.md").read_text()
    assert len(badges) == 3
    for name, text in badges.items():
        path = ROOT / "docs" / "images" / name
        assert path.read_text(encoding="utf-8") == text, "run: make picture"
        assert f"](docs/images/{name})" in readme
        assert path.stat().st_size < 1000
        title = ElementTree.fromstring(text).find("{http://www.w3.org/2000/svg}title")
        value = title.text.partition(": ")[2]
        assert value in re.search(rf"!\[([^\]]+)\]\(docs/images/{name}\)", readme)[1]
    assert sorted(p.name for p in (ROOT / "docs/images").glob("badge-*")) == sorted(badges)


def test_badges_follow_the_facts():
    badges = load_badges()
    project = {"classifiers": [f"Python :: 3.{k}" for k in (8, 9)], "license": "MIT"}
    facts = badges.read_facts({"project": project, "tool": {"mypy": {"strict": False}}})
    assert facts == {"python": "3.8 to 3.9", "licence": "MIT"}
    project["classifiers"].append("Python :: 3.11")
    with pytest.raises(SystemExit, match="left out"):
        badges.read_facts({"project": project, "tool": {"mypy": {"strict": True}}})
