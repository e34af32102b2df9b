"""Targets: files that irbounds writes and reads again, each damaged or forged."""

from __future__ import annotations

import hashlib
import json
import logging
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import irbounds
from irbounds.cards.files import card_text
from irbounds.cli.repeat import make_repeatable, page_content, page_provenance, words_of
from irbounds.presentation.html.page import BLOCK_CLOSES, BLOCK_OPENS

from .engine import ACCEPTED, SILENT, WRONG, Finding, Target, write_file
from .mutation import mutate_bytes, mutate_json, mutate_text
from .naive_parsers import parse_json_document

SEED = 5
KEYS = ("mean", "standard_deviation")


@cache
def scores() -> irbounds.ScoreTable:
    values = np.random.default_rng(SEED).random((1, 3, 12))
    return irbounds.ScoreTable(("AP",), ("a", "b", "ä"), tuple(f"q{k}" for k in range(12)), values)


def mutated_document(tree: Any, rng: Random) -> bytes:
    """Return JSON with a fault in its tree or in its text."""
    for _ in range(rng.choice((0, 1, 1, 2))):
        tree = mutate_json(tree, rng)
    text = json.dumps(tree, indent=rng.choice((None, 1)), ensure_ascii=rng.random() < 0.5)
    data = text.encode(errors="backslashreplace")  # half a surrogate pair becomes JSON's escape
    return mutate_text(data, rng) if rng.random() < 0.3 else data


@cache
def card_tree() -> Any:
    card = irbounds.cards.make_card(
        scores(), system="a", collection="fuzz", method="percentile", n_resamples=99, rng=SEED
    )
    return json.loads(card_text(card))


def card(rng: Random, directory: Path) -> str:
    """Whatever is read must equal the file, key by key."""
    data = mutated_document(card_tree(), rng)
    read = irbounds.cards.read_card(write_file(directory, "card.json", data))
    tree = accepted_tree(data, read)
    written = json.loads(card_text(read))
    optional = {"prior_variance": None, "ties": "trec", "note": None, "url": None}
    if {**optional, **tree} != written:
        raise Finding(WRONG, f"{written!r:.300} | {data!r:.600}")
    return ACCEPTED


@cache
def factors_tree() -> Any:
    factors = irbounds.standardisation.score_factors(scores())
    return {
        "format": "irbounds standardisation factors",
        "format_version": 1,
        "irbounds": irbounds.__version__,
        "fingerprint": factors.fingerprint,
        "reference_systems": list(factors.systems),
        "inputs": [{"name": "x", "fingerprint": "sha256:0"}],
        "measures": factors.by_measure(),
    }


def factors(rng: Random, directory: Path) -> str:
    """Whatever is read must have the numbers of the file; other keys may be in it."""
    data = mutated_document(factors_tree(), rng)
    read = irbounds.standardisation.read_factors(write_file(directory, "factors.json", data))
    tree = accepted_tree(data, read)
    numbers = {
        measure: {query: {key: pair[key] for key in KEYS} for query, pair in part.items()}
        for measure, part in tree["measures"].items()
    }
    if read.by_measure() != numbers or [*read.systems] != tree["reference_systems"]:
        raise Finding(WRONG, f"{read!r} | {data!r:.600}")
    return ACCEPTED


def accepted_tree(data: bytes, read: Any) -> Any:
    """Return the document of a file that was accepted."""
    try:
        return parse_json_document(data)
    except ValueError:
        raise Finding(SILENT, f"{read!r:.300} | {data!r:.600}") from None


def work(directory: Path) -> list[Any]:
    """Do a piece of work with a checkpoint, and return its numbers."""
    with irbounds.execution(checkpoint=directory / "kept", n_blocks=3, threads=1):
        estimates = irbounds.mean_interval(scores(), method="percentile", n_resamples=600, rng=SEED)
    return [(estimate.interval.low, estimate.interval.high) for estimate in estimates]


@cache
def right_numbers() -> list[Any]:
    estimates = irbounds.mean_interval(scores(), method="percentile", n_resamples=600, rng=SEED)
    return [(estimate.interval.low, estimate.interval.high) for estimate in estimates]


@cache
def kept_files() -> dict[str, bytes]:
    """Return the files of a finished checkpoint, by their relative path."""
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        work(Path(name))
        root = Path(name) / "kept"
        return {
            str(path.relative_to(root)): path.read_bytes()
            for path in sorted(root.rglob("*"))
            if path.is_file()
        }


def lay_out(directory: Path, files: dict[str, bytes]) -> None:
    for name, data in files.items():
        path = directory / "kept" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def checkpoint(rng: Random, directory: Path) -> str:
    """A damaged checkpoint is refused or worked on again; the numbers never change."""
    files = dict(kept_files())
    for _ in range(rng.choice((1, 1, 2))):
        name = rng.choice([*files])
        fault = rng.randrange(6)
        if fault == 0:
            del files[name]
            if not files:
                break
        elif fault == 1:
            files[name] = files[rng.choice([*files])]
        elif fault == 2:
            files[f"{name}{rng.choice(('', 'x', '.block'))}.{rng.randrange(9)}"] = files[name]
        elif fault == 3 and name.endswith(".json"):
            files[name] = mutated_document(json.loads(kept_files()[name]), rng)
        else:
            files[name] = mutate_bytes(files[name], rng)
    lay_out(directory, files)
    numbers = work(directory)
    if numbers != right_numbers():
        raise Finding(WRONG, f"{numbers} is not {right_numbers()}")
    return ACCEPTED


def forged_checkpoint(rng: Random, directory: Path) -> str:
    """Blocks and descriptions with faults under right digests are refused or worked on again.

    Numbers of the right shapes cannot be recognised, since a digest is no signature.
    """
    files = dict(kept_files())
    about_name = next(name for name in files if name.endswith(".json"))
    about = json.loads(files[about_name])
    account = {key: value for key, value in about.items() if key not in ("digest", "ends")}
    identity = hashlib.sha256(json.dumps(account, indent=1).encode()).digest()
    for name in files:
        if name.endswith(".block") and rng.random() < 0.7:
            begin, end = map(int, Path(name).stem.split("-"))
            payload = mutate_bytes(files[name][32:], rng)
            signed = identity + f"{begin} {end}\n".encode() + payload
            files[name] = hashlib.sha256(signed).digest() + payload
    if rng.random() < 0.3:
        changed = mutate_json({key: about[key] for key in about if key != "digest"}, rng)
        text = json.dumps(changed, indent=1)
        if isinstance(changed, dict):
            changed["digest"] = hashlib.sha256(text.encode()).hexdigest()
            text = json.dumps(changed, indent=1)
        files[about_name] = text.encode()
    lay_out(directory, files)
    work(directory)
    return ACCEPTED


@cache
def page_block() -> Any:
    """Return the provenance of a page."""
    return {
        "irbounds": irbounds.__version__,
        "python": "3.11.7",
        "machine": "Linux x86_64",
        "libraries": {"numpy": "2.0.0", "scipy": "1.14.0"},
        "arguments": [
            "evaluate",
            "qrels.txt",
            "one.run",
            "-m",
            "AP",
            "--seed",
            "3",
            "--report",
            "x.html",
        ],
        "options": {"seed": 3, "measures": ["AP"]},
        "inputs": [{"name": "qrels", "fingerprint": "sha256:00"}],
        "results": "sha256:11",
        "date": "2026-01-01T00:00:00+00:00",
        "tables": [{"title": "AP", "rows": "0123456789abcdef"}],
    }


WORDS = (
    *("evaluate", "compare", "report", "simulate", "demo"),
    *(
        "--output",
        "/etc/passwd",
        "--output=x",
        "-o",
        "--scores",
        "-",
        "--repeat",
        "x.html",
        "--help",
    ),
    *("--report=y", "--figure", "--checkpoint", "--dask", "tcp://127.0.0.1:1", "--", "-m", "AP"),
    *(
        "--version",
        "--debug",
        "--seed",
        "-1",
        "\x1b[2J",
        "\ud800",
        "",
        "recall",
        "--retrieved",
        "1",
    ),
)


def page(rng: Random, directory: Path) -> str:
    """What a page asks for is parsed; nothing that writes is kept, whatever it says."""
    block = page_block()
    if rng.random() < 0.6:
        block = dict(block)
        block["arguments"] = rng.choices(WORDS, k=rng.randint(0, 7))
    data = mutated_document(block, rng)
    text = b"<html>" + BLOCK_OPENS.encode() + data + BLOCK_CLOSES.encode() + b"</html>"
    if rng.random() < 0.2:
        text = mutate_text(text, rng)
    path = write_file(directory, "page.html", text)
    provenance = page_provenance(page_content(path), path)
    repeatable_words = words_of(make_repeatable(provenance.arguments, path))
    options = (
        repeatable_words[: repeatable_words.index("--")]
        if "--" in repeatable_words
        else repeatable_words
    )  # what follows are names of files
    for word in options:
        option = word.partition("=")[0]
        if option in (
            "--output",
            "--report",
            "--figure",
            "--checkpoint",
            "--dask",
            "--write-factors",
        ):
            raise Finding(WRONG, f"{repeatable_words}")
    return ACCEPTED


def quiet(target: Target) -> Target:
    """Return a target whose notes are not printed."""

    def run(rng: Random, directory: Path) -> str:
        logger = logging.getLogger("irbounds")
        before = logger.level
        logger.setLevel(logging.CRITICAL)
        try:
            return target(rng, directory)
        finally:
            logger.setLevel(before)

    return run


SAVED: dict[str, Target] = {
    "card": card,
    "factors": factors,
    "checkpoint": quiet(checkpoint),
    "forged checkpoint": quiet(forged_checkpoint),
    "report page": page,
}
