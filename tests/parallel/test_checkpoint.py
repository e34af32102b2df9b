"""Checkpoints: finished blocks are read, others are computed, and no file is trusted."""

from __future__ import annotations

import hashlib
import io
import json
import logging
import os
import socket
import stat
import subprocess
import sys
import time
import tracemalloc
import warnings
import zipfile
from pathlib import Path

import numpy as np
import pytest

import every_work
import irbounds
import sample_work
from irbounds.errors import CheckpointError, DataError, ParameterError
from irbounds.parallel import checkpoint_directory as directories
from irbounds.parallel.digests import compute_digest
from irbounds.parallel.work import bind, run_work

UNITS = 12


def run_sample(directory: Path, n_blocks: int = 4, seed: int = 1, n: int = 5, layout=None):
    """Return the results of a small piece of work, with a checkpoint."""
    work = bind(sample_work.draw, "samples", seed=seed, n=n)
    with irbounds.execution(checkpoint=directory, n_blocks=n_blocks, threads=1):
        units = run_work(work, UNITS, cost=1.0, layout=layout)
        return [array for arrays in units for array in arrays]


def plain(seed: int = 1, n: int = 5):
    return [array for unit in range(UNITS) for array in sample_work.draw(unit, seed=seed, n=n)]


def same(found, expected) -> bool:
    pairs = list(zip(found, expected, strict=True))
    return all(a.dtype == b.dtype and a.tobytes() == b.tobytes() for a, b in pairs)


def notes(directory: Path) -> dict[str, int]:
    return {path.name: len(path.read_text()) for path in directory.iterdir()}


def blocks_in(directory: Path) -> list[Path]:
    return sorted(directory.glob("*/*.block"))


@pytest.fixture
def noted(tmp_path):
    """Return work that records each unit it runs, and where it records them."""
    directory = tmp_path / "notes"
    directory.mkdir()

    def work(checkpoint, n_blocks=4, threads=1):
        piece = bind(sample_work.note, "samples", directory=str(directory), n=2)
        with irbounds.execution(checkpoint=checkpoint, n_blocks=n_blocks, threads=threads):
            return [one for (one,) in run_work(piece, UNITS, cost=1.0)]

    return work, directory


def test_blocks_read_have_the_bits_of_computed_blocks(tmp_path):
    assert same(run_sample(tmp_path / "c"), plain())
    assert same(run_sample(tmp_path / "c"), plain())


def test_finished_work_is_not_computed_again(tmp_path, noted):
    work, directory = noted
    first = work(tmp_path / "c")
    assert set(notes(directory).values()) == {1}
    before = {path: path.stat().st_mtime_ns for path in blocks_in(tmp_path / "c")}
    assert same(work(tmp_path / "c"), first)
    assert set(notes(directory).values()) == {1}
    assert {path: path.stat().st_mtime_ns for path in blocks_in(tmp_path / "c")} == before


def test_only_missing_blocks_are_computed_in_order(tmp_path, noted):
    work, directory = noted
    first = work(tmp_path / "c")
    files = blocks_in(tmp_path / "c")
    files[1].unlink()
    files[3].unlink()
    assert same(work(tmp_path / "c", threads=2), first)
    assert notes(directory) == {str(k): 2 if k // 3 in (1, 3) else 1 for k in range(UNITS)}


@pytest.mark.parametrize("n_blocks", [1, 3, 12])
def test_the_first_division_into_blocks_is_kept(tmp_path, noted, n_blocks):
    work, directory = noted
    first = work(tmp_path / "c", 4)
    assert same(work(tmp_path / "c", n_blocks), first)
    assert len(blocks_in(tmp_path / "c")) == 4
    assert set(notes(directory).values()) == {1}


def flip(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 4
    file.write_bytes(content)


DAMAGES = {
    "a bit flipped": flip,
    "a digest flipped": lambda file: file.write_bytes(b"\0" + file.read_bytes()[1:]),
    "cut short": lambda file: file.write_bytes(file.read_bytes()[:-7]),
    "cut in the digest": lambda file: file.write_bytes(file.read_bytes()[:7]),
    "longer": lambda file: file.write_bytes(file.read_bytes() + b"\0"),
    "empty": lambda file: file.write_bytes(b""),
    "zeros": lambda file: file.write_bytes(bytes(file.stat().st_size)),
    "foreign": lambda file: file.write_bytes(b"PK\3\4 a photograph"),
    "another block": lambda file: file.write_bytes(blocks_in(file.parent.parent)[0].read_bytes()),
}


@pytest.fixture
def said(caplog):
    """Return the log messages; Python warnings are errors."""
    caplog.set_level(logging.INFO, logger="irbounds")

    def take() -> list[str]:
        lines = caplog.messages
        caplog.clear()
        return lines

    return take


@pytest.mark.parametrize("how", DAMAGES)
def test_a_damaged_block_is_reported_and_computed_again(tmp_path, said, how):
    run_sample(tmp_path / "c")
    whole = blocks_in(tmp_path / "c")[2].read_bytes()
    DAMAGES[how](blocks_in(tmp_path / "c")[2])
    assert same(run_sample(tmp_path / "c"), plain())
    damage, going_on = said()
    assert damage.startswith(str(blocks_in(tmp_path / "c")[2]))
    assert damage.endswith("block is damaged or of other work; its block is computed again")
    assert going_on.endswith(": 3 of 4 blocks of samples are finished")
    assert blocks_in(tmp_path / "c")[2].read_bytes() == whole
    assert same(run_sample(tmp_path / "c"), plain())  # and all is well
    assert said() == []


def sign(file: Path, payload: bytes) -> None:
    """Write a block with a correct digest, as a forger could."""
    about = json.loads((file.parent / "work.json").read_bytes())
    account = {name: about[name] for name in about if name not in ("ends", "digest")}
    digest = hashlib.sha256(hashlib.sha256(json.dumps(account, indent=1).encode()).digest())
    start, stop = map(int, file.stem.split("-"))
    digest.update(f"{start} {stop}\n".encode() + payload)
    file.write_bytes(digest.digest() + payload)


def forge(file: Path, change, save=np.savez) -> None:
    """Change the arrays of a block, by name, and sign it."""
    with np.load(io.BytesIO(file.read_bytes()[32:])) as arrays:
        changed = change(dict(arrays))
    payload = io.BytesIO()
    save(payload, **changed)
    sign(file, payload.getvalue())


def archive(file: Path, *members: tuple[str, bytes], kind: int = zipfile.ZIP_STORED) -> None:
    """Sign an archive with these members."""
    payload = io.BytesIO()
    with zipfile.ZipFile(payload, "w", kind) as opened, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # duplicate names
        for name, content in members:
            opened.writestr(name, content)
    sign(file, payload.getvalue())


def npy(shape: str, kind: str = "<f8", content: bytes = b"") -> bytes:
    """Return an array file with this header and any content."""
    text = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode() + content


class Shell:
    """Leave a mark when unpickled."""

    def __reduce__(self):
        return (Path("unpickled").touch, ())


FORGED = {
    "no archive": lambda file: sign(file, b"rubbish"),
    "nothing": lambda file: sign(file, b""),
    "an empty archive": lambda file: archive(file),
    "half an archive": lambda file: sign(file, file.read_bytes()[32:-60]),
    "a member missing": lambda file: forge(file, lambda a: dict(list(a.items())[1:])),
    "a member more": lambda file: forge(file, lambda a: a | {"0-2": np.zeros(2)}),
    "a unit more": lambda file: forge(file, lambda a: a | {"3-0": np.zeros(5)}),
    "other names": lambda file: forge(file, lambda a: {f"x{k}": v for k, v in a.items()}),
    "the other order": lambda file: forge(file, lambda a: dict(reversed(a.items()))),
    "float32": lambda file: forge(file, lambda a: {k: v.astype("f4") for k, v in a.items()}),
    "the other byte order": lambda file: forge(
        file, lambda a: {k: v.astype(">f8") for k, v in a.items()}
    ),
    "texts": lambda file: forge(file, lambda a: {k: v.astype("U9") for k, v in a.items()}),
    "objects": lambda file: forge(file, lambda a: {k: np.array([Shell()], object) for k in a}),
    "shorter": lambda file: forge(file, lambda a: {k: v[:1] for k, v in a.items()}),
    "longer": lambda file: forge(file, lambda a: {k: np.repeat(v, 2, 0) for k, v in a.items()}),
    "another shape": lambda file: forge(file, lambda a: {k: v[None] for k, v in a.items()}),
    "compressed": lambda file: forge(file, dict, save=np.savez_compressed),
    "a bomb": lambda file: archive(
        file, ("0-0.npy", npy("(100000000,)", "|u1", bytes(10**8))), kind=zipfile.ZIP_DEFLATED
    ),
    "more than there is": lambda file: archive(file, ("0-0.npy", npy("(99999999999,)"))),
    "a shape beyond": lambda file: archive(file, ("0-0.npy", npy(f"({10**30},)"))),
    "a shape of words": lambda file: archive(file, ("0-0.npy", npy("(3L,)", content=bytes(24)))),
    "twice": lambda file: archive(file, *[("0-0.npy", npy("(5,)", content=bytes(40)))] * 2),
    "a sparse file": lambda file: os.truncate(file, 1 << 40),
}


def layout_of_draw(_unit):
    return [((5,), np.float64), ((2, 3), np.int64)]


@pytest.mark.parametrize("how", FORGED)
def test_a_forged_block_is_reported_and_computed_again(tmp_path, monkeypatch, said, how):
    """The digest is correct, but the content is not what units return."""
    monkeypatch.chdir(tmp_path)
    run_sample(tmp_path / "c")
    file = blocks_in(tmp_path / "c")[1]
    FORGED[how](file)
    tracemalloc.start()
    assert same(run_sample(tmp_path / "c", layout=layout_of_draw), plain())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5e6
    lines = [line for line in said() if "damaged" in line]
    assert lines
    assert {line.partition(" is damaged")[0] for line in lines} == {str(file)}
    assert not Path("unpickled").exists()


def test_a_block_damaged_while_reading_is_computed_again(tmp_path):
    """The block is complete when it is checked first, and damaged when it is read."""
    run_sample(tmp_path / "c")
    work = bind(sample_work.draw, "samples", seed=1, n=5)
    found = []
    with irbounds.execution(checkpoint=tmp_path / "c", n_blocks=4):
        for arrays in run_work(work, UNITS, cost=1.0):
            if not found:
                flip(blocks_in(tmp_path / "c")[3])
            found += arrays
    assert same(found, plain())


def test_a_block_of_other_work_is_not_used(tmp_path, said):
    run_sample(tmp_path / "other", seed=2)
    run_sample(tmp_path / "c")
    blocks_in(tmp_path / "c")[0].write_bytes(blocks_in(tmp_path / "other")[0].read_bytes())
    assert same(run_sample(tmp_path / "c"), plain())
    assert "is damaged or of other work" in said()[0]


def test_continuation_is_reported_once(tmp_path, said):
    def three_pieces():
        with irbounds.execution(checkpoint=tmp_path / "c", n_blocks=2, threads=1):
            for seed in (1, 2, 3):
                list(run_work(bind(sample_work.draw, "samples", seed=seed, n=2), 4, cost=1.0))
        return said()

    assert three_pieces() == []  # begun
    assert three_pieces() == []  # all of it is there
    start = f"continuing from {tmp_path / 'c'}: "
    blocks_in(tmp_path / "c")[1].unlink()
    blocks_in(tmp_path / "c")[-1].unlink()
    assert three_pieces() == [f"{start}1 of 2 blocks of samples are finished"]
    for file in blocks_in(tmp_path / "c")[2:]:
        file.unlink()
    assert three_pieces() == [
        f"{start}0 of 2 blocks of samples are finished, after 1 finished piece"
    ]


def test_a_new_seed_per_call_is_refused(tmp_path):
    """Each call would draw another seed, and could never continue."""
    scores = [0.1, 0.5, 0.4, 0.0, 0.2, 0.9]
    refused = pytest.raises(ParameterError, match=r"^rng must not be None with a checkpoint")
    with irbounds.execution(checkpoint=tmp_path / "c", threads=1):
        with refused:
            irbounds.mean_interval(scores, method="percentile", n_resamples=9, rng=None)
        irbounds.mean_interval(scores, method="percentile", n_resamples=9)
    irbounds.mean_interval(scores, method="percentile", n_resamples=9, rng=None)


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"3", b"\xff", b'{"digest": "x"}', b'{"ends": [3]}', b"[" * 100_000],
    ids=range(8),
)
def test_a_damaged_description_is_an_error(tmp_path, content):
    run_sample(tmp_path / "c")
    (file,) = (tmp_path / "c").glob("*/work.json")
    file.write_bytes(content)
    with pytest.raises(CheckpointError, match=f"^{file}: this is damaged, or .* remove this one"):
        run_sample(tmp_path / "c")


def test_a_changed_digit_in_a_description_is_damage(tmp_path):
    """It is not reported as other work or another division into blocks."""
    run_sample(tmp_path / "c")
    (file,) = (tmp_path / "c").glob("*/work.json")
    about = json.loads(file.read_bytes())
    for change in ({"ends": [3, 6, 12]}, {"n_units": 13}, {"others": {}}):
        file.write_text(json.dumps(about | change))
        with pytest.raises(CheckpointError, match="this is damaged"):
            run_sample(tmp_path / "c")


def describe(file: Path, change) -> None:
    """Change what describes the work, and sign it."""
    about = json.loads(file.read_bytes())
    about.pop("digest")
    changed = change(about)
    digest = hashlib.sha256(json.dumps(changed, indent=1).encode()).hexdigest()
    file.write_text(json.dumps(changed | {"digest": digest}))


def without(name: str):
    return lambda about: {key: value for key, value in about.items() if key != name}


CUTS = (
    *([], [12, 12], [3, 2, 12], [0, 12], [-3, 12], [3, 6], [13], ["12"], [12.0], [True, 12]),
    *([[12]], {"12": 1}, "12", 12, None, [10**400]),
)
GROUPS = ([], "x", 1, None, {"x": 1}, {"x": ["y"]}, {"x": None})
#: values of parts that are not theirs
PARTS = [
    *(("ends", value) for value in CUTS),
    *((name, value) for name in ("versions", "options", "inputs", "others") for value in GROUPS),
    *(("what", value) for value in (3, ["samples"], "x" * 9999)),
    *(("format", value) for value in ("1", [1], None)),
    *(("n_units", value) for value in ("12", 12.5, -1)),
    ("function", None),
]
DESCRIBED = {
    f"{name} {str(value)[:20]}": lambda about, name=name, value=value: about | {name: value}
    for name, value in PARTS
} | {f"no {name}": without(name) for name in ("ends", "what", "format", "versions", "n_units")}


@pytest.mark.parametrize("how", DESCRIBED)
def test_a_forged_description_is_an_error(tmp_path, how):
    """The digest is correct, but the parts are not those of a description."""
    run_sample(tmp_path / "c")
    (file,) = (tmp_path / "c").glob("*/work.json")
    describe(file, DESCRIBED[how])
    with pytest.raises(CheckpointError, match=f"^{file}: this is damaged, or .* remove this one"):
        run_sample(tmp_path / "c")


def test_a_later_format_is_other_work(tmp_path):
    """The rest of the description is not checked."""
    run_sample(tmp_path / "c")
    (file,) = (tmp_path / "c").glob("*/work.json")
    describe(file, lambda about: without("others")(about) | {"format": 2, "more": [1]})
    with pytest.raises(CheckpointError, match="other work: its format is 2 there and 1 here"):
        run_sample(tmp_path / "c")


needs_links = pytest.mark.skipif(
    sys.platform == "win32", reason="links and pipes as POSIX has them"
)


@pytest.fixture(params=[True, False], ids=["descriptors", "paths"])
def either_way(request, monkeypatch):
    """Run with descriptors of directories, and as on a system without them."""
    if not request.param:
        monkeypatch.setattr(directories, "HAS_DESCRIPTORS", False)


def put_link(path: Path) -> None:
    path.unlink()
    target = path.parent.parent.parent / "precious"
    target.write_text("precious")
    path.symlink_to(target)


def put_dangling_link(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.parent.parent.parent / "nobody")


def put_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def put_socket(path: Path) -> None:
    path.unlink()
    os.chdir(path.parent)
    with socket.socket(socket.AF_UNIX) as opened:
        opened.bind(path.name)


def put_directory(path: Path) -> None:
    path.unlink()
    path.mkdir()


def put_device(path: Path) -> None:
    path.unlink()
    try:
        os.mknod(path, stat.S_IFCHR | 0o600, os.makedev(1, 5))  # /dev/zero
    except PermissionError:
        pytest.skip("needs the right to make a device")


@needs_links
@pytest.mark.usefixtures("either_way")
@pytest.mark.parametrize("name", ["work.json", "00000003-00000006.block"])
@pytest.mark.parametrize(
    ("put", "kind"),
    [
        (put_link, "a symbolic link"),
        (put_dangling_link, "a symbolic link"),
        (put_pipe, "a named pipe"),
        (put_socket, "a socket"),
        (put_directory, "a directory"),
        (put_device, "a device"),
    ],
)
def test_blocks_that_are_not_regular_files_are_refused(tmp_path, monkeypatch, name, put, kind):
    monkeypatch.chdir(tmp_path)
    run_sample(tmp_path / "c")
    file = tmp_path / "c" / "0001-samples" / name
    put(file)
    with pytest.raises(
        CheckpointError, match=f"^{file}: this is {kind}, a checkpoint has a file here; "
    ):
        run_sample(tmp_path / "c")
    assert not (tmp_path / "nobody").exists()
    if put is put_link:
        assert (tmp_path / "precious").read_text() == "precious"


@needs_links
@pytest.mark.usefixtures("either_way")
def test_a_subdirectory_that_is_a_link_is_refused(tmp_path):
    run_sample(tmp_path / "c")
    piece = tmp_path / "c" / "0001-samples"
    piece.rename(tmp_path / "elsewhere")
    piece.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(CheckpointError, match=r"it contains 0001-samples \(a symbolic link\); "):
        run_sample(tmp_path / "c")
    with irbounds.execution(checkpoint=tmp_path / "d"):  # or one that comes meanwhile
        (tmp_path / "d").mkdir()
        (tmp_path / "d" / "0001-samples").symlink_to(tmp_path)
        with pytest.raises(CheckpointError, match=r"0001-samples: this is a symbolic link"):
            list(run_work(bind(sample_work.draw, "samples", seed=1, n=5), UNITS, cost=1.0))


@needs_links
@pytest.mark.usefixtures("either_way")
def test_a_link_created_meanwhile_is_replaced_and_not_followed(tmp_path):
    """The link appears after the block was checked and before it is written."""
    precious = tmp_path / "precious"
    precious.write_text("precious")
    work = bind(sample_work.draw, "samples", seed=1, n=5)
    with irbounds.execution(checkpoint=tmp_path / "c", n_blocks=4, threads=1):
        for number, _ in enumerate(run_work(work, UNITS, cost=1.0)):
            if number == 0:
                (tmp_path / "c" / "0001-samples" / "00000003-00000006.block").symlink_to(precious)
    assert precious.read_text() == "precious"
    assert same(run_sample(tmp_path / "c"), plain())


@needs_links
@pytest.mark.usefixtures("either_way")
def test_a_link_to_a_checkpoint_is_used(tmp_path):
    """The user gives the path; only entries below it may not be links."""
    (tmp_path / "there").mkdir()
    (tmp_path / "c").symlink_to(tmp_path / "there")
    assert same(run_sample(tmp_path / "c"), plain())
    assert len(blocks_in(tmp_path / "there")) == 4


@needs_links
@pytest.mark.usefixtures("either_way")
@pytest.mark.parametrize("place", ["", "0001-samples", "0001-samples/work.json"])
def test_files_of_another_user_are_refused(tmp_path, monkeypatch, place):
    run_sample(tmp_path / "c")
    if os.geteuid() == 0:
        os.chown(tmp_path / "c" / place, 12345, -1)
    elif place:
        pytest.skip("needs the right to give a file away")
    else:
        monkeypatch.setattr(directories.os, "geteuid", lambda: 12345)
    with pytest.raises(CheckpointError, match=r"belongs to another user \(number \d+\)"):
        run_sample(tmp_path / "c")


def test_other_directories_and_files_are_refused(tmp_path, write):
    file = write("thesis.tex", "x")
    with pytest.raises(
        CheckpointError, match=r"not a checkpoint, it contains thesis\.tex \(a file\); "
    ):
        run_sample(tmp_path)
    with pytest.raises(CheckpointError, match=r"^checkpoint .*: this is a file; give a directory"):
        run_sample(file)
    assert list(tmp_path.iterdir()) == [file]
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    with pytest.raises(CheckpointError, match=r"^checkpoint .*link: broken symbolic link; gi"):
        run_sample(tmp_path / "link")


def test_empty_directories_and_hidden_files_are_accepted(tmp_path):
    (tmp_path / ".directory").touch()
    assert same(run_sample(tmp_path), plain())


def test_a_directory_without_description_is_begun_again(tmp_path):
    """The process was killed after making the directory and before writing the description."""
    (tmp_path / "c" / "0001-samples").mkdir(parents=True)
    assert same(run_sample(tmp_path / "c"), plain())


def test_unfinished_files_are_ignored_and_old_ones_removed(tmp_path):
    run_sample(tmp_path / "c")
    (directory,) = (tmp_path / "c").iterdir()
    new, old = directory / ".00000000-00000003.block.0123abcd", directory / ".x.block.0123abcd"
    for path in (new, old):
        path.write_bytes(b"half")
    two_hours_ago = time.time() - 7200
    os.utime(old, (two_hours_ago, two_hours_ago))
    assert same(run_sample(tmp_path / "c"), plain())
    assert new.exists()  # somebody may be writing it
    assert not old.exists()


def test_an_error_keeps_finished_blocks(tmp_path):
    with (
        irbounds.execution(checkpoint=tmp_path / "c", n_blocks=4),
        pytest.raises(DataError, match="unit 7 cannot be"),
    ):
        list(run_work(bind(sample_work.fail, "samples", at=7), UNITS, cost=1.0))
    assert len(blocks_in(tmp_path / "c")) == 2


def test_pieces_of_work_are_numbered_in_order(tmp_path):
    for _ in range(2):
        with irbounds.execution(checkpoint=tmp_path / "c", n_blocks=2):
            for seed in (5, 3, 5):
                work = bind(sample_work.draw, "samples", seed=seed, n=5)
                found = [array for arrays in run_work(work, UNITS, cost=1.0) for array in arrays]
                assert same(found, plain(seed))
    assert sorted(path.name for path in (tmp_path / "c").iterdir()) == [
        *("0001-samples", "0002-samples", "0003-samples")
    ]


def test_no_units_are_no_work(tmp_path):
    for _ in range(2):
        with irbounds.execution(checkpoint=tmp_path / "c"):
            assert list(run_work(bind(sample_work.fail, "samples", at=0), 0, cost=1.0)) == []


@pytest.mark.parametrize("name", every_work.WORK)
def test_all_work_continues_with_the_same_bits(tmp_path, name, caplog):
    """Every second block is removed; all others have the expected layout."""
    expected = every_work.bits_on_one_thread(name)
    for _ in range(2):
        with irbounds.execution(threads=2, checkpoint=tmp_path / "c", n_blocks=4):
            assert every_work.bits(name) == expected
        for file in blocks_in(tmp_path / "c")[::2]:
            file.unlink()
    assert not [line for line in caplog.messages if "damaged" in line]


@pytest.mark.parametrize("name", every_work.WORK)
def test_a_block_with_other_arrays_is_computed_again(tmp_path, name, caplog):
    """The last block has one more array, with a correct digest, in all kinds of work."""
    expected = every_work.bits_on_one_thread(name)
    with irbounds.execution(threads=2, checkpoint=tmp_path / "c", n_blocks=2):
        every_work.bits(name)
    forged = blocks_in(tmp_path / "c")
    for file in forged:
        forge(file, lambda arrays: arrays | {"0-9": np.zeros(1)})
    with irbounds.execution(threads=2, checkpoint=tmp_path / "c", n_blocks=2):
        assert every_work.bits(name) == expected
    assert [line.partition(" is damaged")[0] for line in caplog.messages] == [*map(str, forged)]


BOTH = """
import sys, time
from pathlib import Path
import irbounds, sample_work
from irbounds.parallel.work import bind, run_work
from irbounds.parallel.digests import compute_digest

directory, n_blocks = Path(sys.argv[1]), int(sys.argv[2])
for number in range(5):
    (directory / f"{n_blocks}-{number}").touch()  # here; and go when the other is here too
    while len(list(directory.glob(f"*-{number}"))) < 2:
        time.sleep(0.0001)
    with irbounds.execution(checkpoint=directory / "c" / str(number), n_blocks=n_blocks, threads=1):
        work = bind(sample_work.draw, "samples", seed=1, n=2000)
        print(compute_digest(list(run_work(work, 12, cost=1.0))))
"""


def test_a_file_being_written_by_another_process_is_not_damaged(tmp_path, monkeypatch, caplog):
    """Another process finishes all the work just before this one lists the piece's directory."""
    listing, others = directories.Directory.names, iter([True])

    def names(directory):
        if directory.path.name.startswith("0001-") and next(others, False):
            run_sample(tmp_path / "c", n_blocks=3)
        return listing(directory)

    monkeypatch.setattr(directories.Directory, "names", names)
    with caplog.at_level(logging.WARNING, logger="irbounds"):
        assert same(run_sample(tmp_path / "c"), plain())
    assert next(others, "written by the other") == "written by the other"
    assert caplog.messages == []


@pytest.mark.slow
def test_two_processes_may_use_one_directory(tmp_path):
    """They run at the same time, with different blocks, and their files can be used."""
    both = [
        subprocess.Popen(
            [sys.executable, "-c", BOTH, str(tmp_path), n],
            stdout=subprocess.PIPE,
            text=True,
            env=every_work.environment(),
        )
        for n in ("3", "4")
    ]
    expected = compute_digest([sample_work.draw(unit, seed=1, n=2000) for unit in range(UNITS)])
    for process in both:
        assert process.communicate(timeout=60)[0].split() == [expected] * 5
    for number in range(5):
        assert same(run_sample(tmp_path / "c" / str(number), n=2000), plain(n=2000))
