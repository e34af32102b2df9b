"""Files as mteb 2.26 writes them: predictions of a retrieval task, and results of models."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def write_predictions(
    directory: Path,
    task: str,
    parts: dict[str, dict[str, Any]],
    model: str = "org/model",
    revision: str = "abc",
) -> Path:
    """Write ``{subset: {split: {query: {document: score}}}}`` as ``prediction_folder=`` does."""
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / f"{task}_predictions.json"
    meta = {"model_name": model, "revision": revision}
    path.write_text(json.dumps({"mteb_model_meta": meta, **parts}))
    return path


def write_result(
    directory: Path,
    model: str,
    task: str,
    scores: dict[str, dict[str, dict[str, float]]],
    *,
    revision: str = "abc",
    has_meta: bool = True,
) -> Path:
    """Write ``{split: {subset: {measure: score}}}`` as ``{model}/{revision}/{task}.json``."""
    place = directory / model.replace("/", "__") / revision
    place.mkdir(parents=True, exist_ok=True)
    if has_meta:
        meta = {"loader_kwargs": {}, "name": model, "revision": revision, "max_tokens": None}
        (place / "model_meta.json").write_text(json.dumps(meta))
    entries = {
        split: [
            {
                **values,
                "nauc_ndcg_at_1_max": float("nan"),
                "hf_subset": subset,
                "languages": ["eng-Latn"],
                "mteb_version": "2.26.24",
            }
            for subset, values in subsets.items()
        ]
        for split, subsets in scores.items()
    }
    result = {
        "dataset_revision": "1",
        "task_name": task,
        "mteb_version": "2.26.24",
        "scores": entries,
        "evaluation_time": 1.5,
        "kg_co2_emissions": None,
    }
    path = place / f"{task}.json"
    path.write_text(json.dumps(result, indent=2))
    return path


def write_results(directory: Path, scores: dict[str, dict[str, float]]) -> Path:
    """Write ``{model: {task: score}}``, each with one split and one subset."""
    for model, tasks in scores.items():
        for task, score in tasks.items():
            values = {"ndcg_at_10": score, "map_at_10": score / 2, "main_score": score}
            write_result(directory, model, task, {"test": {"default": values}})
    return directory
