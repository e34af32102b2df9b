"""Judgments of a data set of ir_datasets, which is installed by the extra ``irbounds[datasets]``.

ir_datasets keeps its files in ``~/.ir_datasets``, or in the directory that the environment variable
``IR_DATASETS_HOME`` names, and downloads what is missing. Its messages and progress bars are
suppressed: agreements on the use of data become log records, and a failure is one error.
"""

from __future__ import annotations

import difflib
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..errors import InputError, ParameterError, quote, quote_several
from .frames import columns_from_records
from .records import Qrels
from .trec_eval_order import assemble_qrels

logger = logging.getLogger("irbounds")

PREFIX = "ir_datasets:"  # of the name of the judgments, before the id of the data set
HOME = "IR_DATASETS_HOME"
NO_PROGRESS = "IR_DATASETS_DL_DISABLE_PBAR"
MAX_REASON = 200  # characters of an error of ir_datasets in a message


def read_ir_datasets_qrels(dataset_id: str) -> Qrels:
    """Return the judgments of a data set of ir_datasets.

    Parameters
    ----------
    dataset_id
        The id of the data set, such as ``"beir/nfcorpus/test"``.

    Returns
    -------
    Qrels
        The judgments, named ``ir_datasets:`` and the id. The fingerprint is that of their content.
    """
    package = _import_ir_datasets()
    name = f"{PREFIX}{dataset_id}"
    with _suppress_messages():
        try:
            dataset = package.load(dataset_id)
        except KeyError:
            raise InputError(_describe_unknown(package, dataset_id)) from None
        if not dataset.has_qrels():
            raise InputError(_describe_no_qrels(package, dataset_id))
        try:
            records = list(dataset.qrels_iter())
        except Exception as error:  # of requests, zipfile, lzma and others, and of its own
            raise InputError(f"{name}: ir_datasets cannot read it: {_reason(error)}") from None
    return assemble_qrels(columns_from_records(records, name, is_run=False), name)


def _import_ir_datasets() -> Any:
    try:
        import ir_datasets
    except ImportError as missing:
        raise ParameterError(
            f"dataset: {missing.name} is not installed; it comes with: "
            'pip install "irbounds[datasets]"'
        ) from None
    except OSError as error:  # its directory cannot be made
        raise InputError(
            f"{error.filename}: {error.strerror}; ir_datasets needs a directory of its own, set "
            f"{HOME}"
        ) from None
    return ir_datasets


@contextmanager
def _suppress_messages() -> Iterator[None]:
    """Keep ir_datasets from writing to standard error within a ``with`` block."""

    def take(record: logging.LogRecord) -> bool:
        text = record.getMessage()
        if record.levelno == logging.INFO and not text.startswith(("[", "download error")):
            logger.info("%s", " ".join(text.split()))
        return False

    theirs = logging.getLogger("ir_datasets")
    before = os.environ.get(NO_PROGRESS)
    os.environ[NO_PROGRESS] = "true"
    theirs.addFilter(take)
    try:
        yield
    finally:
        theirs.removeFilter(take)
        if before is None:
            del os.environ[NO_PROGRESS]
        else:
            os.environ[NO_PROGRESS] = before


def _describe_unknown(package: Any, dataset_id: str) -> str:
    near = difflib.get_close_matches(dataset_id, list(package.registry), n=1)
    hint = f", did you mean {near[0]}?" if near else "; https://ir-datasets.com lists all"
    return f"dataset {quote(dataset_id)} is not in ir_datasets{hint}"


def _describe_no_qrels(package: Any, dataset_id: str) -> str:
    parts = [name for name in package.registry if name.startswith(f"{dataset_id}/")]
    judged = [name for name in parts if package.load(name).has_qrels()]
    hint = f"; judgments are in {quote_several(judged)}" if judged else ""
    return f"dataset {quote(dataset_id)} has no judgments{hint}"


def _reason(error: Exception) -> str:
    """Return what went wrong in one line: the last cause of a failed download, else the error."""
    is_download = type(error).__module__.partition(".")[0] == "requests"
    if is_download or str(error.args[:1]) == "('All download sources failed',)":
        return f"download failed ({type(error).__name__}); check the network connection"
    text = " ".join(str(error).split()) or type(error).__name__
    if isinstance(error, FileNotFoundError):
        return f"no file {text[:MAX_REASON]}; see https://ir-datasets.com on how to get it"
    return f"{type(error).__name__}: {text}"[:MAX_REASON]
