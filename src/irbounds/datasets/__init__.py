"""Public collections for the papers' studies: what there is, where it is, how to get it."""

from __future__ import annotations

from .fetch import (
    data_directory,
    dataset_path,
    dataset_paths,
    fetch,
    missing_files,
)
from .registry import DATASETS, DataFile, DataSet, find_dataset

__all__ = [
    "DATASETS",
    "DataFile",
    "DataSet",
    "data_directory",
    "dataset_path",
    "dataset_paths",
    "fetch",
    "find_dataset",
    "missing_files",
]
