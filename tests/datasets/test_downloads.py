"""Data sets: the table, the data directory, downloads from a loopback server, and the commands.

Nothing here reaches the network: a server on 127.0.0.1 stands in for the real one, and every file
is written under tmp_path.
"""

from __future__ import annotations

import dataclasses
import gzip
import hashlib
import os
import re
import socket
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import irbounds.cli.data as command
from compressions import COMPRESS
from irbounds import datasets
from irbounds.cli.runner import run_command
from irbounds.datasets import (
    DATASETS,
    DataFile,
    DataSet,
    dataset_path,
    dataset_paths,
    fetch,
)
from irbounds.datasets.data_set_list import RAW_BASE
from irbounds.errors import FetchError, ParameterError

DATA_DIRECTORY = os.environ.get("IRBOUNDS_DATA")  # read before the fixture below hides it

# Larger than a chunk and not a multiple of its size, so that progress has several steps.
ALPHA = b"topic,sys1\n" + b"301,0.5\n" * 20_000
BETA = b"topic,sys1\n302,0.25\n"


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def make_data_file(path: str, content: bytes) -> DataFile:
    return DataFile(path, f"{RAW_BASE}/someone/tiny/{path}", sha256(content), len(content))


TINY = DataSet(
    name="tiny",
    title="Two small files",
    files=(make_data_file("small/alpha.csv", ALPHA), make_data_file("small/beta.csv", BETA)),
    licence="CC0",
    citation="A. Author, A Tiny Paper, 2001",
    homepage="http://example.invalid/tiny",
)


class Server(ThreadingHTTPServer):
    """Answer each path with the function registered for it, and record the requests."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers: dict[str, Callable[[BaseHTTPRequestHandler], None]] = {}
        self.requested_paths: list[str] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        self.server.requested_paths.append(self.path)
        self.server.answers.get(self.path, send_not_found)(self)

    def log_message(self, format: str, *args: object) -> None:
        """Write nothing to standard error."""


def send_not_found(handler: BaseHTTPRequestHandler) -> None:
    handler.send_error(404)


def send_content(
    content: bytes, announced: int | None = None
) -> Callable[[BaseHTTPRequestHandler], None]:
    """Answer with ``content``, optionally with another size in Content-Length."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(content) if announced is None else announced))
        handler.end_headers()
        handler.wfile.write(content)

    return answer


def send_compressed(content: bytes) -> Callable[[BaseHTTPRequestHandler], None]:
    """Answer as the real server does for text: compressed on the wire only."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        body = gzip.compress(content)
        handler.send_response(200)
        handler.send_header("Content-Encoding", "gzip")
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    return answer


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Hide the user's settings and put the cache under tmp_path."""
    directory = tmp_path / "cache" / "irbounds"
    monkeypatch.delenv("IRBOUNDS_DATA", raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr("pooch.os_cache", lambda project: tmp_path / "cache" / project)
    monkeypatch.setitem(DATASETS, "tiny", TINY)
    return directory


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as server:
        server.answers = {
            "/someone/tiny/small/alpha.csv": send_content(ALPHA),
            "/someone/tiny/small/beta.csv": send_content(BETA),
        }
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def list_files(directory: Path) -> list[str]:
    return sorted(str(p.relative_to(directory)) for p in directory.rglob("*") if p.is_file())


def write_file(root: Path, path: str, content: bytes) -> Path:
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content)
    return target


def read_failure_message(call: Callable[[], object]) -> str:
    """Return the message of the FetchError that ``call`` must raise, on one line."""
    with pytest.raises(FetchError) as caught:
        call()
    message = str(caught.value)
    assert "\n" not in message
    return message


def assert_by_hand(message: str, url: str, target: Path) -> None:
    """Check that the message names the address, the target path and the variable."""
    assert message.count(url) == 1
    assert f" and save it as {target}, or set IRBOUNDS_DATA to" in message
    assert "set IRBOUNDS_DATA to a directory that holds small/alpha.csv" in message


# --- files and imports


def test_data_sets_are_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        TINY.name = "other"  # type: ignore[misc]


@pytest.mark.skipif(not DATA_DIRECTORY, reason="IRBOUNDS_DATA is not set: no files to compare with")
@pytest.mark.parametrize("name", sorted(DATASETS))
def test_local_files_match_the_registry(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IRBOUNDS_DATA", str(DATA_DIRECTORY))
    for file, path in zip(DATASETS[name].files, dataset_paths(name), strict=True):
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as stream:
            content = stream.read()
        if file.sha256:
            assert (len(content), sha256(content)) == (file.size, file.sha256)
    assert fetch(name) == dataset_paths(name)


def test_unknown_file_suggests_the_nearest() -> None:
    with pytest.raises(ParameterError, match=r"tiny: unknown file 'alpha.cvs'.*mean 'alpha.csv'"):
        dataset_path("tiny", "alpha.cvs")


def test_import_loads_no_large_packages() -> None:
    heavy = "{'pooch', 'requests', 'numba', 'polars', 'pandas'}"
    code = f"import sys, irbounds.datasets; print({heavy} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


# --- the data directory


def test_data_directory_is_the_cache_unless_the_variable_is_set(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert datasets.data_directory() == cache
    monkeypatch.setenv("IRBOUNDS_DATA", str(tmp_path / "mine"))
    assert datasets.data_directory() == tmp_path / "mine"
    monkeypatch.setenv("IRBOUNDS_DATA", "")
    assert datasets.data_directory() == cache


def test_variable_may_begin_with_a_tilde(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IRBOUNDS_DATA", "~/collections")
    assert datasets.data_directory() == Path.home() / "collections"


def test_paths_are_found_plain_or_compressed(cache: Path) -> None:
    alpha = write_file(cache, "small/alpha.csv", ALPHA)
    beta = write_file(cache, "small/beta.csv.gz", gzip.compress(BETA))
    assert dataset_paths("tiny") == [alpha, beta]
    assert dataset_path("tiny", "alpha.csv") == alpha
    assert dataset_path("tiny", "small/beta.csv") == beta
    assert dataset_path("tiny") == cache / "small"


def test_plain_file_is_preferred_to_its_compressed_copy(cache: Path) -> None:
    alpha = write_file(cache, "small/alpha.csv", ALPHA)
    write_file(cache, "small/alpha.csv.gz", gzip.compress(ALPHA))
    assert dataset_path("tiny", "alpha.csv") == alpha


def test_directory_is_returned_only_if_all_files_are_there(cache: Path) -> None:
    write_file(cache, "small/beta.csv", BETA)
    assert dataset_path("tiny", "beta.csv") == cache / "small/beta.csv"
    message = read_failure_message(lambda: dataset_path("tiny"))
    assert message.startswith(f"tiny: the directory {cache} lacks small/alpha.csv; ")
    assert "run 'irbounds data fetch tiny', or" in message
    assert_by_hand(message, TINY.files[0].url, cache / "small/alpha.csv")


def test_missing_files_are_listed(cache: Path) -> None:
    assert datasets.missing_files("tiny") == list(TINY.files)
    write_file(cache, "small/alpha.csv.gz", gzip.compress(ALPHA))
    assert datasets.missing_files("tiny") == [TINY.files[1]]


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("robust03", "example directory of the repository joaopalotti"),
        ("legal09", "Appendix A"),
        ("adhoc3", "write.csv(adhoc3, 'adhoc3_ap.csv', row.names = FALSE)"),
    ],
)
def test_error_names_the_instructions_to_get_a_data_set(
    name: str, place: str, cache: Path, tmp_path: Path
) -> None:
    for call in (partial(dataset_paths, name), partial(fetch, name, into=tmp_path)):
        message = read_failure_message(call)
        assert "cannot be fetched automatically" in message
        assert place in message
        assert "or set IRBOUNDS_DATA to a directory that holds" in message
    assert f"put the files into {tmp_path / DATASETS[name].directory}" in message


def test_data_set_downloaded_by_hand_is_used(tmp_path: Path) -> None:
    for file in DATASETS["legal09"].files:
        write_file(tmp_path, file.path, b"topic\n")
    assert len(fetch("legal09", into=tmp_path)) == 3


# --- downloads that work


def test_fetch_downloads_into_the_cache(cache: Path, server: Server) -> None:
    paths = fetch("tiny", base_url=server.url)
    assert paths == [cache / "small/alpha.csv", cache / "small/beta.csv"]
    assert [path.read_bytes() for path in paths] == [ALPHA, BETA]
    assert list_files(cache) == ["small/alpha.csv", "small/beta.csv"]  # no temporary file left


def test_default_address_is_that_of_the_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    urls: list[str] = []

    def refuse(url: str, *args: object, **kwargs: object) -> None:
        urls.append(url)
        raise ValueError("stop here")

    monkeypatch.setattr("pooch.retrieve", refuse)
    assert f"tiny: {TINY.files[0].url}: stop here; " in read_failure_message(lambda: fetch("tiny"))
    assert urls == [TINY.files[0].url]


def test_fetch_downloads_only_missing_files(cache: Path, server: Server) -> None:
    write_file(cache, "small/alpha.csv.gz", gzip.compress(ALPHA))
    paths = fetch("tiny", base_url=server.url)
    assert paths == [cache / "small/alpha.csv.gz", cache / "small/beta.csv"]
    assert server.requested_paths == ["/someone/tiny/small/beta.csv"]
    assert fetch("tiny", base_url=server.url) == paths
    assert len(server.requested_paths) == 1


def test_mirror_address_with_a_path(server: Server) -> None:
    server.answers = {f"/mirror{path}": answer for path, answer in server.answers.items()}
    assert len(fetch("tiny", base_url=f"{server.url}/mirror/")) == 2


def test_fetched_files_can_be_read_by_others(server: Server) -> None:
    for path in fetch("tiny", base_url=server.url):
        assert stat.S_IMODE(path.stat().st_mode) & 0o444 == 0o444


@pytest.mark.parametrize("answer", [send_content, send_compressed])
def test_progress_counts_up_to_the_size(
    answer: Callable[[bytes], Callable[[BaseHTTPRequestHandler], None]], server: Server
) -> None:
    server.answers["/someone/tiny/small/alpha.csv"] = answer(ALPHA)
    progress: list[tuple[str, int]] = []
    fetch("tiny", base_url=server.url, progress=lambda file, n: progress.append((file.name, n)))
    alpha = [n for name, n in progress if name == "alpha.csv"]
    assert alpha == sorted(alpha)
    assert len(set(alpha)) > 2
    assert alpha[-1] == len(ALPHA)
    assert progress[-1] == ("beta.csv", len(BETA))


def test_announce_is_called_once_before_the_first_download(server: Server) -> None:
    announcements: list[tuple[str, int]] = []

    def record_announcement(dataset: DataSet) -> None:
        announcements.append((dataset.name, len(server.requested_paths)))

    fetch("tiny", base_url=server.url, announce=record_announcement)
    fetch("tiny", base_url=server.url, announce=record_announcement)
    assert announcements == [("tiny", 0)]


def test_messages_of_pooch_are_suppressed_only_during_fetch(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    import pooch

    logger = pooch.get_logger()
    logger.addHandler(caplog.handler)
    try:
        logger.info("before")
        fetch("tiny", base_url=server.url)
        logger.info("after")
    finally:
        logger.removeHandler(caplog.handler)
    assert caplog.messages == ["before", "after"]


# --- a user directory


def test_named_directory_is_never_written_to(
    tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = tmp_path / "mine"
    alpha = write_file(mine, "small/alpha.csv", ALPHA)
    monkeypatch.setenv("IRBOUNDS_DATA", str(mine))
    message = read_failure_message(lambda: fetch("tiny", base_url=server.url))
    assert f"the directory {mine} named by IRBOUNDS_DATA lacks small/beta.csv" in message
    assert f"run 'irbounds data fetch tiny --into {mine}'" in message
    assert server.requested_paths == []
    assert list_files(tmp_path) == ["mine/small/alpha.csv"]
    beta = write_file(mine, "small/beta.csv", BETA)
    assert fetch("tiny", base_url=server.url) == [alpha, beta]


def test_named_directory_that_does_not_exist_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IRBOUNDS_DATA", str(tmp_path / "gone"))
    message = read_failure_message(lambda: dataset_paths("tiny"))
    assert f"{tmp_path / 'gone'} named by IRBOUNDS_DATA (no such directory) lacks" in message
    assert "small/alpha.csv and 1 more" in message


def test_fetch_into_writes_to_the_directory(
    tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = tmp_path / "my data"
    monkeypatch.setenv("IRBOUNDS_DATA", str(mine))
    paths = fetch("tiny", into=mine, base_url=server.url)
    assert paths == dataset_paths("tiny") == [mine / "small/alpha.csv", mine / "small/beta.csv"]


def test_suggested_command_is_quoted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IRBOUNDS_DATA", str(tmp_path / "my data"))
    assert f"--into '{tmp_path / 'my data'}'" in read_failure_message(lambda: dataset_paths("tiny"))


@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_wrong_file_is_refused_and_not_removed(suffix: str, cache: Path, server: Server) -> None:
    wrong = gzip.compress(BETA) if suffix else BETA
    path = write_file(cache, f"small/alpha.csv{suffix}", wrong)
    message = read_failure_message(lambda: fetch("tiny", base_url=server.url))
    assert message.startswith(f"{path}: SHA-256 of the content is {sha256(BETA)}, ")
    assert f"expected {sha256(ALPHA)}" in message
    assert path.read_bytes() == wrong
    assert server.requested_paths == []


@pytest.mark.parametrize(
    "content",
    [gzip.compress(ALPHA)[:-20], gzip.compress(ALPHA)[:10] + b"\xff" * 20],
    ids=["short", "damaged"],
)
def test_damaged_compressed_file_is_refused(content: bytes, cache: Path) -> None:
    path = write_file(cache, "small/alpha.csv.gz", content)
    assert read_failure_message(lambda: fetch("tiny")).startswith(f"{path}: cannot be read: ")
    path.write_bytes(b"not gzip")
    assert read_failure_message(lambda: fetch("tiny")).startswith(
        f"{path}: SHA-256 of the content is "
    )


@pytest.mark.parametrize(("extension", "compress"), COMPRESS.items())
def test_compressed_file_is_accepted_by_its_content(
    extension: str, compress: Callable[[bytes], bytes], cache: Path
) -> None:
    alpha = write_file(cache, f"small/alpha.csv{extension}", compress(ALPHA))
    beta = write_file(cache, "small/beta.csv", BETA)
    assert fetch("tiny") == dataset_paths("tiny") == [alpha, beta]


# --- downloads that fail


def test_wrong_checksum_is_an_error(cache: Path, server: Server) -> None:
    server.answers["/someone/tiny/small/alpha.csv"] = send_content(b"<html>not the file</html>")
    message = read_failure_message(lambda: fetch("tiny", base_url=server.url))
    received = sha256(b"<html>not the file</html>")
    assert f"expected {sha256(ALPHA)} but got {received}; to get it by hand" in message
    assert_by_hand(message, f"{server.url}/someone/tiny/small/alpha.csv", cache / "small/alpha.csv")
    assert list_files(cache) == []


def test_broken_transfer_is_an_error(cache: Path, server: Server) -> None:
    server.answers["/someone/tiny/small/alpha.csv"] = send_content(
        ALPHA[:70_000], announced=len(ALPHA)
    )
    message = read_failure_message(lambda: fetch("tiny", base_url=server.url))
    assert f"the transfer broke off, expected {len(ALPHA):,} bytes: " in message
    assert "70000 bytes read" in message
    assert_by_hand(message, f"{server.url}/someone/tiny/small/alpha.csv", cache / "small/alpha.csv")
    assert list_files(cache) == []
    assert len(server.requested_paths) == 1  # no second attempt


def test_short_file_with_matching_length_is_an_error(cache: Path, server: Server) -> None:
    server.answers["/someone/tiny/small/alpha.csv"] = send_content(ALPHA[:-1])
    assert sha256(ALPHA[:-1]) in read_failure_message(lambda: fetch("tiny", base_url=server.url))
    assert list_files(cache) == []


@pytest.mark.parametrize("status", [403, 404, 503])
def test_http_error_status_is_reported(status: int, cache: Path, server: Server) -> None:
    server.answers["/someone/tiny/small/alpha.csv"] = lambda h: h.send_error(status)
    message = read_failure_message(lambda: fetch("tiny", base_url=server.url))
    assert f"small/alpha.csv: the server answered {status}, expected 200; " in message
    assert_by_hand(message, f"{server.url}/someone/tiny/small/alpha.csv", cache / "small/alpha.csv")
    assert list_files(cache) == []
    assert len(server.requested_paths) == 1


def test_files_fetched_before_a_failure_are_not_removed(cache: Path, server: Server) -> None:
    server.answers["/someone/tiny/small/beta.csv"] = send_not_found
    assert "beta.csv: the server answered 404" in read_failure_message(
        lambda: fetch("tiny", base_url=server.url)
    )
    assert list_files(cache) == ["small/alpha.csv"]


def find_closed_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_unreachable_server_is_an_error(cache: Path) -> None:
    base = f"http://127.0.0.1:{find_closed_port()}"
    message = read_failure_message(lambda: fetch("tiny", base_url=base))
    assert f"tiny: {base}/someone/tiny/small/alpha.csv: no connection: " in message
    assert "refused" in message
    assert_by_hand(message, f"{base}/someone/tiny/small/alpha.csv", cache / "small/alpha.csv")
    assert list_files(cache) == []


def test_reason_is_not_an_exception_of_the_caller() -> None:
    try:
        raise TimeoutError("an older trouble")
    except TimeoutError:
        message = read_failure_message(
            lambda: fetch("tiny", base_url=f"http://127.0.0.1:{find_closed_port()}")
        )
    assert "no connection: " in message


@pytest.mark.parametrize("head", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc"])
def test_server_that_stops_sending_is_an_error(head: bytes, cache: Path, server: Server) -> None:
    done = threading.Event()

    def stall(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(head)
        handler.wfile.flush()
        done.wait(10)

    server.answers["/someone/tiny/small/alpha.csv"] = stall
    message = read_failure_message(lambda: fetch("tiny", base_url=server.url, timeout=0.2))
    done.set()
    assert "small/alpha.csv: no answer within 0.2 s; to get it by hand" in message
    assert list_files(cache) == []


@pytest.mark.parametrize("head", [b"", b"Content-Length: 1000000000\r\n"])
def test_server_that_sends_too_much_is_an_error(head: bytes, cache: Path, server: Server) -> None:
    """The size is known, so nothing beyond it is read, whatever the server announces."""
    written = []

    def flood(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(b"HTTP/1.0 200 OK\r\n" + head + b"\r\n")
        try:
            for _ in range(1000):
                handler.wfile.write(bytes(100_000))
                written.append(100_000)
        except OSError:  # expected: the client closes the connection
            pass

    server.answers["/someone/tiny/small/alpha.csv"] = flood
    message = read_failure_message(lambda: fetch("tiny", base_url=server.url))
    assert f"sends more than the {len(ALPHA):,} bytes expected; to get it by hand" in message
    assert list_files(cache) == []
    assert sum(written) < 50_000_000  # of 100,000,000


def test_decompressed_content_is_limited_in_size(cache: Path, server: Server) -> None:
    server.answers["/someone/tiny/small/alpha.csv"] = send_compressed(bytes(50_000_000))
    assert "sends more than" in read_failure_message(lambda: fetch("tiny", base_url=server.url))
    assert list_files(cache) == []


def test_slow_server_is_an_error(cache: Path, server: Server) -> None:
    """Occasional bytes reset the read timeout, so the total time has to be limited."""
    done = threading.Event()

    def trickle(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(ALPHA))
        while not done.wait(0.05):
            try:
                handler.wfile.write(b"t")
            except OSError:
                return

    server.answers["/someone/tiny/small/alpha.csv"] = trickle
    try:
        message = read_failure_message(lambda: fetch("tiny", base_url=server.url, timeout=0.5))
    finally:
        done.set()
    assert re.search(r"the server sent only \d+ bytes in [0-9.]+ s; to get it by hand", message)
    assert list_files(cache) == []


def test_closed_connection_is_an_error(server: Server) -> None:
    server.answers["/someone/tiny/small/alpha.csv"] = lambda handler: None
    assert ": no connection: " in read_failure_message(lambda: fetch("tiny", base_url=server.url))


def test_invalid_address_is_an_error() -> None:
    assert ": no connection: " in read_failure_message(lambda: fetch("tiny", base_url="http://"))


@pytest.mark.parametrize("timeout", [0.0, -1.0, float("nan"), float("inf")])
def test_invalid_timeout_is_an_error(timeout: float) -> None:
    with pytest.raises(
        ParameterError, match=r"timeout must be a positive.*received (0|-1|nan|inf)"
    ):
        fetch("tiny", timeout=timeout)


def test_directory_that_cannot_be_created_is_an_error(tmp_path: Path, server: Server) -> None:
    blocked = write_file(tmp_path, "file", b"")
    message = read_failure_message(lambda: fetch("tiny", into=blocked, base_url=server.url))
    assert "cannot write small/alpha.csv: " in message
    assert "set IRBOUNDS_DATA to a directory" in message
    assert server.requested_paths == []


def test_directory_that_is_not_writable_is_an_error(tmp_path: Path, server: Server) -> None:
    tmp_path.chmod(0o500)
    if os.access(tmp_path, os.W_OK):
        pytest.skip("this account may write where the mode forbids it")
    message = read_failure_message(lambda: fetch("tiny", into=tmp_path, base_url=server.url))
    tmp_path.chmod(0o700)
    assert "cannot write small/alpha.csv: Permission denied; " in message


def test_full_disk_is_an_error(
    cache: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    def raise_disk_full(url: str, output_file: str, *args: object, **options: object) -> None:
        Path(output_file).write_bytes(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(sys.modules["irbounds.datasets.downloads"], "_receive", raise_disk_full)
    message = read_failure_message(lambda: fetch("tiny", base_url=server.url))
    assert "cannot write small/alpha.csv: No space left on device; " in message
    assert list_files(cache) == []


def test_interrupted_download_leaves_no_file(
    cache: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(file: DataFile, received: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetch("tiny", base_url=server.url, progress=interrupt)
    assert list_files(cache) == []


# --- the commands


@dataclasses.dataclass(frozen=True)
class CommandResult:
    """Result of a command: its status or error, and its output."""

    status: int | None
    stdout: str
    stderr: str
    error: Exception | None = None


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., CommandResult]:
    """Run ``irbounds data`` with some arguments."""

    def call(*arguments: str) -> CommandResult:
        status, error = None, None
        try:
            status = run_command(["data", *arguments])
        except Exception as raised:
            error = raised
        written = capsys.readouterr()
        return CommandResult(status, written.out, written.err, error)

    return call


@pytest.fixture
def loopback_server(server: Server, monkeypatch: pytest.MonkeyPatch) -> Server:
    """Redirect downloads of the command to the loopback server."""
    monkeypatch.setattr(datasets, "fetch", partial(fetch, base_url=server.url))
    return server


def test_list_is_plain_when_piped(run: Callable[..., CommandResult], cache: Path) -> None:
    write_file(cache, "robust03/qrels.txt", b"601 0 d1 0\n")
    for file in DATASETS["legal09"].files:
        write_file(cache, file.path, b"topic\n")
    result = run("list")
    rows = [line.split("\t") for line in result.stdout.splitlines()]
    assert rows[0] == ["name", "content", "size", "licence", "here"]
    assert [row[0] for row in rows[1:]] == list(DATASETS)
    table = {row[0]: row[1:] for row in rows}
    assert table["tiny"] == ["Two small files", "0.16 MB", "CC0", "no"]
    assert table["robust03"][3] == "1 of 15 files"
    assert table["legal09"][1] == "by hand"
    assert table["legal09"][3] == "yes"
    assert table["clef-tar2017"][1:] == ["12.97 MB", "MIT", "no"]
    assert result.stderr == f"data directory: {cache}\n"


def test_list_is_a_table_on_a_terminal(
    run: Callable[..., CommandResult], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "_is_terminal", lambda stream: True)
    lines = run("list").stdout.splitlines()
    assert any(line.split()[:1] == ["tiny"] and " CC0 " in line for line in lines)
    assert not any("\t" in line for line in lines)


def test_fetch_shows_citation_and_licence_then_prints_paths(
    run: Callable[..., CommandResult], cache: Path, loopback_server: Server
) -> None:
    result = run("fetch", "tiny")
    assert result.status == 0
    assert result.stdout.splitlines() == [str(cache / file.path) for file in TINY.files]
    assert result.stderr == TINY.notice + "\n"
    for words in (TINY.title, TINY.citation, TINY.licence, TINY.homepage):
        assert words in result.stderr
    again = run("fetch", "tiny")
    assert (again.stdout, again.stderr) == (result.stdout, "")


def test_fetch_draws_progress_on_a_terminal(
    run: Callable[..., CommandResult], loopback_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "_is_terminal", lambda stream: True)
    result = run("fetch", "tiny")
    assert result.status == 0
    assert "small/alpha.csv" in result.stderr
    assert "160.0/160.0 kB" in result.stderr
    assert len(result.stdout.splitlines()) == 2


def test_fetch_into_a_directory(
    run: Callable[..., CommandResult], tmp_path: Path, loopback_server: Server
) -> None:
    result = run("fetch", "tiny", "--into", str(tmp_path / "mine"))
    assert result.status == 0
    assert list_files(tmp_path) == ["mine/small/alpha.csv", "mine/small/beta.csv"]


def test_fetch_passes_the_timeout_on(run: Callable[..., CommandResult]) -> None:
    with pytest.raises(ParameterError, match="received 0"):
        raise_from(run("fetch", "tiny", "--timeout", "0"))


def test_fetch_fails_with_a_fetch_error(
    run: Callable[..., CommandResult], loopback_server: Server
) -> None:
    loopback_server.answers.clear()
    result = run("fetch", "tiny")
    with pytest.raises(FetchError, match="the server answered 404"):
        raise_from(result)
    assert result.stdout == ""


def test_path_prints_only_paths(run: Callable[..., CommandResult], cache: Path) -> None:
    write_file(cache, "small/alpha.csv", ALPHA)
    write_file(cache, "small/beta.csv.gz", gzip.compress(BETA))
    alpha, beta = cache / "small/alpha.csv", cache / "small/beta.csv.gz"
    result = run("path", "tiny")
    assert (result.stdout, result.stderr) == (f"{alpha}\n{beta}\n", "")
    assert run("path", "tiny", "beta.csv").stdout == f"{beta}\n"


@pytest.mark.parametrize("command", ["fetch", "path"])
def test_name_is_required(run: Callable[..., CommandResult], command: str) -> None:
    with pytest.raises(ParameterError, match="needs NAME"):
        raise_from(run(command))


def test_path_fails_if_a_file_is_missing(run: Callable[..., CommandResult]) -> None:
    result = run("path", "tiny")
    with pytest.raises(FetchError, match="run 'irbounds data fetch tiny'"):
        raise_from(result)
    assert result.stdout == ""


def raise_from(result: CommandResult) -> None:
    assert result.error is not None
    raise result.error


@pytest.mark.parametrize("name", ["list", "fetch", "path"])
def test_help_has_an_example(run: Callable[..., CommandResult], name: str) -> None:
    result = run(name, "--help")
    assert result.status == 0
    assert re.search(rf"^ +irbounds data {name}", result.stdout, re.MULTILINE)


def test_help_without_a_command(run: Callable[..., CommandResult]) -> None:
    text = run().stdout
    for name in ("list", "fetch", "path"):
        assert re.search(rf"^  {name} +\w", text, re.MULTILINE)
    assert max(map(len, text.splitlines())) <= 80
