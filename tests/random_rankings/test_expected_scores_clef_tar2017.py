"""A random run that was published: CLEF TAR 2017, 30 reviews whose documents are all judged.

The organisers' random order has a mean AP of 0.0448. Its chance level follows from the judgments:
the population is the judged documents, and every one of them is ranked.
"""

from __future__ import annotations

import gzip

import numpy as np
import pytest

import irbounds
from irbounds import expected_score
from irbounds.random_rankings import null_distribution, score_variance

PUBLISHED = 0.0448
HALF_DIGIT = 0.00005


@pytest.fixture(scope="module")
def directory(data_directory):
    directory = data_directory / "clef-tar2017"
    if not directory.is_dir():
        pytest.skip(f"needs clef-tar2017, which {data_directory} does not hold")
    return directory


@pytest.fixture(scope="module")
def sizes(directory):
    """Documents and relevant ones of each topic, counted here line by line."""
    documents, relevant = {}, {}
    with gzip.open(directory / "qrel_abs_test.txt.gz", "rt") as lines:
        for line in lines:
            topic, _, _, grade = line.split()
            documents[topic] = documents.get(topic, 0) + 1
            relevant[topic] = relevant.get(topic, 0) + (int(grade) > 0)
    return np.array(list(documents.values())), np.array(list(relevant.values()))


def recursion(n_documents, n_relevant):
    """Mean and variance of AP, going down the ranks with the moments of what is summed so far.

    At each rank the state is how many relevant documents were met; another is met with the fraction
    of them that remains. No formula of the package is in it.
    """
    met = np.arange(n_relevant + 1.0)
    mass, first, second = np.zeros((3, n_relevant + 1))
    mass[0] = 1
    for rank in range(1, n_documents + 1):
        hit = np.clip((n_relevant - met) / (n_documents - rank + 1), 0, 1)
        gain = (met + 1) / rank
        result = (mass, first + gain * mass, second + 2 * gain * first + gain**2 * mass)
        mass, first, second = (
            one * (1 - hit) + np.append(0, (more * hit)[:-1])
            for one, more in zip((mass, first, second), result, strict=True)
        )
    mean = first.sum() / n_relevant
    return mean, second.sum() / n_relevant**2 - mean**2


def test_chance_level(sizes):
    documents, relevant = sizes
    assert (len(documents), documents.sum()) == (30, 117_562)
    prevalence = (relevant / documents).mean()
    chance = expected_score(documents, relevant).mean()
    deviation = np.sqrt(score_variance(documents, relevant).sum()) / len(documents)
    assert prevalence == pytest.approx(0.0415, abs=HALF_DIGIT)
    assert chance == pytest.approx(0.0503070261688374, rel=1e-12)
    assert deviation == pytest.approx(0.0043164443106089, rel=1e-10)
    # who takes the prevalence for the chance level is off by two standard deviations of it
    assert (prevalence - chance) / deviation == pytest.approx(-2.04, abs=0.005)


def test_moments_match_a_recursion_over_ranks(sizes):
    """Six topics, the smallest and the one with the fewest relevant documents among them."""
    documents, relevant = sizes
    order = np.argsort(documents)[:5].tolist()
    for place in {*order, int(relevant.argmin())}:
        n, r = int(documents[place]), int(relevant[place])
        mean, variance = recursion(n, r)
        assert expected_score(n, r) == pytest.approx(mean, rel=1e-11)
        assert score_variance(n, r) == pytest.approx(variance, rel=1e-9)


def test_published_random_run_is_not_significant(sizes):
    documents, relevant = sizes
    deviation = np.sqrt(score_variance(documents, relevant).sum()) / len(documents)
    z = (PUBLISHED - expected_score(documents, relevant).mean()) / deviation
    assert z == pytest.approx(-1.276, abs=HALF_DIGIT / deviation)
    drawn = null_distribution(documents, relevant, n_draws=999).p_value(PUBLISHED, "two-sided")
    # 0.142 by 9,999 draws; the standard error is 0.016 here, so one seed in 10,000 fails
    assert 0.08 < drawn < 0.21


def test_real_run_is_significant(directory, sizes):
    """The negative control: an active-learning run on the same topics."""
    run = directory / "waterloo-A-rank-normal.run.gz"
    table = irbounds.score(directory / "qrel_abs_test.txt.gz", run, ["AP"])
    observed = float(table.values[0, 0].mean())
    assert observed > 0.2
    assert null_distribution(*sizes, n_draws=99).p_value(observed) == 0.01
