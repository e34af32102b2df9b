"""irbounds corpus."""

from __future__ import annotations

import csv
import io
import json

import pytest

import irbounds as package
from irbounds.cli.error_messages import describe_error
from irbounds.cli.runner import run_command
from irbounds.presentation.explanations import EXPLANATIONS
from irbounds.reports.corpus_analyses import ANALYSES
from irbounds.results.corpus_systems import CorpusResults
from irbounds.verbs.corpus import corpus

RUNS = ("qrels.txt", "one.run", "two.run")
SIZED = (*RUNS, "--corpus-size", "50")


def expected(files, measures=("AP", "nDCG@10"), **wanted):
    paths = [str(files / name) for name in RUNS]
    given = {"corpus_size": 50, "rng": 0, **wanted}
    return package.corpus_bootstrap(paths[0], paths[1:], list(measures), **given)


def test_a_person_sees_inputs_gist_scores_ranks_and_measures(irbounds, files):
    done = irbounds("corpus", *SIZED)
    lines = done.stdout.decode().splitlines()
    assert (done.returncode, done.stderr) == (0, b"")
    assert lines[0].startswith("judgments qrels")
    assert lines[2] == (
        "images 1,000 of 50 documents (seed 0), for these queries only; for an error bar: irbounds "
        "evaluate, or resample queries"
    )
    assert lines[3].startswith("An image is the corpus drawn again with replacement")
    assert lines[4].startswith("AP: on other documents of the same kind a mean would vary by about")
    assert lines[5].startswith("nDCG@10: ")
    titles = [line.partition(" 1,000 images")[0] for line in lines if " 1,000 images" in line]
    assert titles == [
        "AP over 6 judged queries: on the corpus and on",
        "nDCG@10 over 6 judged queries: on the corpus and on",
        "AP: ranks on the corpus and on",
        "nDCG@10: ranks on the corpus and on",
        "standard deviations over",
    ]


def test_csv_holds_every_kind_with_its_columns(irbounds, files):
    done = irbounds("corpus", *SIZED, "--n-images", "80", "--seed", "3", "--format", "csv")
    images = expected(files, n_images=80, rng=3)
    rows = list(csv.DictReader(io.StringIO(done.stdout.decode())))
    kinds = [row["table"] for row in rows]
    assert kinds == ["scores"] * 4 + ["ranks"] * 4 + ["measures"] * 2
    by_key = {(one.measure, one.system): one for one in images.score_precision()}
    for row in rows[:4]:
        one = by_key[row["measure"], row["system"]]
        assert float(row["root"]) == one.value
        assert float(row["image_mean"]) == one.images.mean
        assert float(row["image_upper_quartile"]) == one.images.upper_quartile
        assert (float(row["low"]), float(row["high"])) == (one.interval.low, one.interval.high)
        assert row["n_images"] == "80"
        assert row["rank"] == row["score_spread_mean"] == ""
    (first, *_) = images.rank_precision()
    assert int(rows[4]["rank_high"]) == first.interval.high
    assert rows[4]["decimals"] == ""
    assert float(rows[8]["score_spread_mean"]) == images.measure_precision()[0].scores.mean


def test_every_table_that_can_be_asked_for(irbounds, files):
    shown = ("systems", "differences", "queries", "query-spreads", "validity")
    options = [text for kind in shown for text in ("--show", kind)]
    more = ("--system", "two", "--baseline", "one", "--pools", "two,one", "--pool-depth", "2,3")
    arguments = (
        "corpus",
        *SIZED,
        "-m",
        "AP",
        *options,
        *more,
        "--resample-queries",
        "--n-images",
        "70",
    )
    done = irbounds(*arguments, "--format", "json")
    assert done.returncode == 0
    document = json.loads(done.stdout)
    assert (document["corpus_size"], document["n_images"], document["seed"]) == (50, 70, 0)
    assert [said.partition(" ")[0] for said in document["found"]] == [*("An", "AP:", "AP:", "AP:")]
    found = {}
    for row in document["results"]:
        found.setdefault(row["table"], []).append(row)
    assert list(found) == [*shown, "pools", "variance"]
    images = expected(files, ["AP"], n_images=70)
    (difference,) = images.difference_precision("one")
    assert found["differences"][0]["higher_probability"] == difference.higher_probability
    assert [row["system"] for row in found["queries"]] == ["two"] * 6
    assert found["queries"][3]["image_median"] == images.query_precision("two")[3].images.median
    assert found["query-spreads"][2]["spread_maximum"] == images.query_spreads()[2].maximum
    assert [row["rule"] for row in found["validity"]] == ["quantile", "normal"]
    pools = images.shallow_pools("two", "one", [2, 3])
    assert [row["depth"] for row in found["pools"]] == [2, 3, None]
    assert found["pools"][0]["image_difference_mean"] == pools[0].differences.mean
    (split,) = images.variance_split("one")
    assert found["variance"][0]["total_variance"] == split.total
    assert found["variance"][0]["baseline"] == "one"


def test_the_same_seed_gives_the_same_bytes(irbounds, files):
    arguments = ("corpus", *SIZED, "--n-images", "70", "--show", "scores", "--format", "jsonl")
    once = irbounds(*arguments).stdout
    assert once.count(b'{"table": "scores"') == 4
    assert irbounds(*arguments, "--seed", "0").stdout == once
    assert irbounds(*arguments, "--seed", "1").stdout != once


def test_one_run_has_no_ranks(irbounds, files):
    done = irbounds("corpus", "qrels.txt", "one.run", "--corpus-size", "50", "-m", "AP")
    shown = done.stdout.decode()
    assert done.returncode == 0
    assert "ranks among" not in shown
    assert "neighbours" not in shown
    assert "of scores over one system" in shown
    asked = irbounds("corpus", "qrels.txt", "one.run", "--corpus-size", "50", "--show", "ranks")
    assert asked.returncode == 2
    assert asked.stderr == b"irbounds: error: ranks need at least two systems; got 1\n"


def test_queries_that_every_run_has(irbounds, files):
    short = "".join(
        line for line in (files / "two.run").read_text().splitlines(True) if "q0" not in line
    )
    (files / "two.run").write_text(short)
    done = irbounds("corpus", *SIZED, "--queries", "common", "-m", "AP")
    assert "AP over 5 queries in every run: on the corpus" in done.stdout.decode()
    judged = irbounds("corpus", *SIZED, "-m", "AP").stdout.decode()
    assert "over 6 judged queries" in judged
    assert "each scores 0 there (--queries common leaves them out): two (1)" in judged


def test_a_list_of_the_corpus(irbounds, files):
    (files / "ids.txt").write_text("".join(f"d{k}\n" for k in range(1, 50)))
    done = irbounds("corpus", *RUNS, "--corpus", "ids.txt", "-m", "AP", "-o", "t.md")
    assert (done.returncode, done.stdout) == (0, b"")
    said = done.stderr.decode()
    assert "images 1,000 of 50 documents" in said
    assert "warning: judged or retrieved documents that are not in the list of the corpus" in said
    assert "| system | corpus | mean |" in (files / "t.md").read_text()
    piped = irbounds(
        "corpus", *RUNS, "--corpus", "-", "-m", "AP", stdin=(files / "ids.txt").read_bytes()
    )
    assert "images 1,000 of 50 documents" in piped.stdout.decode()


def test_a_measure_that_images_shift_is_warned_of(irbounds, tmp_path):
    """RR is 1 on the corpus for all of 40 queries, and can only fall."""
    queries = [f"q{k}" for k in range(40)]
    (tmp_path / "q.txt").write_text("".join(f"{q} 0 r{q} 1\n{q} 0 x{q} 0\n" for q in queries))
    (tmp_path / "a.run").write_text(
        "".join(f"{q} Q0 r{q} 1 2 a\n{q} Q0 x{q} 2 1 a\n" for q in queries)
    )
    arguments = ("corpus", "q.txt", "a.run", "--corpus-size", "99", "-m", "RR", "--format", "json")
    document = json.loads(irbounds(*arguments).stdout)
    assert document["warnings"][-1].startswith("RR: images are below the corpus by about 0.3")
    assert document["results"][0]["shift"] == pytest.approx(-0.37, abs=0.01)  # (1 - 1/99)**99


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (RUNS, "needs --corpus-size or --corpus: "),
        ((*SIZED, "--corpus", "ids"), "--corpus takes the place of --corpus-size; give one of"),
        (
            (*RUNS, "--corpus-size", "0"),
            "--corpus-size must be an integer of at least 1; got 0",
        ),
        ((*RUNS, "--corpus-size", "7"), "--corpus-size must be at least the 8 documents that the"),
        ((*RUNS, "--corpus", "no-such"), "no-such: "),
        (
            (*SIZED, "-m", "Bpref"),
            "Bpref cannot be computed on images of the corpus; these can: AP",
        ),
        ((*SIZED, "-m", "nDCQ"), "nDCQ"),
        ((*SIZED, "--show", "queries"), "--show queries needs --system"),
        ((*SIZED, "--system", "one"), "--system is for --show queries"),
        (
            (*SIZED, "--show", "queries", "--system", "three"),
            "--system must be one of 'one', 'two'; got 'three'",
        ),
        (
            (*SIZED, "--baseline", "one"),
            "--baseline is for --show differences and --resample-queries",
        ),
        (
            (*SIZED, "--resample-queries", "--baseline", "three"),
            "--baseline must be one of 'one', 'two'; got 'three'",
        ),
        ((*SIZED, "--pools", "one"), "--pools needs 2 values: SYSTEM,BASELINE; got 'one'"),
        ((*SIZED, "--pools", "one,one"), "--pools must be two different systems; got 'one,one'"),
        ((*SIZED, "--pools", "one, "), "--pools must be two different systems; got 'one, '"),
        ((*SIZED, "--pools", "a,b,c"), "--pools needs 2 values: SYSTEM,BASELINE; got 'a,b,c'"),
        ((*SIZED, "--pools", "one,three"), "--pools must be one of 'one', 'two'; got 'three'"),
        ((*SIZED, "--pool-depth", "5"), "--pool-depth is for pools"),
        (
            (*SIZED, "--pools", "one,two", "--pool-depth", "5,x"),
            "--pool-depth must be an integer; got 'x'",
        ),
        (
            (*SIZED, "--pools", "one,two", "--pool-depth", "5,5"),
            "--pool-depth must be different depths; got (5, 5)",
        ),
        (
            (*SIZED, "--pools", "one,two", "--pool-depth", "0"),
            "--pool-depth must be an integer of at least 1; got 0",
        ),
        ((*SIZED, "--show", "all"), "got 'all'"),
        ((*SIZED, "--n-images", "1"), "--n-images must be an integer of at least 2; got 1"),
        ((*SIZED, "--confidence-level", "95"), "did you mean 0.95?"),
        (("-", "-", "--corpus-size", "50"), "standard input (-) can be read only once"),
        (("qrels.txt", "--corpus-size", "50"), "needs QRELS and RUN"),
    ],
)
def test_errors_say_what_is_wrong(files, monkeypatch, arguments, message):
    """In this process, since there are many; the next test has the rest of the promise."""
    monkeypatch.chdir(files)
    try:
        run_command(["corpus", *arguments, "--output", "t.csv"])
        said = "nothing"
    except Exception as error:
        said = describe_error(error, ["corpus", *arguments]) or repr(error)
    assert message in said
    assert not (files / "t.csv").exists()


def test_errors_are_one_line_and_write_nothing(irbounds, files):
    done = irbounds("corpus", *RUNS, "--corpus-size", "7", "--output", "t.csv")
    assert done.returncode == 2
    assert done.stderr == (
        b"irbounds: error: --corpus-size must be at least the 8 documents that the judgments and "
        b"runs name; got 7\n"
    )
    assert not (files / "t.csv").exists()


def test_help_loads_nothing_heavy():
    import subprocess
    import sys

    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "irbounds", "corpus", "--help"],
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = {
        line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines()
    }
    assert "--corpus-size" in done.stdout
    assert not loaded & {"numba", "polars", "scipy"}


def test_robust03_as_the_page_says(irbounds, robust03):
    """docs/corpus.md tells of these numbers."""
    left_out = {"NLPR03vb10.run.gz", "humR03dc.run.gz"}
    paths = sorted(robust03.glob("*.run.gz"))
    runs = [str(path) for path in paths if path.name not in left_out]
    measures = ("AP", "nDCG", "P@10", "RBP(p=0.95,rel=1)", "INSQ(T=5)", "RR")
    options = [text for measure in measures for text in ("-m", measure)]
    qrels = str(robust03 / "qrels.txt.gz")
    done = irbounds(
        *("corpus", qrels, *runs, "--corpus-size", "528155", *options, "--format", "json")
    )
    document = json.loads(done.stdout)
    _, *found = document["found"]  # the first says what an image is
    kept = [int(said.rpartition("; ")[2].partition(" of 11 ")[0]) for said in found]
    assert kept == pytest.approx((7, 6, 2, 5, 4, 1), abs=1)
    scores = [row for row in document["results"] if row["table"] == "scores"]
    for measure, low, high in zip(
        measures,
        (0.0035, -0.0064, -0.0116, -0.0034, -0.0041, -0.0687),
        (0.0043, -0.0033, 0.0023, -0.0018, -0.0027, -0.0321),
        strict=True,
    ):
        rows = [row for row in scores if row["measure"] == measure]
        assert len(rows) == 12
        # of other images, each of these means would be further off once in 37,000 tries
        noise = 4.2 * max(row["image_standard_deviation"] for row in rows) / 1000**0.5
        shifts = [row["shift"] for row in rows]
        assert (min(shifts), max(shifts)) == pytest.approx((low, high), abs=noise)
    ties, said = document["warnings"]
    assert "MU03rob01 (97.5 %" in ties
    assert said.startswith("RR: images are below the corpus by about 0.05")


def drawn(irbounds, files, *arguments):
    """The main figure's specification and the rows in it."""
    done = irbounds("corpus", *SIZED, "--n-images", "40", *arguments, "--figure", "figure.json")
    assert done.returncode == 0, done.stderr
    spec = json.loads((files / "figure.json").read_text())
    return spec, [row for rows in spec["datasets"].values() for row in rows]


def test_the_main_figure_is_of_the_scores_a_panel_a_measure(irbounds, files):
    spec, rows = drawn(irbounds, files)
    assert spec["name"] == "corpus-scores"
    assert [panel["title"]["text"] for panel in spec["vconcat"]] == ["AP", "nDCG@10"]
    found = sorted(
        (one.system, one.value) for one in expected(files, n_images=40).score_precision()
    )
    assert sorted((row["system"], row["root"]) for row in rows) == found


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (("--show", "ranks", "--show", "scores"), "corpus-ranks"),
        (("--show", "measures"), "corpus-measures"),
        (("--show", "systems"), "corpus-systems"),
        (("--show", "differences"), "corpus-differences"),
        (("--show", "queries", "--system", "two"), "corpus-queries"),
        (("--show", "query-spreads"), "corpus-query-spreads"),
        (("--pools", "two,one", "--pool-depth", "2,3"), "corpus-pools"),
        (("--show", "validity"), "validity"),
        (("--resample-queries",), "corpus-variance"),
    ],
)
def test_the_main_figure_is_of_the_first_table(irbounds, files, arguments, name):
    spec, rows = drawn(irbounds, files, "-m", "AP", *arguments)
    assert spec["name"] == name
    assert rows


def ask(files, **options):
    """The same in Python, with images of 50 documents."""
    paths = [files / name for name in RUNS]
    return corpus(paths[0], paths[1:], corpus_size=50, n_images=40, **options)


EVERY = {"system": "two", "pools": ("two", "one"), "pool_depth": 2, "resample_queries": True}


def test_every_topic_is_explained(files):
    found = ask(files, measures="AP", show=ANALYSES, **EVERY)
    (section,) = found._sections()
    kinds = {f"corpus-{one}" for one in ANALYSES}
    assert set(section.topics) == kinds | {"corpus-pools", "variance-split", "quantile", "normal"}
    assert set(section.topics) <= set(EXPLANATIONS)
    names = [figure.name for figure in section.drawn]
    assert len(set(names)) == len(names) == 12


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ((), {}),
        (("--show", "ranks,differences"), {"show": ("ranks", "differences")}),
        (("--show", "query-spreads"), {"show": "query-spreads"}),
        (("--pools", "two,one"), {"pools": "two,one"}),
        (
            ("--pools", "two,one", "--pool-depth", "2", "--pool-depth", "3"),
            {"pools": ["two", "one"], "pool_depth": [2, 3]},
        ),
        (
            ("--resample-queries", "--baseline", "one", "--confidence-level", "0.9"),
            {"resample_queries": True, "baseline": "one", "confidence_level": 0.9},
        ),
    ],
)
def test_python_has_the_same_digits(irbounds, files, arguments, options):
    done = irbounds("corpus", *SIZED, "--n-images", "40", *arguments, "--format", "json")
    document = json.loads(done.stdout)
    found = ask(files, **options)
    assert document["results"] == found.records()
    assert document["warnings"] == list(found.warnings)
    shown = " ".join(str(found).split())
    assert all(sentence in shown for sentence in document["found"])


def test_a_result_in_python_has_rows_images_a_frame_and_a_figure(files):
    found = ask(files)
    assert isinstance(found, CorpusResults)
    images = expected(files, n_images=40)
    assert repr(found.images) == repr(images)
    rows = (*images.score_precision(), *images.rank_precision(), *images.measure_precision())
    assert found == rows
    assert list(found.to_polars()["table"]) == ["scores"] * 4 + ["ranks"] * 4 + ["measures"] * 2
    assert found.plot().name == "corpus-scores"
    assert "images 40 of 50 documents (seed 0)" in str(found)
    # what is asked for besides is shown without the default tables
    assert len(ask(files, resample_queries=True)) == 4
