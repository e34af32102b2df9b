"""irbounds corpus."""

from __future__ import annotations

import csv
import io
import json

import pytest

from irbounds.cli.error_messages import describe_error
from irbounds.cli.runner import run_command
from irbounds.corpora.bootstrap import corpus_bootstrap
from irbounds.presentation.explanations import EXPLANATIONS
from irbounds.results import CorpusResults
from irbounds.verbs.corpus import corpus

RUNS = ("qrels.txt", "one.run", "two.run")
INPUTS = (*RUNS, "--corpus-size", "50")


def bootstrap_corpus(files, measures=("AP", "nDCG@10"), **options):
    paths = [str(files / name) for name in RUNS]
    parameters = {"corpus_size": 50, "rng": 0, **options}
    return corpus_bootstrap(paths[0], paths[1:], list(measures), **parameters)


def test_corpus_prints_inputs_summary_scores_and_ranks(irbounds, files):
    result = irbounds("corpus", *INPUTS)
    lines = result.stdout.decode().splitlines()
    assert (result.returncode, result.stderr) == (0, b"")
    assert lines[0].startswith("judgments qrels")
    assert lines[2] == (
        "images 1,000 of 50 documents (seed 0), for these queries only; for an error bar: irbounds "
        "evaluate, or resample queries"
    )
    titles = [line.partition(" 1,000 images")[0] for line in lines if " 1,000 images" in line]
    assert titles == [
        "AP over 6 judged queries: on the corpus and on",
        "nDCG@10 over 6 judged queries: on the corpus and on",
        "AP: ranks on the corpus and on",
        "nDCG@10: ranks on the corpus and on",
    ]


def test_corpus_csv_has_every_table_with_its_columns(irbounds, files):
    result = irbounds("corpus", *INPUTS, "--n-images", "80", "--seed", "3", "--format", "csv")
    images = bootstrap_corpus(files, n_images=80, rng=3)
    rows = list(csv.DictReader(io.StringIO(result.stdout.decode())))
    table_names = [row["table"] for row in rows]
    assert table_names == ["scores"] * 4 + ["ranks"] * 4
    by_key = {
        (precision.measure, precision.system): precision for precision in images.score_precision()
    }
    for row in rows[:4]:
        precision = by_key[row["measure"], row["system"]]
        assert float(row["root"]) == precision.value
        assert float(row["image_mean"]) == precision.images.mean
        assert float(row["image_upper_quartile"]) == precision.images.upper_quartile
        assert (float(row["low"]), float(row["high"])) == (
            precision.interval.low,
            precision.interval.high,
        )
        assert row["n_images"] == "80"
        assert row["rank"] == ""
    (first, *_) = images.rank_precision()
    assert int(rows[4]["rank_high"]) == first.interval.high
    assert rows[4]["decimals"] == ""


def test_corpus_show_writes_differences_and_variances(irbounds, files):
    arguments = (
        *("corpus", *INPUTS, "-m", "AP", "--show", "differences", "--baseline", "one"),
        *("--resample-queries", "--n-images", "70"),
    )
    result = irbounds(*arguments, "--format", "json")
    assert result.returncode == 0
    document = json.loads(result.stdout)
    assert (document["corpus_size"], document["n_images"], document["seed"]) == (50, 70, 0)
    difference, variance = document["results"]
    assert (difference["table"], variance["table"]) == ("differences", "variance")
    images = bootstrap_corpus(files, ["AP"], n_images=70)
    (expected,) = images.difference_precision("one")
    assert difference["higher_probability"] == expected.higher_probability
    (split,) = images.variance_split("one")
    assert (variance["total_variance"], variance["baseline"]) == (split.total, "one")


def test_corpus_output_is_reproducible_with_the_same_seed(irbounds, files):
    arguments = ("corpus", *INPUTS, "--n-images", "70", "--show", "scores", "--format", "jsonl")
    first_output = irbounds(*arguments).stdout
    assert first_output.count(b'{"table": "scores"') == 4
    assert irbounds(*arguments, "--seed", "0").stdout == first_output
    assert irbounds(*arguments, "--seed", "1").stdout != first_output


def test_corpus_of_one_run_has_no_ranks(irbounds, files):
    result = irbounds("corpus", "qrels.txt", "one.run", "--corpus-size", "50", "-m", "AP")
    stdout = result.stdout.decode()
    assert result.returncode == 0
    assert "ranks" not in stdout
    with_ranks = irbounds(
        "corpus", "qrels.txt", "one.run", "--corpus-size", "50", "--show", "ranks"
    )
    assert with_ranks.returncode == 2
    assert with_ranks.stderr == b"irbounds: error: ranks need at least two systems; got 1\n"


def test_corpus_queries_common_uses_queries_of_every_run(irbounds, files):
    short = "".join(
        line for line in (files / "two.run").read_text().splitlines(True) if "q0" not in line
    )
    (files / "two.run").write_text(short)
    result = irbounds("corpus", *INPUTS, "--queries", "common", "-m", "AP")
    assert "AP over 5 queries in every run: on the corpus" in result.stdout.decode()
    judged = irbounds("corpus", *INPUTS, "-m", "AP").stdout.decode()
    assert "over 6 judged queries" in judged
    assert "each scores 0 there (--queries common leaves them out): two (1)" in judged


def test_corpus_reads_a_list_of_document_ids(irbounds, files):
    (files / "ids.txt").write_text("".join(f"d{k}\n" for k in range(1, 50)))
    result = irbounds("corpus", *RUNS, "--corpus", "ids.txt", "-m", "AP", "-o", "t.md")
    assert (result.returncode, result.stdout) == (0, b"")
    stderr = result.stderr.decode()
    assert "images 1,000 of 50 documents" in stderr
    assert "warning: judged or retrieved documents that are not in the list of the corpus" in stderr
    assert "| system | corpus | mean |" in (files / "t.md").read_text()
    piped = irbounds(
        "corpus", *RUNS, "--corpus", "-", "-m", "AP", stdin=(files / "ids.txt").read_bytes()
    )
    assert "images 1,000 of 50 documents" in piped.stdout.decode()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (RUNS, "needs --corpus-size or --corpus: "),
        ((*INPUTS, "--corpus", "ids"), "--corpus takes the place of --corpus-size; give one of"),
        (
            (*RUNS, "--corpus-size", "0"),
            "--corpus-size must be an integer of at least 1; got 0",
        ),
        ((*RUNS, "--corpus-size", "7"), "--corpus-size must be at least the 8 documents that the"),
        ((*RUNS, "--corpus", "no-such"), "no-such: "),
        (
            (*INPUTS, "-m", "Bpref"),
            "Bpref cannot be computed on images of the corpus; these can: AP",
        ),
        ((*INPUTS, "-m", "nDCQ"), "nDCQ"),
        (
            (*INPUTS, "--baseline", "one"),
            "--baseline is for --show differences and --resample-queries",
        ),
        (
            (*INPUTS, "--resample-queries", "--baseline", "three"),
            "--baseline must be one of 'one', 'two'; got 'three'",
        ),
        ((*INPUTS, "--show", "all"), "got 'all'"),
        ((*INPUTS, "--n-images", "1"), "--n-images must be an integer of at least 2; got 1"),
        ((*INPUTS, "--confidence-level", "95"), "did you mean 0.95?"),
        (("-", "-", "--corpus-size", "50"), "standard input (-) can be read only once"),
        (("qrels.txt", "--corpus-size", "50"), "needs QRELS and RUN"),
    ],
)
def test_corpus_error_messages(files, monkeypatch, arguments, message):
    """Run in this process, for speed."""
    monkeypatch.chdir(files)
    try:
        run_command(["corpus", *arguments, "--output", "t.csv"])
        actual_message = "nothing"
    except Exception as error:
        actual_message = describe_error(error, ["corpus", *arguments]) or repr(error)
    assert message in actual_message
    assert not (files / "t.csv").exists()


def test_corpus_robust03_agrees_with_the_documentation(irbounds, robust03):
    """Compare with the numbers in docs/validation/published-zobel.md."""
    omitted_files = {"NLPR03vb10.run.gz", "humR03dc.run.gz"}
    paths = sorted(robust03.glob("*.run.gz"))
    runs = [str(path) for path in paths if path.name not in omitted_files]
    measures = ("AP", "nDCG", "P@10", "RBP(p=0.95,rel=1)", "INSQ(T=5)", "RR")
    options = [text for measure in measures for text in ("-m", measure)]
    qrels = str(robust03 / "qrels.txt.gz")
    result = irbounds(
        *("corpus", qrels, *runs, "--corpus-size", "528155", *options, "--format", "json")
    )
    document = json.loads(result.stdout)
    neighbour_counts = [
        sum(
            row["over_next"] is not None and row["over_next"] >= 0.95
            for row in document["results"]
            if row["table"] == "ranks" and row["measure"] == measure
        )
        for measure in measures
    ]
    assert neighbour_counts == pytest.approx((7, 6, 2, 5, 4, 1), abs=1)
    scores = [row for row in document["results"] if row["table"] == "scores"]
    for measure, low, high in zip(
        measures,
        (0.0035, -0.0064, -0.0116, -0.0034, -0.0041, -0.0687),
        (0.0043, -0.0033, 0.0023, -0.0018, -0.0027, -0.0321),
        strict=True,
    ):
        rows = [row for row in scores if row["measure"] == measure]
        assert len(rows) == 12
        # with other images, each mean would exceed this distance once in 37,000 trials
        noise = 4.2 * max(row["image_standard_deviation"] for row in rows) / 1000**0.5
        shifts = [row["shift"] for row in rows]
        assert (min(shifts), max(shifts)) == pytest.approx((low, high), abs=noise)
    (ties_warning,) = document["warnings"]
    assert "MU03rob01 (97.5 %" in ties_warning


def draw_figure(irbounds, files, *arguments):
    """Write the main figure and return its specification and data rows."""
    result = irbounds("corpus", *INPUTS, "--n-images", "40", *arguments, "--figure", "figure.json")
    assert result.returncode == 0, result.stderr
    spec = json.loads((files / "figure.json").read_text())
    return spec, [row for rows in spec["datasets"].values() for row in rows]


def test_corpus_main_figure_has_one_panel_of_scores_per_measure(irbounds, files):
    spec, rows = draw_figure(irbounds, files)
    assert spec["name"] == "corpus-scores"
    assert [panel["title"]["text"] for panel in spec["vconcat"]] == ["AP", "nDCG@10"]
    expected_values = sorted(
        (precision.system, precision.value)
        for precision in bootstrap_corpus(files, n_images=40).score_precision()
    )
    assert sorted((row["system"], row["root"]) for row in rows) == expected_values


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (("--show", "ranks", "--show", "scores"), "corpus-ranks"),
        (("--show", "differences"), "corpus-differences"),
        (("--resample-queries",), "corpus-variance"),
    ],
)
def test_corpus_main_figure_shows_the_first_table(irbounds, files, arguments, name):
    spec, rows = draw_figure(irbounds, files, "-m", "AP", *arguments)
    assert spec["name"] == name
    assert rows


def run_corpus(files, **options):
    """Call the function ``corpus`` with images of 50 documents."""
    paths = [files / name for name in RUNS]
    return corpus(paths[0], paths[1:], corpus_size=50, n_images=40, **options)


def test_corpus_every_topic_has_an_explanation(files):
    shown = ("scores", "ranks", "differences")
    results = run_corpus(files, measures="AP", show=shown, resample_queries=True)
    sections = results._sections()
    topics = {topic for section in sections for topic in section.topics}
    assert topics == {
        *(f"corpus-{name}" for name in shown),
        "variance-split",
        "quantile",
    }
    assert topics <= set(EXPLANATIONS)
    assert len({figure.name for section in sections for figure in section.drawn}) == 4


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ((), {}),
        (("--show", "ranks,differences"), {"show": ("ranks", "differences")}),
        (("--show", "scores"), {"show": "scores"}),
        (
            ("--resample-queries", "--baseline", "one", "--confidence-level", "0.9"),
            {"resample_queries": True, "baseline": "one", "confidence_level": 0.9},
        ),
    ],
)
def test_corpus_command_equals_python(irbounds, files, arguments, options):
    result = irbounds("corpus", *INPUTS, "--n-images", "40", *arguments, "--format", "json")
    document = json.loads(result.stdout)
    results = run_corpus(files, **options)
    assert document["results"] == results.records()
    assert document["warnings"] == list(results.warnings)


def test_corpus_function_returns_rows_images_frame_and_figure(files):
    results = run_corpus(files)
    assert isinstance(results, CorpusResults)
    images = bootstrap_corpus(files, n_images=40)
    assert repr(results.images) == repr(images)
    assert results == (*images.score_precision(), *images.rank_precision())
    assert list(results.to_polars()["table"]) == ["scores"] * 4 + ["ranks"] * 4
    assert results.plot().name == "corpus-scores"
    assert "images 40 of 50 documents (seed 0)" in str(results)
    # an additional analysis is returned without the default tables
    assert len(run_corpus(files, resample_queries=True)) == 4
