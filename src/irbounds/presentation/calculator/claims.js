// Claims about recall: whether one is shown, and the sample that would show it
// (irbounds/samples/claims.py). All of them are judged by the exact lower limit.
"use strict";
(function (R) {
  const PRECISE = 100; // a sample of strata is found to one in so many documents

  const findsAny = (strata) => strata.some((part) => part.relevant > 0);

  // Return {at_least, is_shown} by the lower limit of recall; null without a claim. Nothing is shown
  // without a relevant document.
  function judgeClaim({ at_least, strata }, limit) {
    if (at_least === null || at_least === undefined) return null;
    return { at_least, is_shown: limit !== null && limit >= at_least && findsAny(strata) };
  }

  const growingStrata = (strata) =>
    strata.filter((part) => !part.retrieved && part.sampled < part.population);

  // Return the size of an unretrieved sample that shows the claim if it has no further relevant
  // document; null if the claim is shown, or if no sample would show it.
  function sampleNeeded(request) {
    const claim = judgeClaim(request, R.limitOf(request, "recall"));
    if (!claim || claim.is_shown || !findsAny(request.strata)) return null;
    const growing = growingStrata(request.strata);
    const sampled = growing.reduce((sum, part) => sum + part.sampled, 0);
    const rest = growing.reduce((sum, part) => sum + part.population, 0) - sampled;
    const isShown = (added) => {
      const strata = request.strata.map((part) => enlarge(part, added / rest));
      return R.limitOf({ ...request, strata }, "recall") >= request.at_least;
    };
    if (!rest || !isShown(rest)) return null;
    const isSimple = request.strata.length === 2;
    let low = 0, high = rest;
    while (high - low > Math.max(1, isSimple ? 0 : Math.floor((sampled + high) / PRECISE))) {
      const middle = Math.floor((low + high) / 2);
      if (isShown(middle)) high = middle;
      else low = middle;
    }
    return sampled + high;
  }

  // Return an unretrieved stratum with a fraction of its unread documents read, none relevant.
  function enlarge(part, fraction) {
    const added = part.retrieved ? 0 : R.roundHalfEven(fraction * (part.population - part.sampled));
    return { ...part, sampled: part.sampled + added };
  }

  // Return the strata of a control set: one sample of the whole corpus, divided by the cut.
  function controlSet({ retrieved, control_set }) {
    const make = (name, isRetrieved, [population, sampled, relevant]) =>
      ({ name, retrieved: isRetrieved, population, sampled, relevant });
    const others = control_set.map((whole, k) => whole - retrieved[k]);
    return [make("retrieved", true, retrieved), make("unretrieved", false, others)];
  }

  Object.assign(R, { judgeClaim, findsAny, growingStrata, sampleNeeded, controlSet });
})(globalThis.IrboundsRecall);
