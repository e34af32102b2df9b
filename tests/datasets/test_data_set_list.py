"""The registry of data sets."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from irbounds.datasets import DATASETS, DataSet, dataset_path, fetch
from irbounds.datasets.data_set_list import RAW_BASE
from irbounds.errors import ParameterError


@pytest.mark.parametrize("dataset", DATASETS.values(), ids=DATASETS)
def test_data_sets_have_descriptions(dataset: DataSet) -> None:
    assert DATASETS[dataset.name] is dataset
    assert dataset.title
    assert dataset.licence
    assert dataset.citation
    assert dataset.homepage.startswith("https://")
    assert {str(Path(file.path).parent) for file in dataset.files} == {dataset.directory}


@pytest.mark.parametrize("dataset", DATASETS.values(), ids=DATASETS)
def test_files_have_an_address_or_instructions(dataset: DataSet) -> None:
    for file in dataset.files:
        if dataset.fetchable:
            assert re.fullmatch(rf"{RAW_BASE}/[^/]+/[^/]+/[0-9a-f]{{40}}/.+", file.url)
            assert re.fullmatch("[0-9a-f]{64}", file.sha256)
            assert file.size > 0
        else:
            assert (file.url, file.sha256, file.size) == ("", "", 0)


def test_names_of_the_data_sets() -> None:
    scores = {"robust2004", "adhoc3", "adhoc6", "adhoc8", "web2012"}
    names = scores | {"clef-tar2017", "robust03", "legal09"}
    assert set(DATASETS) - {"tiny"} == names


def test_upstream_names_of_the_waterloo_runs() -> None:
    urls = {file.path: file.url for file in DATASETS["clef-tar2017"].files}
    url = urls["clef-tar2017/waterloo-A-rank-normal.run"]
    assert url.endswith("/2017-TAR/participant-runs/Waterloo/A-rank-normal.txt")


@pytest.mark.parametrize("dataset", DATASETS.values(), ids=DATASETS)
def test_documentation_matches_the_registry(dataset: DataSet) -> None:
    page = Path(__file__).parents[2] / "docs" / "how-to" / "data-sets.md"
    text = page.read_text(encoding="utf-8")
    row = next(line for line in text.splitlines() if line.startswith(f"| `{dataset.name}` |"))
    assert dataset.licence.split(" (")[0] in row
    assert (dataset.homepage in row) == dataset.fetchable
    for file in dataset.files:
        assert file.path in text or f"`{file.name.removesuffix('.run')}`" in text


def test_unknown_name_suggests_the_nearest() -> None:
    with pytest.raises(
        ParameterError, match=r"unknown data set 'robust2O04'.*did you mean 'robust2"
    ):
        fetch("robust2O04")
    with pytest.raises(ParameterError, match="expected one of robust2004, adhoc3, ") as caught:
        dataset_path("xyzzy")
    assert "did you mean" not in str(caught.value)
