"""Checkpoints: what is finished is read, all else is worked on, and nothing else is believed."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

import every_work
import irbounds
import sample_work
from irbounds.errors import CheckpointError, DataError, ParameterError
from irbounds.scale.blocks import finished
from irbounds.scale.digests import digest_of
from irbounds.scale.work import bind

UNITS = 12


def done(folder: Path, n_blocks: int = 4, seed: int = 1, n: int = 5, threads: int = 1):
    """What a small piece of work gives, with a checkpoint."""
    work = bind(sample_work.draw, "samples", seed=seed, n=n)
    with irbounds.execution(checkpoint=folder, n_blocks=n_blocks, threads=threads):
        return [array for arrays in finished(work, UNITS, cost=1.0) for array in arrays]


def plain(seed: int = 1, n: int = 5):
    return [array for unit in range(UNITS) for array in sample_work.draw(unit, seed=seed, n=n)]


def same(found, expected) -> bool:
    pairs = list(zip(found, expected, strict=True))
    return all(a.dtype == b.dtype and a.tobytes() == b.tobytes() for a, b in pairs)


def notes(folder: Path) -> dict[str, int]:
    return {path.name: len(path.read_text()) for path in folder.iterdir()}


def blocks_in(folder: Path) -> list[Path]:
    return sorted(folder.glob("*/*.block"))


@pytest.fixture
def noted(tmp_path):
    """Work that notes each unit it works on, and where it notes them."""
    folder = tmp_path / "notes"
    folder.mkdir()

    def work(checkpoint, n_blocks=4, threads=1):
        piece = bind(sample_work.note, "samples", folder=str(folder), n=2)
        with irbounds.execution(checkpoint=checkpoint, n_blocks=n_blocks, threads=threads):
            return [one for (one,) in finished(piece, UNITS, cost=1.0)]

    return work, folder


def test_what_is_read_has_the_bits_of_what_was_worked_on(tmp_path):
    assert same(done(tmp_path / "c"), plain())
    assert same(done(tmp_path / "c"), plain())


def test_a_finished_run_repeated_computes_nothing(tmp_path, noted):
    work, folder = noted
    first = work(tmp_path / "c")
    assert set(notes(folder).values()) == {1}
    before = {path: path.stat().st_mtime_ns for path in blocks_in(tmp_path / "c")}
    assert same(work(tmp_path / "c"), first)
    assert set(notes(folder).values()) == {1}
    assert {path: path.stat().st_mtime_ns for path in blocks_in(tmp_path / "c")} == before


def test_only_what_is_missing_is_worked_on_and_in_order(tmp_path, noted):
    work, folder = noted
    first = work(tmp_path / "c")
    files = blocks_in(tmp_path / "c")
    files[1].unlink()
    files[3].unlink()
    assert same(work(tmp_path / "c", threads=2), first)
    assert notes(folder) == {str(k): 2 if k // 3 in (1, 3) else 1 for k in range(UNITS)}


@pytest.mark.parametrize("n_blocks", [1, 3, 12])
def test_the_first_cut_is_kept(tmp_path, noted, n_blocks):
    work, folder = noted
    first = work(tmp_path / "c", 4)
    assert same(work(tmp_path / "c", n_blocks), first)
    assert len(blocks_in(tmp_path / "c")) == 4
    assert set(notes(folder).values()) == {1}


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
    """What is said, and nothing of it by way of Python's warnings, which end tests."""
    caplog.set_level(logging.INFO, logger="irbounds")

    def take() -> list[str]:
        lines = caplog.messages
        caplog.clear()
        return lines

    return take


@pytest.mark.parametrize("how", DAMAGES)
def test_a_damaged_block_is_said_and_worked_on_again(tmp_path, said, how):
    done(tmp_path / "c")
    whole = blocks_in(tmp_path / "c")[2].read_bytes()
    DAMAGES[how](blocks_in(tmp_path / "c")[2])
    assert same(done(tmp_path / "c"), plain())
    damage, going_on = said()
    assert damage.startswith(str(blocks_in(tmp_path / "c")[2]))
    assert damage.endswith("block is damaged or of other work; its block is worked on again")
    assert going_on.endswith(": 3 of 4 blocks of samples are there")
    assert blocks_in(tmp_path / "c")[2].read_bytes() == whole
    assert same(done(tmp_path / "c"), plain())  # and all is well
    assert said() == []


def test_damage_in_the_middle_of_reading_is_worked_on_again(tmp_path):
    """A block that is whole when looked at first, and damaged when its turn comes."""
    done(tmp_path / "c")
    work = bind(sample_work.draw, "samples", seed=1, n=5)
    found = []
    with irbounds.execution(checkpoint=tmp_path / "c", n_blocks=4):
        for arrays in finished(work, UNITS, cost=1.0):
            if not found:
                flip(blocks_in(tmp_path / "c")[3])
            found += arrays
    assert same(found, plain())


def test_a_block_of_other_work_is_not_used(tmp_path, said):
    done(tmp_path / "other", seed=2)
    done(tmp_path / "c")
    blocks_in(tmp_path / "c")[0].write_bytes(blocks_in(tmp_path / "other")[0].read_bytes())
    assert same(done(tmp_path / "c"), plain())
    assert "is damaged or of other work" in said()[0]


def test_going_on_is_said_once_and_from_where(tmp_path, said):
    def three_pieces():
        with irbounds.execution(checkpoint=tmp_path / "c", n_blocks=2, threads=1):
            for seed in (1, 2, 3):
                list(finished(bind(sample_work.draw, "samples", seed=seed, n=2), 4, cost=1.0))
        return said()

    assert three_pieces() == []  # begun
    assert three_pieces() == []  # all of it is there
    start = f"going on from {tmp_path / 'c'}: "
    blocks_in(tmp_path / "c")[1].unlink()
    blocks_in(tmp_path / "c")[-1].unlink()
    assert three_pieces() == [f"{start}1 of 2 blocks of samples are there"]
    for file in blocks_in(tmp_path / "c")[2:]:
        file.unlink()
    assert three_pieces() == [f"{start}0 of 2 blocks of samples are there, after 1 finished piece"]


def test_a_seed_must_be_given(tmp_path):
    """A call without one draws another each time, and could never go on."""
    scores = [0.1, 0.5, 0.4, 0.0, 0.2, 0.9]
    missing = pytest.raises(ParameterError, match=r"^rng must be given with a checkpoint: with")
    with irbounds.execution(checkpoint=tmp_path / "c", threads=1):
        with missing:
            irbounds.mean_interval(scores, method="percentile", n_resamples=9)
        irbounds.mean_interval(scores, method="percentile", n_resamples=9, rng=1)
    irbounds.mean_interval(scores, method="percentile", n_resamples=9)


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"3", b"\xff", b'{"digest": "x"}', b'{"ends": [3]}', b"[" * 100_000],
    ids=range(8),
)
def test_a_damaged_account_is_an_error(tmp_path, content):
    done(tmp_path / "c")
    (file,) = (tmp_path / "c").glob("*/work.json")
    file.write_bytes(content)
    with pytest.raises(CheckpointError, match=f"^{file}: this is damaged, or .* remove this one"):
        done(tmp_path / "c")


def test_a_digit_changed_in_an_account_is_damage(tmp_path):
    """And not other work, nor another cut."""
    done(tmp_path / "c")
    (file,) = (tmp_path / "c").glob("*/work.json")
    about = json.loads(file.read_bytes())
    for change in ({"ends": [3, 6, 12]}, {"n_units": 13}, {"rest": {}}):
        file.write_text(json.dumps(about | change))
        with pytest.raises(CheckpointError, match="this is damaged"):
            done(tmp_path / "c")


def test_a_folder_that_is_something_else_is_refused(tmp_path, write):
    file = write("thesis.tex", "x")
    with pytest.raises(CheckpointError, match=r"no checkpoint, it holds thesis\.tex; give an"):
        done(tmp_path)
    with pytest.raises(CheckpointError, match=r"^checkpoint .*: this is a file; name a folder"):
        done(file)
    assert list(tmp_path.iterdir()) == [file]
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    with pytest.raises(CheckpointError, match=r"^checkpoint .*link: this is a link to nothing; na"):
        done(tmp_path / "link")


def test_an_empty_folder_and_a_hidden_file_are_no_hindrance(tmp_path):
    (tmp_path / ".directory").touch()
    assert same(done(tmp_path), plain())


def test_a_folder_begun_and_not_described_is_begun_again(tmp_path):
    """Killed between the folder and its account."""
    (tmp_path / "c" / "0001-samples").mkdir(parents=True)
    assert same(done(tmp_path / "c"), plain())


def test_unfinished_files_are_ignored_and_old_ones_removed(tmp_path):
    done(tmp_path / "c")
    (folder,) = (tmp_path / "c").iterdir()
    new, old = folder / ".00000000-00000003.block.0123abcd", folder / ".x.block.0123abcd"
    for path in (new, old):
        path.write_bytes(b"half")
    two_hours_ago = time.time() - 7200
    os.utime(old, (two_hours_ago, two_hours_ago))
    assert same(done(tmp_path / "c"), plain())
    assert new.exists()  # somebody may be writing it
    assert not old.exists()


def test_an_error_keeps_what_was_finished(tmp_path):
    with (
        irbounds.execution(checkpoint=tmp_path / "c", n_blocks=4),
        pytest.raises(DataError, match="unit 7 cannot be"),
    ):
        list(finished(bind(sample_work.fail, "samples", at=7), UNITS, cost=1.0))
    assert len(blocks_in(tmp_path / "c")) == 2


def test_pieces_are_told_apart_by_their_order(tmp_path):
    for _ in range(2):
        with irbounds.execution(checkpoint=tmp_path / "c", n_blocks=2):
            for seed in (5, 3, 5):
                work = bind(sample_work.draw, "samples", seed=seed, n=5)
                found = [array for arrays in finished(work, UNITS, cost=1.0) for array in arrays]
                assert same(found, plain(seed))
    assert sorted(path.name for path in (tmp_path / "c").iterdir()) == [
        *("0001-samples", "0002-samples", "0003-samples")
    ]


def test_no_units_are_no_work(tmp_path):
    for _ in range(2):
        with irbounds.execution(checkpoint=tmp_path / "c"):
            assert list(finished(bind(sample_work.fail, "samples", at=0), 0, cost=1.0)) == []


@pytest.mark.parametrize("name", every_work.WORK)
def test_all_work_goes_on_with_the_same_bits(tmp_path, name):
    """After every second block has gone."""
    expected = every_work.bits_on_one_thread(name)
    for _ in range(2):
        with irbounds.execution(threads=2, checkpoint=tmp_path / "c", n_blocks=4):
            assert every_work.bits(name) == expected
        for file in blocks_in(tmp_path / "c")[::2]:
            file.unlink()


BOTH = """
import sys, time
from pathlib import Path
import irbounds, sample_work
from irbounds.scale.blocks import finished
from irbounds.scale.digests import digest_of
from irbounds.scale.work import bind

folder, n_blocks = Path(sys.argv[1]), int(sys.argv[2])
for number in range(5):
    (folder / f"{n_blocks}-{number}").touch()  # here; and go when the other is here too
    while len(list(folder.glob(f"*-{number}"))) < 2:
        time.sleep(0.0001)
    with irbounds.execution(checkpoint=folder / "c" / str(number), n_blocks=n_blocks, threads=1):
        work = bind(sample_work.draw, "samples", seed=1, n=2000)
        print(digest_of(list(finished(work, 12, cost=1.0))))
"""


@pytest.mark.slow
def test_two_processes_in_one_folder_do_not_harm_each_other(tmp_path):
    """At the same moment, and cut differently; and what they leave is of use."""
    both = [
        subprocess.Popen(
            [sys.executable, "-c", BOTH, str(tmp_path), n],
            stdout=subprocess.PIPE,
            text=True,
            env=every_work.environment(),
        )
        for n in ("3", "4")
    ]
    expected = digest_of([sample_work.draw(unit, seed=1, n=2000) for unit in range(UNITS)])
    for process in both:
        assert process.communicate(timeout=60)[0].split() == [expected] * 5
    for number in range(5):
        assert same(done(tmp_path / "c" / str(number), n=2000), plain(n=2000))
