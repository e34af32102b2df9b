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
    """A folder with a.json, b.json and other.json, all of AP."""
    (files / "s.csv").write_text(SCORES)
    (files / "few.csv").write_text("topic,a\n" + "".join(f"x{k},0.{k}\n" for k in range(1, 9)))
    table = package.read_scores(files / "s.csv", measure="AP")
    for system in ("a", "b"):
        card = package.cards.make_card(table, system=system, collection="C", rng=0)
        package.cards.write_card(card, files / f"{system}.json")
    few = package.read_scores(files / "few.csv", measure="AP")
    package.cards.write_card(
        package.cards.make_card(few, collection="D", rng=0), files / "other.json"
    )
    return files


def test_a_card_from_judgments_and_a_run(irbounds, files):
    done = irbounds(
        "card", "qrels.txt", "one.run", "--collection", "TREC 2004 Robust", "-m", "AP",
        "-o", "one.card.json", "--note", "first", "--seed", "3",
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, b"")
    assert done.stderr.startswith(b"judgments qrels (sha256 ")
    table = package.score(files / "qrels.txt", [files / "one.run"], ["AP"])
    expected = package.cards.make_card(table, collection="TREC 2004 Robust", note="first", rng=3)
    assert package.cards.read_card(files / "one.card.json") == expected
    assert [one.name for one in expected.inputs] == ["qrels", "one"]


def test_a_card_from_scores_goes_to_standard_output(irbounds, files):
    (files / "s.csv").write_text(SCORES)
    arguments = ("card", "--scores", "AP=s.csv", "--system", "b", "--collection", "C")
    done = irbounds(*arguments, "--method", "student-t", "--alternative", "less")
    whole = json.loads(done.stdout)
    assert (whole["system"], whole["n"], whole["interval"]["low"]) == ("b", 30, None)
    assert whole["inputs"][0]["name"] == "s.csv"


def test_a_card_of_standardised_scores(irbounds, files):
    (files / "s.csv").write_text(SCORES)
    table = package.read_scores(files / "s.csv", measure="AP")
    factors = package.standardisation.score_factors(table, ["a", "b", "c"])
    package.standardisation.write_factors(factors, files / "f.json")
    arguments = ("card", "--scores", "AP=s.csv", "--system", "b", "--collection", "C")
    done = irbounds(*arguments, "--factors", "f.json")
    whole = json.loads(done.stdout)
    assert whole["measure"] == "z(AP)"
    assert whole["standardisation"] == {
        "transform": "z", "systems": ["a", "b", "c"], "fingerprint": factors.fingerprint,
    }  # fmt: skip
    assert b"reference systems 3 (factors sha256 " in done.stderr
    other = irbounds(*arguments, "--factors", "f.json", "--transform", "normal-cdf")
    assert json.loads(other.stdout)["measure"] == "normal-cdf(AP)"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--scores", "AP=s.csv"), "a card has one system: name one of a, b, c"),
        (("qrels.txt", "one.run"), "--measures: a card has one measure"),
        (("--scores", "AP=s.csv", "--transform", "z"), "--transform needs --factors"),
        (("--scores", "AP=s.csv", "--system", "a", "--method", "normal"), "is not for cards"),
    ],
)
def test_what_makes_no_card_is_one_line_and_status_2(irbounds, files, arguments, said):
    (files / "s.csv").write_text(SCORES)
    one_line(irbounds("card", "--collection", "C", *arguments), said)


def one_line(done, said):
    assert (done.returncode, done.stdout) == (2, b"")
    message = done.stderr.decode()
    assert message.startswith("irbounds: error: ")
    assert said in message
    assert message.count("\n") == 1


def test_a_card_names_its_one_measure(irbounds, files):
    (files / "wide.csv").write_text("topic,a\n1,0.2\n2,0.5\n")
    done = irbounds("card", "--collection", "C", "--scores", "wide.csv")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"a card names its measure; name that of the table" in done.stderr
    done = irbounds("card", "--collection", "C", "--scores", "wide.csv", "-m", "AP", "-m", "RR")
    assert done.returncode == 2
    assert b"--measures: a card has one measure" in done.stderr
    named = irbounds("card", "--collection", "C", "--scores", "wide.csv", "-m", "AP")
    assert json.loads(named.stdout)["measure"] == "AP"


def test_a_card_needs_a_collection(irbounds, files):
    one_line(irbounds("card", "qrels.txt", "one.run", "-m", "AP"), "--collection")


def test_warnings_of_a_card_go_to_standard_error(irbounds, files):
    (files / "e.csv").write_text("topic,a\n1,0.5\n2,0.5\n")
    done = irbounds("card", "--scores", "AP=e.csv", "--collection", "C")
    assert done.stderr == b"warning: a, AP: no interval, all 2 scores are 0.5\n"
    assert json.loads(done.stdout)["interval"]["low"] is None


def test_two_cards_side_by_side(irbounds, cards):
    done = irbounds("compare-cards", "a.json", "b.json")
    a, b = (package.cards.read_card(cards / f"{name}.json") for name in "ab")
    expected = stats.ttest_ind_from_stats(
        a.mean, a.standard_deviation, a.n, b.mean, b.standard_deviation, b.n, equal_var=False
    )
    found = package.cards.compare_cards(a, b)
    low, high = found.interval.low, found.interval.high
    apart = f"difference {a.mean - b.mean:.3f}, 95 % interval {low:.3f} to {high:.3f}"
    assert expected.pvalue < 0.001
    assert done.stdout.decode().splitlines() == [
        f"a (C) and b (C) differ significantly in AP: {apart}, p < 0.001",
        f"warning: {found.warnings[0]}",
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
    assert (done.returncode, done.stderr) == (0, b"")


def test_every_format_and_side(irbounds, cards):
    found = package.cards.compare_cards(
        package.cards.read_card(cards / "b.json"), package.cards.read_card(cards / "other.json"),
        alternative="greater", confidence_level=0.9,
    )  # fmt: skip
    arguments = ("compare-cards", "b.json", "other.json", "--alternative", "greater")
    arguments += ("--confidence-level", "0.9")
    table = irbounds(*arguments, "--format", "csv").stdout.decode()
    rows = list(csv.DictReader(io.StringIO(table)))
    assert [row["what"] for row in rows] == ["first", "second", "difference"]
    assert float(rows[2]["p_value"]) == found.p_value
    assert float(rows[2]["low"]) == found.interval.low
    assert (rows[0]["p_value"], rows[2]["n"]) == ("", "")
    whole = json.loads(irbounds(*arguments, "--format", "json").stdout)
    assert whole["results"][2]["high"] is None
    assert whole["warnings"] == list(found.warnings)
    assert [one["name"] for one in whole["inputs"]] == ["s.csv", "few.csv"]
    shown = irbounds(*arguments).stdout.decode()
    assert shown.startswith("b (C) is not shown to score higher than a (D) in AP: difference -")
    assert shown.count("warning: ") == 2
    assert "90 % Welch lower limit\n" in shown
    assert shown.splitlines()[-2].split()[3] == "-"  # no upper end
    written = irbounds(*arguments, "-o", "t.tex")
    assert (written.returncode, written.stdout) == (0, b"")
    assert (cards / "t.tex").read_text().startswith("% needs ")


def test_no_interval_and_why(irbounds, cards):
    card = json.loads((cards / "a.json").read_text())
    card |= {"n": 1, "standard_deviation": None, "standard_error": None}
    card["interval"] |= {"low": None, "high": None}
    single = json.dumps(card).encode()
    shown = irbounds("compare-cards", "-", "b.json", stdin=single).stdout.decode()
    assert "no interval, a has a single query, and so no standard deviation\n" in shown
    assert shown.splitlines()[-2].split()[2:] == ["-", "-", "-"]


def test_cards_that_cannot_be_compared_or_read(irbounds, cards):
    card = json.loads((cards / "a.json").read_text())
    (cards / "rr.json").write_text(json.dumps({**card, "measure": "RR"}))
    refused = irbounds("compare-cards", "rr.json", "b.json")
    one_line(refused, "the cards cannot be compared: their measures differ (RR and AP)")
    (cards / "bad.json").write_text(json.dumps({**card, "n": "many"}))
    one_line(
        irbounds("compare-cards", "bad.json", "b.json"),
        "bad.json: n must be an integer; got 'many'",
    )
    one_line(irbounds("compare-cards", "-", "-"), "standard input (-) can be read only once")
