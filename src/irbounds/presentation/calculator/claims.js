// Claims about recall: whether one is shown, and the sample that would show it
// (irbounds/samples/claims.py). All of them are judged by the exact lower limit.
"use strict";
(function (R) {
  const ASSURANCE = 0.8; // probability with which the sample that is needed shows a claim
  const ADDED = 0.5; // documents added to both counts of an unretrieved sample
  const RARE = 0.002; // probability of a count that is not tried
  const PRECISE = 100; // a sample of strata is found to one in so many documents

  const isOpen = (part) => part.sampled > 0 && part.sampled < part.population;
  const isGrowing = (part, request) => isOpen(part) && (request.is_control_set || !part.retrieved);

  // Return the yield with half a document added to the counts of the sample.
  const cautiousYield = (part) =>
    (part.population * (part.relevant + ADDED)) / (part.sampled + 2 * ADDED);

  // Return {at_least, is_shown, recall_assumed} by the lower limit of recall; null without a claim.
  function judgeClaim(request, limit) {
    const { at_least } = request;
    if (at_least === null || at_least === undefined) return null;
    const isShown = limit !== null && limit >= at_least, assumed = assumedRecall(request);
    const isPlanned = !isShown && assumed > at_least;
    return { at_least, is_shown: isShown, recall_assumed: isPlanned ? assumed : null };
  }

  // Return recall with half a document added to the counts of the unretrieved samples.
  function assumedRecall(request) {
    const yields = [0, 0];
    for (const part of request.strata) {
      if (!part.population) continue;
      yields[part.retrieved ? 0 : 1] += isOpen(part) && !part.retrieved
        ? cautiousYield(part) : (part.population * part.relevant) / Math.max(part.sampled, 1);
    }
    const total = yields[0] + yields[1];
    return total ? (yields[0] + R.creditedBy(request)) / total : 0;
  }

  // Return the size of an unretrieved sample (or of a control set) that would probably show the
  // claim; null if it is shown, or if no sample would show it.
  function sampleNeeded(request) {
    const claim = judgeClaim(request, R.limitOf(request, "recall"));
    if (!claim || claim.recall_assumed === null) return null;
    const growing = request.strata.filter((part) => isGrowing(part, request));
    const sampled = growing.reduce((sum, part) => sum + part.sampled, 0);
    const rest = growing.reduce((sum, part) => sum + part.population, 0);
    if (!sampled || !wouldShow(request, rest / sampled)) return null;
    const isSimple = request.strata.length === 2;
    let low = sampled, high = rest;
    while (high - low > Math.max(1, isSimple ? 0 : Math.floor(high / PRECISE))) {
      const middle = Math.floor((low + high) / 2);
      if (wouldShow(request, middle / sampled)) high = middle;
      else low = middle;
    }
    return high;
  }

  const isShownBy = (request, strata) =>
    R.limitOf({ ...request, strata }, "recall") >= request.at_least;

  // Return whether samples this many times as large would probably show the claim.
  function wouldShow(request, factor) {
    if (request.credit_found) return chanceWithCredit(request, factor) >= ASSURANCE;
    const assurance = request.is_control_set ? Math.sqrt(ASSURANCE) : ASSURANCE;
    return isShownBy(request, request.strata.map((part) =>
      isGrowing(part, request) ? enlarge(part, factor, assurance) : part));
  }

  // Return the chance that samples show the claim, if what they find is credited.
  function chanceWithCredit(request, factor) {
    const growing = request.strata.filter((part) => isGrowing(part, request));
    const weightOf = (part) => part.population / part.sampled;
    const largest = growing.reduce((a, b) => (weightOf(b) > weightOf(a) ? b : a));
    const others = new Map(growing.map((part) => [part.name, enlarge(part, factor, ASSURANCE)]));
    const enlarged = others.get(largest.name);
    const assumed = Math.min(R.roundHalfEven(cautiousYield(largest)), largest.population);
    const { first, masses } = R.hypergeometric(largest.population, assumed, enlarged.sampled);
    let chance = 0;
    masses.forEach((mass, place) => {
      if (!(mass > RARE)) return;
      const tried = { ...enlarged, relevant: first + place };
      const strata = request.strata.map((part) =>
        part === largest ? tried : others.get(part.name) || part);
      if (isShownBy(request, strata)) chance += mass;
    });
    return chance;
  }

  // Return a stratum with a larger sample, and a count that is probably not worse.
  function enlarge(part, factor, assurance) {
    const sampled = Math.min(part.population, R.roundHalfEven(part.sampled * factor));
    const assumed = part.retrieved
      ? R.roundHalfEven((part.population * part.relevant) / part.sampled)
      : Math.min(R.roundHalfEven(cautiousYield(part)), part.population);
    const { first, masses } = R.hypergeometric(part.population, assumed, sampled);
    let place = 0, cumulative = 0;
    for (const mass of masses) {
      cumulative += mass;
      if (part.retrieved ? cumulative <= 1 - assurance : cumulative < assurance) place++;
      else break;
    }
    return { ...part, sampled, relevant: Math.min(first + place, sampled) };
  }

  // Return the strata of a control set: one sample of the whole corpus, divided by the cut.
  function controlSet({ retrieved, control_set }) {
    const make = (name, isRetrieved, [population, sampled, relevant]) =>
      ({ name, retrieved: isRetrieved, population, sampled, relevant });
    const others = control_set.map((whole, k) => whole - retrieved[k]);
    return [make("retrieved", true, retrieved), make("unretrieved", false, others)];
  }

  Object.assign(R, { judgeClaim, sampleNeeded, controlSet });
})(globalThis.IrboundsRecall);
