// Posterior distributions of yields as tables (irbounds/samples/yields.py), with prior 0.5.
"use strict";
(function (R) {
  const PRIOR = 0.5;
  const TAIL = 1e-13; // mass that is cut off on either side of a table
  const CHERNOFF = -2 * Math.log(TAIL);
  const MAX_COUNTS = 1 << 20; // up to so many counts have one cell each
  const COARSE_CELLS = 1 << 17; // the number of cells otherwise
  const ALL_CELLS = 1 << 22; // of all strata together
  const MIN_CELLS = 1 << 11; // of each stratum
  const SINGLE = 1 << 12; // counts next to 0 and to N that have one cell each
  const GROWTH = 1.02; // the factor by which the following cells grow
  const LATTICE_CELLS = 1 << 18; // the number of lattice points where counts are joined
  // nodes and weights of Gauss and Legendre
  const NODES = [-0.8611363115940526, -0.3399810435848563, 0.3399810435848563, 0.8611363115940526];
  const WEIGHTS = [0.3478548451374538, 0.6521451548625461, 0.6521451548625461, 0.3478548451374538];

  // Return a table. One of single counts (isExact) has a first count and masses. Another one has
  // cells with edges and mean positions; they contain integers if isDiscrete.
  function makeTable(fields) {
    const { masses } = fields, cumulative = new Float64Array(masses.length + 1);
    let sum = 0;
    for (let k = 0; k < masses.length; k++) {
      sum += masses[k];
      cumulative[k + 1] = Math.min(sum, 1);
    }
    const defaults = { isExact: false, isDiscrete: true, nothing: null, first: 0, positions: null };
    const table = { ...defaults, ...fields, cumulative };
    if (table.nothing === null) table.nothing = massAtZero(table);
    return table;
  }

  function massAtZero({ isExact, isDiscrete, first, edges, masses }) {
    if (isExact) return first === 0 ? masses[0] : 0;
    return isDiscrete && edges[0] === 0 && edges[1] === 1 ? masses[0] : 0;
  }

  const exactTable = (first, masses) => makeTable({ isExact: true, first, masses });
  const knownYield = (count) => exactTable(count, Float64Array.of(1));
  const firstEdge = (table) => (table.isExact ? table.first : table.edges[0]);
  const lastEdge = (table) =>
    table.isExact ? table.first + table.masses.length : table.edges[table.edges.length - 1];

  // Return the distribution with more, or fewer, relevant documents.
  function addKnown(table, count) {
    if (!count) return table;
    const moved = { ...table, nothing: 0 };
    if (table.isExact) moved.first += count;
    else {
      moved.edges = table.edges.map((edge) => edge + count);
      moved.positions = table.positions.map((position) => position + count);
    }
    return moved;
  }

  // Return the places of masses without outer ones that contain less than TAIL on a side.
  function withinTails(masses) {
    let first = 0, last = masses.length, sum = 0;
    for (; first < masses.length; first++) {
      sum += masses[first];
      if (sum >= TAIL) break;
    }
    sum = 0;
    for (; last > 0; last--) {
      sum += masses[last - 1];
      if (sum >= TAIL) break;
    }
    return [first, Math.max(last, first + 1)];
  }

  function normalise(masses) {
    const total = R.pairwiseSum(masses, 0, masses.length);
    for (let k = 0; k < masses.length; k++) masses[k] /= total;
    return masses;
  }

  // Return the distribution of the yield of a stratum (Webber 2013, Equation 17).
  function stratumYield({ population, sampled, relevant }, nStrata) {
    const rest = population - sampled, a = PRIOR + relevant, b = PRIOR + sampled - relevant;
    const maxCells = Math.min(MAX_COUNTS, Math.max(MIN_CELLS, Math.floor(ALL_CELLS / nStrata)));
    const [low, high] = countRange(rest, a, b);
    const table = high - low < maxCells ? tabulateCounts(rest, a, b, low, high)
      : tabulateCells(rest, a, b, low, high, Math.min(maxCells, COARSE_CELLS));
    return addKnown(table, relevant);
  }

  // Return one cell per count, by the ratios of neighbours, outwards from the largest.
  function tabulateCounts(rest, a, b, low, high) {
    let peak = b > 1 ? low : a > 1 ? high : low;
    if (a > 1 && b > 1) {
      const mode = Math.ceil((rest * (a - 1) - (b - 1)) / (a + b - 2));
      peak = Math.min(Math.max(mode, low), high);
    }
    const above = walkUp(rest, a, b, peak, high - peak);
    const below = walkUp(rest, b, a, rest - peak, peak - low); // of the other documents
    const masses = new Float64Array(high - low + 1);
    masses[peak - low] = 1;
    masses.set(above, peak - low + 1);
    masses.set(below.reverse(), 0);
    normalise(masses);
    const [first, last] = withinTails(masses);
    return exactTable(low + first, normalise(masses.slice(first, last)));
  }

  // Return the masses of n counts above one, relative to its own.
  function walkUp(rest, a, b, start, n) {
    const values = new Float64Array(n);
    for (let k = 0, mass = 1; k < n; k++) {
      const s = start + k;
      values[k] = mass *= ((rest - s) * (s + a)) / ((s + 1) * (rest - s - 1 + b));
    }
    return values;
  }

  // Return a range of counts in the unsampled part, with at most TAIL outside per side.
  function countRange(rest, a, b) {
    const relevant = betaQuantile(a, b), irrelevant = betaQuantile(b, a);
    const low = rest * relevant - Math.sqrt(CHERNOFF * 1.1 * rest * relevant);
    const high = rest * irrelevant - Math.sqrt(CHERNOFF * 1.1 * rest * irrelevant);
    return [Math.max(Math.floor(low), 0), rest - Math.max(Math.floor(high), 0)];
  }

  // Return the quantile of TAIL / 2 of a beta distribution.
  function betaQuantile(a, b) {
    const target = Math.log(TAIL / 2);
    let low = -800, high = Math.log(a / (a + b));
    for (let k = 0; k < 80; k++) {
      const middle = (low + high) / 2;
      if (logBetaTail(a, b, Math.exp(middle)) < target) low = middle;
      else high = middle;
    }
    return Math.exp(high);
  }

  // Return the logarithm of the beta distribution function below its mean, by a continued fraction.
  function logBetaTail(a, b, x) {
    let c = 1, d = 1 - ((a + b) * x) / (a + 1);
    d = 1 / d;
    let fraction = d;
    for (let m = 1; m < 10000; m++) {
      const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
      d = 1 / (1 + even * d);
      c = 1 + even / c;
      fraction *= c * d;
      const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
      d = 1 / (1 + odd * d);
      c = 1 + odd / c;
      fraction *= c * d;
      if (Math.abs(c * d - 1) < 1e-15) break;
    }
    const logBeta = R.logGamma(a) - R.logGammaRatio(b, a);
    return a * Math.log(x) + b * Math.log1p(-x) - Math.log(a) - logBeta + Math.log(fraction);
  }

  // Return cells of several counts: short cells are summed, long ones integrated.
  function tabulateCells(rest, a, b, low, high, nCells) {
    const edges = cellEdges(rest, low, high, nCells), n = edges.length - 1;
    const nodes = new Float64Array(4 * n), weights = new Float64Array(4 * n);
    const logs = new Float64Array(4 * n);
    let top = -Infinity;
    for (let k = 0; k < n; k++) {
      const width = edges[k + 1] - edges[k];
      for (let i = 0; i < 4; i++) {
        const place = 4 * k + i;
        weights[place] = width <= 4 ? Number(i < width) : (WEIGHTS[i] * width) / 2;
        const node = width <= 4 ? i : ((NODES[i] + 1) * width) / 2 - 0.5;
        nodes[place] = weights[place] > 0 ? node + edges[k] : edges[k];
        logs[place] = R.logGammaRatio(nodes[place] + 1, a - 1)
          + R.logGammaRatio(rest - nodes[place] + 1, b - 1);
        top = Math.max(top, logs[place]);
      }
    }
    const masses = new Float64Array(n), positions = new Float64Array(n);
    for (let k = 0; k < n; k++) {
      let moment = 0;
      for (let place = 4 * k; place < 4 * k + 4; place++) {
        const mass = Math.exp(logs[place] - top) * weights[place];
        masses[k] += mass;
        moment += mass * nodes[place];
      }
      positions[k] = meanPosition(moment, masses[k], edges[k], edges[k + 1]);
    }
    normalise(masses);
    const [first, last] = withinTails(masses);
    return makeTable({
      edges: edges.slice(first, last + 1),
      positions: positions.slice(first, last),
      masses: normalise(masses.slice(first, last)),
    });
  }

  function meanPosition(moment, mass, low, high) {
    const mean = mass > 0 ? moment / mass : (low + high) / 2;
    return Math.min(Math.max(mean, low), high);
  }

  // Return edges that are even in the angle, with single counts near 0 and near rest.
  function cellEdges(rest, low, high, nCells) {
    const firsts = new Set(), nEven = nCells >> 1;
    const add = (edge) => edge >= low && edge < high && firsts.add(edge);
    const start = Math.asin(Math.sqrt(low / rest)), end = Math.asin(Math.sqrt(high / rest));
    const step = (end - start) / (nEven - 1);
    for (let k = 0; k < nEven; k++) {
      const sine = Math.sin(k === nEven - 1 ? end : k * step + start);
      add(R.roundHalfEven(rest * (sine * sine)));
    }
    const nSingle = Math.min(SINGLE, nCells >> 3);
    const nGrowing = Math.min(
      Math.ceil(Math.log(rest / nSingle) / Math.log(GROWTH)), nCells >> 3);
    const growing = Array.from({ length: nSingle }, (_, k) => k);
    const from = Math.log10(nSingle), logStep = (Math.log10(rest) - from) / (nGrowing - 1);
    for (let k = 0; k < nGrowing; k++) {
      const isEnd = k === 0 || k === nGrowing - 1;
      const value = isEnd ? (k ? rest : nSingle) : Math.pow(10, k * logStep + from);
      growing.push(R.roundHalfEven(value));
    }
    if (low === 0) growing.forEach(add);
    if (high === rest) growing.forEach((edge) => add(rest - edge));
    const edges = new Float64Array(firsts.size + 2);
    edges.set(Float64Array.from(firsts).sort());
    edges.set([high, high + 1], firsts.size);
    return edges;
  }

  // Return the distribution of the total yield of several strata.
  function sumYields(tables) {
    let known = 0;
    for (const table of tables) if (table.masses.length === 1) known += positionOf(table, 0);
    tables = tables.filter((table) => table.masses.length > 1);
    if (!tables.length) return knownYield(known);
    if (tables.length === 1) return addKnown(tables[0], known);
    const reach = tables.reduce((sum, table) => sum + lastEdge(table) - firstEdge(table), 0);
    const isExact = tables.every((table) => table.isExact) && reach <= MAX_COUNTS;
    return addKnown(isExact ? sumCounts(tables) : sumCells(tables, reach / LATTICE_CELLS), known);
  }

  const positionOf = (table, k) => (table.isExact ? table.first + k : table.positions[k]);

  function sumCounts(tables) {
    const { low, masses } = convolveAll(
      tables.map((table) => ({ low: table.first, masses: table.masses })), 1);
    return exactTable(low, masses);
  }

  // Return the distribution of the sum on a common lattice.
  function sumCells(tables, step) {
    const { low, masses } = convolveAll(tables.map((table) => placeOnLattice(table, step)), step);
    const minimum = tables.reduce((sum, table) => sum + firstEdge(table), 0), n = masses.length;
    const positions = new Float64Array(n), edges = new Float64Array(n + 1);
    for (let k = 0; k <= n; k++) {
      const point = k < n ? low + step * k : low + step * (n - 1) + step;
      edges[k] = Math.max(point - step / 2, minimum);
      if (k < n) positions[k] = Math.max(point, minimum);
    }
    const nothing = tables.reduce((product, table) => product * table.nothing, 1);
    return makeTable({ edges, positions, masses, isDiscrete: false, nothing });
  }

  // Return masses at multiples of a step; one between two points is divided between them.
  function placeOnLattice(table, step) {
    const low = positionOf(table, 0), n = table.masses.length;
    const masses = new Float64Array(Math.floor((positionOf(table, n - 1) - low) / step) + 2);
    for (let k = 0; k < n; k++) {
      const place = (positionOf(table, k) - low) / step, floor = Math.floor(place);
      const upper = (place - floor) * table.masses[k];
      masses[floor] += table.masses[k] - upper;
      masses[floor + 1] += upper;
    }
    return { low, masses };
  }

  // Return the masses of a sum from its lowest value on, convolving the shortest pair first.
  function convolveAll(lattices, step) {
    while (lattices.length > 1) {
      lattices.sort((a, b) => a.masses.length - b.masses.length);
      const [a, b, ...others] = lattices, masses = R.convolve(a.masses, b.masses);
      const [first, last] = withinTails(masses);
      const low = a.low + b.low + step * first;
      lattices = [...others, { low, masses: masses.slice(first, last) }];
    }
    return { low: lattices[0].low, masses: normalise(lattices[0].masses.slice()) };
  }

  // Return the distribution in fewer cells, of which the first stay as they are.
  function coarsen(table, nCells) {
    const n = table.masses.length, nUnchanged = nCells >> 2, nWider = nCells - nUnchanged;
    if (n <= nCells) return table;
    const starts = [];
    for (let k = 0; k < nUnchanged; k++) starts.push(k);
    for (let k = 0; k < nWider; k++) {
      const start = Math.floor(nUnchanged * Math.pow(n / nUnchanged, k / nWider));
      if (start > starts[starts.length - 1]) starts.push(start);
    }
    const edgeAt = (k) => (table.isExact ? table.first + k : table.edges[k]);
    const size = starts.length, edges = new Float64Array(size + 1);
    const masses = new Float64Array(size), positions = new Float64Array(size);
    for (let cell = 0; cell < size; cell++) {
      const end = cell + 1 < size ? starts[cell + 1] : n;
      let moment = 0;
      for (let k = starts[cell]; k < end; k++) {
        masses[cell] += table.masses[k];
        moment += table.masses[k] * positionOf(table, k);
      }
      edges[cell] = edgeAt(starts[cell]);
      positions[cell] = meanPosition(moment, masses[cell], edges[cell], edgeAt(end));
    }
    edges[size] = edgeAt(n);
    const { isDiscrete, nothing } = table;
    return makeTable({ edges, positions, masses, isDiscrete, nothing });
  }

  Object.assign(R, { stratumYield, sumYields, knownYield, addKnown, coarsen });
})(globalThis.IrboundsRecall);
