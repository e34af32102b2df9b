"""irbounds card and irbounds compare-cards."""

from __future__ import annotations

import csv
import io
import json

import pytest
from scipy import stats

import irbounds as package

SCORES = "topic,a,b,c\n" + "".join(
    f"{k},{k % 5 / 10 + 0.1:.2f},{k % 7 / 20:.2f},{k % 3 / 4:.2f}\n" for k in range(30)
)


@pytest.fixture
def cards(irbounds, files):
    """Write the AP cards a.json, b.json and other.json; return their directory."""
    (files / "s.csv").write_text(SCORES)
    (files / "few.csv").write_text("topic,a\n" + "".join(f"x{k},0.{k}\n" for k in range(1, 9)))
    table = package.read_scores(files / "s.csv", measure="AP")
    for system in ("a", "b"):
        card = package.cards.make_card(table, system=system, collection="C", rng=0)
        package.cards.write_card(card, files / f"{system}.json")
    few_queries = package.read_scores(files / "few.csv", measure="AP")
    package.cards.write_card(
        package.cards.make_card(few_queries, collection="D", rng=0), files / "other.json"
    )
    return files


def test_card_reads_judgments_and_a_run(irbounds, files):
    result = irbounds(
        "card", "qrels.txt", "one.run", "--collection", "TREC 2004 Robust", "-m", "AP",
        "-o", "one.card.json", "--note", "first", "--seed", "3",
    )  # fmt: skip
    assert (result.returncode, result.stdout) == (0, b"")
    assert result.stderr.startswith(b"judgments qrels (sha256 ")
    table = package.score(files / "qrels.txt", [files / "one.run"], ["AP"])
    expected = package.cards.make_card(table, collection="TREC 2004 Robust", note="first", rng=3)
    assert package.cards.read_card(files / "one.card.json") == expected
    assert [source.name for source in expected.inputs] == ["qrels", "one"]


def test_card_of_scores_is_written_to_standard_output(irbounds, files):
    (files / "s.csv").write_text(SCORES)
    arguments = ("card", "--scores", "AP=s.csv", "--system", "b", "--collection", "C")
    result = irbounds(*arguments, "--method", "student-t", "--alternative", "less")
    document = json.loads(result.stdout)
    assert (document["system"], document["n"], document["interval"]["low"]) == ("b", 30, None)
    assert document["inputs"][0]["name"] == "s.csv"


@pytest.mark.parametrize(
    ("arguments", "expected_message"),
    [
        (("--scores", "AP=s.csv"), "a card has one system: name one of a, b, c"),
        (("qrels.txt", "one.run"), "--measures: a card has one measure"),
        (("--scores", "AP=s.csv", "--system", "a", "--method", "normal"), "is not for cards"),
    ],
)
def test_card_errors_are_one_line_with_status_2(irbounds, files, arguments, expected_message):
    (files / "s.csv").write_text(SCORES)
    assert_one_line_error(irbounds("card", "--collection", "C", *arguments), expected_message)


def assert_one_line_error(result, expected_message):
    assert (result.returncode, result.stdout) == (2, b"")
    message = result.stderr.decode()
    assert message.startswith("irbounds: error: ")
    assert expected_message in message
    assert message.count("\n") == 1


def test_card_requires_exactly_one_named_measure(irbounds, files):
    (files / "wide.csv").write_text("topic,a\n1,0.2\n2,0.5\n")
    result = irbounds("card", "--collection", "C", "--scores", "wide.csv")
    assert (result.returncode, result.stdout) == (2, b"")
    assert b"a card names its measure; name that of the table" in result.stderr
    result = irbounds("card", "--collection", "C", "--scores", "wide.csv", "-m", "AP", "-m", "RR")
    assert result.returncode == 2
    assert b"--measures: a card has one measure" in result.stderr
    with_measure = irbounds("card", "--collection", "C", "--scores", "wide.csv", "-m", "AP")
    assert json.loads(with_measure.stdout)["measure"] == "AP"


def test_card_requires_collection(irbounds, files):
    assert_one_line_error(irbounds("card", "qrels.txt", "one.run", "-m", "AP"), "--collection")


def test_card_writes_warnings_to_standard_error(irbounds, files):
    (files / "e.csv").write_text("topic,a\n1,0.5\n2,0.5\n")
    card = ("card", "--scores", "AP=e.csv", "--collection", "C")
    result = irbounds(*card, "--method", "student-t")
    assert result.stderr == b"warning: a, AP: no interval, all 2 scores are 0.5\n"
    assert json.loads(result.stdout)["interval"]["low"] is None
    result = irbounds(*card)
    assert result.stderr == (
        b"warning: a, AP: all 2 scores are 0.5: the interval comes from the prior variance of the "
        b"measure, not from these scores\n"
    )
    assert 0 < json.loads(result.stdout)["interval"]["low"] < 0.5


def test_compare_cards_prints_both_cards_and_their_difference(irbounds, cards):
    result = irbounds("compare-cards", "a.json", "b.json")
    a, b = (package.cards.read_card(cards / f"{name}.json") for name in "ab")
    expected = stats.ttest_ind_from_stats(
        a.mean, a.standard_deviation, a.n, b.mean, b.standard_deviation, b.n, equal_var=False
    )
    comparison = package.cards.compare_cards(a, b)
    low, high = comparison.interval.low, comparison.interval.high
    difference_text = f"difference {a.mean - b.mean:.3f}, 95 % interval {low:.3f} to {high:.3f}"
    assert expected.pvalue < 0.001
    assert result.stdout.decode().splitlines() == [
        f"a (C) and b (C) differ significantly in AP: {difference_text}, p < 0.001",
        f"warning: {comparison.warnings[0]}",
        "",
        "AP: two cards, and their difference with its 95 % Welch interval",
        "card         mean    low   high     sd  queries       p",
        *(
            f"{c.system} (C)       {c.mean:.3f}  {c.interval.low:.3f}  {c.interval.high:.3f}  "
            f"{c.standard_deviation:.3f}       30"
            for c in (a, b)
        ),
        f"difference  {a.mean - b.mean:.3f}  {low:.3f}  {high:.3f}                  <0.001",
        "low to high: of a card its own interval; sd: of its scores over queries",
    ]
    assert (result.returncode, result.stderr) == (0, b"")


def test_compare_cards_one_sided_in_every_format(irbounds, cards):
    comparison = package.cards.compare_cards(
        package.cards.read_card(cards / "b.json"), package.cards.read_card(cards / "other.json"),
        alternative="greater", confidence_level=0.9,
    )  # fmt: skip
    arguments = ("compare-cards", "b.json", "other.json", "--alternative", "greater")
    arguments += ("--confidence-level", "0.9")
    csv_text = irbounds(*arguments, "--format", "csv").stdout.decode()
    rows = list(csv.DictReader(io.StringIO(csv_text)))
    assert [row["what"] for row in rows] == ["first", "second", "difference"]
    assert float(rows[2]["p_value"]) == comparison.p_value
    assert float(rows[2]["low"]) == comparison.interval.low
    assert (rows[0]["p_value"], rows[2]["n"]) == ("", "")
    document = json.loads(irbounds(*arguments, "--format", "json").stdout)
    assert document["results"][2]["high"] is None
    assert document["warnings"] == list(comparison.warnings)
    assert [source["name"] for source in document["inputs"]] == ["s.csv", "few.csv"]
    stdout = irbounds(*arguments).stdout.decode()
    assert stdout.startswith("b (C) is not shown to score higher than a (D) in AP: difference -")
    assert stdout.count("warning: ") == 2
    assert "90 % Welch lower limit\n" in stdout
    assert stdout.splitlines()[-2].split()[3] == "-"  # no upper limit
    written = irbounds(*arguments, "-o", "t.tex")
    assert (written.returncode, written.stdout) == (0, b"")
    assert (cards / "t.tex").read_text().startswith("% needs ")


def test_compare_cards_explains_a_missing_interval(irbounds, cards):
    card = json.loads((cards / "a.json").read_text())
    card |= {"n": 1, "standard_deviation": None, "standard_error": None}
    card["interval"] |= {"low": None, "high": None}
    single_query_card = json.dumps(card).encode()
    stdout = irbounds("compare-cards", "-", "b.json", stdin=single_query_card).stdout.decode()
    assert "no interval, a has a single query, and so no standard deviation\n" in stdout
    assert stdout.splitlines()[-2].split()[2:] == ["-", "-", "-"]


def test_compare_cards_rejects_incompatible_and_invalid_cards(irbounds, cards):
    card = json.loads((cards / "a.json").read_text())
    (cards / "rr.json").write_text(json.dumps({**card, "measure": "RR"}))
    refused = irbounds("compare-cards", "rr.json", "b.json")
    assert_one_line_error(
        refused, "the cards cannot be compared: their measures differ (RR and AP)"
    )
    (cards / "bad.json").write_text(json.dumps({**card, "n": "many"}))
    assert_one_line_error(
        irbounds("compare-cards", "bad.json", "b.json"),
        "bad.json: n must be an integer; got 'many'",
    )
    assert_one_line_error(
        irbounds("compare-cards", "-", "-"), "standard input (-) can be read only once"
    )
