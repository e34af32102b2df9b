"""``irbounds demo``: the main job on a collection that comes with the package."""

from __future__ import annotations

import typer

__all__ = ["EXAMPLES", "demo"]

EXAMPLES = "\b\nExample:\n  irbounds demo"
SEED = 2026
MEASURES = ["AP", "nDCG@10"]
NEXT = """
Next:
  irbounds evaluate YOUR_QRELS YOUR_RUN ANOTHER_RUN -m AP -m nDCG@10
  irbounds compare YOUR_QRELS YOUR_RUN ANOTHER_RUN -m AP
  irbounds rank YOUR_QRELS YOUR_RUNS... -m AP
  irbounds check YOUR_QRELS YOUR_RUN
  irbounds simulate demo-collection --seed 2026   # this collection as files"""


def demo() -> None:
    """Simulate a small collection, evaluate it, and say what the result means."""
    from ..api import difference_interval, mean_interval, score, simulate_collection
    from ..report.demonstration import meaning
    from ..report.diagnosis import summary_lines
    from ..report.evaluation import estimate_tables
    from .options import Form
    from .writing import write_result

    collection = simulate_collection(rng=SEED)
    table = score(collection.qrels, collection.runs, MEASURES)
    estimates = mean_interval(table, rng=SEED)
    first = table.select(MEASURES[:1])
    best = table.systems[int(first.means()[0].argmax())]
    comparisons = difference_interval(first, baseline=best, rng=SEED)
    write_result(
        estimate_tables(estimates, "judged queries"),
        form=Form.table,
        output=None,
        above=summary_lines(table.diagnosis) if table.diagnosis else (),
        warnings=table.warnings,
    )
    typer.echo(f"\n{meaning(estimates, comparisons, collection.true_order)}\n{NEXT}")
