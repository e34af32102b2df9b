"""Progress bars, rates, the time that is left, and notes where there is no bar."""

from __future__ import annotations

import re
import time
from io import StringIO

import pytest

from irbounds.parallel import progress
from irbounds.parallel.progress import Pace, count_steps, show_progress
from irbounds.presentation.verbosity import set_verbosity

CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class _Screen(StringIO):
    """Standard error that is a terminal."""

    def isatty(self):
        return True


@pytest.mark.parametrize(
    ("how", "stream", "has_bar", "has_note"),
    [
        ("normal", _Screen, True, False),
        ("quiet", _Screen, False, False),
        ("verbose", _Screen, True, True),
        ("normal", StringIO, False, False),
        ("verbose", StringIO, False, True),
    ],
)
def test_progress_bar_and_notes_follow_the_verbosity(how, stream, has_bar, has_note, monkeypatch):
    error = stream()
    monkeypatch.setattr("sys.stderr", error)
    monkeypatch.setattr(progress, "BAR_DELAY", 0.02)
    monkeypatch.setenv("TERM", "xterm")
    # the bar appears during a long first step, before the first report
    with set_verbosity(how), show_progress("doing work") as show:
        time.sleep(0.3)
        show(3, 4)
    written = error.getvalue()
    assert ("\u2501" in written) is has_bar
    note = re.search(r"irbounds: doing work: 3 in \d+\.\d s\n", written)
    assert bool(note) is has_note
    # quick work prints nothing
    quick = stream()
    monkeypatch.setattr("sys.stderr", quick)
    monkeypatch.setattr(progress, "BAR_DELAY", 5.0)
    with set_verbosity("normal"), count_steps("doing work", 1) as step:
        step()
    assert quick.getvalue() == ""


class _Clock:
    """A clock that a test advances."""

    now = 100.0

    def __call__(self):
        return self.now

    def run(self, seconds, n_reports, report, begin, each, total):
        """Make evenly spaced reports over a number of seconds."""
        for k in range(1, n_reports + 1):
            self.now += seconds / n_reports
            report(begin + k * each, total)


def test_rate_covers_the_last_seconds_and_is_unknown_before_two_reports():
    clock = _Clock()
    pace = Pace(clock)
    clock.now += 20  # compiling, say
    pace.report(10, 1000)
    clock.now += 0.4
    pace.report(18, 1000)
    assert (pace.rate, pace.seconds_left) == (None, None)
    clock.run(0.6, 6, pace.report, 18, 2, 1000)
    assert pace.rate == pytest.approx(20)
    assert pace.seconds_left == pytest.approx(970 / 20)
    clock.now += 8  # without a report
    assert pace.seconds_left == pytest.approx(970 / 20 - 8)
    # slower from here on, for longer than the window of a rate
    clock.run(20, 40, pace.report, 30, 1, 1000)
    assert pace.rate == pytest.approx(2)
    pace.report(1, 500)  # the next phase starts again
    assert (pace.rate, pace.seconds_left) == (None, None)
    clock.run(1, 100, pace.report, 1, 1, 500)
    assert pace.rate == pytest.approx(100)


def test_rate_excludes_blocks_of_a_checkpoint():
    """70 % at once, then 2,000 per second in blocks that two workers finish together."""
    clock = _Clock()
    pace = Pace(clock)
    clock.now += 5.5
    clock.run(0.9, 700, pace.report, 0, 100, 100_000)
    for block in range(1, 6):
        clock.now += 0.5
        clock.run(0.001, 10, pace.report, 69_000 + 1000 * block, 100, 100_000)
        assert pace.rate == pytest.approx(2000, rel=0.01)
        assert pace.seconds_left == pytest.approx((30_000 - 1000 * block) / 2000, rel=0.01)


def test_first_blocks_of_many_workers_give_no_rate():
    clock = _Clock()
    pace = Pace(clock)
    clock.now += 3
    clock.run(0.01, 66, pace.report, 0, 1, 1320)
    assert pace.rate is None
    clock.now += 3
    clock.run(0.01, 66, pace.report, 66, 1, 1320)
    assert pace.rate == pytest.approx(22, rel=0.01)


@pytest.mark.parametrize(("how", "stream"), [("normal", StringIO), ("verbose", _Screen)])
def test_no_notes_beside_a_bar_or_at_normal_verbosity(how, stream, monkeypatch):
    assert _lines_of_three_minutes(how, stream, monkeypatch) == []


def test_one_note_per_minute_without_a_bar(monkeypatch):
    assert _lines_of_three_minutes("verbose", StringIO, monkeypatch) == [
        "irbounds: drawing images: 60,000 of 1,000,000, 16 min left",
        "irbounds: drawing images: 120,000 of 1,000,000, 15 min left",
        "irbounds: drawing images: 180,000 of 1,000,000, 14 min left",
    ]


def _lines_of_three_minutes(how, stream, monkeypatch):
    clock, error = _Clock(), stream()
    monkeypatch.setattr("sys.stderr", error)
    bar = progress._ProgressBar("drawing images", clock)
    with set_verbosity(how):
        clock.run(185, 185, bar.show, 0, 1000, 1_000_000)
    return error.getvalue().splitlines()
