// The beta-binomial posterior of all quantities (irbounds/samples/posterior.py and roots.py).
"use strict";
(function (R) {
  const PRECISE = 1e-11; // tolerance of a quantile, as a fraction of the range of the quantity
  const ROUNDING = 1e-13; // tolerance of a probability
  const FIRST_CELLS = 1 << 11; // enough to find a first guess
  const ROUGH = 1e-7; // tolerance of the first guess
  const NEARBY = 0.02; // distance of probabilities whose guesses give the slope, relative
  const MAX_MOVES = 6; // from the first guess, before the bracket is halved
  const ULPS = 4 * Number.EPSILON;
  const BELOW_ONE = 1 - Number.EPSILON / 2;
  const MAX_STEPS = 200;

  // Return the posteriors of both yields, and the sizes of both segments.
  function makeJoint(strata, credited) {
    const yieldOf = (side) => R.sumYields(
      strata.filter((part) => part.retrieved === side && part.population > 0)
        .map((part) => R.stratumYield(part, strata.length)));
    return {
      retrieved: R.addKnown(yieldOf(true), credited),
      unretrieved: R.addKnown(yieldOf(false), -credited),
      size: R.sizeOf(strata, true) + credited,
      unretrievedSize: R.sizeOf(strata, false) - credited,
    };
  }

  // A quantity is at most a value exactly if the retrieved yield is at most
  //   scale * (unretrieved yield + shift) / divisor, for recall and F1 (line returns these three),
  //   value - unretrieved yield, for the sum of both.
  // A fraction of one segment is its yield over its size.
  const QUANTITIES = {
    recall: ({ retrieved, unretrieved }) => makeQuantity(retrieved, unretrieved, {
      undefinedMass: retrieved.nothing * unretrieved.nothing,
      line: (value) => [value / (1 - value), 0, 1],
      formula: (inside, other) => inside / (inside + other),
    }),
    precision: ({ retrieved, size }) => makeFraction(retrieved, size),
    F1: ({ retrieved, unretrieved, size }) => makeQuantity(retrieved, unretrieved, {
      undefinedMass: size ? 0 : 1,
      line: (value) => [value, size, 2 - value],
      formula: (inside, other) => (2 * inside) / (inside + other + size),
    }),
    yield: ({ retrieved, unretrieved, size, unretrievedSize }) =>
      makeQuantity(retrieved, unretrieved, { high: size + unretrievedSize }),
    elusion: ({ unretrieved, unretrievedSize }) => makeFraction(unretrieved, unretrievedSize),
  };

  function makeQuantity(retrieved, unretrieved, fields) {
    const isExact = retrieved.isExact && unretrieved.isExact;
    return { high: 1, undefinedMass: 0, line: null, ...fields, retrieved, unretrieved, isExact };
  }

  // Return a fraction of one segment as a sum with a yield of 0, divided by the size.
  function makeFraction(table, size) {
    const undefinedMass = size ? 0 : 1;
    return makeQuantity(table, R.knownYield(0), { high: size, divisor: size, undefinedMass });
  }

  // Return quantiles of a quantity by its name.
  function posteriorLimits(joint, name, probabilities) {
    if (name === "prevalence") {
      const size = joint.size + joint.unretrievedSize;
      return posteriorLimits(joint, "yield", probabilities).map((limit) => limit / size);
    }
    const key = `${name} ${probabilities.join(" ")}`;
    joint.limits = joint.limits || new Map();
    if (!joint.limits.has(key)) {
      const quantity = QUANTITIES[name](joint);
      joint.limits.set(key, probabilities.map((each) => quantileOf(quantity, each)));
    }
    return joint.limits.get(key);
  }

  // Return the smallest value that has this probability at or below it.
  function quantileOf(quantity, probability) {
    const { retrieved, unretrieved, undefinedMass, divisor } = quantity;
    if (undefinedMass > 1 - PRECISE) return NaN;
    if (divisor && retrieved.isExact) return countAt(retrieved, probability) / divisor;
    const n = Math.max(retrieved.masses.length, unretrieved.masses.length);
    const guess = n > FIRST_CELLS ? guessQuantile(quantity, probability) : null;
    const isWhole = quantity.isExact && !quantity.line;
    const tolerance = isWhole ? 1 : PRECISE * quantity.high;
    const value = roundDown(quantity, solve(quantity, probability, guess, tolerance, isWhole));
    return divisor ? value / divisor : value;
  }

  // Return the smallest count of a table that has this probability at or below it.
  function countAt({ first, masses, cumulative }, probability) {
    const isReached = (place) => cumulative[place + 1] - probability + ROUNDING >= 0;
    return first + R.findFirst(0, masses.length - 1, isReached);
  }

  // Return a quantile of coarse tables, and the slope of the distribution function there.
  function guessQuantile(quantity, probability) {
    quantity.coarse = quantity.coarse || {
      ...quantity,
      retrieved: R.coarsen(quantity.retrieved, FIRST_CELLS),
      unretrieved: R.coarsen(quantity.unretrieved, FIRST_CELLS),
      isExact: false,
    };
    const tolerance = ROUGH * quantity.high, rise = NEARBY * Math.min(probability, 1 - probability);
    const find = (each) => solve(quantity.coarse, each, null, tolerance, false);
    const x = find(probability), run = find(probability + rise) - find(probability - rise);
    return { x, slope: (2 * rise) / Math.max(run, tolerance) };
  }

  const nudgeUp = (value) =>
    value < 1 ? Math.min(value * (1 + ULPS), BELOW_ONE) : value * (1 + ULPS);

  // Return the probability of a value or less.
  function cdf(quantity, value) {
    if (value < 0) return 0;
    if (value >= quantity.high) return 1;
    const nudged = nudgeUp(value), { undefinedMass } = quantity;
    const total = !quantity.isExact ? sumOverCells(quantity, nudged)
      : quantity.line ? sumAlongLine(quantity, nudged) : sumToTotal(quantity, nudged);
    return Math.min(Math.max((total - undefinedMass) / (1 - undefinedMass), 0), 1);
  }

  // Return the probability that the sum of two counts is at most a value.
  function sumToTotal({ retrieved, unretrieved }, value) {
    const isShorter = retrieved.masses.length < unretrieved.masses.length;
    const [short, long] = isShorter ? [retrieved, unretrieved] : [unretrieved, retrieved];
    const { masses } = short, { cumulative } = long, n = long.masses.length;
    const offset = Math.floor(value) - short.first - long.first + 1;
    let total = 0;
    for (let k = 0, place = offset; k < masses.length && place > 0; k++, place--) {
      total += masses[k] * cumulative[place < n ? place : n];
    }
    return total;
  }

  // Return the probability of recall or F1 up to a value, by a pass over the shorter table.
  function sumAlongLine({ retrieved, unretrieved, line }, value) {
    const [scale, shift, divisor] = line(value);
    let total = 0;
    if (unretrieved.masses.length <= retrieved.masses.length) {
      const { masses, first } = unretrieved, { cumulative } = retrieved;
      const before = retrieved.first - 1, n = retrieved.masses.length;
      for (let k = 0; k < masses.length; k++) {
        const place = Math.floor((scale * (first + k + shift)) / divisor) - before;
        if (place > 0) total += masses[k] * cumulative[place < n ? place : n];
      }
      return total;
    }
    const { masses, first } = retrieved, { cumulative } = unretrieved;
    const start = unretrieved.first, n = unretrieved.masses.length;
    for (let k = 0; k < masses.length; k++) {
      const place = smallestOther(first + k, scale, shift, divisor, start, n) - start;
      if (place <= 0) total += masses[k];
      else if (place < n) total += masses[k] * (1 - cumulative[place]);
      else break;
    }
    return total;
  }

  // Return the smallest unretrieved count with which a retrieved count is not above the line.
  function smallestOther(count, scale, shift, divisor, start, n) {
    let other = Math.ceil((count * divisor) / scale - shift);
    if (other < start - 2) return start;
    if (!(other <= start + n + 2)) return start + n;
    while ((scale * (other - 1 + shift)) / divisor >= count) other--;
    while ((scale * (other + shift)) / divisor < count) other++;
    return other;
  }

  // Return the probability of a value or less where cells contain several counts.
  function sumOverCells({ retrieved, unretrieved, line }, value) {
    const [scale, shift, divisor] = line ? line(value) : [-1, -value, 1];
    const below = retrieved.isExact ? countCdf(retrieved) : cellCdf(retrieved);
    const { masses, positions, first } = unretrieved;
    let total = 0;
    for (let k = 0; k < masses.length; k++) {
      const other = positions ? positions[k] : first + k;
      total += masses[k] * below((scale * (other + shift)) / divisor);
    }
    return total;
  }

  function countCdf({ first, masses, cumulative }) {
    const before = first - 1, n = masses.length;
    return (count) => {
      const place = Math.floor(count) - before;
      return place <= 0 ? 0 : cumulative[place < n ? place : n];
    };
  }

  // Return the distribution function of cells, linear within each. Calls with counts in order are
  // quick, since the search begins at the last cell.
  function cellCdf({ edges, cumulative, isDiscrete }) {
    const last = edges.length - 1;
    let cell = 0;
    return (count) => {
      const x = isDiscrete ? Math.floor(count) + 1 : count;
      if (x <= edges[0]) return 0;
      if (x >= edges[last]) return cumulative[last];
      while (edges[cell] > x) cell--;
      while (edges[cell + 1] <= x) cell++;
      const slope = (cumulative[cell + 1] - cumulative[cell]) / (edges[cell + 1] - edges[cell]);
      return slope * (x - edges[cell]) + cumulative[cell];
    };
  }

  // Return the smallest value at which the distribution function reaches a probability, or one that
  // is larger by at most the tolerance.
  function solve(quantity, probability, guess, tolerance, isWhole) {
    const height = (value) => cdf(quantity, value) - probability + ROUNDING;
    let low = { x: 0, y: height(0) }, high = { x: quantity.high, y: 1 - probability };
    if (low.y >= 0) return 0;
    if (guess) [low, high] = narrow(height, guess, low, high, tolerance, isWhole);
    return findCrossing(height, low, high, tolerance);
  }

  // Return a narrower bracket by Newton's steps from a guess.
  function narrow(height, { x, slope }, low, high, tolerance, isWhole) {
    for (let move = 0; move < MAX_MOVES && high.x - low.x > tolerance; move++) {
      if (isWhole) x = Math.floor(x) + 0.5; // the function has steps at integers
      if (!(x > low.x && x < high.x)) break;
      const point = { x, y: height(x) };
      if (point.y >= 0) high = point;
      else low = point;
      const step = -point.y / slope;
      x += Math.abs(step) < tolerance ? (point.y >= 0 ? -0.9 : 0.9) * tolerance : step;
    }
    return [low, high];
  }

  // Return the smallest point at which a nondecreasing function is at least 0 (Chandrupatla 1997).
  function findCrossing(height, low, high, tolerance) {
    let near = high, far = low, fraction = 0.5;
    for (let step = 0; step < MAX_STEPS; step++) {
      const x = near.x + fraction * (far.x - near.x);
      if (Math.abs(far.x - near.x) <= tolerance || x === near.x || x === far.x) break;
      const middle = { x, y: height(x) }, isSame = middle.y >= 0 === near.y >= 0;
      const old = isSame ? near : far;
      if (!isSame) far = near;
      near = middle;
      const smallest = (0.5 * tolerance) / Math.abs(far.x - near.x);
      fraction = nextFraction(near, far, old);
      fraction = smallest < 0.5 ? Math.min(Math.max(fraction, smallest), 1 - smallest) : 0.5;
    }
    return near.y >= 0 ? near.x : far.x;
  }

  function nextFraction(near, far, old) {
    const xi = old.x !== far.x ? (near.x - far.x) / (old.x - far.x) : 2;
    const phi = old.y !== far.y ? (near.y - far.y) / (old.y - far.y) : 2;
    if (!(phi * phi < xi && (1 - phi) ** 2 < 1 - xi)) return 0.5;
    const first = (near.y / (far.y - near.y)) * old.y / (far.y - old.y);
    const second = (near.y / (old.y - near.y)) * far.y / (old.y - far.y);
    return first + ((old.x - near.x) / (far.x - near.x)) * second;
  }

  // Return the largest possible value up to this one, if every cell is a single count.
  function roundDown(quantity, value) {
    const { retrieved, unretrieved, line, formula } = quantity;
    if (!quantity.isExact || !value || value >= quantity.high) return value;
    if (!line) return Math.floor(nudgeUp(value));
    const [scale, shift, divisor] = line(nudgeUp(value));
    const { first } = retrieved, last = first + retrieved.masses.length - 1;
    const start = unretrieved.first, n = unretrieved.masses.length;
    let best = -Infinity;
    if (n <= retrieved.masses.length) {
      for (let other = start; other < start + n; other++) {
        const count = Math.min(Math.floor((scale * (other + shift)) / divisor), last);
        if (count >= first) best = Math.max(best, formula(count, other));
      }
    } else {
      for (let count = first; count <= last; count++) {
        const other = Math.max(smallestOther(count, scale, shift, divisor, start, n), start);
        if (other >= start + n) break;
        best = Math.max(best, formula(count, other));
      }
    }
    return best > -Infinity ? best : value;
  }

  Object.assign(R, { findCrossing, makeJoint, posteriorLimits });
})(globalThis.IrboundsRecall);
