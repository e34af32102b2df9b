// Tipping points: recall if judgments of the unretrieved sample are wrong, and when a claim stands
// or falls (irbounds/samples/wrong_judgments.py).
"use strict";
(function (R) {
  const MAX_ROWS = 8; // of a table
  const STEPS = [1, 2, 3, 5]; // times powers of 10: numbers of mistakes in a table
  const MAX_MISSED = 10; // mistakes in the table of missed documents
  const TINY = 1e-9; // replaces a limit of 0
  const TOLERANCE = 0.001; // of the tolerated number of missed documents
  //: documents of a stratum's sample with each judgment
  const KINDS = {
    relevant: (part) => part.relevant,
    "not relevant": (part) => part.sampled - part.relevant,
  };

  // Return tipping points; null unless every stratum has a sample. With a claim they are those of
  // the exact lower limit, else those of the interval by the method of the request.
  function tippingPoints(request) {
    const { strata } = request;
    const isSampled = strata.some((part) => !part.retrieved && part.sampled);
    if (!isSampled || strata.some((part) => part.population && !part.sampled)) return null;
    return new Scenarios(request).tabulate();
  }

  class Scenarios {
    constructor(request) {
      this.request = request;
      this.strata = request.strata;
      this.atLeast = request.at_least === undefined ? null : request.at_least;
      this.points = new Map();
      this.byWeight = this.strata.filter((part) => !part.retrieved && part.sampled)
        .sort((a, b) => b.population / b.sampled - a.population / a.sampled);
      this.nJudgedIrrelevant = this.byWeight.reduce(
        (sum, part) => sum + part.population * (1 - part.relevant / part.sampled), 0);
      this.asJudged = this.estimate(this.strata);
    }

    tabulate() {
      const nRelevant = this.count("relevant"), nIrrelevant = this.count("not relevant");
      const isShown = this.isShown(this.asJudged);
      let shownFrom = null, fallsFrom = null;
      if (isShown === false) {
        shownFrom = findNumber(nRelevant, (k) => this.point("relevant", k).is_shown);
      } else if (isShown) {
        fallsFrom = findNumber(nIrrelevant, (k) => !this.point("not relevant", k).is_shown);
      }
      const missed = new Set(chooseNumbers(Math.min(nIrrelevant, MAX_MISSED), null));
      if (fallsFrom) missed.add(fallsFrom);
      return {
        mistaken: chooseNumbers(nRelevant, shownFrom).map((k) => this.point("relevant", k)),
        missed: sortNumbers(missed).map((k) => this.point("not relevant", k)),
        at_least: this.atLeast,
        shown_from: shownFrom,
        falls_from: fallsFrom,
        tolerated: this.findTolerated(),
        n_judged_irrelevant: this.nJudgedIrrelevant,
        order: this.byWeight.length > 1 ? this.byWeight.map((part) => part.name) : [],
        credit_found: Boolean(this.request.credit_found),
      };
    }

    // Return the estimate and the ends of recall for strata.
    estimate(strata) {
      const request = { ...this.request, strata };
      const value = R.estimateOf("recall", strata, R.creditedBy(request));
      if (this.atLeast === null) {
        const [low, high] = R.intervalOf(request, "recall");
        return { value, low, high };
      }
      const low = R.limitOf(request, "recall");
      return { value, low, high: Number.isNaN(low) ? NaN : Math.max(low, 1) };
    }

    count(judgment) {
      return this.byWeight.reduce((sum, part) => sum + KINDS[judgment](part), 0);
    }

    isShown({ low }) {
      return this.atLeast === null ? null : low >= this.atLeast;
    }

    // Return recall if so many documents with a judgment are wrong.
    point(judgment, nWrong) {
      const key = `${judgment} ${nWrong}`;
      if (!this.points.has(key)) {
        const estimate = nWrong ? this.estimate(this.change(judgment, nWrong)) : this.asJudged;
        const orNull = (value) => (Number.isFinite(value) ? value : null);
        this.points.set(key, {
          judgment,
          n_wrong: nWrong,
          n_judged: this.count(judgment),
          estimate: orNull(estimate.value),
          low: orNull(estimate.low),
          high: orNull(estimate.high),
          is_shown: this.isShown(estimate),
        });
      }
      return this.points.get(key);
    }

    // Return the strata with other counts of relevant documents, the largest weight first.
    change(judgment, nWrong) {
      const changes = new Map(), sign = judgment === "relevant" ? -1 : 1;
      let left = nWrong;
      for (const part of this.byWeight) {
        changes.set(part, Math.min(left, KINDS[judgment](part)));
        left -= changes.get(part);
      }
      return this.strata.map((part) =>
        ({ ...part, relevant: part.relevant + sign * (changes.get(part) || 0) }));
    }

    // Return the largest tolerated numbers of missed documents by the estimate and by the limit.
    findTolerated() {
      if (this.atLeast === null || !this.nJudgedIrrelevant || this.request.credit_found) return [];
      const available = Math.floor(this.nJudgedIrrelevant), found = [];
      const add = (by, number) =>
        found.push({ by, n_documents: number, rate: number / this.nJudgedIrrelevant });
      if (this.asJudged.value >= this.atLeast) add("estimate", this.findByEstimate(available));
      if (this.asJudged.low >= this.atLeast) add("limit", this.findByLimit(available));
      return found;
    }

    // Return the largest M with R1 / (R1 + R0 + M) >= t.
    findByEstimate(available) {
      const retrieved = this.strata.reduce((sum, part) => (part.retrieved && part.sampled
        ? sum + (part.population * part.relevant) / part.sampled : sum), 0);
      const total = retrieved ? retrieved / this.asJudged.value : 0;
      return Math.min(Math.floor(retrieved / this.atLeast - total + 1e-9), available);
    }

    // Return a number of missed documents with which the limit still reaches the claim.
    findByLimit(available) {
      let low = 0, high = this.findByEstimate(available) + 1;
      let atLow = this.asJudged.low, atHigh = this.limitWith(high);
      if (atHigh >= this.atLeast) return high - 1;
      for (let step = 0; ; step++) {
        const width = Math.max(1, Math.floor(TOLERANCE * low));
        if (high - low <= width) return low;
        const fraction = (1 / this.atLeast - 1 / atLow) / (1 / Math.max(atHigh, TINY) - 1 / atLow);
        const place = low + fraction * (high - low) + (step % 2 ? width / 2 : -width / 2);
        let middle = step % 4 === 3 ? Math.floor((low + high) / 2) : Math.floor(place);
        middle = Math.min(Math.max(middle, low + 1), high - 1);
        const atMiddle = this.limitWith(middle);
        if (atMiddle >= this.atLeast) [low, atLow] = [middle, atMiddle];
        else [high, atHigh] = [middle, atMiddle];
      }
    }

    // Return the lower limit of recall if so many unretrieved documents were missed.
    limitWith(nMissed) {
      const missed = {
        name: "missed", retrieved: false, population: nMissed, sampled: nMissed, relevant: nMissed,
      };
      return R.limitOf({ ...this.request, strata: [...this.strata, missed] }, "recall");
    }
  }

  // Return the first number from 1 to n from which on a statement is true; null for none.
  function findNumber(n, isTrue) {
    if (!n || !isTrue(n)) return null;
    let low = 0, high = n;
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (isTrue(middle)) high = middle;
      else low = middle;
    }
    return high;
  }

  const sortNumbers = (numbers) => [...numbers].sort((a, b) => a - b);

  // Return at most MAX_ROWS numbers from 0 to n, with both ends and the needed one.
  function chooseNumbers(n, needed) {
    const numbers = [], ends = new Set([0, n]);
    if (needed && needed <= n) ends.add(needed);
    for (let power = 1; power <= n; power *= 10) {
      numbers.push(...STEPS.map((step) => step * power).filter((number) => number < n));
    }
    const spare = numbers.filter((number) => !ends.has(number)).slice(0, MAX_ROWS - ends.size);
    return sortNumbers(new Set([...spare, ...ends]));
  }

  R.tippingPoints = tippingPoints;
})(globalThis.IrboundsRecall);
