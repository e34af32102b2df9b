"""Print one table of ratios with the machine and the versions."""

from __future__ import annotations

from . import (
    baseline,
    classifiers,
    corpus,
    fingerprints,
    reading_and_scoring,
    recall,
    report,
    resampling,
    scale,
    starting,
)
from .timing import machine, markdown


def main() -> None:
    print(machine(), end="\n\n", flush=True)
    about, rows = reading_and_scoring.compare()
    print(f"{about}\n\n{markdown(rows)}\n", flush=True)
    print(f"{resampling.report()}\n", flush=True)
    print(f"{classifiers.report_speed()}\n", flush=True)
    print(f"{corpus.report()}\n", flush=True)
    print(f"{recall.report()}\n", flush=True)
    print(f"{baseline.report()}\n", flush=True)
    print(f"{report.report()}\n", flush=True)
    print(f"{scale.report()}\n", flush=True)
    print(f"{fingerprints.report()}\n", flush=True)
    print(starting.report())


if __name__ == "__main__":  # Dask's workers import this too
    main()
