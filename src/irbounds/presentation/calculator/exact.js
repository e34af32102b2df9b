// Guaranteed limits: one and two uncertain strata (irbounds/samples/exact.py, uncertain_strata.py
// and buehler.py). Three or more are in many-strata.js.
"use strict";
(function (R) {
  const ROUNDING = 1e-12; // relative error of a probability
  const ADDED = 0.5; // documents added to every count, to order samples
  const ORDER_QUANTILE = 1.6448536269514722;
  const EXCLUDED = 0.01; // part of alpha at which yields that contradict one sample are rejected
  const MAX_EXACT = 2_000_000; // documents of a stratum up to which the minimum is exact
  const GAP = 1e-6; // its relative error beyond, on the safe side
  const SLACK = 1e-9; // relative difference below which two samples are in the same place
  const MAX_NODES = 32; // values of Q of a stratum at which probabilities are computed
  const DOUBTFUL = 1e-5; // relative difference from alpha below which an interpolation is checked

  // A ratio of linear functions of the yields of both segments; signs: whether it increases.
  function makeRatio(numerator, denominator, signs, plain = null) {
    return { numerator, denominator, signs, plain };
  }
  const recallRatio = (credited = 0) =>
    makeRatio([1, 0, credited], [1, 1, 0], [1, -1], credited ? recallRatio() : null);
  const f1Ratio = (size, credited = 0) => {
    const plain = credited ? f1Ratio(size) : null;
    return makeRatio([2, 0, 2 * credited], [1, 1, size + credited], [1, -1], plain);
  };
  const precisionRatio = (size, credited) =>
    makeRatio([1, 0, credited], [0, 0, size + credited], [1, 0]);
  const elusionRatio = (size, credited) =>
    makeRatio([0, 1, -credited], [0, 0, size - credited], [0, 1]);
  const totalRatio = (size) => makeRatio([1, 1, 0], [0, 0, size], [1, 1]);

  function valueOfRatio(ratio, retrieved, unretrieved) {
    const [a, b, c] = ratio.numerator, [d, e, f] = ratio.denominator;
    const below = d * retrieved + e * unretrieved + f;
    return below > 0 ? (a * retrieved + b * unretrieved + c) / below : NaN;
  }

  const exceeds = (probability, alpha) => probability > alpha * (1 - ROUNDING);

  // Return the first integer from low on for which a monotone condition holds, at most high.
  function findFirst(low, high, isReached) {
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (isReached(middle)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  function upperTail(part, q) {
    const { first, masses } = R.hypergeometric(part.population, q, part.sampled);
    const from = Math.min(Math.max(0, part.count - first), masses.length);
    return Math.min(1, R.pairwiseSum(masses, from, masses.length));
  }

  function lowerTail(part, q) {
    const { first, masses } = R.hypergeometric(part.population, q, part.sampled);
    const to = Math.min(Math.max(0, part.count - first + 1), masses.length);
    return Math.min(1, R.pairwiseSum(masses, 0, to));
  }

  // Return the smallest Q whose upper tail is above alpha.
  function leastOf(part, alpha) {
    return findFirst(part.lowest, part.highest, (q) => exceeds(upperTail(part, q), alpha));
  }

  // Return the largest Q whose lower tail is above alpha.
  function mostOf(part, alpha) {
    const isRejected = (q) => !exceeds(lowerTail(part, q), alpha);
    return Math.max(findFirst(part.lowest, part.highest + 1, isRejected) - 1, part.lowest);
  }

  // Return the strata that are uncertain; one without a sample has its worst yield. Each is counted
  // by its relevant documents, or by the others (isFlipped), so that the objective increases.
  function makeProblem(strata, ratio, sign) {
    const known = [0, 0], parts = [];
    for (const { retrieved, population, sampled, relevant } of strata) {
      const side = retrieved ? 0 : 1, direction = sign * ratio.signs[side];
      if (sampled >= population) known[side] += relevant;
      else if (direction && !sampled) known[side] += direction < 0 ? population : 0;
      else if (direction) {
        const isFlipped = direction < 0, count = isFlipped ? sampled - relevant : relevant;
        parts.push({
          side, retrieved, population, sampled, count, isFlipped,
          lowest: count, highest: population - sampled + count,
        });
      }
    }
    return { ratio, sign, parts, known };
  }

  // Return the objective for a Q of every part; infinite where the ratio is not defined.
  function valueOf(problem, quantities) {
    const totals = [problem.known[0], problem.known[1]];
    problem.parts.forEach((part, k) => {
      totals[part.side] += part.isFlipped ? part.population - quantities[k] : quantities[k];
    });
    const value = problem.sign * valueOfRatio(problem.ratio, totals[0], totals[1]);
    return Number.isNaN(value) ? Infinity : value;
  }

  // Return the limit of a ratio as the low or the high end, with an error rate of alpha.
  function exactLimit(strata, ratio, isLow, alpha) {
    const problem = makeProblem(strata, ratio, isLow ? 1 : -1), n = problem.parts.length;
    const solve = n === 0 ? knownValue : n === 1 ? solveOne : n === 2 ? solveTwo : R.solveMany;
    const value = solve(problem, alpha);
    return Number.isFinite(value) ? problem.sign * value : limitOfNothing(strata, isLow);
  }

  // Return a limit where only yields without a relevant document are left.
  function limitOfNothing(strata, isLow) {
    const isPossible = (part) => part.relevant > 0 || part.sampled < part.population;
    const inside = strata.some((part) => part.retrieved && isPossible(part));
    const outside = strata.some((part) => !part.retrieved && isPossible(part));
    if (!inside && !outside) return NaN;
    if (isLow) return outside ? 0 : 1;
    return inside ? 1 : 0;
  }

  const knownValue = (problem) => problem.sign * valueOfRatio(problem.ratio, ...problem.known);

  function solveOne(problem, alpha) {
    const [part] = problem.parts, q = leastOf(part, alpha), value = valueOf(problem, [q]);
    return value === Infinity && q < part.highest ? valueOf(problem, [q + 1]) : value;
  }

  // Return the smallest objective over all pairs of yields that are not rejected (Buehler).
  function solveTwo(problem, alpha) {
    const excluded = (EXCLUDED * alpha) / 4;
    const [first, second] = problem.parts.map((part) => makeRange(part, excluded));
    const search = new PairSearch(problem, alpha * (1 - EXCLUDED), first, second);
    if (problem.ratio.signs[1] < 0 || search.gap) return search.findMinimum();
    // yield and prevalence have the same pair, if they order samples in the same way
    const strata = problem.parts.map((part) => Object.values(part).join());
    const key = [problem.sign, alpha, ...strata, search.thresholds.join()].join(" ");
    if (lastTotal.key !== key) {
      search.findMinimum();
      lastTotal = { key, pair: search.pair };
    }
    return search.valueAt(...lastTotal.pair);
  }

  let lastTotal = { key: "", pair: [] };

  // The values of Q that one sample allows by itself, and the counts that samples of them have.
  function makeRange(part, excluded) {
    const low = leastOf(part, excluded), high = mostOf(part, excluded);
    const { first } = R.hypergeometric(part.population, low, part.sampled);
    const top = R.hypergeometric(part.population, high, part.sampled);
    return { part, low, high, first, size: top.first + top.masses.length - first };
  }

  // Return the probabilities of the counts of a range.
  function massesOf(range, q) {
    const { first, masses } = R.hypergeometric(range.part.population, q, range.part.sampled);
    const padded = new Float64Array(range.size);
    const begin = Math.max(first, range.first);
    const end = Math.min(first + masses.length, range.first + range.size);
    if (end > begin) padded.set(masses.subarray(begin - first, end - first), begin - range.first);
    return padded;
  }

  // The search for the smallest objective, by branch and bound over the first Q. The smallest
  // second Q that is not rejected decreases with it, and the objective increases with both.
  class PairSearch {
    constructor(problem, alpha, first, second) {
      Object.assign(this, { problem, alpha, first, second });
      this.thresholds = findThresholds(problem, first, second);
      this.best = Infinity;
      this.branches = [];
      const size = Math.max(first.part.population, second.part.population);
      this.gap = size <= MAX_EXACT ? 0 : GAP;
    }

    findMinimum() {
      const { low, high } = this.first;
      this.grid = new Grid(this.first, this.second, this.thresholds);
      this.pair = [low, this.second.low];
      const atHigh = this.evaluate(high, this.second.low, this.second.high);
      if (atHigh === null) return this.valueAt(...this.pair);
      this.push(low, high, this.evaluate(low, atHigh, this.second.high), atHigh);
      while (this.branches.length) {
        const { bound, left, right, atLeft, atRight } = popBranch(this.branches);
        if (bound >= this.best) break;
        if (bound >= this.best - this.gap * Math.abs(this.best)) return bound;
        const middle = Math.floor((left + right) / 2);
        const top = atLeft === null ? this.second.high : atLeft;
        const atMiddle = this.evaluate(middle, atRight, top);
        this.push(middle, right, atMiddle, atRight);
        if (atMiddle !== null) this.push(left, middle, atLeft, atMiddle);
      }
      return this.best;
    }

    valueAt(q, other) {
      const { known, parts, ratio, sign } = this.problem, [a, b] = parts;
      const totals = [known[0], known[1]];
      totals[a.side] += a.isFlipped ? a.population - q : q;
      totals[b.side] += b.isFlipped ? b.population - other : other;
      const value = sign * valueOfRatio(ratio, totals[0], totals[1]);
      return value === value ? value : Infinity;
    }

    push(left, right, atLeft, atRight) {
      if (right - left <= 1) return;
      let bound = this.valueAt(left + 1, atRight);
      if (bound === Infinity) bound = -Infinity;
      if (bound < this.best) pushBranch(this.branches, { bound, left, right, atLeft, atRight });
    }

    // Return the smallest second Q from low to high that is not rejected; null if all are.
    evaluate(q, low, high) {
      const { grid, alpha } = this;
      grid.moveTo(q);
      let smallest = low, above = high + 1;
      while (smallest < above) {
        const middle = Math.floor((smallest + above) / 2), probability = grid.chanceAt(middle);
        const isClear = Math.abs(probability - alpha) > DOUBTFUL * alpha;
        if (exceeds(isClear ? probability : grid.exactly(q, middle), alpha)) above = middle;
        else smallest = middle + 1;
      }
      if (smallest > high) return null;
      let value = this.valueAt(q, smallest);
      if (value === Infinity && smallest < high) value = this.valueAt(q, smallest + 1);
      if (value < this.best) {
        this.best = value;
        this.pair = [q, smallest];
      }
      return smallest;
    }
  }

  const isBefore = (a, b) =>
    a.bound < b.bound || (a.bound === b.bound
      && (a.left < b.left || (a.left === b.left && a.right < b.right)));

  function pushBranch(heap, branch) {
    let place = heap.length;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!isBefore(branch, heap[parent])) break;
      heap[place] = heap[parent];
      place = parent;
    }
    heap[place] = branch;
  }

  function popBranch(heap) {
    const top = heap[0], last = heap.pop();
    if (!heap.length) return top;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1], heap[child])) child++;
      if (!isBefore(heap[child], last)) break;
      heap[place] = heap[child];
      place = child;
    }
    heap[place] = last;
    return top;
  }

  // The probability, for two yields, of the samples that speak for the objective as much as the
  // observed one. As a function of each Q it is a smooth polynomial: it is computed at some values
  // of Q and interpolated between them. Where every integer is a node, nothing is interpolated.
  class Grid {
    constructor(first, second, thresholds) {
      Object.assign(this, { first, second, thresholds });
      this.rows = chooseNodes(first.low, first.high);
      this.columns = chooseNodes(second.low, second.high);
      const { part, first: start, size } = second, n = this.columns.nodes.length;
      const masses = Array.from(this.columns.nodes, (q) =>
        R.hypergeometric(part.population, q, part.sampled));
      this.values = Array.from(this.rows.nodes, (q) => {
        const chances = this.chancesAt(q), values = new Float64Array(n);
        for (let k = 0; k < n; k++) {
          values[k] = dot(masses[k].masses, chances, masses[k].first - start, size);
        }
        return values;
      });
      this.buffer = new Float64Array(n);
    }

    // Return, for each second count, the chance of a first count that is large enough.
    chancesAt(q) {
      const masses = massesOf(this.first, q), n = masses.length, tails = new Float64Array(n + 1);
      for (let k = n - 1; k >= 0; k--) tails[k] = tails[k + 1] + masses[k];
      const { thresholds } = this, chances = new Float64Array(thresholds.length);
      for (let k = 0; k < chances.length; k++) chances[k] = Math.min(tails[thresholds[k]], 1);
      return chances;
    }

    exactly(q, other) {
      if (this.lastQ !== q) [this.lastQ, this.lastChances] = [q, this.chancesAt(q)];
      const products = massesOf(this.second, other);
      for (let k = 0; k < products.length; k++) products[k] *= this.lastChances[k];
      return R.pairwiseSum(products, 0, products.length);
    }

    // Compute the probabilities at the nodes of the second Q, for a first Q.
    moveTo(q) {
      const { rows, values, buffer } = this, n = buffer.length, { nodes, weights } = rows;
      this.column = values[rows.places.get(q)];
      if (this.column) return;
      let total = 0;
      buffer.fill(0);
      for (let k = 0; k < nodes.length; k++) {
        const weight = weights[k] / (q - nodes[k]), row = values[k];
        total += weight;
        for (let i = 0; i < n; i++) buffer[i] += weight * row[i];
      }
      for (let i = 0; i < n; i++) buffer[i] /= total;
      this.column = buffer;
    }

    // Return the probability for the first Q and a second one.
    chanceAt(q) {
      const { columns, column } = this, { nodes, weights } = columns;
      const place = columns.places.get(q);
      if (place !== undefined) return column[place];
      let above = 0, below = 0;
      for (let k = 0; k < nodes.length; k++) {
        const weight = weights[k] / (q - nodes[k]);
        above += weight * column[k];
        below += weight;
      }
      return above / below;
    }
  }

  // Return the sum of masses times chances; masses begin at a place of the chances.
  function dot(masses, chances, place, size) {
    const end = Math.min(masses.length, size - place);
    let a = 0, b = 0, c = 0, d = 0, k = Math.max(0, -place);
    for (; k + 4 <= end; k += 4) {
      a += masses[k] * chances[place + k];
      b += masses[k + 1] * chances[place + k + 1];
      c += masses[k + 2] * chances[place + k + 2];
      d += masses[k + 3] * chances[place + k + 3];
    }
    for (; k < end; k++) a += masses[k] * chances[place + k];
    return (a + b) + (c + d);
  }

  // Return integers near Chebyshev's points, with the weights of barycentric interpolation.
  function chooseNodes(low, high) {
    const nodes = [];
    if (high - low < MAX_NODES) for (let q = low; q <= high; q++) nodes.push(q);
    else {
      for (let k = 0; k < MAX_NODES; k++) {
        const fraction = (1 - Math.cos((Math.PI * k) / (MAX_NODES - 1))) / 2;
        const q = Math.round(low + (high - low) * fraction);
        if (!nodes.length || q > nodes[nodes.length - 1]) nodes.push(q);
      }
    }
    const scale = 4 / Math.max(high - low, 1);
    const weights = nodes.map((node) => nodes.filter((other) => other !== node)
      .reduce((product, other) => product / ((node - other) * scale), 1));
    return {
      nodes: Float64Array.from(nodes),
      weights: Float64Array.from(weights),
      places: new Map(nodes.map((node, k) => [node, k])),
    };
  }

  // Return, for each count of the second sample, the place of the smallest first count with which
  // the sample speaks for the objective as much as the observed one.
  function findThresholds(problem, first, second) {
    const height = makeOrder(problem, first, second), n = first.size;
    const observed = height(first.part.count - first.first, second.part.count - second.first);
    const level = observed - SLACK * Math.max(1, Math.abs(observed));
    const needed = new Int32Array(second.size);
    let smallest = n;
    for (let place = 0; place < second.size; place++) {
      let below = -1, above = n;
      while (above - below > 1) {
        const middle = (below + above) >> 1;
        if (height(middle, place) >= level) above = middle;
        else below = middle;
      }
      smallest = Math.min(smallest, above);
      needed[place] = smallest;
    }
    return needed;
  }

  // Return the order of samples, which increases with both counts.
  function makeOrder(problem, first, second) {
    const ratio = problem.ratio.plain || problem.ratio, { sign, known } = problem;
    const isSimple = first.part.retrieved !== second.part.retrieved && !known[0] && !known[1];
    const isRecall = ratio.denominator.join() === "1,1,0" && ratio.numerator.join() === "1,0,0";
    if (isSimple && isRecall) return orderByRecall(sign, first, second);
    const [ours, others] = [first, second].map(estimatesOf);
    const side = first.part.side, otherSide = second.part.side, totals = [0, 0];
    return (place, otherPlace) => {
      totals[0] = known[0];
      totals[1] = known[1];
      totals[side] += ours[place];
      totals[otherSide] += others[otherPlace];
      return sign * valueOfRatio(ratio, totals[0], totals[1]);
    };
  }

  // Return the estimated yield of a stratum for each count, with half a document added.
  function estimatesOf({ part, first, size }) {
    return Float64Array.from({ length: size }, (_, k) => {
      const q = (part.population * (first + k + ADDED)) / (part.sampled + 2 * ADDED);
      return part.isFlipped ? part.population - q : q;
    });
  }

  // Return the order by an approximate limit of the logarithm of R1 / R0.
  function orderByRecall(sign, first, second) {
    const z = ORDER_QUANTILE, [ours, others] = [first, second].map(logCumulants);
    return (place, otherPlace) => {
      const variance = ours.variances[place] + others.variances[otherPlace];
      const third = ours.thirds[place] + others.thirds[otherPlace];
      const skewed = (((z * z - 1) / 6) * third) / variance;
      const mean = ours.means[place] + others.means[otherPlace];
      return sign * (mean + skewed) - z * Math.sqrt(variance);
    };
  }

  // Return mean, variance and third cumulant of the logarithm of a yield, for every count.
  function logCumulants({ part, first, size }) {
    const all = R.polygammas(part.sampled + 2 * ADDED), unread = 1 - part.sampled / part.population;
    const sign = part.retrieved ? 1 : -1, log = Math.log(part.population);
    const means = new Float64Array(size), variances = new Float64Array(size);
    const thirds = new Float64Array(size);
    for (let k = 0; k < size; k++) {
      const count = first + k, relevant = part.isFlipped ? part.sampled - count : count;
      const [zero, one, two] = R.polygammas(relevant + ADDED);
      means[k] = sign * (log + zero - all[0]);
      variances[k] = unread * (one - all[1]);
      thirds[k] = sign * unread * unread * (two - all[2]);
    }
    return { means, variances, thirds };
  }

  Object.assign(R, {
    ROUNDING, recallRatio, f1Ratio, precisionRatio, elusionRatio, totalRatio, valueOfRatio,
    findFirst, upperTail, leastOf, valueOf, exactLimit,
  });
})(globalThis.IrboundsRecall);
