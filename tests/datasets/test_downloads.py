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

GIVEN = os.environ.get("IRBOUNDS_DATA")  # read before the fixture below hides it

# Larger than a chunk, and not a whole number of them, so that progress has something to count.
ALPHA = b"topic,sys1\n" + b"301,0.5\n" * 20_000
BETA = b"topic,sys1\n302,0.25\n"


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def data_file(path: str, content: bytes) -> DataFile:
    return DataFile(path, f"{RAW_BASE}/someone/tiny/{path}", sha256(content), len(content))


TINY = DataSet(
    name="tiny",
    title="Two small files",
    files=(data_file("small/alpha.csv", ALPHA), data_file("small/beta.csv", BETA)),
    licence="CC0",
    citation="A. Author, A Tiny Paper, 2001",
    homepage="http://example.invalid/tiny",
)


class Server(ThreadingHTTPServer):
    """Answers each path with the function registered for it, and remembers what was asked."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers: dict[str, Callable[[BaseHTTPRequestHandler], None]] = {}
        self.asked: list[str] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        self.server.answers.get(self.path, not_found)(self)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing on standard error."""


def not_found(handler: BaseHTTPRequestHandler) -> None:
    handler.send_error(404)


def sends(content: bytes, announced: int | None = None) -> Callable[[BaseHTTPRequestHandler], None]:
    """Answer with ``content``, while Content-Length may promise another size."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(content) if announced is None else announced))
        handler.end_headers()
        handler.wfile.write(content)

    return answer


def compressed(content: bytes) -> Callable[[BaseHTTPRequestHandler], None]:
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
    """Hide the person's own settings and put the cache under tmp_path."""
    folder = tmp_path / "cache" / "irbounds"
    monkeypatch.delenv("IRBOUNDS_DATA", raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr("pooch.os_cache", lambda project: tmp_path / "cache" / project)
    monkeypatch.setitem(DATASETS, "tiny", TINY)
    return folder


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as server:
        server.answers = {
            "/someone/tiny/small/alpha.csv": sends(ALPHA),
            "/someone/tiny/small/beta.csv": sends(BETA),
        }
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def files_under(folder: Path) -> list[str]:
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file())


def put(root: Path, path: str, content: bytes) -> Path:
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content)
    return target


def failure(call: Callable[[], object]) -> str:
    """Return the message of the FetchError that ``call`` must raise, on one line."""
    with pytest.raises(FetchError) as caught:
        call()
    message = str(caught.value)
    assert "\n" not in message
    return message


def assert_by_hand(message: str, url: str, target: Path) -> None:
    """The message must say where the file is, where to put it, and name the variable."""
    assert message.count(url) == 1
    assert f" and save it as {target}, or set IRBOUNDS_DATA to" in message
    assert "set IRBOUNDS_DATA to a directory that holds small/alpha.csv" in message


# --- files and imports


def test_data_sets_are_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        TINY.name = "other"  # type: ignore[misc]


@pytest.mark.skipif(not GIVEN, reason="IRBOUNDS_DATA is not set: no files to compare with")
@pytest.mark.parametrize("name", sorted(DATASETS))
def test_local_files_match_the_registry(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IRBOUNDS_DATA", str(GIVEN))
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
    alpha = put(cache, "small/alpha.csv", ALPHA)
    beta = put(cache, "small/beta.csv.gz", gzip.compress(BETA))
    assert dataset_paths("tiny") == [alpha, beta]
    assert dataset_path("tiny", "alpha.csv") == alpha
    assert dataset_path("tiny", "small/beta.csv") == beta
    assert dataset_path("tiny") == cache / "small"


def test_plain_file_is_preferred_to_its_compressed_copy(cache: Path) -> None:
    alpha = put(cache, "small/alpha.csv", ALPHA)
    put(cache, "small/alpha.csv.gz", gzip.compress(ALPHA))
    assert dataset_path("tiny", "alpha.csv") == alpha


def test_directory_is_returned_only_if_all_files_are_there(cache: Path) -> None:
    put(cache, "small/beta.csv", BETA)
    assert dataset_path("tiny", "beta.csv") == cache / "small/beta.csv"
    message = failure(lambda: dataset_path("tiny"))
    assert message.startswith(f"tiny: the directory {cache} lacks small/alpha.csv; ")
    assert "run 'irbounds data fetch tiny', or" in message
    assert_by_hand(message, TINY.files[0].url, cache / "small/alpha.csv")


def test_missing_files(cache: Path) -> None:
    assert datasets.missing_files("tiny") == list(TINY.files)
    put(cache, "small/alpha.csv.gz", gzip.compress(ALPHA))
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
        message = failure(call)
        assert "cannot be fetched automatically" in message
        assert place in message
        assert "or set IRBOUNDS_DATA to a directory that holds" in message
    assert f"put the files into {tmp_path / DATASETS[name].directory}" in message


def test_data_set_got_by_hand_is_used(tmp_path: Path) -> None:
    for file in DATASETS["legal09"].files:
        put(tmp_path, file.path, b"topic\n")
    assert len(fetch("legal09", into=tmp_path)) == 3


# --- downloads that work


def test_fetch_downloads_into_the_cache(cache: Path, server: Server) -> None:
    paths = fetch("tiny", base_url=server.url)
    assert paths == [cache / "small/alpha.csv", cache / "small/beta.csv"]
    assert [path.read_bytes() for path in paths] == [ALPHA, BETA]
    assert files_under(cache) == ["small/alpha.csv", "small/beta.csv"]  # no temporary file left


def test_default_address(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def refuse(url: str, *args: object, **kwargs: object) -> None:
        asked.append(url)
        raise ValueError("stop here")

    monkeypatch.setattr("pooch.retrieve", refuse)
    assert f"tiny: {TINY.files[0].url}: stop here; " in failure(lambda: fetch("tiny"))
    assert asked == [TINY.files[0].url]


def test_fetch_downloads_only_missing_files(cache: Path, server: Server) -> None:
    put(cache, "small/alpha.csv.gz", gzip.compress(ALPHA))
    paths = fetch("tiny", base_url=server.url)
    assert paths == [cache / "small/alpha.csv.gz", cache / "small/beta.csv"]
    assert server.asked == ["/someone/tiny/small/beta.csv"]
    assert fetch("tiny", base_url=server.url) == paths
    assert len(server.asked) == 1


def test_mirror_with_a_path(server: Server) -> None:
    server.answers = {f"/mirror{path}": answer for path, answer in server.answers.items()}
    assert len(fetch("tiny", base_url=f"{server.url}/mirror/")) == 2


def test_fetched_files_can_be_read_by_others(server: Server) -> None:
    for path in fetch("tiny", base_url=server.url):
        assert stat.S_IMODE(path.stat().st_mode) & 0o444 == 0o444


@pytest.mark.parametrize("answer", [sends, compressed])
def test_progress_counts_up_to_the_size(
    answer: Callable[[bytes], Callable[[BaseHTTPRequestHandler], None]], server: Server
) -> None:
    server.answers["/someone/tiny/small/alpha.csv"] = answer(ALPHA)
    told: list[tuple[str, int]] = []
    fetch("tiny", base_url=server.url, progress=lambda file, n: told.append((file.name, n)))
    alpha = [n for name, n in told if name == "alpha.csv"]
    assert alpha == sorted(alpha)
    assert len(set(alpha)) > 2
    assert alpha[-1] == len(ALPHA)
    assert told[-1] == ("beta.csv", len(BETA))


def test_announced_once_before_the_first_download(server: Server) -> None:
    seen: list[tuple[str, int]] = []

    def note(dataset: DataSet) -> None:
        seen.append((dataset.name, len(server.asked)))

    fetch("tiny", base_url=server.url, announce=note)
    fetch("tiny", base_url=server.url, announce=note)
    assert seen == [("tiny", 0)]


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


# --- a directory of the user


def test_named_directory_is_never_written_to(
    tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = tmp_path / "mine"
    alpha = put(mine, "small/alpha.csv", ALPHA)
    monkeypatch.setenv("IRBOUNDS_DATA", str(mine))
    message = failure(lambda: fetch("tiny", base_url=server.url))
    assert f"the directory {mine} named by IRBOUNDS_DATA lacks small/beta.csv" in message
    assert f"run 'irbounds data fetch tiny --into {mine}'" in message
    assert server.asked == []
    assert files_under(tmp_path) == ["mine/small/alpha.csv"]
    beta = put(mine, "small/beta.csv", BETA)
    assert fetch("tiny", base_url=server.url) == [alpha, beta]


def test_named_directory_that_does_not_exist(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IRBOUNDS_DATA", str(tmp_path / "gone"))
    message = failure(lambda: dataset_paths("tiny"))
    assert f"{tmp_path / 'gone'} named by IRBOUNDS_DATA (no such directory) lacks" in message
    assert "small/alpha.csv and 1 more" in message


def test_into_writes_to_the_given_directory(
    tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = tmp_path / "my data"
    monkeypatch.setenv("IRBOUNDS_DATA", str(mine))
    paths = fetch("tiny", into=mine, base_url=server.url)
    assert paths == dataset_paths("tiny") == [mine / "small/alpha.csv", mine / "small/beta.csv"]


def test_suggested_command_is_quoted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IRBOUNDS_DATA", str(tmp_path / "my data"))
    assert f"--into '{tmp_path / 'my data'}'" in failure(lambda: dataset_paths("tiny"))


@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_wrong_file_is_refused_and_kept(suffix: str, cache: Path, server: Server) -> None:
    wrong = gzip.compress(BETA) if suffix else BETA
    path = put(cache, f"small/alpha.csv{suffix}", wrong)
    message = failure(lambda: fetch("tiny", base_url=server.url))
    assert message.startswith(f"{path}: SHA-256 of the content is {sha256(BETA)}, ")
    assert f"expected {sha256(ALPHA)}" in message
    assert path.read_bytes() == wrong
    assert server.asked == []


@pytest.mark.parametrize(
    "content",
    [gzip.compress(ALPHA)[:-20], gzip.compress(ALPHA)[:10] + b"\xff" * 20],
    ids=["short", "damaged"],
)
def test_damaged_compressed_file_is_refused(content: bytes, cache: Path) -> None:
    path = put(cache, "small/alpha.csv.gz", content)
    assert failure(lambda: fetch("tiny")).startswith(f"{path}: cannot be read: ")
    path.write_bytes(b"not gzip")
    assert failure(lambda: fetch("tiny")).startswith(f"{path}: SHA-256 of the content is ")


@pytest.mark.parametrize(("extension", "compress"), COMPRESS.items())
def test_compressed_file_is_accepted_by_its_content(
    extension: str, compress: Callable[[bytes], bytes], cache: Path
) -> None:
    alpha = put(cache, f"small/alpha.csv{extension}", compress(ALPHA))
    beta = put(cache, "small/beta.csv", BETA)
    assert fetch("tiny") == dataset_paths("tiny") == [alpha, beta]


# --- downloads that fail


def test_wrong_checksum(cache: Path, server: Server) -> None:
    server.answers["/someone/tiny/small/alpha.csv"] = sends(b"<html>not the file</html>")
    message = failure(lambda: fetch("tiny", base_url=server.url))
    received = sha256(b"<html>not the file</html>")
    assert f"expected {sha256(ALPHA)} but got {received}; to get it by hand" in message
    assert_by_hand(message, f"{server.url}/someone/tiny/small/alpha.csv", cache / "small/alpha.csv")
    assert files_under(cache) == []


def test_broken_transfer(cache: Path, server: Server) -> None:
    server.answers["/someone/tiny/small/alpha.csv"] = sends(ALPHA[:70_000], announced=len(ALPHA))
    message = failure(lambda: fetch("tiny", base_url=server.url))
    assert f"the transfer broke off, expected {len(ALPHA):,} bytes: " in message
    assert "70000 bytes read" in message
    assert_by_hand(message, f"{server.url}/someone/tiny/small/alpha.csv", cache / "small/alpha.csv")
    assert files_under(cache) == []
    assert len(server.asked) == 1  # and nobody tried again


def test_short_file_with_a_matching_length(cache: Path, server: Server) -> None:
    server.answers["/someone/tiny/small/alpha.csv"] = sends(ALPHA[:-1])
    assert sha256(ALPHA[:-1]) in failure(lambda: fetch("tiny", base_url=server.url))
    assert files_under(cache) == []


@pytest.mark.parametrize("status", [403, 404, 503])
def test_refusal_by_the_server(status: int, cache: Path, server: Server) -> None:
    server.answers["/someone/tiny/small/alpha.csv"] = lambda h: h.send_error(status)
    message = failure(lambda: fetch("tiny", base_url=server.url))
    assert f"small/alpha.csv: the server answered {status}, expected 200; " in message
    assert_by_hand(message, f"{server.url}/someone/tiny/small/alpha.csv", cache / "small/alpha.csv")
    assert files_under(cache) == []
    assert len(server.asked) == 1


def test_files_before_the_failure_are_kept(cache: Path, server: Server) -> None:
    server.answers["/someone/tiny/small/beta.csv"] = not_found
    assert "beta.csv: the server answered 404" in failure(
        lambda: fetch("tiny", base_url=server.url)
    )
    assert files_under(cache) == ["small/alpha.csv"]


def closed_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_no_network(cache: Path) -> None:
    base = f"http://127.0.0.1:{closed_port()}"
    message = failure(lambda: fetch("tiny", base_url=base))
    assert f"tiny: {base}/someone/tiny/small/alpha.csv: no connection: " in message
    assert "refused" in message
    assert_by_hand(message, f"{base}/someone/tiny/small/alpha.csv", cache / "small/alpha.csv")
    assert files_under(cache) == []


def test_reason_is_not_an_exception_of_the_caller() -> None:
    try:
        raise TimeoutError("an older trouble")
    except TimeoutError:
        message = failure(lambda: fetch("tiny", base_url=f"http://127.0.0.1:{closed_port()}"))
    assert "no connection: " in message


@pytest.mark.parametrize("head", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc"])
def test_server_that_stops_sending(head: bytes, cache: Path, server: Server) -> None:
    done = threading.Event()

    def stall(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(head)
        handler.wfile.flush()
        done.wait(10)

    server.answers["/someone/tiny/small/alpha.csv"] = stall
    message = failure(lambda: fetch("tiny", base_url=server.url, timeout=0.2))
    done.set()
    assert "small/alpha.csv: no answer within 0.2 s; to get it by hand" in message
    assert files_under(cache) == []


@pytest.mark.parametrize("head", [b"", b"Content-Length: 1000000000\r\n"])
def test_server_that_sends_too_much(head: bytes, cache: Path, server: Server) -> None:
    """The size is known: nothing beyond it is taken, whatever the server announces."""
    written = []

    def flood(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(b"HTTP/1.0 200 OK\r\n" + head + b"\r\n")
        try:
            for _ in range(1000):
                handler.wfile.write(bytes(100_000))
                written.append(100_000)
        except OSError:  # as it should be
            pass

    server.answers["/someone/tiny/small/alpha.csv"] = flood
    message = failure(lambda: fetch("tiny", base_url=server.url))
    assert f"sends more than the {len(ALPHA):,} bytes expected; to get it by hand" in message
    assert files_under(cache) == []
    assert sum(written) < 50_000_000  # of 100,000,000


def test_content_that_grows_when_it_is_decompressed(cache: Path, server: Server) -> None:
    server.answers["/someone/tiny/small/alpha.csv"] = compressed(bytes(50_000_000))
    assert "sends more than" in failure(lambda: fetch("tiny", base_url=server.url))
    assert files_under(cache) == []


def test_slow_server(cache: Path, server: Server) -> None:
    """A byte now and then is never silence, and would take for ever."""
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
        message = failure(lambda: fetch("tiny", base_url=server.url, timeout=0.5))
    finally:
        done.set()
    assert re.search(r"the server sent only \d+ bytes in [0-9.]+ s; to get it by hand", message)
    assert files_under(cache) == []


def test_server_that_closes_the_connection(server: Server) -> None:
    server.answers["/someone/tiny/small/alpha.csv"] = lambda handler: None
    assert ": no connection: " in failure(lambda: fetch("tiny", base_url=server.url))


def test_invalid_address() -> None:
    assert ": no connection: " in failure(lambda: fetch("tiny", base_url="http://"))


@pytest.mark.parametrize("timeout", [0.0, -1.0, float("nan"), float("inf")])
def test_invalid_timeout(timeout: float) -> None:
    with pytest.raises(
        ParameterError, match=r"timeout must be a positive.*received (0|-1|nan|inf)"
    ):
        fetch("tiny", timeout=timeout)


def test_directory_that_cannot_be_created(tmp_path: Path, server: Server) -> None:
    blocked = put(tmp_path, "file", b"")
    message = failure(lambda: fetch("tiny", into=blocked, base_url=server.url))
    assert "cannot write small/alpha.csv: " in message
    assert "set IRBOUNDS_DATA to a directory" in message
    assert server.asked == []


def test_directory_that_is_not_writable(tmp_path: Path, server: Server) -> None:
    tmp_path.chmod(0o500)
    if os.access(tmp_path, os.W_OK):
        pytest.skip("this account may write where the mode forbids it")
    message = failure(lambda: fetch("tiny", into=tmp_path, base_url=server.url))
    tmp_path.chmod(0o700)
    assert "cannot write small/alpha.csv: Permission denied; " in message


def test_full_disk(cache: Path, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(url: str, output_file: str, *args: object, **options: object) -> None:
        Path(output_file).write_bytes(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(sys.modules["irbounds.datasets.downloads"], "_receive", full)
    message = failure(lambda: fetch("tiny", base_url=server.url))
    assert "cannot write small/alpha.csv: No space left on device; " in message
    assert files_under(cache) == []


def test_interrupted_download_leaves_no_file(
    cache: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(file: DataFile, received: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetch("tiny", base_url=server.url, progress=interrupt)
    assert files_under(cache) == []


# --- the commands


@dataclasses.dataclass(frozen=True)
class Ran:
    """A command that was run: its status, or its error, and what it wrote."""

    status: int | None
    stdout: str
    stderr: str
    error: Exception | None = None


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Run ``irbounds data`` with some arguments."""

    def call(*arguments: str) -> Ran:
        status, error = None, None
        try:
            status = run_command(["data", *arguments])
        except Exception as raised:
            error = raised
        written = capsys.readouterr()
        return Ran(status, written.out, written.err, error)

    return call


@pytest.fixture
def loopback(server: Server, monkeypatch: pytest.MonkeyPatch) -> Server:
    """Send what the command downloads to the loopback server."""
    monkeypatch.setattr(datasets, "fetch", partial(fetch, base_url=server.url))
    return server


def test_list_is_plain_when_piped(run: Callable[..., Ran], cache: Path) -> None:
    put(cache, "robust03/qrels.txt", b"601 0 d1 0\n")
    for file in DATASETS["legal09"].files:
        put(cache, file.path, b"topic\n")
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
    run: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "_is_terminal", lambda stream: True)
    lines = run("list").stdout.splitlines()
    assert any(line.split()[:1] == ["tiny"] and " CC0 " in line for line in lines)
    assert not any("\t" in line for line in lines)


def test_fetch_shows_citation_and_licence_then_prints_paths(
    run: Callable[..., Ran], cache: Path, loopback: Server
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
    run: Callable[..., Ran], loopback: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "_is_terminal", lambda stream: True)
    result = run("fetch", "tiny")
    assert result.status == 0
    assert "small/alpha.csv" in result.stderr
    assert "160.0/160.0 kB" in result.stderr
    assert len(result.stdout.splitlines()) == 2


def test_fetch_into_a_directory(run: Callable[..., Ran], tmp_path: Path, loopback: Server) -> None:
    result = run("fetch", "tiny", "--into", str(tmp_path / "mine"))
    assert result.status == 0
    assert files_under(tmp_path) == ["mine/small/alpha.csv", "mine/small/beta.csv"]


def test_fetch_passes_the_timeout_on(run: Callable[..., Ran]) -> None:
    with pytest.raises(ParameterError, match="received 0"):
        raise_from(run("fetch", "tiny", "--timeout", "0"))


def test_fetch_fails_with_a_fetch_error(run: Callable[..., Ran], loopback: Server) -> None:
    loopback.answers.clear()
    result = run("fetch", "tiny")
    with pytest.raises(FetchError, match="the server answered 404"):
        raise_from(result)
    assert result.stdout == ""


def test_path_prints_only_paths(run: Callable[..., Ran], cache: Path) -> None:
    put(cache, "small/alpha.csv", ALPHA)
    put(cache, "small/beta.csv.gz", gzip.compress(BETA))
    alpha, beta = cache / "small/alpha.csv", cache / "small/beta.csv.gz"
    result = run("path", "tiny")
    assert (result.stdout, result.stderr) == (f"{alpha}\n{beta}\n", "")
    assert run("path", "tiny", "beta.csv").stdout == f"{beta}\n"


@pytest.mark.parametrize("command", ["fetch", "path"])
def test_name_is_required(run: Callable[..., Ran], command: str) -> None:
    with pytest.raises(ParameterError, match="needs NAME"):
        raise_from(run(command))


def test_path_fails_if_a_file_is_missing(run: Callable[..., Ran]) -> None:
    result = run("path", "tiny")
    with pytest.raises(FetchError, match="run 'irbounds data fetch tiny'"):
        raise_from(result)
    assert result.stdout == ""


def raise_from(result: Ran) -> None:
    assert result.error is not None
    raise result.error


@pytest.mark.parametrize("name", ["list", "fetch", "path"])
def test_help_has_an_example(run: Callable[..., Ran], name: str) -> None:
    result = run(name, "--help")
    assert result.status == 0
    assert re.search(rf"^ +irbounds data {name}", result.stdout, re.MULTILINE)


def test_help_without_a_command(run: Callable[..., Ran]) -> None:
    text = run().stdout
    for name in ("list", "fetch", "path"):
        assert re.search(rf"^  {name} +\w", text, re.MULTILINE)
    assert max(map(len, text.splitlines())) <= 80
