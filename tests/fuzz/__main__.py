"""``python -m fuzz``: a long run on all cores, or one case again.

Cases run in other processes, a few thousand at a time. A process that dies or does not go on is a
fault of its case; another process continues with the next case.
"""

from __future__ import annotations

import argparse
import json
import mmap
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from math import ceil
from pathlib import Path

from .engine import CRASH, HANG, SECONDS, Fault, Tally, outcomes, run_cases
from .targets import TARGETS, WEIGHTS

STILL = 3 * SECONDS  # seconds without a new case after which a process is ended


def main() -> None:
    """Parse the command line and run."""
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("--cases", type=int, default=1_000_000, help="cases in all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--target", choices=[*TARGETS], help="one target only")
    parser.add_argument("--case", type=int, help="repeat this case of --target")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        work(options.target, options.seed, options.worker)
        return
    if options.case is not None:
        if options.target is None:
            parser.error("--case needs --target")
        tally = run_cases(options.target, TARGETS[options.target], options.seed, [options.case])
        print(*tally.faults or tally.of(options.target), sep="\n")
        return
    names = [options.target] if options.target else [*TARGETS]
    total = sum(WEIGHTS.get(name, 1.0) for name in names)
    shares = {name: ceil(options.cases * WEIGHTS.get(name, 1.0) / total) for name in names}
    tally = run_all(shares, options.seed, options.processes)
    print(table(tally))
    sys.exit(bool(tally.faults))


def run_all(shares: dict[str, int], seed: int, processes: int) -> Tally:
    """Run so many cases of each target, several processes at a time."""
    chunks = []
    for name, n_cases in shares.items():
        size = max(50, min(4000, n_cases // processes + 1))
        chunks += [(name, begin, min(begin + size, n_cases)) for begin in range(0, n_cases, size)]
    tally_of_all = Tally()
    n_finished, n_cases, begun = 0, sum(shares.values()), time.monotonic()
    with ThreadPoolExecutor(processes) as pool:
        for tally in pool.map(lambda chunk: run_chunk(*chunk, seed), chunks):
            tally_of_all.counts += tally.counts
            tally_of_all.faults += tally.faults
            n_finished += sum(tally.counts.values())
            for fault in tally.faults:
                print(str(fault)[:1500], flush=True)
            minutes = (time.monotonic() - begun) / 60
            print(
                f"{n_finished:,} of {n_cases:,} cases, {len(tally_of_all.faults)} faults, "
                f"{minutes:.1f} minutes",
                file=sys.stderr,
                flush=True,
            )
    return tally_of_all


def run_chunk(name: str, begin: int, end: int, seed: int) -> Tally:
    """Run cases in other processes until all are done; a process that ends early is a fault."""
    tally_of_chunk = Tally()
    while begin < end:
        with tempfile.NamedTemporaryFile() as place:
            place.write(b"\0" * 8)
            place.flush()
            command = [sys.executable, "-m", "fuzz", "--target", name, "--seed", str(seed)]
            process = subprocess.Popen(
                [*command, "--worker", f"{begin}:{end}:{place.name}"],
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=Path(__file__).parents[1],
                start_new_session=True,
            )
            text, still = wait(process, place.name)
            case = int.from_bytes(Path(place.name).read_bytes(), "little")
        tally = Tally()
        for line in text.splitlines():
            _, outcome = json.loads(line)
            tally.add(name, Fault(**outcome) if isinstance(outcome, dict) else outcome)
        tally_of_chunk.counts += tally.counts
        tally_of_chunk.faults += tally.faults
        if process.returncode == 0:
            break
        kind, reason = (HANG, "stands still") if still else (CRASH, f"status {process.returncode}")
        tally_of_chunk.add(name, Fault(name, case, kind, f"the process: {reason}"))
        begin = case + 1
    return tally_of_chunk


def wait(process: subprocess.Popen[bytes], place: str) -> tuple[str, bool]:
    """Read what a process prints until it ends; end it where it stays at one case too long."""
    last, since = b"", time.monotonic()
    with ThreadPoolExecutor(1) as reader:
        text = reader.submit(process.communicate)
        while True:
            try:
                return text.result(timeout=2)[0].decode(), False
            except TimeoutError:
                now = Path(place).read_bytes()
                if now != last:
                    last, since = now, time.monotonic()
                elif time.monotonic() - since > STILL:
                    os.killpg(process.pid, signal.SIGKILL)
                    return text.result()[0].decode(), True


def work(name: str, seed: int, span: str) -> None:
    """Run some cases; a file holds the current case for the waiting process."""
    begin, end, place = span.split(":", 2)
    with Path(place).open("r+b") as file, mmap.mmap(file.fileno(), 8) as counter:

        def cases() -> Iterator[int]:
            for case in range(int(begin), int(end)):
                counter[:8] = case.to_bytes(8, "little")
                yield case

        for case, outcome in outcomes(name, TARGETS[name], seed, cases()):
            record = asdict(outcome) if isinstance(outcome, Fault) else outcome
            print(json.dumps([case, record]), flush=case % 50 == 0)


def table(tally: Tally) -> str:
    """Return cases by target and outcome, as Markdown."""
    kinds = [*dict.fromkeys(kind for _, kind in tally.counts)]
    kinds = [kind for kind in ("accepted", "refused") if kind in kinds] + sorted(
        {*kinds} - {"accepted", "refused"}
    )
    lines = [f"| target | cases | {' | '.join(kinds)} |", f"| --- |{' ---: |' * (len(kinds) + 1)}"]
    for name in dict.fromkeys(name for name, _ in tally.counts):
        of = tally.of(name)
        numbers = [sum(of.values()), *(of.get(kind, 0) for kind in kinds)]
        lines.append(f"| {name} | {' | '.join(f'{n:,}' for n in numbers)} |")
    total_count = [sum(tally.counts.values())]
    total_count += [sum(n for (_, k), n in tally.counts.items() if k == kind) for kind in kinds]
    return "\n".join([*lines, f"| together | {' | '.join(f'{n:,}' for n in total_count)} |"])


if __name__ == "__main__":
    main()
