// The record of a computation, which irbounds recall --check verifies.
(function () {
  "use strict";

  const C = Calculator;

  function makeRecord(request, computed, needed, points) {
    const claim = computed.claim;
    return {
      record: "irbounds_recall",
      irbounds: C.texts.version,
      ...request.entries,
      design: request.design,
      strata: request.strata.map((part) => [part.name, part.retrieved, part.population, part.sampled, part.relevant]),
      confidence_level: request.confidence_level,
      at_least: request.at_least,
      method: request.method,
      credit_found: request.credit_found,
      words: request.words,
      results: computed.results.map((row) => [row.quantity, row.estimate, row.low, row.high, row.limit]),
      claim: claim && {
        is_shown: claim.is_shown,
        sample_needed: needed ?? null,
      },
      tipping: points && {
        shown_from: points.shown_from,
        falls_from: points.falls_from,
        tolerated: points.tolerated.map((error) => [error.by, error.n_documents, error.rate]),
      },
    };
  }

  const SAFE = /[!-~]|\p{Script=Latin}|\p{Script=Greek}|\p{Script=Cyrillic}|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/u;

  const escape = (mark) => mark.split("").map(
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");

  const MARKS = { " ": "~", "-": "^" }; // programs that read PDFs join lines at hyphens

  // JSON whose lines may be broken anywhere; what the text of a PDF may change is escaped.
  function writeBlock(record) {
    const isSafe = (mark) => SAFE.test(mark) && !"~^<>&".includes(mark) && mark.normalize("NFKC") === mark;
    return [...JSON.stringify(record)].map((mark) => MARKS[mark] ?? (isSafe(mark) ? mark : escape(mark))).join("");
  }

  Object.assign(Calculator, { makeRecord, writeBlock });
})();
