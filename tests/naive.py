"""Slow and obvious twins of what irbounds computes fast: the oracles of the tests.

Nothing here imports irbounds. Judgments and runs are dict of dict; a function scores one query.
"""

from __future__ import annotations

import decimal
import hashlib
import itertools
import math
import statistics
from fractions import Fraction

Judgments = dict[str, int]
Scores = dict[str, float]

CWL_DEPTH = 1000


def ranking(run: Scores) -> list[str]:
    """Return document ids by descending score, then by descending bytes, as trec_eval."""
    return sorted(run, key=lambda doc: (run[doc], doc.encode()), reverse=True)


def grades(judgments: Judgments, run: Scores) -> list[int | None]:
    """Return the grade at each rank, None where not judged."""
    return [judgments.get(doc) for doc in ranking(run)]


def is_relevant(grade: int | None, rel: int = 1) -> bool:
    return grade is not None and grade >= rel


def n_relevant(judgments: Judgments, rel: int = 1) -> int:
    return sum(grade >= rel for grade in judgments.values())


def average_precision(judgments, run, rel=1, cutoff=None):
    total, hits = 0.0, 0
    for rank, grade in enumerate(grades(judgments, run)[:cutoff], start=1):
        if is_relevant(grade, rel):
            hits += 1
            total += hits / rank
    return total / n_relevant(judgments, rel) if n_relevant(judgments, rel) else 0.0


def precision(judgments, run, cutoff, rel=1):
    return sum(is_relevant(g, rel) for g in grades(judgments, run)[:cutoff]) / cutoff


def recall(judgments, run, cutoff=None, rel=1):
    n_retrieved_relevant = sum(is_relevant(g, rel) for g in grades(judgments, run)[:cutoff])
    return n_retrieved_relevant / n_relevant(judgments, rel) if n_relevant(judgments, rel) else 0.0


def r_precision(judgments, run, rel=1):
    n_all_relevant = n_relevant(judgments, rel)
    return precision(judgments, run, n_all_relevant, rel) if n_all_relevant else 0.0


def reciprocal_rank(judgments, run, rel=1, cutoff=None):
    for rank, grade in enumerate(grades(judgments, run)[:cutoff], start=1):
        if is_relevant(grade, rel):
            return 1 / rank
    return 0.0


def success(judgments, run, cutoff, rel=1):
    return float(any(is_relevant(g, rel) for g in grades(judgments, run)[:cutoff]))


def dcg(gains, cutoff=None):
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains[:cutoff], start=1))


def ndcg(judgments, run, cutoff=None, dcg_form="log2"):
    def gain(grade):
        grade = max(grade or 0, 0)
        return float(grade) if dcg_form == "log2" else 2.0**grade - 1

    ideal = dcg(sorted((gain(g) for g in judgments.values()), reverse=True), cutoff)
    return dcg([gain(g) for g in grades(judgments, run)], cutoff) / ideal if ideal else 0.0


def rank_biased_precision(judgments, run, p=0.8, rel=1, cutoff=None):
    weights = [p**i for i in range(CWL_DEPTH)]
    hits = [is_relevant(g, rel) for g in grades(judgments, run)[:cutoff]]
    return sum(w * hit for w, hit in zip(weights, hits, strict=False)) / sum(weights)


def graded_rank_biased_precision(judgments, run, max_grade, p=0.8):
    weights = [p**i for i in range(CWL_DEPTH)]
    gains = [max(g or 0, 0) / max_grade for g in grades(judgments, run)]
    return sum(w * gain for w, gain in zip(weights, gains, strict=False)) / sum(weights)


def inverse_squares(judgments, run, max_rel, T=1.0, min_rel=0):
    continuation = [((i + 2 * T - 1) / (i + 2 * T)) ** 2 for i in range(1, CWL_DEPTH + 1)]
    weights, reach = [], 1.0
    for probability in continuation:
        weights.append(reach)
        reach *= probability
    gains = [
        (min(max(g or 0, 0, min_rel), max_rel) - min_rel) / (max_rel - min_rel)
        for g in grades(judgments, run)
    ]
    return sum(w * gain for w, gain in zip(weights, gains, strict=False)) / sum(weights)


def expected_reciprocal_rank(judgments, run, cutoff=None, max_grade=4):
    total, reading = 0.0, 1.0
    for rank, grade in enumerate(grades(judgments, run)[:cutoff], start=1):
        stop = (2 ** max(grade or 0, 0) - 1) / 2**max_grade
        total += reading * stop / rank
        reading *= 1 - stop
    return total


def normalised_err(judgments, run, cutoff=None, max_grade=4, stop=None):
    """Return ERR divided by that of the judged documents by grade; ``stop`` maps grades."""

    def value(ranked):
        total, reading = 0.0, 1.0
        for rank, grade in enumerate(ranked[:cutoff], start=1):
            chance = stop(grade) if stop else (2**grade - 1) / 2**max_grade
            total += reading * chance / rank
            reading *= 1 - chance
        return total

    ideal = value(sorted((max(grade, 0) for grade in judgments.values()), reverse=True))
    return value([max(g or 0, 0) for g in grades(judgments, run)]) / ideal if ideal else 0.0


def binary_preference(judgments, run, rel=1):
    n_all_relevant = n_relevant(judgments, rel)
    others = sum(0 <= grade < rel for grade in judgments.values())
    total, above = 0.0, 0
    for grade in grades(judgments, run):
        if is_relevant(grade, rel):
            total += 1 - (min(above, n_all_relevant) / min(others, n_all_relevant) if above else 0)
        elif grade is not None and grade >= 0:
            above += 1
    return total / n_all_relevant if n_all_relevant else 0.0


def judged(judgments, run, cutoff=None):
    seen = grades(judgments, run)[:cutoff]
    return sum(g is not None for g in seen) / len(seen) if seen else 0.0


def set_precision(judgments, run, rel=1, relative=False):
    n_retrieved_relevant = sum(is_relevant(g, rel) for g in grades(judgments, run))
    base = min(len(run), n_relevant(judgments, rel)) if relative else len(run)
    return n_retrieved_relevant / base if base else 0.0


def set_f(judgments, run, rel=1, beta=1.0):
    p, r = set_precision(judgments, run, rel), recall(judgments, run, rel=rel)
    return (1 + beta) * p * r / (beta * p + r) if p + r else 0.0


def parse_fields(text: str, n_fields: int) -> tuple[list[list[str]], list[tuple[int, int]]]:
    """Return records of ``n_fields`` fields, and (line, number of fields) of every other line."""
    records, bad = [], []
    for number, line in enumerate(text.split("\n"), start=1):
        fields = line.split()
        if not fields or line.startswith("#"):
            continue
        if len(fields) == n_fields:
            records.append(fields)
        else:
            bad.append((number, len(fields)))
    return records, bad


def nearest_double(text: str) -> float:
    """Return the double nearest to a decimal, by exact arithmetic."""
    exact = Fraction(text)
    guess = float(text)
    near = [guess, math.nextafter(guess, math.inf), math.nextafter(guess, -math.inf)]
    finite = [value for value in near if math.isfinite(value)]
    return min(finite, key=lambda value: abs(Fraction(value) - exact))


def n_tied(scores: list[float]) -> int:
    """Count entries that share their score with another one."""
    return sum(scores.count(score) > 1 for score in scores)


def n_contradictions(entries: list[tuple[float, int]]) -> int:
    """Count entries (score, rank) ranked behind an entry of lower score; -1 is unknown."""
    known = [(score, rank) for score, rank in entries if rank >= 0]
    return sum(any(s < score and r < rank for s, r in known) for score, rank in known)


# power of the t test


def t_test_power(effect: float, n: int, critical: float, both_tails: bool) -> float:
    """Integrate by the midpoint rule over the sample's standard deviation, in true units."""
    df, step, most = n - 1, 5e-4, 1 + 12 / math.sqrt(2 * (n - 1))
    detected = total = 0.0
    for k in range(int(most / step)):
        s = (k + 0.5) * step
        density = math.exp((df - 1) * math.log(s) - df * (s * s - 1) / 2)
        chance = _normal_below(effect * math.sqrt(n) - critical * s)
        if both_tails:
            chance += _normal_below(-effect * math.sqrt(n) - critical * s)
        detected, total = detected + density * chance, total + density
    return detected / total


def _normal_below(z: float) -> float:
    return math.erfc(-z / math.sqrt(2)) / 2


def fewest(enough) -> int:
    """Return the least n from 2 that is enough, by counting up."""
    n = 2
    while not enough(n):
        n += 1
    return n


def f_test_power(noncentrality: float, df: int, error_df: int, critical: float) -> float:
    """Return P(F > critical): central F distributions, mixed by Poisson probabilities."""
    at = df * critical / (df * critical + error_df)
    detected, chance, j = 0.0, math.exp(-noncentrality / 2), 0
    while j < noncentrality or chance > 1e-12:
        detected += chance * _beta_above(at, df / 2 + j, error_df / 2)
        j += 1
        chance *= noncentrality / 2 / j
    return detected


def _beta_above(at: float, a: float, b: float) -> float:
    """Integrate the density of a beta distribution by the midpoint rule, over angles."""
    n = 4000
    above = total = 0.0
    for k in range(n):
        angle = (k + 0.5) * math.pi / 2 / n
        x = math.sin(angle) ** 2
        log_density = (2 * a - 1) * math.log(math.sin(angle)) + (2 * b - 1) * math.log(
            math.cos(angle)
        )
        density = math.exp(log_density)
        total += density
        above += density if x > at else 0.0
    return above / total


# Reliability: a table is a list of systems, each a list of scores.


def mean_squares(table: list[list[float]]) -> tuple[Fraction, Fraction, Fraction]:
    """Return the mean squares of systems, queries and residuals, cell by cell in fractions."""
    cells = [[Fraction(score) for score in row] for row in table]
    m, n = len(cells), len(cells[0])
    mean = sum(sum(row) for row in cells) / (m * n)
    by_system = [sum(row) / n for row in cells]
    by_query = [sum(row[q] for row in cells) / m for q in range(n)]
    systems = queries = residual = Fraction(0)
    for s in range(m):
        for q in range(n):
            systems += (by_system[s] - mean) ** 2
            queries += (by_query[q] - mean) ** 2
            residual += (cells[s][q] - by_system[s] - by_query[q] + mean) ** 2
    return systems / (m - 1), queries / (n - 1), residual / ((m - 1) * (n - 1))


def reliability(table: list[list[float]], n: int) -> float:
    """Return Erho2 with n queries; a negative variance of systems counts as 0."""
    of_systems, _, e = mean_squares(table)
    s = max((of_systems - e) / len(table[0]), 0)
    return float(s / (s + e / n))


# Standardised scores: dict of systems of dict of queries, one measure.


def standardised(scores, reference, transform="z"):
    """Return standardised scores of every system, without queries of constant reference."""
    result = {system: {} for system in scores}
    for query in next(iter(scores.values())):
        known = [scores[system][query] for system in reference]
        if len(set(known)) == 1:
            continue
        mean, deviation = statistics.mean(known), statistics.stdev(known)
        for system in scores:
            z = (scores[system][query] - mean) / deviation
            phi = (1 + math.erf(z / math.sqrt(2))) / 2
            result[system][query] = z if transform == "z" else phi
    return result


def deviations_of_pairs(rows) -> list[float]:
    """Return standard deviation of the differences of every two rows, in exact arithmetic."""
    deviations = []
    for k, first in enumerate(rows):
        for second in rows[k + 1 :]:
            differences = [Fraction(a) - Fraction(b) for a, b in zip(first, second, strict=True)]
            mean = sum(differences) / len(differences)
            squares = sum((d - mean) ** 2 for d in differences)
            deviations.append(math.sqrt(squares / (len(differences) - 1)))
    return deviations


# -- intervals over queries ------------------------------------------------------------------------


def bootstrap_means(scores, draws):
    """Return the mean of one system's scores for each list of drawn places."""
    return [sum(scores[place] for place in places) / len(places) for places in draws]


def linear_quantile(values, probability):
    """Return the type 7 quantile: linear interpolation between order statistics."""
    ordered = sorted(values)
    place = probability * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def studentised_logit(means, n, probability, t, low=0.0, high=1.0):
    """Follow Park (2011), section 4.3, step by step; ``t`` is the t quantile of the probability."""
    shares = [(mean - low) / (high - low) for mean in means]
    logits = [math.log(share / (1 - share)) for share in shares if 0 < share < 1]
    mu = sum(logits) / len(logits)
    sigma = math.sqrt(sum((value - mu) ** 2 for value in logits) / len(logits))
    return low + (high - low) / (1 + math.exp(-(mu + t * sigma)))


def scaled_moments(scores, low=0.0, high=1.0):
    """Return n, mean and variance (n - 1) of scores that are scaled to 0 and 1."""
    scaled = [(score - low) / (high - low) for score in scores]
    n = len(scaled)
    mean = sum(scaled) / n
    return n, mean, sum((value - mean) ** 2 for value in scaled) / (n - 1)


def logit_t(scores, t, low=0.0, high=1.0, variance=None):
    """Return the limit of a t quantile on the logit scale, mapped back step by step."""
    n, mean, own = scaled_moments(scores, low, high)
    error = math.sqrt((own if variance is None else variance) / n) / (mean * (1 - mean))
    logit = math.log(mean / (1 - mean)) + t * error
    return low + (high - low) / (1 + math.exp(-logit))


def beta_kurtosis(mean, variance):
    """Return the excess kurtosis of a beta distribution with this mean and relative variance."""
    total = 1 / variance - 1
    a, b = mean * total, (1 - mean) * total
    numerator = 6 * ((a - b) ** 2 * (a + b + 1) - a * b * (a + b + 2))
    return numerator / (a * b * (a + b + 2) * (a + b + 3))


def moderated_wilson(scores, prior, d0, quantile, upper, low=0.0, high=1.0):
    """Return a limit by bisection of (m - mu)^2 = t^2 c mu (1 - mu) / n, away from the mean.

    ``quantile`` returns the t quantile of some degrees of freedom.
    """
    n, mean, own = scaled_moments(scores, low, high)
    relative = own / (mean * (1 - mean))
    nu = (n - 1) / (1 + max(beta_kurtosis(mean, prior), 0) / 2)
    c = max(relative, (d0 * prior + nu * relative) / (d0 + nu))
    t = quantile(d0 + nu)
    inside, outside = mean, 1.0 if upper else 0.0
    for _ in range(200):
        middle = (inside + outside) / 2
        if (mean - middle) ** 2 <= t**2 * c * middle * (1 - middle) / n:
            inside = middle
        else:
            outside = middle
    return low + (high - low) * inside


# Tests of differences, and adjusted p-values.


def _reaches(value, observed, alternative) -> bool:
    if alternative == "two-sided":
        return abs(value) >= abs(observed)
    return value >= observed if alternative == "greater" else value <= observed


def sign_flip_p_value(differences: list[Fraction], alternative: str = "two-sided") -> float:
    """Return the fraction of all sign vectors with at least as extreme a sum, exactly."""
    observed = sum(differences)
    choices = list(itertools.product((1, -1), repeat=len(differences)))
    hits = sum(
        _reaches(sum(s * d for s, d in zip(signs, differences, strict=True)), observed, alternative)
        for signs in choices
    )
    return hits / len(choices)


def sign_flip_p_value_of_integers(differences: list[int], alternative: str = "two-sided") -> float:
    """Return the same for many integers, from the number of sign vectors with each sum."""
    counts = {0: 1}
    for difference in differences:
        sums: dict[int, int] = {}
        for total, count in counts.items():
            for flipped in (total + difference, total - difference):
                sums[flipped] = sums.get(flipped, 0) + count
        counts = sums
    observed = sum(differences)
    hits = sum(n for total, n in counts.items() if _reaches(total, observed, alternative))
    return float(Fraction(hits, 2 ** len(differences)))


def holm(p_values: list[float]) -> list[float]:
    """Return, for each, the largest of (m - rank + 1) p over those that are no larger."""
    m, ordered = len(p_values), sorted(p_values)
    return [min(1.0, max((m - k) * q for k, q in enumerate(ordered) if q <= p)) for p in p_values]


def benjamini_hochberg(p_values: list[float]) -> list[float]:
    """Return, for each, the smallest of m p / rank over those that are no smaller."""
    m, ordered = len(p_values), sorted(p_values)
    return [min(1.0, *(m * q / (k + 1) for k, q in enumerate(ordered) if q >= p)) for p in p_values]


# two means from what was published of them


def welch(n_a, mean_a, sd_a, n_b, mean_b, sd_b) -> tuple[float, float, float]:
    """Return the difference, its standard error and degrees of freedom, by the formulas."""
    a, b = sd_a**2 / n_a, sd_b**2 / n_b
    freedom = (a + b) ** 2 / (a**2 / (n_a - 1) + b**2 / (n_b - 1))
    return mean_a - mean_b, math.sqrt(a + b), freedom


# queries and groups of queries of a difference


def compare_within_groups(differences, groups) -> dict:
    """Return (n, mean, p, adjusted p) by pair and group; the adjustment is Holm's over all.

    ``differences`` is pair -> query -> difference, ``groups`` query -> group.
    """
    from scipy import stats

    rows = {}
    for pair, by_query in differences.items():
        for group in sorted(set(groups.values())):
            values = []
            for query, value in by_query.items():
                if groups[query] == group:
                    values.append(value)
            p = float(stats.ttest_1samp(values, 0.0).pvalue) if len(values) > 1 else math.nan
            rows[pair, group] = (len(values), statistics.fmean(values), p)
    tested = [key for key, row in rows.items() if not math.isnan(row[2])]
    adjusted = dict(zip(tested, holm([rows[key][2] for key in tested]), strict=True))
    return {key: (*row, adjusted.get(key, math.nan)) for key, row in rows.items()}


def mixed(z: int) -> int:
    """Return the output of SplitMix64, on integers."""
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
    return z ^ (z >> 31)


def invert_binomial(u: float, n_draws: int, n_documents: int) -> int:
    """Return the smallest c with u below the probability of at most c, term by term."""
    if n_documents == 1:
        return n_draws
    p = 1 / n_documents
    total = 0.0
    for c in range(n_draws + 1):
        chance = math.exp(
            math.lgamma(n_draws + 1)
            - math.lgamma(c + 1)
            - math.lgamma(n_draws - c + 1)
            + c * math.log(p)
            + (n_draws - c) * math.log1p(-p)
        )
        total += chance
        if u < total:
            return c
    return n_draws


def image_fraction(name: int, key: int, image: int) -> float:
    """Return the random number of one document in one image: 16 bits, and 53 more."""
    step = 0x9E3779B97F4A7C15
    own = mixed(name ^ key)
    word = mixed((own + (image // 4 + 1) * step) % 2**64)
    more = mixed((mixed(own ^ 0xBF58476D1CE4E5B9) + (image + 1) * step) % 2**64)
    return ((word >> (16 * (image % 4)) & 0xFFFF) + (more >> 11) * 2.0**-53) / 65536


def multinomial_counts(names: list[int], key: int, image: int, n_documents: int) -> list[int]:
    """Return how often each document occurs in one image: every count by inversion."""
    left, counts = n_documents, []
    for k, name in enumerate(names):
        counts.append(invert_binomial(image_fraction(name, key, image), left, n_documents - k))
        left -= counts[-1]
    return counts


def image_of_run(run: Scores, counts: dict[str, int]) -> Scores:
    """Return the run with every document repeated as often as in the image, in order."""
    copies = [f"{doc}#{j}" for doc in ranking(run) for j in range(counts[doc])]
    return {copy: float(len(copies) - place) for place, copy in enumerate(copies)}


def image_of_judgments(judgments: Judgments, counts: dict[str, int]) -> Judgments:
    """Return the judgments of an image: each copy of a document is judged as the document was."""
    return {f"{d}#{j}": g for d, g in judgments.items() for j in range(counts[d])}


# -- queries and documents together ----------------------------------------------------------------


def variance_parts(root, scores):
    """Return query, document, interaction and two-way variance, by analysis of variance.

    ``root`` is query, ``scores`` query x image. Nothing is set to 0.
    """
    n, k = len(scores), len(scores[0])
    of_queries = [sum(row) / k for row in scores]
    of_images = [sum(row[b] for row in scores) / n for b in range(k)]
    mean = sum(of_queries) / n
    residuals = [
        scores[q][b] - of_queries[q] - of_images[b] + mean for q in range(n) for b in range(k)
    ]
    interaction = sum(value**2 for value in residuals) / ((n - 1) * (k - 1)) / n
    by_images = statistics.variance(of_images)
    within = sum(statistics.variance([row[b] for row in scores]) for b in range(k)) / k / n
    queries = statistics.variance(root) / n - interaction
    return queries, by_images - interaction, interaction, by_images + within


# Ranks on an image


def rank_among(means, place: int) -> int:
    """Return 1 plus the number of higher means; means equal to 12 decimals are equal."""
    return 1 + sum(mean > means[place] + 1e-12 for mean in means)


def share_of_best(means, place: int) -> float:
    """Return the fraction that a mean has of the best place, equal means sharing it."""
    best = [k for k in range(len(means)) if rank_among(means, k) == 1]
    return (place in best) / len(best)


# The most conservative prior of a beta-binomial


def information_gain_as_printed(alpha: float, beta: float, population: int, sampled: int) -> float:
    """Compute Equation 20 of Webber (2013), term by term."""
    lgamma = math.lgamma
    total = 0.0
    for x in range(sampled + 1):
        for k in range(x, population - sampled + x + 1):
            ways = math.comb(sampled, x) * math.comb(population - sampled, k - x)
            weight = math.exp(lgamma(alpha + k) + lgamma(beta + population - k))
            ratio = math.comb(population - sampled, k - x) / math.comb(population, k)
            total += (
                ways
                * weight
                * (
                    math.log(ratio)
                    + lgamma(alpha)
                    + lgamma(beta)
                    + lgamma(alpha + beta + sampled)
                    - lgamma(alpha + x)
                    - lgamma(beta + sampled - x)
                    - lgamma(alpha + beta)
                )
            )
    scale = lgamma(alpha + beta) - lgamma(alpha) - lgamma(beta) - lgamma(alpha + beta + population)
    return math.exp(scale) * total


# Recall from samples: posteriors by enumeration of every pair of yields


def beta_binomial_masses(population: int, sampled: int, relevant: int, alpha, beta) -> list:
    """Return probability of each yield from 0 to N (Equation 17), by gamma functions."""
    rest = population - sampled
    a, b = alpha + relevant, beta + sampled - relevant
    masses = [0.0] * (population + 1)
    for k in range(rest + 1):
        log = math.log(math.comb(rest, k)) + math.lgamma(k + a) + math.lgamma(rest - k + b)
        log += math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) - math.lgamma(rest + a + b)
        masses[relevant + k] = math.exp(log)
    return masses


def summed_masses(tables) -> list:
    """Return masses of a sum of independent counts."""
    total = [1.0]
    for table in tables:
        longer = [0.0] * (len(total) + len(table) - 1)
        for i, p in enumerate(total):
            for j, q in enumerate(table):
                longer[i + j] += p * q
        total = longer
    return total


def value_distribution(retrieved, unretrieved, formula) -> tuple[list, list]:
    """Return ascending values of a quantity and their masses, without undefined pairs."""
    mass_by_value: dict = {}
    for r1, p in enumerate(retrieved):
        for r0, q in enumerate(unretrieved):
            value = formula(r1, r0)
            if value is not None:
                mass_by_value[value] = mass_by_value.get(value, 0.0) + p * q
    total = math.fsum(mass_by_value.values())
    values = sorted(mass_by_value)
    return values, [mass_by_value[value] / total for value in values]


def discrete_quantile(values, masses, probability: float):
    """Return the least value with this probability at or below it, to 13 digits."""
    total = 0.0
    for value, mass in zip(values, masses, strict=True):
        total += mass
        if total >= probability - 1e-13:
            return value
    return values[-1]


# closed-form recall intervals and proportions; a stratum is the tuple
# (retrieved, documents, sampled, relevant)


def yield_and_variance(strata, added=0):
    """Return estimated yield and its variance with the finite population correction, added up."""
    total = variance = Fraction(0)
    for _, documents, sampled, relevant in strata:
        if documents:
            p = Fraction(relevant + added, sampled + 2 * added)
            total += documents * p
            unseen = 1 - Fraction(sampled, documents)
            variance += documents**2 * p * (1 - p) / (sampled + 2 * added) * unseen
    return total, variance


def normal_recall(strata, added=0):
    """Return centre and standard error by Equation 25, from derivatives taken one by one."""
    retrieved_yield, retrieved_variance = yield_and_variance([s for s in strata if s[0]], added)
    missed, missed_variance = yield_and_variance([s for s in strata if not s[0]], added)
    by_found = missed / (retrieved_yield + missed) ** 2
    by_missed = -retrieved_yield / (retrieved_yield + missed) ** 2
    variance = by_found**2 * retrieved_variance + by_missed**2 * missed_variance
    return float(retrieved_yield / (retrieved_yield + missed)), math.sqrt(variance)


def koopman_sum(ratio, x, m, y, n):
    """Return Koopman's statistic at a ratio, to 50 digits, by the quadratic formula."""
    with decimal.localcontext(prec=50):
        ratio = decimal.Decimal(ratio)
        b = ratio * (m + y) + x + n
        p = (b - (b * b - 4 * ratio * (m + n) * (x + y)).sqrt()) / (2 * (m + n))
        total = decimal.Decimal(0)
        for hits, draws, share in ((x, m, p), (y, n, p / ratio)):
            off = hits - draws * share
            if abs(off) > decimal.Decimal("1e-30"):
                total += off * off / (draws * share * (1 - share))
        return total


def koopman_limit(x, m, y, n, z):
    """Return the ratio at which the statistic is z squared, below the estimate for a negative z."""
    if z < 0 and x == 0:
        return 0.0
    if z > 0 and y == 0:
        return math.inf
    logs = [-60.0, 60.0]
    if x and y:
        logs[1 if z < 0 else 0] = math.log(x * n / (y * m))
    for _ in range(80):
        middle = sum(logs) / 2
        outside = koopman_sum(math.exp(middle), x, m, y, n) > z * z
        logs[1 if outside == (z > 0) else 0] = middle
    return math.exp(sum(logs) / 2)


def hypergeometric_mass(count, documents, relevant, sampled):
    ways = math.comb(relevant, count) * math.comb(documents - relevant, sampled - count)
    return Fraction(ways, math.comb(documents, sampled))


# --- recall: samples counted document by document -------------------------------------------------


def sampled_counts(
    assessed: dict[str, int], retrieved: set[str], corpus: set[str]
) -> dict[bool, tuple[int, int, int, int]]:
    """Count documents, sampled, relevant and assessable of each segment of the corpus."""
    counts = {}
    for side in (True, False):
        segment = {doc for doc in corpus if (doc in retrieved) is side}
        drawn = [grade for doc, grade in assessed.items() if doc in segment]
        relevant, judged = sum(g > 0 for g in drawn), sum(g >= 0 for g in drawn)
        counts[side] = len(segment), len(drawn), relevant, judged
    return counts


def lists_digest(retrieved: set[str], others: set[str]) -> str:
    """Return the digest of the lists of a draw."""
    lines = "".join(f"{doc}\n" for doc in [*sorted(retrieved), "", *sorted(others)])
    return hashlib.sha256(lines.encode()).hexdigest()


def draw_order(seed: int, ids: set[str], digest: str) -> list[str]:
    """Return ids in the order in which they are drawn."""
    hashes = {doc: hashlib.sha256(f"{seed}:{digest}:{doc}".encode()).hexdigest() for doc in ids}
    return sorted(ids, key=hashes.get)


# Plans for recall: every sample that may come, with the interval it would have


def recall_ends(size, sampled, relevant, tail, prior=0.5):
    """Return both ends of the beta-binomial interval of recall, by enumeration; 0/0 left out."""
    tables = [
        beta_binomial_masses(n_all, n, r, prior, prior)
        for n_all, n, r in zip(size, sampled, relevant, strict=True)
    ]
    recalls = value_distribution(*tables, lambda top, rest: Fraction(top, top + rest)
                                 if top + rest else None)  # fmt: skip
    return tuple(float(discrete_quantile(*recalls, p)) for p in (tail, 1 - tail))


def recall_samples(size, of, sampled):
    """Return every pair of counts with its hypergeometric probability."""
    for r1 in range(max(0, sampled[0] + of[0] - size[0]), min(sampled[0], of[0]) + 1):
        for r0 in range(max(0, sampled[1] + of[1] - size[1]), min(sampled[1], of[1]) + 1):
            first = hypergeometric_mass(r1, size[0], of[0], sampled[0])
            yield (r1, r0), float(first * hypergeometric_mass(r0, size[1], of[1], sampled[1]))


def expected_recall_ends(size, of, sampled, tail):
    """Return expected width and both expected ends; the upper one is 1 if nothing is missed."""
    width = low = high = 0.0
    for relevant, chance in recall_samples(size, of, sampled):
        ends = recall_ends(size, sampled, relevant, tail)
        top = 1.0 if relevant[1] == 0 else ends[1]
        width += chance * (top - ends[0])
        low, high = low + chance * ends[0], high + chance * top
    return width, low, high


def exact_recall_limit(known, documents, sampled, relevant, tail):
    """Return the guaranteed lower limit if the retrieved set was read, with ``known`` relevant.

    Every number of relevant documents in the rest is kept under which a sample with so few of them
    has a probability of the tail or more.
    """
    kept = [
        missed
        for missed in range(relevant, documents - sampled + relevant + 1)
        if sum(hypergeometric_mass(k, documents, missed, sampled) for k in range(relevant + 1))
        >= Fraction(tail)
    ]
    total = known + max(kept)
    return known / total if total else math.nan


def rest_assurance(known, documents, missed, sampled, tail, recall):
    """Return the chance that the guaranteed lower limit is at least a recall."""
    return float(
        sum(
            hypergeometric_mass(k, documents, missed, sampled)
            for k in range(max(0, sampled + missed - documents), min(sampled, missed) + 1)
            if exact_recall_limit(known, documents, sampled, k, tail) >= recall
        )
    )


# Random rankings, another way: down the ranks, with the moments of what is summed so far


def moments_down_the_ranks(n_documents, n_relevant, gain, depth=None):
    """Return mean and variance of the sum of ``gain(rank, met)`` over relevant ranks.

    ``met`` counts the relevant document itself. At each rank the state is how many were met, and
    another is met with the share that is left of them. Exact with gains that are fractions.
    """
    states = {0: (Fraction(1), Fraction(0), Fraction(0))}
    for rank in range(1, (n_documents if depth is None else min(depth, n_documents)) + 1):
        after = {}
        for met, moments in states.items():
            hit = Fraction(n_relevant - met, n_documents - rank + 1)
            moments_after = _moments_after(moments, gain(rank, met + 1))
            for state, chance, part in ((met + 1, hit, moments_after), (met, 1 - hit, moments)):
                if chance:
                    sums = after.get(state, (Fraction(0),) * 3)
                    after[state] = tuple(a + chance * b for a, b in zip(sums, part, strict=True))
        states = after
    mean = sum(first for _, first, _ in states.values())
    return mean, sum(second for _, _, second in states.values()) - mean**2


def _moments_after(moments, gain):
    mass, first, second = moments
    return mass, first + gain * mass, second + 2 * gain * first + gain**2 * mass


# Ties: every order within them


def orders_within_ties(run: Scores):
    """Return the run once for every order within its ties, with scores that are all different."""
    blocks = [
        [doc for doc in run if run[doc] == score] for score in sorted(set(run.values()))[::-1]
    ]
    for orders in itertools.product(*(itertools.permutations(block) for block in blocks)):
        documents = [doc for order in orders for doc in order]
        yield {doc: float(-place) for place, doc in enumerate(documents)}


def over_ties(measure, judgments, run) -> tuple[float, float, float]:
    """Return mean, minimum and maximum of a measure over all orders within ties."""
    values = [measure(judgments, order) for order in orders_within_ties(run)]
    return math.fsum(values) / len(values), min(values), max(values)


# Random rankings: every arrangement of the grades, in fractions


def arrangements(counts: dict[int, int]):
    """Return all orders of documents that differ in their grades; as likely as each other."""
    if not any(counts.values()):
        yield ()
        return
    for grade, count in counts.items():
        if count:
            for rest in arrangements({**counts, grade: count - 1}):
                yield (grade, *rest)


def random_moments(score, n_documents, relevant, depth=None):
    """Return mean and variance of ``score(ranked grades, judged grades)`` over all rankings."""
    judged = [grade for grade, count in relevant.items() for _ in range(count)]
    counts = {**relevant, 0: n_documents - sum(relevant.values())}
    values = [Fraction(score(ranked[:depth], judged)) for ranked in arrangements(counts)]
    mean = sum(values) / len(values)
    return mean, sum((value - mean) ** 2 for value in values) / len(values)


def exact_average_precision(ranked, judged, rel=1, cutoff=None):
    total, hits = Fraction(0), 0
    for rank, grade in enumerate(ranked[:cutoff], start=1):
        if grade >= rel:
            hits += 1
            total += Fraction(hits, rank)
    return total / max(sum(grade >= rel for grade in judged), 1)


def exact_precision(ranked, judged, cutoff, rel=1):
    return Fraction(sum(grade >= rel for grade in ranked[:cutoff]), cutoff)


def exact_recall(ranked, judged, cutoff, rel=1):
    n_retrieved_relevant = sum(grade >= rel for grade in ranked[:cutoff])
    return Fraction(n_retrieved_relevant, max(sum(grade >= rel for grade in judged), 1))


def exact_r_precision(ranked, judged, rel=1):
    n_judged = sum(grade >= rel for grade in judged)
    return exact_recall(ranked, judged, n_judged, rel)


def exact_reciprocal_rank(ranked, judged, rel=1, cutoff=None):
    ranks = (rank for rank, grade in enumerate(ranked[:cutoff], start=1) if grade >= rel)
    first = next(ranks, None)
    return Fraction(1, first) if first else Fraction(0)


def exact_success(ranked, judged, cutoff, rel=1):
    return Fraction(any(grade >= rel for grade in ranked[:cutoff]))


def exact_expected_reciprocal_rank(ranked, judged, cutoff=None, max_grade=4):
    total, reading = Fraction(0), Fraction(1)
    for rank, grade in enumerate(ranked[:cutoff], start=1):
        stop = Fraction(2**grade - 1, 2**max_grade)
        total += reading * stop / rank
        reading *= 1 - stop
    return total


def exact_normalised_err(ranked, judged, cutoff=None):
    ideal = exact_expected_reciprocal_rank(sorted(judged, reverse=True), judged, cutoff)
    err = exact_expected_reciprocal_rank(ranked, judged, cutoff)
    return err / ideal if ideal else Fraction(0)


def exact_weighted(ranked, weights, gain):
    """Return the exact sum of gains times weights, which are doubles."""
    return sum(
        (Fraction(w) * Fraction(gain(g)) for w, g in zip(weights, ranked, strict=False)),
        Fraction(0),
    )


def exact_ndcg(ranked, judged, cutoff=None, gain=lambda grade: grade):
    discounts = [1 / math.log2(rank + 1) for rank in range(1, len(ranked) + len(judged) + 1)]
    ideal = exact_weighted(sorted(judged, reverse=True)[:cutoff], discounts, gain)
    return exact_weighted(ranked[:cutoff], discounts, gain) / ideal if ideal else Fraction(0)


def exact_rank_biased_precision(ranked, judged, p=0.8, rel=None, cutoff=None, max_grade=1):
    weights = [p**i for i in range(CWL_DEPTH)]

    def gain(grade):
        return Fraction(grade, max_grade) if rel is None else Fraction(grade >= rel)

    return exact_weighted(ranked[:cutoff], weights, gain) / Fraction(math.fsum(weights))


def exact_inverse_squares(ranked, judged, T=1.0, min_rel=0, max_rel=1):
    weights = [(2 * T / (i + 2 * T)) ** 2 for i in range(CWL_DEPTH)]

    def gain(grade):
        return Fraction(min(max(grade, min_rel), max_rel) - min_rel, max_rel - min_rel)

    return exact_weighted(ranked, weights, gain) / Fraction(math.fsum(weights))


def paper_random_ap(n_documents, n_relevant):
    """Compute RandomAPExact of Bestgen (2015), line by line, in fractions."""
    ap = Fraction(0)
    for i in range(1, n_relevant + 1):
        for n in range(i, n_documents - n_relevant + i + 1):
            mass = hypergeometric_mass(i, n_documents, n_relevant, n)
            ap = ap + mass * Fraction(i, n) * Fraction(i, n)
    return ap / n_relevant


def paper_random_ap_by_logarithms(n_documents, n_relevant):
    """Return the same in doubles, for collections too large for fractions."""

    def log_choose(n, k):
        return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)

    terms = []
    for i in range(1, n_relevant + 1):
        for n in range(i, n_documents - n_relevant + i + 1):
            log_mass = log_choose(n_relevant, i) + log_choose(n_documents - n_relevant, n - i)
            terms.append(math.exp(log_mass - log_choose(n_documents, n)) * (i / n) ** 2)
    return math.fsum(terms) / n_relevant


# The random baseline of a collection: every order of the documents, scored as a run


def chance_scores(measure, judgments, documents, depth):
    """Return ``measure(judgments, run)`` of every order of the documents, cut at the depth."""
    return [
        measure(judgments, {doc: -float(place) for place, doc in enumerate(order)})
        for order in itertools.permutations(documents, depth)
    ]


def chance_of_mean(scores_by_query, observed):
    """Return the probability that the mean of random rankings reaches the observed one."""
    means = [statistics.fmean(query_scores) for query_scores in itertools.product(*scores_by_query)]
    return sum(mean >= observed - 1e-12 for mean in means) / len(means)


# The distribution of AP: every choice of ranks for the relevant documents


def average_precision_counts(n_documents, n_relevant, cutoff=None):
    """Return how many choices of ranks have each AP, in fractions, ascending."""
    counts: dict[Fraction, int] = {}
    for ranks in itertools.combinations(range(1, n_documents + 1), n_relevant):
        seen = [rank for rank in ranks if cutoff is None or rank <= cutoff]
        total = sum((Fraction(i, rank) for i, rank in enumerate(seen, start=1)), Fraction(0))
        score = total / n_relevant
        counts[score] = counts.get(score, 0) + 1
    return dict(sorted(counts.items()))


def tails(counts):
    """Return score, probability of it or less, probability of it or more; all in fractions."""
    total_count = sum(counts.values())
    below = 0
    rows = []
    for score, count in counts.items():
        rows.append(
            (
                score,
                Fraction(below + count, total_count),
                Fraction(total_count - below, total_count),
            )
        )
        below += count
    return rows


def difference_limits(old: list[float], new: list[float], quantile: float) -> tuple[float, float]:
    """Return the limits of the mean of new - old for a quantile of the t distribution."""
    differences = [b - a for a, b in zip(old, new, strict=True)]
    n = len(differences)
    mean = sum(differences) / n
    variance = sum((d - mean) ** 2 for d in differences) / (n - 1)
    half = quantile * math.sqrt(variance / n)
    return mean - half, mean + half


def holm_rejections(p_values: list[float], error: float) -> list[bool]:
    """Return which hypotheses Holm's procedure rejects, step by step."""
    rejected = [False] * len(p_values)
    left = list(range(len(p_values)))
    while left:
        smallest = min(left, key=lambda k: p_values[k])
        if not p_values[smallest] < error / len(left):
            break
        rejected[smallest] = True
        left.remove(smallest)
    return rejected


def max_losing_fraction(n_lost: int, n: int, error: float) -> float:
    """Return the largest fraction of losing queries that gives so few with probability > error."""

    def probability(fraction: float) -> float:
        return sum(
            math.comb(n, k) * fraction**k * (1 - fraction) ** (n - k) for k in range(n_lost + 1)
        )

    low, high = 0.0, 1.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if probability(middle) > error else (low, middle)
    return low


def rows_average_precision(labels, scores) -> float:
    """Return AP of one test set: precision at each threshold times the recall it adds."""
    n_positive, total = sum(labels), 0.0
    for threshold in sorted(set(scores), reverse=True):
        above = [label for label, score in zip(labels, scores, strict=True) if score >= threshold]
        at = sum(label for label, score in zip(labels, scores, strict=True) if score == threshold)
        total += at / n_positive * sum(above) / len(above)
    return total


def rows_roc_auc(labels, scores) -> float:
    """Return the fraction of pairs of a positive and a negative in order; a tie counts half."""
    rows = list(zip(labels, scores, strict=True))
    positives = [score for label, score in rows if label]
    negatives = [score for label, score in rows if not label]
    pairs = [(p > n) + (p == n) / 2 for p in positives for n in negatives]
    return sum(pairs) / len(pairs)


def delong_covariance(labels, scores, others) -> float:
    """Return the covariance of two AUCs from placement values, each an O(m n) loop."""
    rows = range(len(labels))
    positives, negatives = [r for r in rows if labels[r]], [r for r in rows if not labels[r]]

    def placements(values):
        def order(p, n):
            return (values[p] > values[n]) + (values[p] == values[n]) / 2

        return (
            [statistics.fmean(order(p, n) for n in negatives) for p in positives],
            [statistics.fmean(order(p, n) for p in positives) for n in negatives],
        )

    return sum(
        statistics.covariance(ours, theirs) / len(ours)
        for ours, theirs in zip(placements(scores), placements(others), strict=True)
    )


def leave_one_out_bias(statistic, labels, scores) -> float:
    """Return the jackknife's estimate of the bias of a function of labels and scores."""
    n = len(labels)
    without = [
        statistic([*labels[:k], *labels[k + 1 :]], [*scores[:k], *scores[k + 1 :]])
        for k in range(n)
    ]
    return (n - 1) * (statistics.fmean(without) - statistic(labels, scores))


def borda_points(scores) -> list[list[float]]:
    """Return the points of each system on each query: systems beaten, and half of those tied."""
    return [
        [
            sum(other[q] < own[q] for other in scores)
            + sum(other is not own and other[q] == own[q] for other in scores) / 2
            for q in range(len(own))
        ]
        for own in scores
    ]


def mteb_score(result: dict, measure: str) -> float:
    """Return the score of a task as mteb does: the mean over all splits and subsets."""
    values = [entry[measure] for entries in result["scores"].values() for entry in entries]
    return sum(values) / len(values)


# Guaranteed limits: every yield and every sample is tried


def hypergeometric(documents: int, relevant: int, sampled: int) -> list[float]:
    """Return the probability of each count of relevant documents in a sample."""
    ways = math.comb(documents, sampled)
    return [
        math.comb(relevant, k) * math.comb(documents - relevant, sampled - k) / ways
        for k in range(sampled + 1)
    ]


def exact_limit_of_recall(retrieved, unretrieved, alpha, side):
    """Return the lower or upper limit of recall for two sampled segments (N, n, x).

    A pair of yields is rejected if the samples that speak as much for a high (low) recall as the
    observed one have a probability of at most 0.99 alpha together, or if one sample by itself is in
    a tail of 0.0025 alpha.
    """
    (N1, n1, x1), (N0, n0, x0) = retrieved, unretrieved
    observed = recall_height(retrieved, unretrieved, side)
    region = [
        (i, j)
        for i in range(n1 + 1)
        for j in range(n0 + 1)
        if recall_height((N1, n1, i), (N0, n0, j), side) >= observed - 1e-9 * max(1, abs(observed))
    ]
    values = []
    for R1 in range(x1, N1 - n1 + x1 + 1):
        first = hypergeometric(N1, R1, n1)
        for R0 in range(x0, N0 - n0 + x0 + 1):
            second = hypergeometric(N0, R0, n0)
            tails = (sum(first[x1:]), sum(first[: x1 + 1]), sum(second[x0:]), sum(second[: x0 + 1]))
            is_excluded = min(tails) <= 0.0025 * alpha * (1 - 1e-12)
            chance = sum(first[i] * second[j] for i, j in region)
            if R1 + R0 and not is_excluded and chance > 0.99 * alpha * (1 - 1e-12):
                values.append(R1 / (R1 + R0))
    return min(values) if side == "low" else max(values)


def recall_height(retrieved, unretrieved, side):
    """Return an approximate 95 % limit of ln(R1 / R0), by Cornish and Fisher's formula."""
    from scipy.special import polygamma

    cumulants = [0.0, 0.0, 0.0]
    for sign, (N, n, x) in ((1, retrieved), (-1, unretrieved)):
        for order in range(3):
            value = polygamma(order, x + 0.5) - polygamma(order, n + 1) + (not order) * math.log(N)
            cumulants[order] += sign ** (order + 1) * (1 - n / N) ** order * value
    mean, variance, third = cumulants
    z = statistics.NormalDist().inv_cdf(0.95)
    skewed = (z * z - 1) / 6 * third / variance
    return (1 if side == "low" else -1) * (mean + skewed) - z * math.sqrt(variance)


def one_sided_yield_limit(documents, sampled, relevant, alpha, side):
    """Return the smallest or largest yield with a hypergeometric tail above alpha."""
    kept = []
    for R in range(relevant, documents - sampled + relevant + 1):
        masses = hypergeometric(documents, R, sampled)
        tail = sum(masses[relevant:]) if side == "low" else sum(masses[: relevant + 1])
        if tail > alpha * (1 - 1e-12):
            kept.append(R)
    return min(kept) if side == "low" else max(kept)


def fisher_limit_of_recall(strata, weights, critical, side):
    """Return the limit of recall over all yields of strata (retrieved, N, n, x) not rejected.

    Yields are rejected where the weighted sum of -ln p is not below the critical value.
    """
    values = []
    ranges = [range(x, N - n + x + 1) for _, N, n, x in strata]
    for yields in itertools.product(*ranges):
        total = 0.0
        for (is_retrieved, N, n, x), R, weight in zip(strata, yields, weights, strict=True):
            masses = hypergeometric(N, R, n)
            is_upper = is_retrieved == (side == "low")
            p = sum(masses[x:]) if is_upper else sum(masses[: x + 1])
            total -= weight * math.log(min(p, 1.0))
        retrieved = sum(R for (is_in, *_), R in zip(strata, yields, strict=True) if is_in)
        if sum(yields) and total < critical:
            values.append(retrieved / sum(yields))
    return min(values) if side == "low" else max(values)


def double_sampling_draws(population, sampled, coded, prior, generator, n_draws):
    """Draw yields of a stratum of which some sampled documents were assessed again.

    ``coded`` has, for documents coded relevant and then for those coded not relevant, how many
    there are in the sample, how many were assessed again, and how many of these are relevant. The
    status of a document is one of four, with a Dirichlet prior: both codes share alpha and beta
    evenly, unless nothing of a code was assessed again, which is then always right.
    """
    alpha, beta = prior
    (n1, m1, t1), (n0, m0, t0) = coded
    right1, right0 = n1 > 0 == m1, n0 > 0 == m0
    true1 = alpha if right0 else alpha / 2
    false1 = 0.0 if right1 else beta / 2
    true0 = 0.0 if right0 else alpha / 2
    false0 = beta if right1 else beta / 2
    unjudged = sampled - n1 - n0
    codes = generator.dirichlet([n1 + true1 + false1, n0 + true0 + false0, unjudged], n_draws)
    yields = codes[:, 0] * 0
    prevalence = codes[:, 0] * 0
    for place, is_right, n, m, t, true, false in (
        (0, right1, n1, m1, t1, true1, false1),
        (1, right0, n0, m0, t0, true0, false0),
    ):
        if is_right:
            fractions = codes[:, 0] * 0 + (place == 0)
        else:
            fractions = generator.beta(t + true, m - t + false, n_draws)
        yields += t + generator.binomial(n - m, fractions)
        prevalence += codes[:, place] * fractions
    return yields + generator.binomial(population - sampled, prevalence.clip(0, 1))
