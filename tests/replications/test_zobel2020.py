"""Tables 2 to 4 of Zobel and Rashidi (2020): transcribed rightly, computed rightly, and alike."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from dataclasses import fields, replace

import numpy as np
import pytest

import naive
from compressions import COMPRESS
from irbounds import corpus_bootstrap
from irbounds.errors import DataError, ParameterError
from irbounds.replications.commands import zobel2020
from irbounds.replications.study_data import (
    StudyCollection,
    list_robust03_files,
    read_robust03,
)
from irbounds.replications.zobel2020 import (
    COLUMN_ORDER,
    MEASURES,
    THEIRS,
    Zobel2020Figures,
    replicate_zobel2020,
    zobel2020_figures,
)
from irbounds.simulation import simulate_collection

#: sums down the columns and along the rows of the paper's tables, added up from its text
SUMS = {
    2: (
        (15.3, 566.9, 17.8, 16.5, 566.6, 16.9, 12.9, 572.1, 14.9, 14.1, 568.8, 17.13),
        (400.0, 400.03, 400.0, 399.9, 400.0, 400.0),
    ),
    3: (
        (0.624, 0.365, 0.597, 0.311, 0.571, 0.323, 0.626, 0.384),
        (0.401, 0.464, 0.377, 0.799, 0.328, 1.432),
    ),
    4: ((0.6, 0.34, 0.51, 0.3, 0.49, 0.3, 0.61, 0.36), (0.48, 0.45, 0.44, 0.72, 0.34, 1.08)),
}


RBP = list(MEASURES).index("RBP@0.95")


@pytest.fixture(scope="module")
def small():
    """Four systems, five queries, graded judgments; documents of grade 2 are not rare."""
    made = simulate_collection(4, 5, 2000, 60, max_grade=3, rng=5)
    return StudyCollection("small", made.qrels, made.runs, made.corpus_size)


@pytest.fixture(scope="module")
def real(robust03):
    """1,000 images of TREC 2003 Robust."""
    return replicate_zobel2020(read_robust03(robust03), rng=1)


def test_percentages_of_table_2_sum_to_100():
    """The paper rounds to a decimal, so three numbers are off from 100 by 0.15 at most."""
    for number, n_parts in ((2, 3), (3, 2), (4, 2)):
        assert list(THEIRS[number]) == list(MEASURES)
        for cells in THEIRS[number].values():
            assert [len(cell) for cell in cells] == [n_parts] * 4
    for cells in THEIRS[2].values():
        assert all(abs(sum(cell) - 100) < 0.15 for cell in cells)
    assert THEIRS[2]["INSQ@5"][3] == (2.3, 94.7, 3.03)  # as printed, with two decimals


@pytest.mark.parametrize("number", [2, 3, 4])
def test_sums_of_the_papers_tables(number):
    """One wrong digit changes the sum of its row and that of its column."""
    columns, rows = SUMS[number]
    table = np.array([np.ravel(cells) for cells in THEIRS[number].values()])
    assert table.sum(axis=0) == pytest.approx(columns)
    assert table.sum(axis=1) == pytest.approx(rows)


def test_statements_of_the_paper_hold_for_its_numbers():
    """Section 5: RBP the most consistent, RR and then P@10 the least precise."""
    for number in (3, 4):
        for c in range(4):
            spreads = {row: cells[c][1] for row, cells in THEIRS[number].items()}
            assert min(spreads, key=spreads.get) == "RBP@0.95"
    for c in range(4):
        means = {row: cells[c][0] for row, cells in THEIRS[3].items()}
        assert sorted(means, key=means.get)[-2:] == ["P@10", "RR"]


def scores_by_hand(collection, n_images, seed):
    """Scores on the images, systems by descending RBP, from dicts made binary one by one."""
    judged = {
        query: {doc: int(grade >= 1) for doc, grade in docs.items()}
        for query, docs in collection.qrels.to_dict().items()
    }
    runs = {run.name: run.to_dict() for run in collection.runs}
    options = {"corpus_size": collection.corpus_size, "n_images": n_images, "rng": seed}
    images = corpus_bootstrap(judged, runs, list(MEASURES.values()), **options)
    means = images.root.values[RBP].mean(axis=1)
    order = sorted(range(len(means)), key=lambda s: -means[s])
    return [images.systems[s] for s in order], images.scores[:, order].astype(float).tolist()


def test_tables_match_plain_loops(small):
    study = replicate_zobel2020(small, n_images=23, rng=3)
    systems, scores = scores_by_hand(small, 23, 3)
    assert study.images.systems == tuple(systems)
    second, third, fourth = study.tables
    for m, measure in enumerate(MEASURES):
        for rule, row in (("quantile", measure), ("normal", f"{measure}, normal rule")):
            ours = second.numbers[second.rows.index(row)][0]
            assert ours == pytest.approx(naive.left_out_percents(scores[m], rule), abs=1e-9)
        assert third.numbers[m][0] == pytest.approx(naive.spread_of_differences(scores[m]))
        assert fourth.numbers[m][0] == pytest.approx(naive.spread_of_scores(scores[m][1]))


def test_graded_judgments_would_change_the_numbers(small):
    """What makes the test above one of binary judgments too: it would see grades kept."""
    images = corpus_bootstrap(
        small.qrels, small.runs, list(MEASURES.values()), corpus_size=2000, n_images=23, rng=3
    )
    graded = [row.differences.mean for row in images.measure_precision()]
    ours = [
        cells[0][0] for cells in replicate_zobel2020(small, n_images=23, rng=3).tables[1].numbers
    ]
    insq, ndcg = (list(MEASURES).index(name) for name in ("INSQ@5", "nDCG"))
    assert abs(graded[insq] / ours[insq] - 1) > 0.1
    assert abs(graded[ndcg] / ours[ndcg] - 1) > 0.001


def test_papers_numbers_are_in_their_columns(small):
    for table in replicate_zobel2020(small, n_images=10, rng=1).tables:
        assert table.rows[:6] == tuple(MEASURES)
        names = [collection.split(" ")[0] for collection in table.collections]
        assert names == ["small", "TREC7", "TREC8", "TREC6", "TREC9"]
        for row, cells in zip(table.rows[:6], table.numbers, strict=False):
            assert cells[1:] == tuple(THEIRS[table.number][row][c] for c in COLUMN_ORDER)
        for cells in table.numbers[6:]:
            assert all(math.isnan(number) for cell in cells[1:] for number in cell)


def test_typical_systems_have_their_numbers(small):
    fourth = replicate_zobel2020(small, n_images=10, rng=1).tables[2]
    assert fourth.collections == ("small #2", "TREC7 #6", "TREC8 #2", "TREC6 #7", "TREC9 #5")


def test_papers_way_leaves_out_the_last_of_a_hundred_images(small):
    study = replicate_zobel2020(small, n_images=150, rng=4)
    _, scores = scores_by_hand(small, 100, 4)
    assert {(row.n_images, row.n_left_out) for row in study.papers_way} == {(100, 1)}
    expected = np.zeros(3)
    for first in range(4):
        for second in range(first + 1, 4):
            differences = np.subtract(scores[0][first], scores[0][second])
            low, high = np.quantile(differences[:, :-1], (0.025, 0.975), axis=1)
            last = differences[:, -1]
            expected += ((last < low).sum(), ((last >= low) & (last <= high)).sum(), 0)
    assert study.papers_way[0].inside == pytest.approx(expected[1] / 30)
    assert study.papers_way[0].measure == "AP"


def test_same_seed_gives_same_tables_and_progress_is_complete(small):
    steps = []
    study = replicate_zobel2020(
        small, n_images=130, rng=3, progress=lambda *step: steps.append(step)
    )
    again = replicate_zobel2020(small, n_images=130, rng=3)
    assert repr(study.tables) == repr(again.tables)  # NaN is not equal to itself
    assert repr(study.tables) != repr(replicate_zobel2020(small, n_images=130, rng=4).tables)
    assert steps
    assert steps[-1] == (130, 130)


def ours(study, number):
    table = study.tables[number - 2]
    return {row: cells[0] for row, cells in zip(table.rows, table.numbers, strict=True)}


def test_intervals_contain_what_was_left_out(real):
    """Over twenty seeds no number here had a standard deviation of more than 0.022 (percent)."""
    percents = ours(real, 2)
    for measure in MEASURES:
        assert 94.8 < percents[f"{measure}, normal rule"][1] < 95.6
    for measure in ("AP", "INSQ@5", "nDCG", "RBP@0.95"):
        # by the rule's own arithmetic 2.595 % fall on either side where there are no steps
        assert percents[measure] == pytest.approx((2.595, 94.81, 2.595), abs=0.1)
    # negative control: scores in steps lie at the ends of quantile intervals, and are inside
    assert percents["P@10"][1] > 97
    assert 96 < percents["RR"][1] < 97


def test_one_image_of_a_hundred_as_in_the_paper(real):
    inside = [100 * row.inside for row in real.papers_way]
    assert len(inside) == 12
    assert 88 < min(inside) < max(inside) < 98.5


def test_means_are_those_of_the_papers_collections(real):
    """Other topics and systems: within 0.005 of the paper's range, but for INSQ (see the notes)."""
    for measure, (mean, _) in ours(real, 3).items():
        theirs = [cell[0] for cell in THEIRS[3][measure]]
        outside = max(min(theirs) - mean, mean - max(theirs))
        if measure == "INSQ@5":
            assert outside > 0.01  # what this test can see
        else:
            assert outside < 0.005, measure


def test_the_order_of_the_measures_is_the_papers(real):
    spreads = ours(real, 3)
    by_mean = sorted(spreads, key=lambda measure: spreads[measure][0])
    assert by_mean[-2:] == ["P@10", "RR"]
    for number in (3, 4):
        deviations = {measure: cell[1] for measure, cell in ours(real, number).items()}
        assert min(deviations, key=deviations.get) == "RBP@0.95"
    # for its mean P@10 is the most even, and so it is in three of the paper's four collections
    ratios = {measure: deviation / mean for measure, (mean, deviation) in spreads.items()}
    assert min(ratios, key=ratios.get) == "P@10"


def test_a_typical_system_is_like_the_papers(real):
    for measure, (mean, deviation) in ours(real, 4).items():
        means, deviations = zip(*THEIRS[4][measure], strict=True)
        assert min(means) - 0.015 < mean < max(means) + 0.015
        assert min(deviations) - 0.015 < deviation < max(deviations) + 0.015


def test_too_few_runs_or_images_are_errors(small):
    alone = StudyCollection("alone", small.qrels, small.runs[:1], small.corpus_size)
    with pytest.raises(DataError, match="the study needs at least 2 full runs; got 1"):
        replicate_zobel2020(alone, n_images=10)
    with pytest.raises(ParameterError, match="n_images must be an integer of at least 3; got"):
        replicate_zobel2020(small, n_images=2)


def test_on_robust03(irbounds, robust03):
    done = irbounds("study", "zobel2020", "--data", str(robust03.parent), "--n-images", "100")
    text = done.stdout.decode()
    assert done.returncode == 0, done.stderr
    assert done.stderr == b""
    assert "#2 is aplrob03a; left out as too short: NLPR03vb10, humR03dc" in text
    assert "least precise in Table 3: RR, then P@10; 4 of the paper's 4 collections" in text
    assert "most even in Table 3: RBP@0.95" in text
    assert "simulated" not in text
    heads = [line.split() for line in text.splitlines() if line.startswith("measure")]
    assert heads[0] == ["measure", "robust03", "TREC7", "TREC8", "TREC6", "TREC9"]
    assert heads[2][:5] == ["measure", "robust03", "#2", "TREC7", "#6"]
    assert "2.5 / 94.7 / 2.8  1.8 / 96.3 / 1.9  2.6 / 94.2 / 3.2  2.4 / 94.5 / 3.1" in text
    assert "0.210 ± 0.142  0.201 ± 0.145  0.220 ± 0.144  0.230 ± 0.140" in text


def test_csv_and_json_contain_every_collection(irbounds, robust03, tmp_path):
    command = ("study", "zobel2020", "--data", str(robust03), "--n-images", "50", "--seed", "3")
    done = irbounds(*command, "--format", "csv")
    records = list(csv.DictReader(io.StringIO(done.stdout.decode())))
    assert len(records) == 12 * 5 * 3 + 2 * 6 * 5 * 2
    paper = [r for r in records if (r["table"], r["row"], r["part"]) == ("3", "RBP@0.95", "sd")]
    assert [r["value"] for r in paper[1:]] == ["0.023", "0.024", "0.026", "0.027"]
    assert b"the paper's way, only the last of 50 images" in done.stderr
    assert irbounds(*command, "--output", "study.json").returncode == 0
    written = json.loads((tmp_path / "study.json").read_text())
    assert (written["seed"], written["n_images"], written["corpus_size"]) == (3, 50, 528155)
    assert written["systems"][:2] == ["pircRBa1", "aplrob03a"]
    assert len(written["inputs"]) == 13
    ours = {(r["table"], r["row"], r["part"]): r["value"] for r in written["results"][:3]}
    assert ours[2, "AP", "below"] == float(records[0]["value"])  # the same seed, the same numbers
    unknown = [r for r in written["results"] if r["row"] == "AP, normal rule"]
    assert [r["value"] for r in unknown[3:]] == [None] * 12


def test_without_data_it_is_simulated(irbounds):
    done = irbounds("study", "zobel2020", "--n-images", "20", IRBOUNDS_DATA="")
    text = done.stdout.decode()
    assert done.returncode == 0, done.stderr
    assert text.startswith("simulated collection: the paper's numbers are for comparison")
    assert "too short" not in text
    assert "measure   simulated #2     TREC7 #6     TREC8 #2     TREC6 #7     TREC9 #5" in text


def test_invalid_options_are_errors_of_one_line(irbounds, robust03):
    done = irbounds("study", "zobel2020", "--data", "nowhere")
    assert done.returncode == 2
    assert b"nowhere: no qrels.txt here" in done.stderr
    done = irbounds("study", "zobel2020", "--data", str(robust03), "--n-images", "2")
    assert done.returncode == 2
    assert b"--n-images must be an integer of at least 3; got 2" in done.stderr
    assert done.stdout == b""


def by_ap(images, progress=None):
    """The rows of all figures, of one measure: to draw all six takes several seconds."""
    rows = zobel2020_figures(images, progress)
    return Zobel2020Figures(
        rows.systems,
        *(
            tuple(row for row in getattr(rows, field.name) if row.measure == "AP")
            for field in fields(rows)[1:]
        ),
    )


def test_the_papers_figures_are_written(irbounds, tmp_path, monkeypatch):
    """As specifications, which are quicker to write than PNG, SVG and PDF of each."""
    monkeypatch.setattr("irbounds.cli.output.PAPER_EXTENSIONS", (".json",))
    monkeypatch.setattr("irbounds.replications.study_data.N_QUERIES", 6)
    monkeypatch.setattr("irbounds.replications.zobel2020.zobel2020_figures", by_ap)
    command = ("study", "zobel2020", "--n-images", "5", "--figures", "figures")
    done = irbounds(*command, IRBOUNDS_DATA="")
    assert done.returncode == 0, done.stderr
    written = sorted(path.name for path in (tmp_path / "figures").iterdir())
    assert written == [f"zobel2020-figure-{k}.json" for k in range(1, 8)]
    sixth = json.loads((tmp_path / "figures" / written[5]).read_text())
    assert "shallow pools: p-value against difference" in sixth["title"]


def test_page_has_all_collections_on_a_narrow_terminal(irbounds, tmp_path, monkeypatch):
    monkeypatch.setattr("irbounds.replications.study_data.N_QUERIES", 6)
    monkeypatch.setattr("irbounds.replications.zobel2020._draw_figures", lambda *_: [])
    monkeypatch.setattr(
        "irbounds.presentation.terminal.UNWRAPPED", 60
    )  # what a terminal would have
    command = ("study", "zobel2020", "--n-images", "5", "--report", "page.html")
    done = irbounds(*command, IRBOUNDS_DATA="")
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "page.html").read_text()
    assert "no room for" not in page
    for heading in ("TREC6 #7", "TREC9 #5"):
        assert f">{heading}<" in page


def test_python_and_command_line_give_the_same_numbers(irbounds, monkeypatch):
    monkeypatch.delenv("IRBOUNDS_DATA", raising=False)
    monkeypatch.setattr("irbounds.replications.study_data.N_QUERIES", 6)
    done = irbounds("study", "zobel2020", "--n-images", "5", "--seed", "2", "--format", "json")
    written = json.loads(done.stdout)
    tables = zobel2020(n_images=5, seed=2)
    records = json.loads(json.dumps(tables.records()).replace("NaN", "null"))
    assert records == written["results"]
    assert str(tables).startswith("simulated collection: the paper's numbers")


# ---- a collection of the user ----

SIZE = ("--corpus-size", "2000", "--n-images", "5", "--seed", "2")


@pytest.fixture
def own(small, tmp_path):
    """A directory with judgments and four runs, each file compressed in another way."""
    packers = (COMPRESS[".bz2"], COMPRESS[".xz"], COMPRESS[".zst"], lambda data: data)
    lines = [
        f"{query} 0 {doc} {grade}\n"
        for query, docs in small.qrels.to_dict().items()
        for doc, grade in docs.items()
    ]
    (tmp_path / "qrels.txt.gz").write_bytes(COMPRESS[".gz"]("".join(lines).encode()))
    (tmp_path / "runs").mkdir()
    for run, pack in zip(small.runs, packers, strict=True):
        lines = [
            f"{query} Q0 {doc} 0 {score} x\n"
            for query, docs in run.to_dict().items()
            for doc, score in docs.items()
        ]
        (tmp_path / "runs" / f"{run.name}.run").write_bytes(pack("".join(lines).encode()))
    return tmp_path


def test_a_collection_of_the_user_by_path(irbounds, own, small, monkeypatch):
    """Also where IRBOUNDS_DATA names a directory, which is not read."""
    command = ("study", "zobel2020", "qrels.txt.gz", "runs", *SIZE, "--label", "my news")
    done = irbounds(*command, "--format", "json", IRBOUNDS_DATA="nowhere")
    assert done.returncode == 0, done.stderr
    written = json.loads(done.stdout)
    expected = replicate_zobel2020(replace(small, name="my news"), n_images=5, rng=2)
    records = [row for table in expected.tables for row in table.records()]
    assert written["results"] == json.loads(json.dumps(records).replace("NaN", "null"))
    assert written["results"][0]["collection"] == "my news"
    assert len(written["inputs"]) == 5
    assert written["notes"][0].startswith("all 4 runs, #1 the best by RBP")
    text = irbounds(*command, IRBOUNDS_DATA="").stdout.decode()
    assert "simulated" not in text
    assert re.search(r"^measure +my news +TREC7", text, re.M)


def test_figures_have_the_label_of_the_collection(irbounds, own, tmp_path, monkeypatch):
    monkeypatch.setattr("irbounds.cli.output.PAPER_EXTENSIONS", (".json",))
    monkeypatch.setattr("irbounds.replications.zobel2020.zobel2020_figures", by_ap)
    command = ("study", "zobel2020", "qrels.txt.gz", "runs/*.run", *SIZE, "--figures", "drawn")
    assert irbounds(*command, "--label", "my news").returncode == 0
    titles = [json.loads(file.read_text())["title"] for file in (tmp_path / "drawn").iterdir()]
    assert len(titles) == 7
    assert all("(my news)" in str(title) for title in titles)


def test_python_takes_a_collection_in_memory(small):
    tables = zobel2020(small.qrels, small.runs, corpus_size=2000, n_images=5, seed=2)
    assert tables[0].collections[0] == "own collection"
    expected = replicate_zobel2020(replace(small, name="own collection"), n_images=5, rng=2)
    assert repr(tuple(tables)) == repr(expected.tables)


def test_the_papers_corpus_by_path_gives_the_numbers_of_the_data_directory(robust03):
    collection = read_robust03(robust03)
    _, files = list_robust03_files(robust03)
    full = [file for file in files if file.name.split(".")[0] not in collection.left_out]
    tables = zobel2020(
        robust03 / "qrels.txt.gz", full, corpus_size=528_155, label="robust03", n_images=5
    )
    assert repr(tuple(tables)) == repr(replicate_zobel2020(collection, n_images=5, rng=0).tables)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("qrels.txt.gz",), "QRELS needs RUN"),
        (("qrels.txt.gz", "runs"), "QRELS and RUN need --corpus-size"),
        (("--corpus-size", "9"), "--corpus-size is for a collection of your own: give QRELS and"),
        (("--label", "x"), "--label is for a collection of your own"),
        (("qrels.txt.gz", "nothing", "--corpus-size", "2000"), "nothing: no such file"),
    ],
)
def test_incomplete_collection_is_an_error(irbounds, own, options, message):
    done = irbounds("study", "zobel2020", *options)
    assert done.returncode == 2
    assert message in done.stderr.decode()
    assert done.stdout == b""
