"""How fast work goes, and how long the rest of it will take.

What is reported first may come in a burst: blocks that a checkpoint holds, or those that several
workers finish together. So nothing is measured before the first pause if there is one, rates are of
the last seconds alone, and there is none before reports are some time apart.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

WINDOW = 15.0  # seconds that a rate is of
LEAST = 0.5  # seconds between two reports that make a rate
PAUSE = 0.2  # seconds without a report that end the burst at the beginning


class Pace:
    """Reports of how much is done, and what follows from them."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.total = 0
        self._is_opening = True
        #: when how much was done: places to measure from, and the latest report
        self._marks: deque[tuple[float, int]] = deque()
        self._latest: tuple[float, int] | None = None

    def report(self, done: int, total: int) -> None:
        """So much is done of so much, now."""
        now, before = self.clock(), self._latest
        self._latest, self.total = (now, done), total
        if before is None or done < before[1]:  # a first report, or that of the next phase
            self._restart(self._latest)
            return
        if self._is_opening and now - before[0] >= PAUSE:
            self._restart(before)
            self._is_opening = False
        if now - self._marks[-1][0] >= LEAST:
            self._marks.append(self._latest)
        while len(self._marks) > 1 and self._marks[1][0] <= now - WINDOW:
            self._marks.popleft()

    def _restart(self, mark: tuple[float, int]) -> None:
        self._marks.clear()
        self._marks.append(mark)
        self._is_opening = True

    @property
    def rate(self) -> float | None:
        """Things a second; None before it is known."""
        if self._latest is None:
            return None
        (began, before), (now, done) = self._marks[0], self._latest
        return (done - before) / (now - began) if now - began >= LEAST and done > before else None

    @property
    def seconds_left(self) -> float | None:
        """How long the rest will take at this rate; None before it is known."""
        rate = self.rate
        if rate is None or self._latest is None:
            return None
        return max((self.total - self._latest[1]) / rate - (self.clock() - self._latest[0]), 0.0)
