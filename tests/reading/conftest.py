"""Fixtures of the tests of readers."""

from __future__ import annotations

import pytest


@pytest.fixture
def directory(tmp_path, monkeypatch):
    """An empty working directory with a subdirectory ``s``."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s").mkdir()
    return tmp_path
