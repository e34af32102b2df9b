"""The tag of a release: it must equal the version and have a dated heading in the changelog."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import irbounds

ROOT = Path(__file__).parent.parent


def check_tag(tag: str, root: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run([root / ".ci" / "check_tag", tag], capture_output=True, text=True)


def test_tag_equals_the_version():
    version = irbounds.__version__
    assert check_tag(f"v{version}").returncode == 0
    for tag in (version, f"v{version}.1", f"v{version}rc1", "v0.0.0", "v$(id)"):
        result = check_tag(tag)
        assert result.returncode == 1
        assert result.stderr.startswith(f"tag {tag}: the version of the package is {version};")


def test_tag_needs_a_dated_heading_in_the_changelog(tmp_path):
    version = irbounds.__version__
    shutil.copytree(ROOT / ".ci", tmp_path / ".ci")
    (tmp_path / "src" / "irbounds").mkdir(parents=True)
    shutil.copy(ROOT / "src" / "irbounds" / "__init__.py", tmp_path / "src" / "irbounds")
    (tmp_path / "CHANGELOG.md").write_text(f"## {version} - unreleased\n")
    result = check_tag(f"v{version}", tmp_path)
    assert result.returncode == 1
    assert "has no heading" in result.stderr
    (tmp_path / "CHANGELOG.md").write_text(f"## {version} - 2026-01-31\n")
    assert check_tag(f"v{version}", tmp_path).returncode == 0
