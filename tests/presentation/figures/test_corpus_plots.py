"""Figures of corpus bootstraps: boxes, spreads, ranks, queries, pools and the variance split."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from irbounds.presentation.figures.corpus_plots import (
    MAX_NAMED,
    MAX_POINTS,
    MAX_SYSTEMS,
    difference_boxes,
    measure_spreads,
    pool_query_differences,
    pools,
    query_distributions,
    query_spread_ranges,
    rank_boxes,
    score_boxes,
    score_deviations,
    system_spreads,
    variances,
)
from irbounds.presentation.figures.export import figure_bytes
from irbounds.presentation.figures.style import COLOURS, CONTRAST, DASHED_LINE, EMPHASIS, THIN_LINE
from irbounds.results import (
    DifferencePrecision,
    ImageSummary,
    Interval,
    MeasurePrecision,
    PoolPrecision,
    QueryPrecision,
    QuerySpread,
    RankInterval,
    RankPrecision,
    ScorePrecision,
    SpreadSummary,
    VarianceSplit,
)

HOSTILE = '<script>alert("1")</script>\'s run.v2[0] & ' + "x" * 40
FIVE = ("minimum", "lower_quartile", "median", "upper_quartile", "maximum")
N_QUERIES = 20


def summary(mean, sd):
    """Seven different numbers, so that one in the place of another shows."""
    return ImageSummary(mean, sd, mean - 3 * sd, mean - sd, mean + sd / 8, mean + sd, mean + 4 * sd)


def around(mean, sd):
    return Interval(mean - 2 * sd, mean + 2.5 * sd, 0.95, "percentile")


def score(system, root, sd=0.01, measure="AP"):
    mean = root + sd / 5
    return ScorePrecision(measure, system, root, summary(mean, sd), around(mean, sd), 2, 50, 1000)


def difference(system, baseline, root, higher=0.99):
    held = (summary(root, 0.01), around(root, 0.01), higher, 50, 1000)
    return DifferencePrecision("AP", system, baseline, root, *held)


def rank(system, place, low, high, measure="AP"):
    ranks = ImageSummary(place + 0.1, 0.5, low, place, place, place + 0.75, high)
    interval = RankInterval(low, high, 0.95, "quantile")
    return RankPrecision(measure, system, 0.5, place, ranks, interval, 0.9, None, 8, 1000)


def spread(measure, mean, sd, difference=None, system=None):
    differences = SpreadSummary(*difference) if difference else None
    n_systems = 1 if system else 3
    return MeasurePrecision(
        measure, SpreadSummary(mean, sd), differences, system, n_systems, 50, 1000
    )


def split(system, root, queries, documents, both, *, baseline=None, measure="AP"):
    total = queries + documents + both
    interval = Interval(root - 0.05, root + 0.06, 0.95, "student-t")
    parts = (queries, documents, both, total, queries, documents, total)
    return VarianceSplit(measure, system, baseline, root, *parts, interval, 50, 1000)


SCORES = [score("weak", 0.2), score("strong", 0.5, 0.02)]
RANKS = [rank("first", 1, 1, 2), rank("last", 7, 5, 8)]
SPREADS = [spread("AP", 0.05, 0.04, (0.04, 0.03)), spread("RR", 0.2, 0.1, (0.25, 0.12))]
SPLITS = [split("weak", 0.2, 6e-4, 1e-4, 3e-4), split("strong", 0.5, 5e-4, 1e-4, 4e-4)]


def axis_titles(figure):
    """Every axis title of a specification, in order."""

    def found(part, channel=""):
        if isinstance(part, list):
            return [title for one in part for title in found(one)]
        if not isinstance(part, dict):
            return []
        own = [part["title"]] if channel in ("x", "y") and part.get("title") else []
        return own + [title for key, one in part.items() for title in found(one, key)]

    return list(dict.fromkeys(found(figure.to_dict())))


def test_score_boxes_hold_what_the_results_hold(rows_of):
    figure = score_boxes([*SCORES, score("weak", 0.7, measure="nDCG@10")])
    drawn = {(row["system"], row["root"]): row for row in rows_of(figure)}
    for one in SCORES:
        row = drawn[one.system, one.value]
        assert {name: row[name] for name in FIVE} == {
            name: getattr(one.images, name) for name in FIVE
        }
        assert (row["low"], row["high"]) == (one.interval.low, one.interval.high)
    assert ("weak", 0.7) in drawn
    assert axis_titles(figure) == ["mean AP", "mean nDCG@10"]
    assert figure.name == "corpus-scores"
    assert figure.title == "Mean scores over 50 queries on 1,000 images of the corpus"
    assert figure.description.startswith(
        "Box plots of 2 systems by mean AP: strong at 0.500 (from 0.464 to 0.554 on 95 % of "
        "images) and weak at 0.200 (from 0.182 to 0.227 on 95 % of images)."
    )


def test_systems_are_best_first_or_in_the_order_given(rows_of):
    names = [row["system"] for row in rows_of(score_boxes(SCORES))]
    assert list(dict.fromkeys(names)) == ["strong", "weak"]
    given = [row["system"] for row in rows_of(score_boxes(SCORES, ["weak", "strong"]))]
    assert list(dict.fromkeys(given)) == ["weak", "strong"]
    ranks = [row["system"] for row in rows_of(rank_boxes(RANKS, ["last", "first"]))]
    assert list(dict.fromkeys(ranks)) == ["last", "first"]


def halves(mask, axis=0):
    """The columns (or rows) painted in the first and in the second half of the other axis."""
    found = np.nonzero(mask)
    along, across = found[axis], found[1 - axis]
    middle = (along.min() + along.max()) / 2
    return across[along < middle], across[along > middle]


def test_the_better_system_is_above_and_to_the_right(painted):
    """The box and the diamond of strong, all of them, right of those of weak."""
    for colour in (EMPHASIS, CONTRAST):
        above, below = halves(painted(score_boxes(SCORES), colour, legend=False))
        assert above.min() > below.max()


def test_symbols_of_the_legend_are_those_of_the_marks(symbol):
    """A diamond fills half of its box, a square all of it, and a line is flat."""
    for figure in (score_boxes(SCORES), rank_boxes(RANKS)):
        assert 0.4 < symbol(figure, CONTRAST)[0] < 0.65
        assert symbol(figure, EMPHASIS) == pytest.approx((1, 1), abs=0.1)
        assert THIN_LINE in json.dumps(figure.to_dict())


def test_the_better_rank_is_above_and_to_the_left(painted):
    above, below = halves(painted(rank_boxes(RANKS), EMPHASIS, legend=False))
    assert above.max() < below.min()


def test_rank_boxes_hold_what_the_results_hold(rows_of):
    figure = rank_boxes(RANKS)
    drawn = {row["system"]: row for row in rows_of(figure)}
    assert [drawn["last"][name] for name in ("root", "low", "high", "upper_quartile")] == [
        *(7, 5, 8),
        7.75,
    ]
    assert axis_titles(figure) == ["rank by mean AP, 1 is best"]
    assert figure.title == "Ranks of 8 systems on 1,000 images of the corpus"
    assert figure.description == (
        "Box plots of the ranks of 2 systems by mean AP: first is first on the corpus and has the "
        "highest mean in 90.0 % of images; the widest range is that of last, 5 to 8 on 95 % of "
        "images."
    )


def test_deviations_by_system_and_measure(rows_of, painted):
    rows = [*SCORES, *(score(one, 0.3, 0.08, "RR") for one in ("weak", "strong"))]
    figure = score_deviations(rows)
    drawn = {(row["system"], row["measure"]): row["deviation"] for row in rows_of(figure)}
    assert drawn == {(one.system, one.measure): one.images.standard_deviation for one in rows}
    assert axis_titles(figure) == ["standard deviation of the mean score over images"]
    words = "AP: standard deviation of the mean of 2 systems, 0.0100 to 0.0200."
    assert words in figure.description
    precise, rough = (painted(figure, colour, legend=False) for colour in COLOURS[:2])
    assert np.nonzero(precise)[1].max() < np.nonzero(rough)[1].min()


def test_differences_from_a_baseline(rows_of, painted):
    rows = [difference("worse", "base", -0.2), difference("better", "base", 0.3)]
    figure = difference_boxes(rows)
    assert figure.title == "Differences of means from base on 1,000 images of the corpus"
    assert figure.description == (
        "Box plots of 2 differences of mean AP, from -0.200 to 0.300; in 2 of them 95 % of images "
        "are on one side of 0."
    )
    drawn = [row for row in rows_of(figure) if "label" in row]
    assert {row["label"]: row["root"] for row in drawn} == {"better": 0.3, "worse": -0.2}
    above, below = halves(painted(figure, EMPHASIS, legend=False))
    assert above.min() > below.max()


def test_a_baselines_long_name_is_short_in_a_title_and_whole_in_the_rows(rows_of):
    long = "b" * 80
    figure = difference_boxes([difference("a", long, 0.1), difference("c", long, 0.2)])
    assert figure.title.startswith("Differences of means from bbb")
    assert len(figure.title) < 110
    assert {row["baseline"] for row in rows_of(figure) if "system" in row} == {long}
    drawn = variances([split("a", 0.1, 1.0, 2.0, 1.0, baseline=long)])
    assert "b" * 40 not in drawn.title


def test_of_many_pairs_the_least_certain_are_drawn(rows_of):
    """Certain pairs are the first ones; 0.5 is the least certain."""
    rows = [
        difference(f"s{k}", f"t{k}", k / 100, higher=1 - k / 200) for k in range(MAX_SYSTEMS + 5)
    ]
    figure = difference_boxes(rows)
    labels = {row["label"] for row in rows_of(figure) if "label" in row}
    assert labels == {f"s{k} \N{MINUS SIGN} t{k}" for k in range(5, MAX_SYSTEMS + 5)}
    assert figure.title.endswith(f": the {MAX_SYSTEMS} least certain of {MAX_SYSTEMS + 5}")


def test_of_pairs_whose_order_all_images_share_the_nearest_are_drawn(rows_of):
    rows = [difference(f"s{k}", f"t{k}", (k + 1) / 100, higher=1.0) for k in range(MAX_SYSTEMS + 5)]
    drawn = {row["label"] for row in rows_of(difference_boxes(rows[::-1])) if "label" in row}
    assert drawn == {f"s{k} \N{MINUS SIGN} t{k}" for k in range(MAX_SYSTEMS)}


def test_measures_with_and_without_differences(rows_of, painted):
    figure = measure_spreads(SPREADS)
    drawn = {(row["measure"], row["kind"]): row for row in rows_of(figure)}
    assert len(drawn) == 4
    row = drawn["RR", "of a difference of two systems"]
    assert (row["mean"], row["low"], row["high"]) == (0.25, 0.13, 0.37)
    assert "AP of a score: 0.050 ± 0.040. AP of a difference" in figure.description
    above, below = halves(painted(figure, COLOURS[0], legend=False))
    assert np.ptp(above) < np.ptp(below)  # 0.08 against 0.2
    alone = measure_spreads([spread("AP", 0.05, 0.07)])
    (row, *_) = rows_of(alone)
    assert (row["kind"], row["low"]) == ("of a score", 0.0)  # no standard deviation is below 0
    assert "over 3 systems" in alone.description


def test_systems_by_their_spread(rows_of, painted):
    rows = [spread("AP", 0.05, 0.02, system="a"), spread("AP", 0.2, 0.03, system="b")]
    figure = system_spreads(rows)
    assert {row["system"]: row["mean"] for row in rows_of(figure)} == {"a": 0.05, "b": 0.2}
    assert figure.description.endswith("from 0.050 (a) to 0.200 (b).")
    above, below = halves(painted(figure, EMPHASIS))
    assert above.max() < below.min()


def test_variance_shares_add_up_and_are_painted_in_proportion(rows_of, painted):
    figure = variances(SPLITS)
    drawn = rows_of(figure)
    shares = {(row["system"], row["part"]): row for row in drawn if "fraction" in row}
    assert shares["weak", "queries"]["fraction"] == pytest.approx(0.6)
    assert shares["weak", "both together"]["from"] == pytest.approx(0.7)
    assert shares["weak", "both together"]["to"] == pytest.approx(1.0)
    means = {row["system"]: row for row in drawn if "mean" in row}
    assert (means["strong"]["low"], means["strong"]["high"]) == (0.45, 0.56)
    assert figure.title == "Means with 95 % intervals, and where their variance comes from"
    assert figure.description.endswith(
        "strong has 0.500, from 0.450 to 0.560 for new queries on a new corpus; fractions of its "
        "variance: queries 50 %, documents 10 %, both together 40 %."
    )
    documents, both = (painted(figure, colour, legend=False).sum() for colour in COLOURS[1:3])
    assert both / documents == pytest.approx(3.5, rel=0.1)


def test_where_nothing_varies_there_is_nothing_to_share_out(rows_of):
    flat = Interval(math.nan, math.nan, 0.95, "student-t")
    row = replace(split("flat", 0.5, 0.0, 0.0, 0.0), interval=flat)
    figure = variances([row])
    assert {one["fraction"] for one in rows_of(figure) if "fraction" in one} == {None}
    assert "queries -, documents -" in figure.description


@pytest.mark.parametrize(
    "figure",
    [
        score_boxes([score(HOSTILE, 0.3), score("b", 0.2)]),
        rank_boxes([rank(HOSTILE, 1, 1, 2, "AP(rel=2).[0]")]),
        difference_boxes([difference(HOSTILE, "'b\"", 0.1), difference("c", HOSTILE, 0.2)]),
        variances([split(HOSTILE, 0.3, 1e-4, 0.0, 1e-4, baseline="</svg>")]),
        system_spreads([spread("nDCG@10", 0.1, 0.01, system=HOSTILE)]),
    ],
    ids=lambda figure: figure.name,
)
def test_hostile_names_are_text(figure, rows_of):
    assert any(row.get("system") == HOSTILE for row in rows_of(figure))
    drawn = ElementTree.fromstring(figure_bytes(figure, ".svg"))
    assert not [one for one in drawn.iter() if one.tag.endswith("script")]
    assert any((one.text or "").startswith("<script>alert") for one in drawn.iter())


def query(k, measure="AP"):
    mean = (k + 1) / (N_QUERIES + 2)
    interval = Interval(mean - 0.02, mean + 0.03, 0.95, "percentile")
    return QueryPrecision(
        measure, "bm25", f"q{k}", mean + 0.001, summary(mean, 0.01), interval, 500
    )


def query_spread(k, measure="AP", times=1.0):
    high = times * (k + 1) / 100
    return QuerySpread(measure, f"q{k}", high / 2, high, 1.25 * high, 8, 500)


def pool(depth, p_value, sd, measure="AP", n_images=50):
    """Two systems whose mean differences are 0.1, 0.101 and so on, with p-values around one."""
    differences = 0.1 + 0.001 * np.arange(n_images)
    p_values = np.full(n_images, p_value)
    on_queries = tuple(summary((k - 10) / 40, sd) for k in range(N_QUERIES))
    return PoolPrecision(
        measure=measure,
        system="new",
        baseline="old",
        depth=depth,
        n_relevant=7.5,
        difference=0.12,
        p_value=p_value,
        differences=summary(0.12, 0.01),
        p_values=summary(p_value, 0.0),
        query_spreads=summary(sd * 2, 0.01),
        significant=float(p_value < 0.05),
        n_queries=N_QUERIES,
        n_images=n_images,
        image_differences=differences,
        image_p_values=p_values,
        query_differences=np.zeros((N_QUERIES, 3), np.float32),
        query_ids=tuple(f"q{k}" for k in range(N_QUERIES)),
        on_queries=on_queries,
    )


POOLS = [pool(10, 0.64, 0.05), pool(None, 0.04, 0.01)]


def left_and_right(mask):
    """The first and the last third of what is painted."""
    painted = np.flatnonzero(mask.any(axis=0))
    third = (painted[-1] - painted[0]) // 3
    return mask[:, : painted[0] + third], mask[:, painted[-1] - third :]


def test_spreads_stand_by_their_percentile(rows_of, painted):
    rows = [query_spread(k) for k in reversed(range(N_QUERIES))]
    figure = query_spread_ranges(rows)
    drawn = rows_of(figure)
    assert [row["query"] for row in drawn][:3] == ["q0", "q1", "q2"]
    last = drawn[N_QUERIES - 1]
    assert (last["median"], last["percentile_95"], last["maximum"]) == (0.1, 0.2, 0.25)
    assert figure.title == "Standard deviation of AP over 500 images, query by query"
    assert figure.description == (
        "AP on 20 queries: the 95th percentile over 8 systems of the standard deviation goes from "
        "0.010 (query q0) to 0.200 (query q19), with a median of 0.105."
    )
    left, right = left_and_right(painted(figure, EMPHASIS, legend=False))
    assert np.nonzero(left)[0].min() > np.nonzero(right)[0].max()  # dots rise to the right


def test_measures_share_one_scale(painted):
    """The second measure spreads ten times as far, so the dots of the first lie at its bottom."""
    rows = [
        *map(query_spread, range(N_QUERIES)),
        *(query_spread(k, "RR", 10.0) for k in range(N_QUERIES)),
    ]
    figure = query_spread_ranges(rows)
    assert figure.title.startswith("Standard deviation of a score over")
    domains = [
        layer["encoding"]["y"]["scale"]["domain"]
        for panel in figure.to_dict()["vconcat"]
        for layer in panel["layer"][:1]
    ]
    assert domains == [[0, 2.5]] * 2
    # the dots of either panel: a tenth of the height above, all of it below
    ink = np.flatnonzero(painted(figure, EMPHASIS, legend=False).any(axis=1))
    between = int(np.argmax(np.diff(ink)))
    above, below = np.ptp(ink[: between + 1]), np.ptp(ink[between + 1 :])
    assert 5 * above < below


def test_distributions_hold_what_the_results_hold(rows_of, painted):
    rows = [query(k) for k in reversed(range(N_QUERIES))]
    figure = query_distributions(rows)
    drawn = {row["query"]: row for row in rows_of(figure)}
    for one in rows:
        row = drawn[one.query_id]
        assert row["root"] == one.value
        assert (row["low"], row["high"]) == (one.interval.low, one.interval.high)
        for name in ("minimum", "lower_quartile", "median", "upper_quartile", "maximum"):
            assert row[name] == getattr(one.images, name)
    assert figure.title == "AP of bm25 on single queries, on 500 images"
    assert "medians from 0.05 to 0.91; standard deviations have a median of 0.010" in (
        figure.description
    )
    for colour in (CONTRAST, EMPHASIS):
        left, right = left_and_right(painted(figure, colour, legend=False))
        assert np.nonzero(left)[0].min() > np.nonzero(right)[0].max()


def test_queries_have_their_names_where_there_is_room():
    few = json.dumps(query_distributions([query(k) for k in range(MAX_NAMED)]).to_dict())
    many = json.dumps(query_distributions([query(k) for k in range(MAX_NAMED + 1)]).to_dict())
    assert '"labels": true' in few
    assert '"labels": false' in many


def test_p_values_against_differences(rows_of, painted):
    figure = pools(POOLS)
    points = [row for row in rows_of(figure) if "p" in row]
    assert {(0.12, 0.64), (0.12, 0.04)} < {(row["difference"], row["p"]) for row in points}
    assert (0.149, 0.04) in {(row["difference"], row["p"]) for row in points}
    assert figure.title == (
        "new minus old with shallow pools: p-value against difference, image by image"
    )
    assert "AP, depth 10: differences from" in figure.description
    assert "below 0.05 in 100 % of them; on the corpus 0.120 with p = 0.040." in figure.description
    # points are half transparent; the legend's are not
    shallow, full = left_and_right(painted(figure, "#80B8D8"))
    assert np.nonzero(shallow)[0].max() < np.nonzero(full)[0].min()  # 0.64 above 0.04
    assert '"scale": {"type": "sqrt", "nice": false}' in json.dumps(figure.to_dict())


def test_symbols_of_the_legends_of_pools_are_those_of_the_marks(symbol):
    """A circle fills 0.79 of its box, and lines are flat; boxes alone have a legend, too."""
    images = pools(POOLS)
    assert symbol(images, EMPHASIS) == pytest.approx((0.785, 1), abs=0.1)
    assert symbol(images, CONTRAST)[1] < 0.5
    assert DASHED_LINE in json.dumps(images.to_dict())
    boxes = pool_query_differences(POOLS)
    assert symbol(boxes, EMPHASIS) == pytest.approx((1, 1), abs=0.1)
    assert THIN_LINE in json.dumps(boxes.to_dict())


@pytest.mark.parametrize("draw", [pools, pool_query_differences])
def test_long_names_are_short_in_a_title(draw):
    ends = {"system": "n" * 79 + "1", "baseline": "o" * 79 + "2"}
    title = draw([replace(POOLS[0], **ends)]).title
    assert title.startswith("n" * 26 + "\N{HORIZONTAL ELLIPSIS}" + "n" * 12 + "1 minus ooo")
    assert "o2 with shallow pools" in title
    assert len(title) < 160


def test_a_systems_long_name_is_short_in_a_title():
    figure = query_distributions([replace(query(k), system="s" * 80) for k in range(3)])
    assert "s" * 40 not in figure.title
    assert figure.title.endswith("s on single queries, on 500 images")


def test_of_many_images_the_first_are_drawn(rows_of):
    figure = pools([pool(10, 0.2, 0.1, n_images=MAX_POINTS + 100)])
    differences = [row["difference"] for row in rows_of(figure) if "difference" in row]
    most = 0.1 + 0.001 * (MAX_POINTS - 1)
    assert max(differences) == pytest.approx(most)
    assert len(json.dumps(figure.to_dict())) < 60_000


def test_an_image_without_a_p_value_is_not_drawn(rows_of):
    row = pool(10, float("nan"), 0.1)
    assert {one["p"] for one in rows_of(pools([row])) if "p" in one} == {None}


def test_differences_on_queries_widen_in_shallow_pools(rows_of, painted):
    figure = pool_query_differences(POOLS)
    boxes = [row for row in rows_of(figure) if "median" in row]
    assert [row["query"] for row in boxes[:2]] == ["q0", "q1"]
    medians = {(row["query"], row["median"]) for row in boxes}
    assert medians == {
        (query_id, one.median)
        for row in POOLS
        for query_id, one in zip(row.query_ids, row.on_queries, strict=True)
    }
    widths = {round(row["upper_quartile"] - row["lower_quartile"], 9) for row in boxes}
    assert widths == {0.1, 0.02}
    assert "all judgments: box plots of the difference on 20 queries, medians from -0.249 to" in (
        figure.description
    )
    shallow, full = left_and_right(painted(figure, EMPHASIS, legend=False))
    assert shallow.sum() > 1.5 * full.sum()


def test_a_query_has_one_place_in_all_panels(rows_of):
    """In the order of the deepest pool, whatever the shallow one says."""
    turned = pool(10, 0.64, 0.05)
    turned = PoolPrecision(**{**vars(turned), "on_queries": turned.on_queries[::-1]})
    boxes = [
        row["query"]
        for row in rows_of(pool_query_differences([turned, POOLS[1]]))
        if "median" in row
    ]
    assert boxes[:N_QUERIES] == boxes[-N_QUERIES:] == [f"q{k}" for k in range(N_QUERIES)]


@pytest.mark.parametrize("n", [MAX_SYSTEMS, MAX_SYSTEMS + 1])
def test_of_many_systems_the_first_are_drawn_and_a_note_says_so(n, rows_of):
    """Systems s0, s1 and so on are best first; ``system_spreads`` keeps the order of its rows."""
    names = [f"s{k}" for k in range(n)]
    scores = [score(name, 1 - k / 100) for k, name in enumerate(names)]
    for draw, rows in (
        (score_boxes, scores),
        (score_deviations, scores),
        (rank_boxes, [rank(name, k + 1, 1, n) for k, name in enumerate(names)]),
        (system_spreads, [spread("AP", 0.1, 0.01, system=name) for name in names]),
        (variances, [split(name, 1 - k / 100, 1, 1, 1) for k, name in enumerate(names)]),
    ):
        shown = {
            row["system"]
            for row in rows_of(draw(rows[::-1] if draw is not system_spreads else rows))
            if "system" in row
        }
        assert shown == set(names[:MAX_SYSTEMS]), draw
        note = f" (the first {MAX_SYSTEMS} of {n} systems)"
        assert draw(rows).title.endswith(note) == (n > MAX_SYSTEMS)
        assert {row["system"] for row in rows_of(draw(rows, top=3)) if "system" in row} == {
            *names[:3]
        }
        assert "the first" not in draw(rows, top=None).title
