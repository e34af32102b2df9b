// Special functions of the recall calculator: sums, polygamma functions, hypergeometric
// probabilities and convolutions. Sums and hypergeometric probabilities have the same order of
// operations as numpy in irbounds/samples/hypergeometric.py, so that their last bits are the same.
"use strict";
globalThis.IrboundsRecall = globalThis.IrboundsRecall || {};
(function (R) {
  const MAX_CACHED = 3e6; // probabilities that are kept for later calls

  // Return the sum of values[from] to values[to - 1] by numpy's pairwise summation.
  function pairwiseSum(values, from, to) {
    const n = to - from;
    if (n < 8) {
      let sum = 0;
      for (let i = from; i < to; i++) sum += values[i];
      return sum;
    }
    if (n > 128) {
      let half = n >> 1;
      half -= half % 8;
      return pairwiseSum(values, from, from + half) + pairwiseSum(values, from + half, to);
    }
    let a = values[from], b = values[from + 1], c = values[from + 2], d = values[from + 3];
    let e = values[from + 4], f = values[from + 5], g = values[from + 6], h = values[from + 7];
    let i = from + 8;
    for (; i < to - (n % 8); i += 8) {
      a += values[i]; b += values[i + 1]; c += values[i + 2]; d += values[i + 3];
      e += values[i + 4]; f += values[i + 5]; g += values[i + 6]; h += values[i + 7];
    }
    let sum = ((a + b) + (c + d)) + ((e + f) + (g + h));
    for (; i < to; i++) sum += values[i];
    return sum;
  }

  // Return an integer; halves are rounded to the even one, as in Python.
  function roundHalfEven(value) {
    const floor = Math.floor(value), rest = value - floor;
    if (rest !== 0.5) return Math.round(value);
    return floor % 2 === 0 ? floor : floor + 1;
  }

  // Return a * b / c rounded down, for integers whose product may need more than 53 bits.
  function floorOfProduct(a, b, c) {
    if (a * b < Number.MAX_SAFE_INTEGER) return Math.floor((a * b) / c);
    return Number((BigInt(a) * BigInt(b)) / BigInt(c));
  }

  let cache = new Map(), nCached = 0;

  // Return {first, masses}: the first count that matters and the probabilities from it on.
  function hypergeometric(population, relevant, sampled) {
    const key = `${population},${relevant},${sampled}`;
    let found = cache.get(key);
    if (found) return found;
    found = computeHypergeometric(population, relevant, sampled);
    if (nCached > MAX_CACHED) {
      cache = new Map();
      nCached = 0;
    }
    nCached += found.masses.length;
    cache.set(key, found);
    return found;
  }

  function computeHypergeometric(population, relevant, sampled) {
    const lowest = Math.max(0, sampled - (population - relevant));
    const highest = Math.min(sampled, relevant);
    const mode = floorOfProduct(sampled + 1, relevant + 1, population + 2);
    const prevalence = population ? relevant / population : 0;
    const reach = Math.ceil(9 * Math.sqrt(sampled * prevalence * (1 - prevalence))) + 60;
    const first = Math.max(lowest, mode - reach), last = Math.min(highest, mode + reach);
    const masses = new Float64Array(last - first + 1), peak = mode - first;
    const rest = population - relevant - sampled;
    masses[peak] = 1;
    let product = 1;
    for (let c = mode; c < last; c++) {
      const ratio = ((relevant - c) / (c + 1)) * (sampled - c) / (rest + c + 1);
      product = c === mode ? ratio : product * ratio;
      masses[c + 1 - first] = product;
    }
    product = 1;
    for (let c = mode - 1; c >= first; c--) {
      const ratio = ((relevant - c) / (c + 1)) * (sampled - c) / (rest + c + 1);
      product = c === mode - 1 ? 1 / ratio : product * (1 / ratio);
      masses[c - first] = product;
    }
    const total = pairwiseSum(masses, 0, masses.length);
    for (let i = 0; i < masses.length; i++) masses[i] /= total;
    return { first, masses };
  }

  // Return digamma and its first two derivatives at x > 0.
  function polygammas(x) {
    let zero = 0, one = 0, two = 0;
    for (; x < 20; x++) {
      const inverse = 1 / x;
      zero -= inverse;
      one += inverse * inverse;
      two -= 2 * inverse * inverse * inverse;
    }
    const i = 1 / x, s = i * i;
    zero += Math.log(x) - i / 2
      - s * (1 / 12 - s * (1 / 120 - s * (1 / 252 - s * (1 / 240 - s / 132))));
    one += i + s / 2
      + i * s * (1 / 6 - s * (1 / 30 - s * (1 / 42 - s * (1 / 30 - s * 5 / 66))));
    two -= s + s * i
      + s * s * (1 / 2 - s * (1 / 6 - s * (1 / 6 - s * (3 / 10 - s * 5 / 6))));
    return [zero, one, two];
  }

  // Stirling's series beyond its leading terms; accurate to 16 digits from 16 on.
  function stirlingRest(x) {
    const s = 1 / (x * x);
    return (1 / 12 - s * (1 / 360 - s * (1 / 1260 - s / 1680))) / x;
  }

  // Return ln gamma(x) for x > 0.
  function logGamma(x) {
    let shift = 0;
    for (; x < 16; x++) shift += Math.log(x);
    return (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + stirlingRest(x) - shift;
  }

  // Return ln gamma(x + more) - ln gamma(x) without cancellation.
  function logGammaRatio(x, more) {
    const y = x + more;
    if (Math.min(x, y) <= 16) return logGamma(y) - logGamma(x);
    return (x - 0.5) * Math.log1p(more / x) + more * (Math.log(y) - 1)
      + stirlingRest(y) - stirlingRest(x);
  }

  const roots = new Map();

  // Return cosines and sines of 2 pi k / size for the first quarter of the circle.
  function rootsOf(size) {
    if (roots.has(size)) return roots.get(size);
    const quarter = size / 4, larger = roots.get(4 * size);
    const cosines = new Float64Array(quarter), sines = new Float64Array(quarter);
    for (let k = 0; k < quarter; k++) {
      cosines[k] = larger ? larger.cosines[4 * k] : Math.cos((2 * Math.PI * k) / size);
      sines[k] = larger ? larger.sines[4 * k] : Math.sin((2 * Math.PI * k) / size);
    }
    roots.set(size, { cosines, sines });
    return roots.get(size);
  }

  // Transform complex numbers in place (Fourier); the result is in bit-reversed order.
  function transform(re, im, start, size) {
    if (size === 1) return;
    if (size === 2) {
      const x = re[start + 1], y = im[start + 1];
      re[start + 1] = re[start] - x;
      im[start + 1] = im[start] - y;
      re[start] += x;
      im[start] += y;
      return;
    }
    const quarter = size / 4, { cosines, sines } = rootsOf(size);
    for (let k = 0; k < quarter; k++) {
      const i = start + k, j = i + quarter, m = j + quarter, n = m + quarter;
      const c = cosines[k], s = sines[k], c2 = c * c - s * s, s2 = 2 * c * s;
      const c3 = c * c2 - s * s2, s3 = c * s2 + s * c2;
      const ax = re[i] + re[m], ay = im[i] + im[m], bx = re[j] + re[n], by = im[j] + im[n];
      const dx = re[i] - re[m], dy = im[i] - im[m], ex = im[j] - im[n], ey = re[n] - re[j];
      re[i] = ax + bx;
      im[i] = ay + by;
      let x = ax - bx, y = ay - by;
      re[j] = x * c2 + y * s2;
      im[j] = y * c2 - x * s2;
      x = dx + ex;
      y = dy + ey;
      re[m] = x * c + y * s;
      im[m] = y * c - x * s;
      x = dx - ex;
      y = dy - ey;
      re[n] = x * c3 + y * s3;
      im[n] = y * c3 - x * s3;
    }
    for (let part = 0; part < 4; part++) transform(re, im, start + part * quarter, quarter);
  }

  // Transform back, from bit-reversed order; the result is multiplied by the size.
  function transformBack(re, im, start, size) {
    if (size <= 2) {
      transform(re, im, start, size);
      return;
    }
    const quarter = size / 4, { cosines, sines } = rootsOf(size);
    for (let part = 0; part < 4; part++) transformBack(re, im, start + part * quarter, quarter);
    for (let k = 0; k < quarter; k++) {
      const i = start + k, j = i + quarter, m = j + quarter, n = m + quarter;
      const c = cosines[k], s = sines[k], c2 = c * c - s * s, s2 = 2 * c * s;
      const c3 = c * c2 - s * s2, s3 = c * s2 + s * c2;
      const ax = re[j] * c2 - im[j] * s2, ay = im[j] * c2 + re[j] * s2;
      const bx = re[m] * c - im[m] * s, by = im[m] * c + re[m] * s;
      const dx = re[n] * c3 - im[n] * s3, dy = im[n] * c3 + re[n] * s3;
      const ex = re[i] + ax, ey = im[i] + ay, fx = re[i] - ax, fy = im[i] - ay;
      re[i] = ex + bx + dx;
      im[i] = ey + by + dy;
      re[m] = ex - bx - dx;
      im[m] = ey - by - dy;
      re[j] = fx - by + dy;
      im[j] = fy + bx - dx;
      re[n] = fx + by - dy;
      im[n] = fy - bx + dx;
    }
  }

  const DIRECT = 64; // shorter tables are convolved without a transform

  // Return the convolution of two arrays of masses. Both are one complex array, whose transform Z
  // has the product (Z(k)^2 - conj(Z(-k))^2) / 4i.
  function convolve(first, second) {
    const n = first.length + second.length - 1, result = new Float64Array(n);
    if (Math.min(first.length, second.length) <= DIRECT) {
      const [short, long] = first.length < second.length ? [first, second] : [second, first];
      for (let i = 0; i < short.length; i++) {
        const weight = short[i];
        for (let j = 0; j < long.length; j++) result[i + j] += weight * long[j];
      }
      return result;
    }
    let size = 1;
    while (size < n) size *= 2;
    const re = new Float64Array(size), im = new Float64Array(size);
    re.set(first);
    im.set(second);
    transform(re, im, 0, size);
    multiplyReversed(re, im);
    transformBack(re, im, 0, size);
    for (let i = 0; i < n; i++) result[i] = Math.max(re[i] / size, 0);
    return result;
  }

  // Replace Z by (Z(k)^2 - conj(Z(-k))^2) / 4i, where places are in bit-reversed order: the places
  // of k and -k in a block of 2^b, except its first, are mirrored.
  function multiplyReversed(re, im) {
    const n = re.length;
    function apply(p, q) {
      const a = re[p], b = im[p], c = re[q], d = im[q];
      // Z(k)^2 = a^2 - b^2 + 2abi, conj(Z(-k))^2 = c^2 - d^2 - 2cdi
      const x = (a - c) * (a + c) - (b - d) * (b + d), y = 2 * (a * b + c * d);
      re[p] = re[q] = y / 4;
      im[p] = -x / 4;
      im[q] = x / 4;
    }
    apply(0, 0);
    if (n > 1) apply(1, 1);
    for (let block = 2; block < n; block *= 2) {
      for (let p = block, q = 2 * block - 1; p < q; p++, q--) apply(p, q);
    }
  }

  Object.assign(R, {
    pairwiseSum, roundHalfEven, hypergeometric, polygammas, logGamma, logGammaRatio, convolve,
  });
})(globalThis.IrboundsRecall);
