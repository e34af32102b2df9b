"""``irbounds demo``: the main job on a collection that comes with the package."""

from __future__ import annotations

__all__ = ["EXAMPLES", "demo"]

EXAMPLES = "\b\nExample:\n  irbounds demo"
SEED = 2026
MEASURES = ["AP", "nDCG@10"]


def demo() -> None:
    """Simulate a small collection, evaluate it, and say what the result means."""
    from ..api import mean_interval, score, simulate_collection
    from ..report.diagnosis import summary_lines
    from ..report.evaluation import estimate_tables
    from .options import Form
    from .writing import write_result

    collection = simulate_collection(rng=SEED)
    table = score(collection.qrels, collection.runs, MEASURES)
    estimates = mean_interval(table)
    if table.diagnosis is None:
        return
    write_result(
        estimate_tables(estimates, "judged queries"),
        form=Form.table,
        output=None,
        above=["A simulated collection with a known truth:", *summary_lines(table.diagnosis)],
        warnings=table.diagnosis.warnings,
    )
