// The sentences of Python's recall_sentences.py, recall_audit.py and tipping_points.py.
// tests/browser/test_calculator_sentences.py compares them character by character.
(function () {
  "use strict";

  const C = Calculator;
  const { fixed, formatCount, formatSetting, percent, pluralise } = C;
  const texts = JSON.parse(document.getElementById("texts").textContent);
  const ENDS = { "two-sided": ["low", "high"], less: ["high"], greater: ["low"] };
  const SIDES = { "two-sided": "interval", less: "upper limit", greater: "lower limit" };
  const WITHIN = { "two-sided": "between {} and {}", greater: "at least {}", less: "at most {}" };
  const SEGMENTS = { precision: true, elusion: false }; // of which a quantity is a fraction
  const MAX_LIMIT_DECIMALS = 6; // of a limit next to a claim
  const MAX_NAMED = 8; // strata in a table of counts

  const number = (value) => (value === null || value === undefined ? NaN : value);
  const capitalise = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);
  const sum = (numbers) => numbers.reduce((total, each) => total + each, 0);
  const fill = (template, values) => template.replace(/\{\}/g, () => values.shift());

  // ---- estimates ----

  // What Python calls RecallEstimate: limits by method exact for a claim, else intervals.
  function makeEstimates(request, computed, needed) {
    const isClaim = request.at_least !== null;
    return computed.results.map((row) => ({
      quantity: row.quantity,
      value: number(row.estimate),
      interval: isClaim ? makeLimit(row, request) : makeInterval(row, request),
      prior: !isClaim && request.method === "beta-binomial" ? texts.prior : null,
      strata: request.strata,
      credit_found: request.credit_found,
      is_control_set: request.is_control_set,
      ...(isClaim && row.quantity === "recall" ? makeClaim(request, computed.claim, needed) : { at_least: null }),
    }));
  }

  function makeClaim(request, claim, needed) {
    return {
      at_least: request.at_least,
      is_shown: claim.is_shown,
      sample_needed: needed,
    };
  }

  function makeInterval(row, request) {
    const { method, confidence_level: level } = request;
    return { low: number(row.low), high: number(row.high), method, level, alternative: "two-sided" };
  }

  // The other end of a limit is that of the possible values.
  function makeLimit(row, request) {
    const isLower = row.limit_side === "at least", limit = number(row.limit);
    const highest = row.quantity === "yield" ? sum(request.strata.map((part) => part.population)) : 1;
    const low = isLower || Number.isNaN(limit) ? limit : Math.min(0, limit);
    const high = isLower && !Number.isNaN(limit) ? Math.max(highest, limit) : limit;
    const alternative = isLower ? "greater" : "less";
    return { low, high, method: "exact", level: request.confidence_level, alternative };
  }

  const listEnds = (interval) => ENDS[interval.alternative].map((end) => interval[end]);

  function halfWidth(value, interval) {
    if (interval.alternative === "two-sided") return (interval.high - interval.low) / 2;
    return Math.abs(value - listEnds(interval)[0]);
  }

  function placesOf(estimate) {
    const width = halfWidth(estimate.value, estimate.interval);
    if (width > 0) return C.decimals(width);
    return Math.max(C.decimals(width), C.decimals(Math.abs(estimate.value)));
  }

  function formatEnds(interval, places) {
    return ENDS[interval.alternative].map((side) => {
      const end = interval[side];
      return fixed(interval.method === "exact" ? C.roundOutwards(end, places, side) : end, places);
    });
  }

  function formatNumbers(estimate, places, hasSides = false) {
    const ends = listEnds(estimate.interval);
    const numbers = estimate.quantity === "yield"
      ? [estimate.value, ...ends].map(formatCount)
      : [fixed(estimate.value, places), ...formatEnds(estimate.interval, places)];
    if (!hasSides) return numbers;
    return [numbers[0], `${estimate.interval.alternative === "greater" ? "at least" : "at most"} ${numbers[1]}`];
  }

  const thatMatter = (estimate) => estimate.strata.filter(
    (part) => !(estimate.quantity in SEGMENTS) || SEGMENTS[estimate.quantity] === part.retrieved
  );
  const isKnown = (estimate) => thatMatter(estimate).every((part) => part.sampled === part.population);
  const isPoint = (estimate) => estimate.interval.low === estimate.interval.high;
  const isSettled = (estimate) => Number.isNaN(estimate.interval.low) || isPoint(estimate) || isKnown(estimate);
  const restsOnPrior = (estimate) => thatMatter(estimate).some((part) => part.population && !part.sampled);

  function isOutside({ value, interval, ...estimate }) {
    const { low, high } = interval;
    if (isKnown(estimate)) return false;
    if (interval.alternative === "greater") return value <= low && low < high;
    if (interval.alternative === "less") return low < high && high <= value;
    return low < high && (value <= low || value >= high);
  }

  // ---- the result ----

  function recallSentences(estimates) {
    const [first] = estimates, places = placesOf(first);
    const lines = claimSentences(first, places);
    if (first.at_least === null || Number.isNaN(first.interval.low)) {
      lines.push(capitalise(describeMain(first, places)));
    }
    if (first.credit_found) lines.push(texts.credited);
    if (estimates.some(isOutside)) lines.push(texts.outside);
    lines.push(...coverageSentences(estimates));
    const total = formatCount(sum(first.strata.map((part) => part.population)));
    const draws = estimates.every(isKnown) ? "" : texts.not_random;
    lines.push(fill(texts.not_covered, [texts.mistakes, draws, `these ${total}`]));
    return lines;
  }

  function claimSentences(estimate, places) {
    if (estimate.at_least === null) return [];
    const conditions = isConditional(estimate) ? `, ${texts.conditions}` : "";
    const claim = `${estimate.quantity} of at least ${formatSetting(estimate.at_least)}${conditions}`;
    if (!IrboundsRecall.findsAny(estimate.strata)) return [`Not shown: ${claim}. No relevant document was found.`];
    if (Number.isNaN(estimate.interval.low)) return [`Not shown: ${claim}. These samples give no limit.`];
    const limit = limitBesideClaim(estimate, places);
    const verdict = estimate.is_shown ? "Shown" : "Not shown";
    const value = Number.isNaN(estimate.value) ? "" : `; the estimate is ${fixed(estimate.value, places)}`;
    const level = percent(estimate.interval.level);
    const lines = [
      `${verdict}: ${claim}. The guaranteed ${level} lower limit is ${limit} (method exact)${value}.`,
    ];
    if (!estimate.is_shown) {
      lines.push(describeNeed(estimate));
      if (estimate.sample_needed) lines.push(texts.one_look);
    }
    return lines;
  }

  // The lower limit with enough decimals to tell it from the claim.
  function limitBesideClaim(estimate, places) {
    let limit = formatNumbers(estimate, places)[1];
    while (places < MAX_LIMIT_DECIMALS && Number(limit) >= estimate.at_least !== estimate.is_shown) {
      places += 1;
      limit = formatNumbers(estimate, places)[1];
    }
    return limit;
  }

  // Whether a claim is shown by samples, and not by reading everything.
  const isConditional = (estimate) => estimate.at_least !== null && estimate.is_shown && !isKnown(estimate);

  function describeNeed(estimate) {
    if (estimate.sample_needed === undefined) return texts.computing;
    const growing = IrboundsRecall.growingStrata(estimate.strata);
    const sampled = sum(growing.map((part) => part.sampled)), needed = estimate.sample_needed;
    if (needed !== null) {
      const left = growing.length > 1 ? ", divided by what is left of each stratum" : "";
      return (
        `A sample of ${formatCount(needed)} unretrieved documents${left}, ${formatCount(needed - sampled)} more than ` +
        `these ${formatCount(sampled)}, would show it if no further document is relevant.`
      );
    }
    const inside = sum(ofSegment(estimate.strata, true).map(
      (part) => part.population * (part.sampled ? part.relevant / part.sampled : 1)));
    const outside = sum(ofSegment(estimate.strata, false).map((part) => part.relevant));
    const [found, missed] = estimate.credit_found ? [inside + outside, 0] : [inside, outside];
    const reason = !found || found < estimate.at_least * (found + missed)
      ? `about ${formatCount(found)} relevant documents are retrieved, ${formatCount(missed)} others are in the ` +
        "unretrieved sample"
      : "the retrieved sample is too small";
    return `No larger unretrieved sample would show it: ${reason}.`;
  }

  function describeMain(estimate, places) {
    const { interval, quantity } = estimate, [value, ...ends] = formatNumbers(estimate, places);
    const hasValue = !Number.isNaN(estimate.value);
    if (!hasValue && Number.isNaN(interval.low)) return `${quantity} cannot be estimated from these samples.`;
    if (isKnown(estimate) && hasValue) return `Everything was assessed: ${quantity} is ${value}, without sampling error.`;
    if (Number.isNaN(interval.low)) return `${quantity} is estimated at ${value}, without an interval.`;
    if (isPoint(estimate) && !hasValue) return `${quantity} can only be ${ends[0]}, if there is a relevant document.`;
    const level = percent(interval.level);
    if (isPoint(estimate)) {
      return `${quantity} is estimated at ${value}; the ${level} interval is this single point.`;
    }
    const point = hasValue ? `the estimate is ${value}` : "there is no estimate";
    return `${quantity} is ${fill(WITHIN[interval.alternative], ends)} at the ${level} level; ${point}.`;
  }

  function coverageSentences(estimates) {
    const uncertain = estimates.filter((estimate) => !isSettled(estimate));
    if (!uncertain.length) return [];
    const [first] = uncertain, { interval } = first;
    const rate = formatSetting(interval.level * 100);
    const [intervals, contain] = interval.alternative === "two-sided"
      ? ["intervals", "contain the true value"]
      : ["limits", `are not ${interval.alternative === "greater" ? "above" : "below"} the true value`];
    if (interval.method === "exact") {
      return [`Guaranteed: at least ${rate} in 100 of such ${intervals} ${contain}, whatever the corpus is like.`];
    }
    if (uncertain.some(restsOnPrior)) return [texts.rests_on_prior];
    return [
      `On average over corpora, about ${rate} in 100 of the ${intervals} ${contain}; for one corpus it may be ` +
      `fewer ${texts.methods_page}.`,
    ];
  }

  // ---- the sentence to quote ----

  // Why there is nothing to quote; an empty text if there is.
  function explainNoStatement(estimates) {
    if (estimates.some(restsOnPrior)) return texts.no_statement;
    if (!estimates.every(isSettled)) return "";
    return estimates.every(isKnown) ? texts.nothing_open : texts.no_interval;
  }

  function sentenceToQuote(estimates) {
    const [first] = estimates;
    if (isSettled(first)) return "";
    const [value, ...ends] = formatNumbers(first, placesOf(first));
    const estimate = Number.isNaN(first.value) ? "" : `; the estimate is ${value}`;
    const prior = first.prior ? ` with prior ${first.prior}` : "";
    const conditions = isConditional(first) ? `, ${texts.conditions}` : "";
    const { level, alternative, method } = first.interval;
    const source = `${percent(level)} ${SIDES[alternative]}, ${method}${prior}, irbounds ${texts.version}`;
    return (
      `${describeCounts(first)}.${describeCredit(first)} ${capitalise(first.quantity)} is ` +
      `${fill(WITHIN[alternative], ends)} (${source})${conditions}${estimate}.`
    );
  }

  const sumCounts = (strata) => ["population", "sampled", "relevant"].map((key) => sum(strata.map((part) => part[key])));
  const ofSegment = (strata, isRetrieved) => strata.filter((part) => part.retrieved === isRetrieved);

  function describeCounts({ strata, is_control_set: isControlSet }) {
    if (!isControlSet) return [true, false].map((side) => describeSegment(ofSegment(strata, side), side)).join("; ");
    const [population, sampled, relevant] = sumCounts(strata);
    const [size, drawn, found] = sumCounts(ofSegment(strata, true)).map(formatCount);
    return (
      `Of all ${pluralise(population, "document")} ${formatCount(sampled)} were drawn at random as a control set, ` +
      `${formatCount(relevant)} of them relevant; ${drawn} of the drawn documents are among the ${size} retrieved ` +
      `ones, ${found} of these relevant`
    );
  }

  function describeSegment(strata, isRetrieved) {
    const [population, sampled, relevant] = sumCounts(strata);
    const [word, of] = isRetrieved ? ["retrieved", "Of"] : ["unretrieved", "of"];
    const parts = strata.length > 1 ? ` in ${strata.length} strata` : "";
    const drawn = sampled === population
      ? sampled === 1 ? "that one was read" : "all were read"
      : `${formatCount(sampled)} ${sampled === 1 ? "was" : "were"} drawn at random`;
    return `${of} ${pluralise(population, `${word} document`)}${parts} ${drawn}, ${formatCount(relevant)} of them relevant`;
  }

  function describeCredit({ strata, credit_found: isCredited }) {
    if (!isCredited) return "";
    const n = sumCounts(ofSegment(strata, false))[2];
    const documents = pluralise(n, "relevant document");
    return ` The ${documents} of the unretrieved sample ${n === 1 ? "was" : "were"} added to the retrieved set.`;
  }

  // The verdict and what follows from it, each sentence once.
  function listFindings(estimates) {
    const [first] = estimates;
    const reason = explainNoStatement(estimates);
    const verdict = claimSentences(first, placesOf(first));
    return [...new Set([...verdict, ...(reason ? [reason] : []), ...recallSentences(estimates)])];
  }

  function warnOfSwapped(computed) {
    const [precision, elusion] = ["precision", "elusion"].map(
      (name) => number(computed.results.find((row) => row.quantity === name).estimate));
    if (!(elusion > precision)) return [];
    const [high, low] = [elusion, precision].map((value) => C.significant(value, 3));
    return [`elusion (${high}) is above precision (${low}): are retrieved and unretrieved swapped?`];
  }

  // A warning if a control set hardly has so many documents of the retrieved part.
  function warnOfSplit({ strata, is_control_set: isControlSet }) {
    if (!isControlSet) return [];
    const [[population, sampled], [part, drawn]] = [strata, ofSegment(strata, true)].map(sumCounts);
    const { first, masses } = IrboundsRecall.hypergeometric(population, part, sampled);
    const place = drawn - first;
    const below = sum([...masses.slice(0, Math.max(place + 1, 0))]), above = sum([...masses.slice(Math.max(place, 0))]);
    if (Math.min(2 * below, 2 * above, 1) >= texts.min_probability) return [];
    const expected = formatCount((sampled * part) / population);
    return [
      `of ${formatCount(sampled)} documents drawn at random from ${formatCount(population)}, about ${expected} are ` +
      `expected among the ${formatCount(part)} retrieved ones, but ${formatCount(drawn)} are given: is this one ` +
      "random sample of the whole corpus?",
    ];
  }

  // ---- tipping points ----

  const intervalOf = (point, request) => ({
    low: number(point.low), high: number(point.high), level: request.confidence_level,
    ...(request.at_least === null
      ? { alternative: "two-sided", method: request.method } : { alternative: "greater", method: "exact" }),
  });

  function placesOfPoints(points, request) {
    const all = [...points.mistaken, ...points.missed];
    return C.decimalsOfColumn(all.map((point) => halfWidth(number(point.estimate), intervalOf(point, request))));
  }

  function countJudgments(request) {
    const [, sampled, relevant] = sumCounts(ofSegment(request.strata, false));
    return [relevant, sampled - relevant];
  }

  function tippingSentences(points, request) {
    if (points === null) return [texts.not_sampled];
    const lines = [request.at_least === null ? describeSingle(points, request) : describeTippedClaim(points, request)];
    if (points.tolerated.length) lines.push(describeTolerated(points, request));
    if (points.order.length) {
      lines.push(
        "Mistakes are assumed where a sampled document stands for most documents: first in stratum " +
        `${C.quote(points.order[0])}, then in the others by their weight.`
      );
    }
    return [...lines, texts.not_here, advise(points, request)];
  }

  function describeTippedClaim(points, request) {
    const claim = `A recall of at least ${formatSetting(request.at_least)}`;
    const isShown = points.mistaken[0].is_shown, [nRelevant, nIrrelevant] = countJudgments(request);
    if (request.credit_found) {
      return `${claim} is ${isShown ? "shown" : "not shown"} by the counts. ${texts.tipping_credited}`;
    }
    const others = pluralise(nIrrelevant, "document");
    if (isShown && points.falls_from === null) {
      return `${claim} is shown, whatever the ${others} judged not relevant there are.`;
    }
    if (isShown) {
      return (
        `${claim} is shown by the counts. It is no longer shown if ${formatCount(points.falls_from)} or more of the ` +
        `${others} judged not relevant in the unretrieved sample are relevant.`
      );
    }
    if (points.shown_from === null) {
      return `${claim} is not shown, even if nothing in the unretrieved sample is relevant.`;
    }
    return (
      `${claim} is not shown by the counts. It is shown if ${formatCount(points.shown_from)} or more of the ` +
      `${pluralise(nRelevant, "document")} judged relevant in the unretrieved sample are not relevant after all.`
    );
  }

  function describeSingle(points, request) {
    const places = placesOfPoints(points, request);
    const effects = [[points.mistaken, "relevant", "not"], [points.missed, "not relevant", "relevant"]]
      .filter(([list]) => list.length > 1)
      .map(([list, judgment, truth]) =>
        `to ${fixed(number(list[1].estimate), places)} if one document judged ${judgment} is ${truth}`);
    const value = fixed(number(points.mistaken[0].estimate), places);
    return `The estimate of recall changes from ${value} ${effects.join(", and ")}.`;
  }

  function describeTolerated(points, request) {
    const words = { estimate: "the estimate", limit: "the lower limit" };
    const parts = points.tolerated.map((error) =>
      `${words[error.by]} while at most ${C.significant(100 * error.rate, 2)} % of them ` +
      `(${pluralise(error.n_documents, "document")}) are relevant`);
    return (
      `Assessors would judge about ${formatCount(points.n_judged_irrelevant)} documents of the unretrieved segment ` +
      `not relevant. Recall of at least ${formatSetting(request.at_least)} stands by ${parts.join(", and by ")}.`
    );
  }

  function advise(points, request) {
    const [nRelevant, nIrrelevant] = countJudgments(request), others = formatCount(nIrrelevant);
    const relevant = pluralise(nRelevant, "document");
    const positives = `the ${relevant} judged relevant in the unretrieved sample`;
    const part = `a random part of the ${others} others`;
    if (request.at_least === null) {
      if (!nRelevant) return `Assess a random part of the ${others} documents of the unretrieved sample again.`;
      const places = placesOfPoints(points, request);
      const ends = [points.mistaken[0], points.mistaken.at(-1)].map((point) =>
        fill(WITHIN["two-sided"], formatEnds(intervalOf(point, request), places)));
      return (
        `Assess ${positives} again, and ${part}: recall is ${ends[0]} if all of the ${relevant} are confirmed, and ` +
        `${ends[1]} if none is.`
      );
    }
    if (request.credit_found) return `Assess ${positives} again, and ${part}.`;
    if (points.mistaken[0].is_shown) {
      return (
        `Assess a random part of the ${others} documents judged not relevant in the unretrieved sample again: ` +
        "mistakes among them, not among those judged relevant, can make the claim fall."
      );
    }
    if (points.shown_from === null) return "Assessing these documents again cannot show the claim.";
    return (
      `Assess ${positives} again: if ${formatCount(points.shown_from)} or more are not relevant, the claim is shown; ` +
      `if all are confirmed, it is not. Assess ${part} too, since relevant documents among them count against the claim.`
    );
  }

  // Tables of recall under mistakes: title, headings and rows.
  function tippingTables(points, request) {
    if (points === null) return [];
    const places = placesOfPoints(points, request), isClaim = request.at_least !== null;
    return [["relevant", points.mistaken], ["not relevant", points.missed]]
      .filter(([, list]) => list[0].n_judged)
      .map(([judgment, list]) => ({
        title: texts.tipping_titles[judgment],
        headings: [
          texts.tipping_headings[judgment], "estimate", ...(isClaim ? ["low"] : ["low", "high"]),
          ...(isClaim ? [`recall >= ${formatSetting(request.at_least)}`] : []),
        ],
        rows: list.map((point) => [
          `${formatCount(point.n_wrong)} of ${formatCount(point.n_judged)}`,
          fixed(number(point.estimate), places),
          ...formatEnds(intervalOf(point, request), places),
          ...(isClaim ? [point.is_shown ? "shown" : "not shown"] : []),
        ]),
      }));
  }

  // ---- tables ----

  // Every quantity with its interval and its guaranteed limit: recall, then elusion, then the others.
  function resultRows(request, computed) {
    const names = ["recall", "elusion", "precision", "F1", "yield", "prevalence"];
    return names.map((name) => {
      const row = computed.results.find((each) => each.quantity === name);
      const estimate = { quantity: name, value: number(row.estimate), interval: makeInterval(row, request) };
      const limit = { ...estimate, interval: makeLimit(row, request) };
      return [name, ...formatNumbers(estimate, placesOf(estimate)), formatNumbers(limit, placesOf(limit), true)[1]];
    });
  }

  function countRows(strata) {
    const cells = (name, part) => [name, ...part.map(formatCount)];
    const total = cells("total", sumCounts(strata));
    if (strata.length <= MAX_NAMED) return [...strata.map((part) => cells(nameStratum(part), sumCounts([part]))), total];
    const segments = [true, false].map((side) => {
      const parts = ofSegment(strata, side);
      const name = `${side ? "retrieved" : "unretrieved"}, ${parts.length} ${parts.length === 1 ? "stratum" : "strata"}`;
      return cells(name, sumCounts(parts));
    });
    return [...segments, total];
  }

  // The name of a stratum, with its segment where the name does not say it.
  function nameStratum(part) {
    const isSaid = texts.segment_names[part.retrieved].includes(part.name.toLowerCase());
    return isSaid ? part.name : `${part.name} (${part.retrieved ? "retrieved" : "unretrieved"})`;
  }

  // ---- words of e-discovery, as words.py replaces them ----

  function chooseWords(trade, strata) {
    if (trade !== "ediscovery") return { apply: (text) => text, label: (text) => text };
    const replaced = new Map(texts.ediscovery.replaced), labels = new Map(texts.ediscovery.labels);
    const escape = (text) => text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
    const longestFirst = (list) => [...list].sort((a, b) => b.length - a.length);
    const words = longestFirst(replaced.keys()).map(
      (word) => `[${word[0].toUpperCase()}${word[0]}]${escape(word.slice(1))}`);
    const replaceable = `\\b(?:${words.join("|")})(?!\\w)`;
    const names = strata
      .filter((part) => part.name !== (part.retrieved ? "retrieved" : "unretrieved"))
      .map((part) => part.name)
      .filter((name) => new RegExp(replaceable).test(name));
    const kept = [...longestFirst(new Set(names)).map(escape), texts.ediscovery.fixed].join("|");
    const pattern = new RegExp(`(${kept})|${replaceable}`, "g");
    const apply = (text) => text.replace(pattern, (word, name) => {
      if (name !== undefined) return word;
      const lower = word[0].toLowerCase() + word.slice(1);
      const chosen = replaced.get(lower) ?? lower;
      return word[0] === word[0].toUpperCase() ? capitalise(chosen) : chosen;
    });
    return { apply, label: (text) => (names.includes(text) ? apply(text) : labels.get(text) ?? apply(text)) };
  }

  // Everything that the page says about a design.
  function describe(request, computed, needed, points) {
    const estimates = makeEstimates(request, computed, needed);
    const words = chooseWords(request.words, request.strata);
    return {
      claim: request.at_least === null ? "" : `Recall is at least ${formatSetting(request.at_least)}.`,
      findings: listFindings(estimates).map(words.apply),
      quote: explainNoStatement(estimates) ? "" : words.apply(sentenceToQuote(estimates)),
      tipping: points === undefined ? [] : tippingSentences(points, request).map(words.apply),
      warnings: [...warnOfSwapped(computed), ...warnOfSplit(request)].map(words.apply),
      results: resultRows(request, computed).map((row) => row.map(words.label)),
      counts: countRows(request.strata).map((row) => row.map(words.label)),
      is_signed: ["", texts.nothing_open].includes(explainNoStatement(estimates)),
      words,
    };
  }

  Object.assign(Calculator, { texts, describe, tippingTables, chooseWords });
})();
