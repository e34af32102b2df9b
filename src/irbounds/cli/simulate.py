"""``irbounds simulate``: a collection with a known truth, as files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

EXAMPLES = (
    "\b\nExamples:\n"
    "  irbounds simulate demo-collection --seed 1\n"
    "  irbounds evaluate demo-collection/qrels.txt demo-collection/*.run\n"
    "  irbounds simulate trec-like --systems 129 --documents 528155 --depth 1000 --gzip"
)


def simulate(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="Where to write; made if missing.")
    ],
    systems: Annotated[int, typer.Option(metavar="N", help="How many systems.")] = 8,
    queries: Annotated[int, typer.Option(metavar="N", help="How many queries.")] = 50,
    documents: Annotated[int, typer.Option(metavar="N", help="Documents of the corpus.")] = 20_000,
    depth: Annotated[int, typer.Option(metavar="K", help="Documents a run ranks a query.")] = 100,
    pool_depth: Annotated[
        int | None,
        typer.Option(
            metavar="K",
            help="Judge the first K of every run; default: half the depth, at most 100.",
        ),
    ] = None,
    max_grade: Annotated[
        int, typer.Option(metavar="G", help="Relevant documents have grades 1 to G.")
    ] = 1,
    tie_rate: Annotated[
        float, typer.Option(metavar="P", help="Chance of a document to tie with the one above it.")
    ] = 0.0,
    unjudged_rate: Annotated[
        float, typer.Option(metavar="P", help="Chance of a pooled document to stay unjudged.")
    ] = 0.0,
    seed: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="The same seed gives the same files.")
    ] = None,
    gzip: Annotated[bool, typer.Option("--gzip", help="Pack judgments and runs.")] = False,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace files of the same names.")
    ] = False,
) -> None:
    """Write judgments and runs whose truth is known.

    Queries of very different difficulty, systems of known strength whose rankings overlap as real
    ones do, and judgments pooled from their first documents. Writes qrels.txt, complete-qrels.txt
    (every relevant document, judged or not), one run a system, and truth.json.
    """
    from ..api import simulate_collection, write_collection
    from ..presentation.printable import printable
    from ..presentation.terminal import progress
    from ..presentation.words import counted

    with progress("simulating queries", queries) as step:
        collection = simulate_collection(
            systems,
            queries,
            documents,
            depth,
            pool_depth=pool_depth,
            max_grade=max_grade,
            tie_rate=tie_rate,
            unjudged_rate=unjudged_rate,
            rng=seed,
            progress=step,
        )
    with progress("writing files", systems + 2) as step:
        paths = write_collection(
            collection, folder, compress=gzip, overwrite=overwrite, progress=step
        )
    size = f"{counted(systems, 'system')}, {counted(queries, 'query', 'queries')}"
    typer.echo(
        printable(
            f"simulated {size}, {counted(documents, 'document')}, depth {depth:,}: "
            f"{counted(len(paths), 'file')} in {folder}"
        )
    )
