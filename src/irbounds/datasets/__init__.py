"""Public data sets for the replications: registry, local paths and downloads."""

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
