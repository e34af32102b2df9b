// Estimates and limits of all quantities (irbounds/samples/quantities.py and point_estimates.py).
// Loaded after the other files. An undefined number is null in results.
"use strict";
(function (R) {
  const NAMES = ["recall", "precision", "F1", "yield", "prevalence", "elusion"];
  const LESS_IS_BETTER = ["yield", "prevalence", "elusion"];

  function sizeOf(strata, side) {
    return strata.reduce((sum, part) => sum + (part.retrieved === side ? part.population : 0), 0);
  }

  // Return the documents that are added to the retrieved set.
  function creditedBy({ strata, credit_found }) {
    if (!credit_found) return 0;
    return strata.reduce((sum, part) => sum + (part.retrieved ? 0 : part.relevant), 0);
  }

  function ratioOf(name, strata, credited) {
    if (name === "recall") return R.recallRatio(credited);
    if (name === "precision") return R.precisionRatio(sizeOf(strata, true), credited);
    if (name === "F1") return R.f1Ratio(sizeOf(strata, true), credited);
    if (name === "elusion") return R.elusionRatio(sizeOf(strata, false), credited);
    return R.totalRatio(name === "yield" ? 1 : sizeOf(strata, true) + sizeOf(strata, false));
  }

  // Return the estimated yield of strata; NaN if one of them has documents but no sample.
  function estimateYield(strata) {
    return strata.reduce((sum, { population, sampled, relevant }) => {
      if (population > 0 && !sampled) return NaN;
      return sum + population * (relevant / (sampled || 1));
    }, 0);
  }

  function estimateOf(name, strata, credited) {
    const [inside, outside] = [true, false].map((side) =>
      estimateYield(strata.filter((part) => part.retrieved === side)));
    const size = sizeOf(strata, true);
    if (credited) {
      const yields = [name === "elusion" ? 0 : inside, name === "precision" ? 0 : outside];
      return R.valueOfRatio(ratioOf(name, strata, credited), ...yields);
    }
    const total = estimateYield(strata);
    if (name === "recall") return divide(inside, total);
    if (name === "precision") return divide(inside, Number.isNaN(inside) ? NaN : size);
    if (name === "F1") return divide(2 * inside, total + size);
    if (name === "yield") return total;
    if (name === "prevalence") return divide(total, size + sizeOf(strata, false));
    return divide(outside, sizeOf(strata, false));
  }

  const divide = (part, whole) => (whole > 0 ? part / whole : NaN);
  const orNull = (value) => (Number.isFinite(value) ? value : null);

  // Return the interval of a quantity as [low, high].
  function intervalOf(request, name, joint = null) {
    const { strata, confidence_level } = request, outside = 1 - confidence_level;
    const probabilities = [outside / 2, 1 - outside / 2], credited = creditedBy(request);
    let limits;
    if (request.method === "exact") {
      const ratio = ratioOf(name, strata, credited);
      limits = [
        R.exactLimit(strata, ratio, true, probabilities[0]),
        R.exactLimit(strata, ratio, false, 1 - probabilities[1]),
      ];
    } else {
      limits = R.posteriorLimits(joint || R.makeJoint(strata, credited), name, probabilities);
    }
    if (limits.some(Number.isNaN)) return [NaN, NaN];
    return limits[0] > limits[1] ? [limits[1], limits[0]] : limits;
  }

  // Return the one-sided exact limit of a claim: lower, or upper where less is better.
  function limitOf(request, name) {
    const { strata, confidence_level } = request, isLow = !LESS_IS_BETTER.includes(name);
    const alpha = 1 - confidence_level;
    return R.exactLimit(strata, ratioOf(name, strata, creditedBy(request)), isLow, alpha);
  }

  // Return {results, claim}; see the other files for sampleNeeded and tippingPoints.
  function compute(request) {
    const credited = creditedBy(request), { strata } = request;
    const joint = request.method === "exact" ? null : R.makeJoint(strata, credited);
    const results = NAMES.map((name) => {
      const [low, high] = intervalOf(request, name, joint);
      return {
        quantity: name,
        estimate: orNull(estimateOf(name, strata, credited)),
        low: orNull(low),
        high: orNull(high),
        limit: orNull(limitOf(request, name)),
        limit_side: LESS_IS_BETTER.includes(name) ? "at most" : "at least",
      };
    });
    return { results, claim: R.judgeClaim(request, results[0].limit) };
  }

  Object.assign(R, { sizeOf, creditedBy, estimateOf, intervalOf, limitOf, compute });
})(globalThis.IrboundsRecall);
