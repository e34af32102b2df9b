// Guaranteed limits for three uncertain strata or more: Fisher's combination of p-values with
// weights (irbounds/samples/weighted_fisher.py).
"use strict";
(function (R) {
  const MAX_POINTS = 1024; // yields of a stratum at which a p-value is tabulated
  const MAX_SURPRISE = 60; // -ln of a p-value beyond which yields are rejected
  const MIN_WEIGHT = 0.05;
  const MAX_TERMS = 5000; // of the series for the critical value
  const NEGLIGIBLE = 1e-6; // the part of alpha at which the series ends
  const WEIGHT_POWER = 0.7;
  const EXPECTED_DEVIATIONS = [0.5, 0.1]; // of a document's relevance, retrieved or not
  const EXPECTED_VALUE = 0.75;
  const BISECTIONS = 48;
  const MAX_TABLES = 256;

  // Return the largest value that the objective reaches for all yields that are not rejected.
  function solveMany(problem, alpha) {
    const { parts } = problem, tables = parts.map(tabulateSurprise);
    const weights = chooseWeights(problem), critical = findCriticalValue(weights, alpha);
    let low = R.valueOf(problem, parts.map((part) => part.lowest));
    let high = R.valueOf(problem, parts.map((part) => part.highest));
    if (!Number.isFinite(low)) low = -1;
    if (!Number.isFinite(high)) high = 1;
    for (let k = 0; k < BISECTIONS; k++) {
      const middle = (low + high) / 2;
      if (smallestMargin(problem, tables, weights, critical, middle) >= 0) low = middle;
      else high = middle;
    }
    return low;
  }

  // Return the coefficients of a function that is at least 0 where the ratio is at least a value.
  const linear = ({ numerator, denominator }, value) =>
    numerator.map((above, k) => above - value * denominator[k]);

  // Return a lower bound of a linear function that is at least 0 where the objective >= value.
  function smallestMargin(problem, tables, weights, critical, value) {
    const { sign, known, parts } = problem;
    const [retrieved, unretrieved, constant] = linear(problem.ratio, sign * value);
    const slopes = [sign * retrieved, sign * unretrieved];
    let fixed = sign * (retrieved * known[0] + unretrieved * known[1] + constant);
    const terms = parts.map((part, k) => {
      let slope = slopes[part.side];
      if (part.isFlipped) {
        fixed += slope * part.population;
        slope = -slope;
      }
      return { slope, weight: weights[k], hull: tables[k] };
    });
    return fixed + maximiseDual(terms, critical);
  }

  // Return the largest Lagrangian lower bound of a sum of costs with limited surprise.
  function maximiseDual(terms, critical) {
    const bound = (logMultiplier) => {
      const multiplier = Math.exp(logMultiplier);
      let sum = 0;
      for (const term of terms) sum += smallestTerm(term, multiplier);
      return sum - multiplier * critical;
    };
    const golden = (Math.sqrt(5) - 1) / 2;
    let low = -40, high = 40;
    let left = high - golden * (high - low), right = low + golden * (high - low);
    let atLeft = bound(left), atRight = bound(right);
    let free = 0;
    for (const term of terms) free += smallestTerm(term, 0);
    let best = Math.max(atLeft, atRight, free);
    for (let k = 0; k < BISECTIONS; k++) {
      if (atLeft < atRight) {
        [low, left, atLeft] = [left, right, atRight];
        right = low + golden * (high - low);
        atRight = bound(right);
      } else {
        [high, right, atRight] = [right, left, atLeft];
        left = high - golden * (high - low);
        atLeft = bound(left);
      }
      best = Math.max(best, atLeft, atRight);
    }
    return best;
  }

  // Return the smallest slope * Q + multiplier * weight * surprise: it is at a corner of the hull.
  function smallestTerm({ slope, weight, hull }, multiplier) {
    const { quantities, surprises } = hull;
    const at = (k) => slope * quantities[k] + multiplier * (weight * surprises[k]);
    let low = 0, high = quantities.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (at(middle) <= at(middle + 1)) high = middle;
      else low = middle + 1;
    }
    return Math.min(at(low), low > 0 ? at(low - 1) : Infinity,
      low + 1 < quantities.length ? at(low + 1) : Infinity);
  }

  const tables = new Map();

  // Return values of Q and the smallest -ln p from each to the next one, as a lower convex hull.
  function tabulateSurprise(part) {
    const key = [part.population, part.sampled, part.count].join();
    if (!tables.has(key)) {
      if (tables.size >= MAX_TABLES) tables.clear();
      tables.set(key, lowerHull(...computeSurprise(part)));
    }
    return tables.get(key);
  }

  function computeSurprise(part) {
    const start = R.leastOf(part, Math.exp(-MAX_SURPRISE));
    const isCertain = (q) => R.upperTail(part, q) > 1 - R.ROUNDING;
    const stop = R.findFirst(start, part.highest, isCertain);
    const nSteps = Math.min(MAX_POINTS, stop - start + 1), isWhole = nSteps === stop - start + 1;
    const points = new Set();
    for (let k = 0; k < nSteps; k++) {
      const fraction = k === nSteps - 1 ? (nSteps > 1 ? 1 : 0) : k * (1 / (nSteps - 1));
      const distance = isWhole ? fraction : fraction * fraction;
      points.add(R.roundHalfEven(stop - (stop - start) * distance));
    }
    const quantities = [...points].sort((a, b) => a - b);
    const exact = quantities.map((q) => -Math.log(R.upperTail(part, q)));
    const surprises = exact.map((surprise, k) => {
      if (k === exact.length - 1 || quantities[k + 1] - quantities[k] === 1) return surprise;
      return exact[k + 1];
    });
    return [quantities, surprises];
  }

  function lowerHull(quantities, surprises) {
    const places = [];
    quantities.forEach((q, k) => {
      while (places.length > 1) {
        const [i, j] = places.slice(-2);
        const rise = (surprises[j] - surprises[i]) * (q - quantities[i]);
        if (rise < (surprises[k] - surprises[i]) * (quantities[j] - quantities[i])) break;
        places.pop();
      }
      places.push(k);
    });
    const pick = (values) => places.map((k) => values[k]);
    return { quantities: pick(quantities), surprises: pick(surprises) };
  }

  // Return weights by the expected standard deviation that each stratum adds to the quantity.
  function chooseWeights(problem) {
    const slopes = linear(problem.ratio, EXPECTED_VALUE).map(Math.abs);
    const deviations = problem.parts.map(({ side, population, sampled }) =>
      slopes[side] * EXPECTED_DEVIATIONS[side] * population
        * Math.sqrt((1 - sampled / population) / sampled));
    const largest = Math.max(...deviations);
    return deviations.map((each) => Math.max(Math.pow(each / largest, WEIGHT_POWER), MIN_WEIGHT));
  }

  // Return the value that a weighted sum of exponential variables exceeds with chance alpha.
  function findCriticalValue(weights, alpha) {
    const scale = Math.min(...weights), masses = mixGammas(weights, scale, alpha);
    const rest = Math.max(1 - masses.reduce((sum, mass) => sum + mass, 0), 0);
    const logFactorials = [0];
    for (let k = 1; k < weights.length + masses.length; k++) {
      logFactorials.push(logFactorials[k - 1] + Math.log(k));
    }
    // the chance of a gamma variable with an integer shape is a Poisson probability
    const chance = (value) => {
      const x = value / scale, log = Math.log(x);
      let sum = 0, tail = 0, shape = 0;
      for (let n = 0; n < masses.length; n++) {
        for (; shape < weights.length + n; shape++) {
          tail += Math.exp(shape * log - x - logFactorials[shape]);
        }
        sum += masses[n] * Math.min(tail, 1);
      }
      return sum + rest;
    };
    const highest = weights.reduce((sum, weight) => sum + weight, 0) * 60;
    const low = { x: 0, y: alpha - 1 }, high = { x: highest, y: alpha - chance(highest) };
    return R.findCrossing((value) => alpha - chance(value), low, high, 1e-15 * highest);
  }

  // Return the sum of exponential variables as a mixture of gamma variables (Moschopoulos 1985).
  function mixGammas(weights, scale, alpha) {
    const ratios = weights.map((weight) => 1 - scale / weight), powers = ratios.map(() => 1);
    const masses = [weights.reduce((product, weight) => product * (scale / weight), 1)], sums = [];
    const enough = 1 - Math.max(alpha * NEGLIGIBLE, R.ROUNDING);
    for (let n = 1, total = masses[0]; n < MAX_TERMS && total < enough; n++) {
      let sum = 0, mass = 0;
      for (let k = 0; k < ratios.length; k++) sum += powers[k] *= ratios[k];
      sums.push(sum);
      for (let k = 0; k < n; k++) mass += sums[k] * masses[n - 1 - k];
      masses.push(mass / n);
      total += mass / n;
    }
    return masses;
  }

  R.solveMany = solveMany;
})(globalThis.IrboundsRecall);
