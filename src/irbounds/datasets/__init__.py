"""Public data sets for the replications: registry, local paths and downloads."""

from __future__ import annotations

from .data_set_list import DATASETS, DataFile, DataSet, find_dataset
from .fetch import (
    data_directory,
    dataset_path,
    dataset_paths,
    fetch,
    missing_files,
)

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
