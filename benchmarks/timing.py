"""Time contenders in turn, every one in every round, and report the best round of each."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PEERS = (
    "irbounds",
    "numpy",
    "numba",
    "polars",
    "ir-measures",
    "pytrec-eval-terrier",
    "cwl-eval",
    "ranx",
)


@dataclass(frozen=True)
class Row:
    """One comparison: the ratio to a peer's time, and its target."""

    task: str
    ours: float
    peer: str
    theirs: float
    target: float | None

    @property
    def ratio(self) -> float:
        return self.theirs / self.ours


def best_times(contenders: Mapping[str, Callable[[], object]], rounds: int = 5) -> dict[str, float]:
    """Return seconds of the best round; contenders alternate, since machines are noisy."""
    best = dict.fromkeys(contenders, float("inf"))
    for _ in range(rounds):
        for name, call in contenders.items():
            began = time.perf_counter()
            call()
            best[name] = min(best[name], time.perf_counter() - began)
    return best


def machine() -> str:
    """Return processor, cores, Python and package versions."""
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [line for line in info.read_text().splitlines() if line.startswith("model name")]
        model = names[0].partition(":")[2].strip() if names else model
    versions = []
    for name in PEERS:
        try:
            versions.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            versions.append(f"{name} not installed")
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"{model}, {cores} cores, Python {platform.python_version()}\n{', '.join(versions)}"


def markdown(rows: list[Row]) -> str:
    """Return the table of ratios; missed targets are marked."""
    lines = [
        "| task | ours | peer | theirs | times faster | target |",
        "| --- | ---: | --- | ---: | ---: | ---: |",
    ]
    for row in rows:
        target = "" if row.target is None else f"{row.target:g}"
        missed = " **missed**" if row.target is not None and row.ratio < row.target else ""
        lines.append(
            f"| {row.task} | {row.ours * 1000:.0f} ms | {row.peer} | {row.theirs * 1000:.0f} ms "
            f"| {row.ratio:.1f} | {target}{missed} |"
        )
    return "\n".join(lines)
