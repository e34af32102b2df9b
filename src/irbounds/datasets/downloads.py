"""The files of data sets: where they are, and their download.

pooch writes a file under a temporary name, compares its SHA-256 and only then renames it. So a file
under its final name is complete and correct. This module chooses the directory, never overwrites a
file, tries each download once, and reports a failure in one line with instructions to get the file
by hand. A server can neither fill the disk nor block the program: no more bytes are accepted than
the file has, and they must arrive at a minimum rate.
"""

from __future__ import annotations

import hashlib
import logging
import math
import os
import shlex
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import FetchError, InputError, ParameterError
from .data_set_list import RAW_BASE, DataFile, DataSet, find_dataset, find_file

if TYPE_CHECKING:
    from requests import Response

ENVIRONMENT = "IRBOUNDS_DATA"
#: extensions of compressed files, in the order in which they are looked for
COMPRESSIONS = (".gz", ".bz2", ".xz", ".zst")
CHUNK = 1 << 14  # bytes that are read at most before progress is reported
MIN_RATE = 1000  # bytes per second that a server must send on average over each ``timeout``

AnyPath = str | os.PathLike[str]


def data_directory() -> Path:
    """Return the data directory: the value of IRBOUNDS_DATA if that is set, else the user's cache.

    Returns
    -------
    Path
        The directory; it need not exist.

    Examples
    --------
    >>> isinstance(data_directory(), Path)
    True
    """
    named = os.environ.get(ENVIRONMENT)
    return Path(named).expanduser() if named else _cache_directory()


def dataset_path(name: str, file: str | None = None, *, directory: AnyPath | None = None) -> Path:
    """Return the path of one file of a data set, or of the directory with all its files.

    The file may be plain or compressed (``COMPRESSIONS``). Nothing is downloaded.

    Parameters
    ----------
    name
        The name of the data set, as in ``DATASETS``.
    file
        The name of the file; by default the directory is returned.
    directory
        A directory with the data, in place of the default one (``data_directory``).

    Returns
    -------
    Path
        The file or directory.

    Raises
    ------
    FetchError
        When a file is not there; the message says how to get it.
    ParameterError
        When there is no such data set or file.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as directory:
    ...     (Path(directory) / "scores").mkdir()
    ...     (Path(directory) / "scores" / "robust2004_ap.csv").touch()
    ...     dataset_path("robust2004", "scores/robust2004_ap.csv", directory=directory).name
    'robust2004_ap.csv'
    """
    dataset = find_dataset(name)
    root = _find_root(directory)
    files = dataset.files if file is None else (find_file(dataset, file),)
    paths = _find_paths(dataset, files, root)
    return root / dataset.directory if file is None else paths[0]


def dataset_paths(name: str, *, directory: AnyPath | None = None) -> list[Path]:
    """Return the paths of all files of a data set.

    Parameters
    ----------
    name
        The name of the data set, as in ``DATASETS``.
    directory
        A directory with the data, in place of the default one (``data_directory``).

    Returns
    -------
    list of Path
        The files, plain or compressed.

    Raises
    ------
    FetchError
        When a file is not there; the message says how to get it.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as directory:
    ...     (Path(directory) / "scores").mkdir()
    ...     for name in ("robust2004_ap.csv.gz", "robust2004_p10.csv"):
    ...         (Path(directory) / "scores" / name).touch()
    ...     [path.name for path in dataset_paths("robust2004", directory=directory)]
    ['robust2004_ap.csv.gz', 'robust2004_p10.csv']
    """
    dataset = find_dataset(name)
    return _find_paths(dataset, dataset.files, _find_root(directory))


def missing_files(name: str, *, directory: AnyPath | None = None) -> list[DataFile]:
    """Return the files of a data set that are not in the data directory, plain or compressed.

    Parameters
    ----------
    name
        The name of the data set, as in ``DATASETS``.
    directory
        A directory with the data, in place of the default one (``data_directory``).

    Returns
    -------
    list of DataFile
        The missing files; empty if there are none.

    Examples
    --------
    >>> [file.path for file in missing_files("robust2004", directory="no such directory")]
    ['scores/robust2004_ap.csv', 'scores/robust2004_p10.csv']
    """
    root = _find_root(directory)
    return [file for file in find_dataset(name).files if _find_local(file, root) is None]


def fetch(
    name: str,
    *,
    into: AnyPath | None = None,
    base_url: str | None = None,
    timeout: float = 30.0,
    announce: Callable[[DataSet], None] | None = None,
    progress: Callable[[DataFile, int], None] | None = None,
) -> list[Path]:
    """Download the missing files of a data set, and check all of them.

    Files are stored in the user's cache, or in ``into``. The directory that IRBOUNDS_DATA names
    belongs to the user: its files are used and checked, but nothing is written there unless
    ``into`` names it. No file is ever overwritten.

    Parameters
    ----------
    name
        The name of the data set, as in ``DATASETS``.
    into
        A directory to look in and to write to, created if it does not exist.
    base_url
        The address of a mirror, in place of https://raw.githubusercontent.com.
    timeout
        Seconds to wait for a connection, and for each piece of an answer. A download of fewer than
        1,000 bytes per second for as long is stopped, too.
    announce
        Called once, with the data set, before its first download.
    progress
        Called with the file and the number of bytes received so far, out of ``file.size``.

    Returns
    -------
    list of Path
        The files of the data set.

    Raises
    ------
    FetchError
        When a file cannot be downloaded or is not the right one; the message says what to do.
    ParameterError
        When there is no such data set, or ``timeout`` is not positive.

    Examples
    --------
    >>> fetch("robust2004")  # doctest: +SKIP
    [PosixPath('.../scores/robust2004_ap.csv'), PosixPath('.../scores/robust2004_p10.csv')]
    """
    dataset = find_dataset(name)
    if not 0 < timeout < math.inf:
        raise ParameterError(f"timeout must be a positive number of seconds, received {timeout!r}")
    root = _find_root(into)
    _check_present(dataset, root)
    missing = missing_files(name, directory=root)
    may_write = dataset.fetchable and (into is not None or not os.environ.get(ENVIRONMENT))
    if missing and not may_write:
        raise FetchError(_describe_missing(dataset, missing, root))
    if missing and announce is not None:
        announce(dataset)
    for file in missing:
        url = file.url.replace(RAW_BASE, (base_url or RAW_BASE).rstrip("/"), 1)
        _download(dataset, file, root, url, timeout=timeout, progress=progress)
    return dataset_paths(name, directory=root)


# --- locations


def _cache_directory() -> Path:
    import pooch  # loads requests, so only when it is needed

    return Path(pooch.os_cache("irbounds"))


def _find_root(directory: AnyPath | None) -> Path:
    return data_directory() if directory is None else Path(directory).expanduser()


def plain_or_compressed(plain: Path) -> Path | None:
    """Return the plain file if it is there, else a compressed copy of it, else None."""
    copies = (plain.with_name(plain.name + extension) for extension in COMPRESSIONS)
    return next((path for path in (plain, *copies) if path.is_file()), None)


def _find_local(file: DataFile, root: Path) -> Path | None:
    return plain_or_compressed(root / file.path)


def _find_paths(dataset: DataSet, files: Sequence[DataFile], root: Path) -> list[Path]:
    paths = [_find_local(file, root) for file in files]
    missing = [file for file, path in zip(files, paths, strict=True) if path is None]
    if missing:
        raise FetchError(_describe_missing(dataset, missing, root))
    return [path for path in paths if path is not None]


# --- checks of files


def _check_present(dataset: DataSet, root: Path) -> None:
    """Raise ``FetchError`` for files that are not the registered ones, before any download."""
    for file in dataset.files:
        path = _find_local(file, root)
        if path is None or not file.sha256:
            continue
        received = _hash_content(path)
        if received != file.sha256:
            raise FetchError(
                f"{path}: SHA-256 of the content is {received}, expected {file.sha256}; "
                "move the file away and fetch again"
            )


def _hash_content(path: Path) -> str:
    """Return the SHA-256 of the decompressed content, since the registry has that of originals."""
    from ..reading.sources import Source

    digest = hashlib.sha256()
    try:
        with Source(path) as source:
            while piece := source.read(CHUNK):
                digest.update(piece)
    except InputError as error:
        raise FetchError(str(error)) from error
    return digest.hexdigest()


# --- downloads


def _download(
    dataset: DataSet,
    file: DataFile,
    root: Path,
    url: str,
    *,
    timeout: float,
    progress: Callable[[DataFile, int], None] | None,
) -> None:
    import pooch

    target = root / file.path
    outer = sys.exception()  # an exception that the caller handles, not a cause of ours
    receive = partial(_receive, file=file, timeout=timeout, progress=progress)
    try:
        with _quiet_pooch():
            pooch.retrieve(url, file.sha256, target.name, target.parent, downloader=receive)
        target.chmod(0o644)  # pooch's temporary files are private; others may share the directory
    except (OSError, ValueError) as error:  # every error of requests is an OSError
        reason = _describe_failure(error, outer, file, timeout)
        hint = _describe_manual_download(file, root, "that address")
        raise FetchError(f"{dataset.name}: {url}: {reason}; {hint}") from error


def _receive(
    url: str,
    output_file: str,
    _: object,
    *,
    file: DataFile,
    timeout: float,
    progress: Callable[[DataFile, int], None] | None,
) -> None:
    """Download a file for pooch, within the file's size and at least at ``MIN_RATE``."""
    import requests

    received = 0
    with (
        requests.get(url, stream=True, timeout=timeout) as response,
        Path(output_file).open("wb") as target,
    ):
        response.raise_for_status()
        for piece in _read_pieces(response, timeout):
            received += len(piece)
            if received > file.size:
                raise ValueError(f"the server sends more than the {file.size:,} bytes expected")
            target.write(piece)
            if progress is not None:
                progress(file, received)


def _read_pieces(response: Response, timeout: float) -> Iterator[bytes]:
    """Yield decompressed pieces as they arrive; raise ``ValueError`` if the server is too slow."""
    from requests.exceptions import ChunkedEncodingError
    from urllib3.exceptions import HTTPError

    # older versions of urllib3 wait for all of a chunk
    read = getattr(response.raw, "read1", response.raw.read)
    since, received = time.monotonic(), 0
    while True:
        try:
            piece = read(CHUNK, decode_content=True)
        except HTTPError as error:
            raise ChunkedEncodingError(error) from error
        if not piece:
            return
        yield piece
        received += len(piece)
        waited = time.monotonic() - since
        if waited > timeout:
            if received < MIN_RATE * timeout:
                raise ValueError(f"the server sent only {received:,} bytes in {waited:.1f} s")
            since, received = time.monotonic(), 0


@contextmanager
def _quiet_pooch() -> Iterator[None]:
    """Suppress the messages of pooch below warnings; ``fetch`` reports progress itself.

    A filter is used because the logger of pooch does not react to a changed level.
    """
    import pooch

    logger = pooch.get_logger()
    logger.addFilter(_is_warning)
    try:
        yield
    finally:
        logger.removeFilter(_is_warning)


def _is_warning(record: logging.LogRecord) -> bool:
    return record.levelno >= logging.WARNING


# --- error messages


def _describe_failure(
    error: BaseException, outer: BaseException | None, file: DataFile, timeout: float
) -> str:
    """Return why a download failed, in a few words."""
    from requests import exceptions as web

    cause = _first_cause(error, outer)
    if isinstance(error, web.HTTPError):
        status = "an error" if error.response is None else error.response.status_code
        return f"the server answered {status}, expected 200"
    if isinstance(error, web.Timeout) or isinstance(cause, TimeoutError):
        return f"no answer within {timeout:g} s"
    if isinstance(error, web.ChunkedEncodingError):
        return f"the transfer broke off, expected {file.size:,} bytes: {_format_message(cause)}"
    if isinstance(error, web.RequestException):
        return f"no connection: {_format_message(cause)}"
    if isinstance(error, OSError):
        return f"cannot write {file.path}: {_format_message(cause)}"
    return _format_message(error).split(". ")[
        0
    ]  # the sentence of pooch with both checksums, without its advice


def _first_cause(error: BaseException, outer: BaseException | None) -> BaseException:
    """Return the first exception of a chain; requests wraps urllib3, which wraps the socket."""
    while (inner := error.__cause__ or error.__context__) is not None and inner is not outer:
        error = inner
    return error


def _format_message(error: BaseException) -> str:
    """Return the message of an exception, on one line, without its number."""
    text = (error.strerror if isinstance(error, OSError) else None) or str(error)
    return " ".join(text.split()) or type(error).__name__


def _describe_missing(dataset: DataSet, missing: Sequence[DataFile], root: Path) -> str:
    """Return a message that names missing files and how to get them."""
    more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
    named = os.environ.get(ENVIRONMENT) and root == data_directory()
    place = f"the directory {root}{f' named by {ENVIRONMENT}' if named else ''}"
    gone = "" if root.is_dir() else " (no such directory)"
    lacks = f"{dataset.name}: {place}{gone} lacks {missing[0].path}{more}"
    if not dataset.fetchable:
        put = f"put the files into {root / dataset.directory}"
        return f"{lacks}; {dataset.by_hand}, and {put}, or {_point_at(dataset.files[0])}"
    into = "" if root == _cache_directory() else f" --into {shlex.quote(str(root))}"
    hint = _describe_manual_download(missing[0], root, missing[0].url)
    return f"{lacks}; run 'irbounds data fetch {dataset.name}{into}', or {hint}"


def _describe_manual_download(file: DataFile, root: Path, source: str) -> str:
    target = root / file.path
    return f"to get it by hand, download {source} and save it as {target}, or {_point_at(file)}"


def _point_at(file: DataFile) -> str:
    return f"set {ENVIRONMENT} to a directory that holds {file.path}"
