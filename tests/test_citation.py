"""The version is the same in every file, and BibTeX reads the entries of the page."""

from __future__ import annotations

import re
import shutil
import subprocess
from importlib.metadata import version
from pathlib import Path

import pytest
import yaml

import irbounds

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "citing.md").read_text()


def test_version_is_the_same_everywhere():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert version("irbounds") == irbounds.__version__ == citation["version"]
    assert f"version {irbounds.__version__}," in PAGE
    assert f"## {irbounds.__version__} - " in (ROOT / "CHANGELOG.md").read_text()


@pytest.mark.skipif(shutil.which("bibtex") is None, reason="needs bibtex")
def test_bibtex_reads_the_entries(tmp_path):
    entries = re.findall(r"```bibtex\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "all.bib").write_text("\n".join(entries))
    (tmp_path / "all.aux").write_text("\\citation{*}\n\\bibstyle{plain}\n\\bibdata{all}\n")
    result = subprocess.run(["bibtex", "all"], cwd=tmp_path, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout
    assert "Warning" not in result.stdout
    assert (tmp_path / "all.bbl").read_text().count("\\bibitem") >= 6
