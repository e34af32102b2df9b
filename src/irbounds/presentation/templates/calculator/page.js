// The form, the link that holds its state, and the sheet: everything is computed on every input.
(function () {
  "use strict";

  const C = Calculator;
  const { texts } = C;
  const DELAY = 120, LATER = 300; // milliseconds after the last key, and before what takes longer
  const find = (id) => document.getElementById(id);
  const form = find("design-form"), sheet = find("sheet"), root = document.documentElement;
  const TEXT_FIELDS = ["matter", "prepared_by", "date", "at_least", "confidence_level"];
  const CHOICES = ["design", "method", "words"];
  const PARTS = ["population", "sampled", "relevant", "name"];
  // per design: the segments to fill in, each with its legend and the label of what was sampled
  const SEGMENTS = {
    "two-samples": {
      retrieved: ["Retrieved documents", "Sampled"], unretrieved: ["Unretrieved documents, the rest", "Sampled"],
    },
    review: { retrieved: ["Retrieved documents, all read", ""], unretrieved: ["Unretrieved documents, the rest", "Sampled"] },
    "control-set": {
      whole: ["All documents of the corpus", "Sampled"], part: ["Of these, the retrieved documents", "Sampled among them"],
    },
  };
  const EXAMPLE = {
    design: "two-samples", at_least: "75 %", confidence_level: "95 %", method: "beta-binomial", words: "search",
    retrieved: ["5,000~500~400~"], unretrieved: ["95,000~1,500~3~"], whole: ["100,000~2,000~84~"], part: ["5,000~100~80~"],
  };

  // ---- strata ----

  let counter = 0;

  const boxOf = (segment) => form.querySelector(`[data-segment="${segment}"]`);
  const listRows = (segment) => [...boxOf(segment).querySelectorAll(".stratum")];

  function addRow(segment, values = {}) {
    const row = find("stratum").content.firstElementChild.cloneNode(true);
    for (const input of row.querySelectorAll("input")) {
      const id = `stratum-${(counter += 1)}`, field = input.parentElement;
      input.id = id;
      input.value = values[input.dataset.part] ?? "";
      if (input.dataset.part === "name") input.maxLength = texts.max_name;
      field.querySelector("label").htmlFor = id;
      field.querySelector(".error").id = `${id}-error`;
      input.setAttribute("aria-describedby", `${id}-error`);
    }
    row.querySelector(".remove").addEventListener("click", () => {
      row.remove();
      showSegments();
      schedule();
      boxOf(segment).querySelector("input").focus();
    });
    boxOf(segment).querySelector(".rows").append(row);
    return row;
  }

  // Show what the design needs; a segment that is one stratum needs no name.
  function showSegments() {
    const shown = SEGMENTS[find("design").value];
    const { apply } = C.chooseWords(find("words").value, []);
    for (const segment of ["retrieved", "unretrieved", "whole", "part"]) {
      const box = boxOf(segment), rows = listRows(segment), [legend, sampled] = shown[segment] ?? ["", ""];
      box.hidden = !(segment in shown);
      box.querySelector("legend").textContent = apply(legend);
      rows.forEach((row, k) => {
        row.querySelector(".name").hidden = rows.length < 2;
        row.querySelector(".remove").parentElement.hidden = rows.length < 2;
        row.querySelector(".remove").setAttribute("aria-label", `Remove stratum ${k + 1}`);
        row.querySelector(".sampled").hidden = !sampled;
        row.querySelector(".sampled label").textContent = sampled;
        row.querySelector('[data-part="relevant"]').parentElement.querySelector("label").textContent = apply("Relevant");
      });
      const add = box.querySelector(".add");
      if (add) add.disabled = rows.length >= texts.max_strata;
    }
  }

  // ---- reading ----

  function showError(input, message) {
    input.parentElement.querySelector(".error").textContent = message;
    input.toggleAttribute("aria-invalid", Boolean(message));
    if (message) input.setAttribute("aria-invalid", "true");
    return message ? null : true;
  }

  function read(input, convert) {
    try {
      const value = convert(input.value);
      showError(input, "");
      return value;
    } catch (error) {
      showError(input, error.message);
      return null;
    }
  }

  // Text on one line, without characters that are not seen.
  const clean = (text) => text.normalize("NFC").replace(/[\p{Cc}\s]+/gu, " ").replace(/\p{Cf}|\p{Cs}/gu, "").trim();

  // A stratum with its inputs; counts that cannot be read are null.
  function readRow(row, segment, k, isOnly) {
    const input = Object.fromEntries([...row.querySelectorAll("input")].map((each) => [each.dataset.part, each]));
    const counts = Object.fromEntries(PARTS.slice(0, 3).map((part) => [part, input[part]]));
    const isCensus = row.querySelector(".sampled").hidden || input.sampled.value.trim().toLowerCase() === "all";
    const population = read(counts.population, C.readCount), relevant = read(counts.relevant, C.readCount);
    const sampled = isCensus ? population : read(counts.sampled, C.readCount);
    if (isCensus) showError(counts.sampled, "");
    const name = isOnly ? segment : clean(input.name.value) || `${segment} ${k + 1}`;
    if (population !== null && sampled !== null && sampled > population) {
      showError(counts.sampled, `${C.formatCount(sampled)} sampled of a population of ${C.formatCount(population)}`);
    } else if (sampled !== null && relevant !== null && relevant > sampled) {
      showError(counts.relevant, `${C.formatCount(relevant)} relevant of ${C.formatCount(sampled)} sampled`);
    }
    return { name, population, sampled, relevant, input };
  }

  function readSegment(segment) {
    const rows = listRows(segment);
    const strata = rows.map((row, k) => readRow(row, segment, k, rows.length < 2));
    strata.forEach(({ name, input }, k) => {
      const isRepeated = strata.findIndex((other) => other.name === name) < k;
      showError(input.name, isRepeated ? `${C.quote(name)} is there twice` : "");
    });
    return strata;
  }

  const makeStratum = (retrieved) => ({ name, population, sampled, relevant }) =>
    ({ name, retrieved, population, sampled, relevant });

  function readStrata(design) {
    if (design !== "control-set") {
      return ["retrieved", "unretrieved"].flatMap((segment) => readSegment(segment).map(makeStratum(segment === "retrieved")));
    }
    const [whole] = readSegment("whole"), [part] = readSegment("part");
    const words = { population: "documents", sampled: "sampled", relevant: "relevant" };
    for (const [key, word] of Object.entries(words)) {
      if (whole[key] !== null && part[key] !== null && part[key] > whole[key]) {
        showError(part.input[key], `${C.formatCount(part[key])} ${word} of the ${C.formatCount(whole[key])} of the whole corpus`);
      }
    }
    if (form.querySelector("[aria-invalid]")) return [];
    const rest = whole.population - part.population, drawn = whole.sampled - part.sampled;
    const missed = whole.relevant - part.relevant;
    if (drawn > rest) showError(part.input.sampled, `leaves ${C.formatCount(drawn)} sampled of ${C.formatCount(rest)} other documents`);
    else if (missed > drawn) showError(part.input.relevant, `leaves ${C.formatCount(missed)} relevant of ${C.formatCount(drawn)} other sampled`);
    const list = ({ population, sampled, relevant }) => [population, sampled, relevant];
    return IrboundsRecall.controlSet({ retrieved: list(part), control_set: list(whole) });
  }

  // The request that the form makes; null if a field is wrong, which then has a message beside it.
  function readRequest() {
    const design = find("design").value;
    for (const input of form.querySelectorAll("[aria-invalid]")) showError(input, "");
    find("samples-error").textContent = "";
    const strata = readStrata(design);
    const claim = find("at_least");
    const at_least = claim.value.trim() ? read(claim, (text) => C.readFraction(text)) : null;
    const confidence_level = read(find("confidence_level"), (text) => C.readLevel(text, claim.value.trim()));
    if (form.querySelector("[aria-invalid]")) return null;
    if (!strata.some((part) => part.population)) {
      find("samples-error").textContent = "every stratum has a population of 0: there is nothing to estimate";
      return null;
    }
    return {
      strata, at_least, confidence_level, design, is_control_set: design === "control-set",
      method: find("method").value, words: find("words").value, credit_found: find("credit_found").checked,
      entries: Object.fromEntries(TEXT_FIELDS.slice(0, 3).map((name) => [name, clean(find(name).value)])),
    };
  }

  // ---- the sheet ----

  function fillTable(id, headings, rows, firstNumber = 1) {
    const cell = (name, text, k) => {
      const made = document.createElement(name);
      made.textContent = text;
      if (k >= firstNumber) made.className = "number";
      return made;
    };
    const line = (cells) => {
      const made = document.createElement("tr");
      made.append(...cells);
      return made;
    };
    find(`${id}-head`).replaceChildren(line(headings.map((text, k) => {
      const made = cell("th", text, k);
      made.scope = "col";
      return made;
    })));
    find(id).replaceChildren(...rows.map((row) => line(row.map((text, k) => {
      const made = cell(k ? "td" : "th", text, k);
      if (!k) made.scope = "row";
      return made;
    }))));
  }

  function makeTable({ title, headings, rows }, k) {
    const id = `tipping-${k}`, box = find("results-box").cloneNode(true);
    box.className = "box";
    box.id = `${id}-box`;
    box.setAttribute("aria-labelledby", `${id}-title`);
    for (const part of ["title", "head"]) box.querySelector(`#results-${part}`).id = `${id}-${part}`;
    box.querySelector("#results").id = id;
    find("tipping-tables").append(box);
    find(`${id}-title`).textContent = title;
    fillTable(id, headings, rows);
  }

  function setText(id, sentences) {
    find(id).textContent = sentences.join(" ");
    find(id).hidden = !sentences.length;
  }

  // Show the verdict on the sheet, and on a narrow screen below the form.
  function showVerdict(text, name) {
    find("verdict").textContent = text;
    find("verdict").className = `verdict ${name}`;
    find("glance").textContent = text;
  }

  // Show what is computed so far; the sample that is needed and the tipping points come later.
  function show(request, computed, needed, points) {
    const said = C.describe(request, computed, needed, points), { apply, label } = said.words;
    const level = C.percent(request.confidence_level);
    const [first, ...others] = said.findings;
    showVerdict(first, computed.claim ? (computed.claim.is_shown ? "shown" : "not-shown") : "");
    setText("findings", others);
    setText("warnings", said.warnings.map((text) => `Warning: ${text}`));
    find("claim").textContent = apply(said.claim);
    find("claim-line").hidden = !said.claim;
    find("figure-title").textContent = "Recall";
    find("figure").querySelector(".panels").replaceChildren(C.drawFigure(request, computed, said.results));
    const prior = request.method === "exact" ? "" : `, prior ${texts.prior}`;
    find("results-title").textContent = `${level} interval (${request.method}${prior}) and guaranteed ${level} limit (exact)`;
    fillTable("results", ["quantity", "estimate", "low", "high", "limit"], said.results);
    fillTable("counts", ["stratum", "population", "sampled", label("relevant")], said.counts);
    find("quote").textContent = said.quote;
    find("quote-box").hidden = !said.quote;
    find("attestation").classList.toggle("unsigned", !said.is_signed);
    find("tipping").setAttribute("aria-busy", String(points === undefined));
    find("tipping").textContent = points === undefined ? "Computing." : said.tipping.join(" ");
    find("tipping-tables").replaceChildren();
    find("tipping-more").hidden = !points;
    if (points) C.tippingTables(points, request).forEach((table, k) => makeTable({
      title: apply(table.title), headings: table.headings.map(label), rows: table.rows.map((row) => row.map(label)),
    }, k));
    for (const [name, text] of Object.entries(request.entries)) {
      for (const place of sheet.querySelectorAll(`[data-entry="${name}"]`)) place.textContent = text;
    }
  }

  // ---- computing ----

  let timer = 0, steps = [], record = null, pause = 0;

  // Start after the last key, or at once with the design of a link.
  function schedule(isTyped = true) {
    clearTimeout(timer);
    delete root.dataset.drawn;
    pause = isTyped ? LATER : 0;
    timer = setTimeout(start, isTyped ? DELAY : 0);
  }

  // Compute in steps, so that the page answers to keys in between; a new input drops what is left.
  function start() {
    showSegments();
    writeLink();
    record = null;
    const request = readRequest();
    sheet.classList.toggle("invalid", request === null);
    if (request === null) {
      showVerdict("No result: correct the marked fields.", "");
      find("record").textContent = "";
      steps = [];
      root.dataset.drawn = "";
      return;
    }
    let computed, needed;
    steps = [
      () => {
        computed = IrboundsRecall.compute(request);
        needed = computed.claim && !computed.claim.is_shown ? undefined : null;
        show(request, computed, needed);
      },
      () => {
        if (needed === null) return;
        needed = IrboundsRecall.sampleNeeded(request);
        show(request, computed, needed);
      },
      () => {
        const points = IrboundsRecall.tippingPoints(request);
        show(request, computed, needed, points);
        record = { ...C.makeRecord(request, computed, needed, points) };
        find("record").textContent = C.writeBlock(record);
      },
    ];
    next();
  }

  function next() {
    const step = steps.shift();
    if (step) step();
    if (steps.length) timer = setTimeout(next, steps.length === 2 ? pause : 0);
    else root.dataset.drawn = "";
  }

  // Finish what is under way, before the page is printed or its record is saved.
  function finish() {
    clearTimeout(timer);
    if (!("drawn" in root.dataset) && !steps.length) start();
    while (steps.length) steps.shift()();
    clearTimeout(timer);
    root.dataset.drawn = "";
  }

  // ---- the link ----

  const currentSegments = () => Object.keys(SEGMENTS[find("design").value]);

  function writeLink() {
    const state = new URLSearchParams();
    for (const name of [...TEXT_FIELDS, ...CHOICES]) state.set(name, find(name).value);
    if (find("credit_found").checked) state.set("credit_found", "1");
    for (const segment of currentSegments()) {
      for (const row of listRows(segment)) {
        state.append(segment, PARTS.map((part) => row.querySelector(`[data-part="${part}"]`).value).join("~"));
      }
    }
    const link = `#${state}`;
    if (link !== location.hash) history.replaceState(null, "", link);
  }

  function readLink() {
    const state = new URLSearchParams(location.hash.slice(1));
    const hasState = CHOICES.some((name) => state.has(name));
    for (const name of [...TEXT_FIELDS, ...CHOICES]) {
      const field = find(name), value = clean(state.get(name) ?? (hasState ? "" : EXAMPLE[name] ?? ""));
      if (field.tagName === "SELECT") field.value = [...field.options].some((each) => each.value === value) ? value : EXAMPLE[name];
      else field.value = field.maxLength > 0 ? value.slice(0, field.maxLength) : value;
    }
    find("credit_found").checked = state.has("credit_found");
    for (const segment of ["retrieved", "unretrieved", "whole", "part"]) {
      boxOf(segment).querySelector(".rows").replaceChildren();
      const rows = state.has(segment) ? state.getAll(segment).slice(0, texts.max_strata) : EXAMPLE[segment];
      for (const text of boxOf(segment).querySelector(".add") ? rows : rows.slice(0, 1)) {
        const [population, sampled, relevant, ...name] = clean(text).split("~");
        addRow(segment, { population, sampled, relevant, name: name.join("~").slice(0, texts.max_name) });
      }
    }
    showSegments();
    schedule(false);
  }

  // ---- buttons ----

  // A page that is opened from a file may have no clipboard; then the text is selected to be copied.
  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = document.createElement("textarea");
      area.className = "unseen";
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    find("done").textContent = "Copied.";
  }

  function save() {
    finish();
    if (record === null) {
      find("done").textContent = "There is no result to save.";
      return;
    }
    const said = { sentence: find("quote").textContent, verdict: find("verdict").textContent };
    const blob = new Blob([`${JSON.stringify({ ...record, ...said }, null, 2)}\n`], { type: "application/json" });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = "recall-record.json";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    find("done").textContent = "Saved as recall-record.json.";
  }

  form.addEventListener("input", () => {
    find("done").textContent = "";
    schedule();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  for (const add of form.querySelectorAll(".add")) {
    const { segment } = add.closest("[data-segment]").dataset;
    add.addEventListener("click", () => {
      const row = addRow(segment);
      showSegments();
      row.querySelector("input").focus();
      schedule();
    });
  }
  find("print").addEventListener("click", () => window.print());
  find("save").addEventListener("click", save);
  find("copy").addEventListener("click", () => copy(find("quote").textContent));
  find("copy-link").addEventListener("click", () => {
    writeLink();
    copy(location.href);
  });
  // The address holds the design, so that links within the page may not change it.
  for (const link of document.querySelectorAll('a[href="#sheet"]')) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      sheet.focus();
    });
  }
  window.addEventListener("beforeprint", finish);
  window.addEventListener("hashchange", readLink);
  readLink();
})();
