"use strict";
// Functions of a report: sort a table, copy or save its numbers, select a system, compare two
// systems, save a figure. Without this script the page shows the same text, tables and figures.
(() => {
  const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];
  const one = (selector, inside = document) => inside.querySelector(selector);

  // ---- payloads -------------------------------------------------------------------------------

  // JSON, deflated, in base64: a figure's specification; a table's CSV and its rows not shown
  async function unpacked(text) {
    const bytes = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
    const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(plain).text());
  }

  function save(name, blob) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  // ---- tables ---------------------------------------------------------------------------------

  const SHOWN = 200; // rows of a long table, until a reader asks for all
  const PRINTED = 5000; // rows of a table that are all printed, shown or not
  const order = new Intl.Collator("en", { numeric: true }).compare;

  // The number that a cell begins with: "<0.001" lies just below 0.001, a dash is no number.
  function number(text) {
    const plain = text.trim().replaceAll(",", "").replace("\u2212", "-");
    const found = /^([<>\u2264\u2265\u00b1]?)\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)/i.exec(plain);
    if (!found) return null;
    const value = Number(found[2]);
    const nudge = { "<": -1, ">": 1 }[found[1]] ?? 0;
    return value + nudge * Math.abs(value) * 1e-9;
  }

  // The sort key of a column: numbers if it is aligned to the right and has any, else text.
  function keys(rows, column, numeric) {
    const words = rows.map((row) => row.cells[column].textContent.trim());
    const numbers = words.map(number);
    if (numeric && numbers.some((value) => value !== null)) return numbers;
    return words.map((word) => (word === "" || word === "-" ? null : word));
  }

  // Rows in the order of a column, missing values last in either direction.
  function sorted(rows, column, numeric, direction) {
    const key = keys(rows, column, numeric);
    const compare = (a, b) => (typeof a === "number" ? a - b : order(a, b));
    const places = rows.map((_, place) => place);
    places.sort((a, b) => {
      if (key[a] === null || key[b] === null) return (key[a] === null) - (key[b] === null);
      return direction * compare(key[a], key[b]);
    });
    return places.map((place) => rows[place]);
  }

  class Table {
    constructor(element) {
      this.element = element;
      this.body = one("tbody", element);
      this.rows = [...this.body.rows];
      this.total = Number(element.dataset.rows);
      this.limit = this.total > SHOWN ? SHOWN : Infinity;
      this.order = null;
      this.packed = null;
      this.held = null;
      all("thead th:not(.bar)", element).forEach((th) => this.#sortable(th));
      one(".actions", element).hidden = false;
      one(".copy", element).addEventListener("click", () => this.#copy());
      one(".save", element).addEventListener("click", () => this.#save());
      one(".all", element)?.addEventListener("click", () => this.#showAll());
      this.body.addEventListener("click", (event) => {
        const { system, baseline, measure } = event.target.closest("tr")?.dataset ?? {};
        if (system === undefined || !getSelection().isCollapsed) return;
        choose(system);
        if (baseline !== undefined) pairs?.pick(system, baseline, measure);
      });
    }

    async unpack() {
      this.packed ??= unpacked(one(".packed", this.element).textContent);
      this.held = await this.packed;
      return this.held;
    }

    // Rows of the payload become rows like the others.
    async #whole() {
      if (this.rows.length === this.total) return;
      await this.unpack();
      this.#join();
    }

    #join() {
      if (this.rows.length === this.total) return;
      const holder = document.createElement("template");
      holder.innerHTML = `<table><tbody>${this.held.rows}</tbody></table>`;
      this.rows.push(...one("tbody", holder.content).rows);
      this.rows.forEach(mark);
    }

    #show(limit = this.limit) {
      this.body.replaceChildren(...(this.order ?? this.rows).slice(0, limit));
    }

    async #showAll() {
      await this.#whole();
      this.limit = Infinity;
      this.#show();
      this.element.classList.remove("tall");
      one(".long", this.element)?.remove();
      one(".all", this.element).remove();
    }

    // A browser does not wait before it prints, so payloads are unpacked earlier.
    async makeReady() {
      if (this.limit < this.total && this.total <= PRINTED) await this.unpack();
    }

    beforePrint() {
      const whole = this.total <= PRINTED && (this.held || this.rows.length === this.total);
      this.element.classList.toggle("whole", Boolean(whole));
      if (!whole || this.limit >= this.total) return;
      this.#join();
      this.#show(Infinity);
    }

    afterPrint() {
      if (this.body.rows.length > this.limit) this.#show();
    }

    #sortable(th) {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...th.childNodes);
      th.append(button);
      button.addEventListener("click", () => this.#sort(th));
    }

    // Ascending, descending, and back to the original order.
    async #sort(th) {
      const next = { none: "ascending", ascending: "descending", descending: "none" };
      const wanted = next[th.getAttribute("aria-sort") ?? "none"];
      await this.#whole();
      all("[aria-sort]", this.element).forEach((other) => other.removeAttribute("aria-sort"));
      if (wanted !== "none") th.setAttribute("aria-sort", wanted);
      const direction = wanted === "descending" ? -1 : 1;
      const numeric = th.classList.contains("number");
      this.order = wanted !== "none" ? sorted(this.rows, th.cellIndex, numeric, direction) : null;
      this.#show();
    }

    async #copy() {
      const { csv } = await this.unpack();
      const said = (await copied(csv)) ? "Copied." : "The browser does not allow copying: saved.";
      if (said !== "Copied.") this.#save();
      one(".done", this.element).textContent = said;
      setTimeout(() => (one(".done", this.element).textContent = ""), 4000);
    }

    async #save() {
      const { csv } = await this.unpack();
      const title = one("caption span", this.element);
      save(`${fileName(title.textContent) || title.id}.csv`, new Blob([csv], { type: "text/csv" }));
    }
  }

  // A file name: "nDCG@10: mean over 50 queries" becomes nDCG-10-mean-over-50-queries
  function fileName(title) {
    const plain = title.normalize("NFKD").replace(/\p{M}/gu, "");
    return plain.replace(/[^a-z0-9]+/gi, "-").slice(0, 80).replace(/^-+|-+$/g, "");
  }

  // A page that is opened from a file may have no clipboard; then the text is selected to be copied.
  async function copied(text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      return copiedBySelecting(text);
    }
  }

  function copiedBySelecting(text) {
    const area = document.createElement("textarea");
    area.className = "unseen";
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }

  // ---- the selected system ---------------------------------------------------------------------

  let chosen = "";
  const views = new Set();

  function mark(row) {
    const { system, baseline } = row.dataset;
    row.classList.toggle("chosen", chosen !== "" && (system === chosen || baseline === chosen));
  }

  // Selecting a system highlights it everywhere; selecting it again clears the selection.
  function choose(system) {
    chosen = system === chosen ? "" : system;
    tables.forEach((table) => table.rows.forEach(mark));
    views.forEach(showChosen);
    const picker = one("#system");
    if (picker) picker.value = chosen;
    one("#chosen").textContent = chosen && `Highlighted: ${chosen}. Press Escape to clear.`;
  }

  function showChosen(view) {
    if (!("chosen" in view.getState({ signals: (name) => name === "chosen" }).signals)) return;
    view.signal("chosen", chosen).runAsync();
  }

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && chosen) choose(chosen);
  });
  one("#system")?.addEventListener("change", (event) => {
    chosen = "";
    choose(event.target.value);
  });
  all(".scripted").forEach((part) => (part.hidden = false));

  // ---- the width of figures -------------------------------------------------------------------

  const NARROW = 480; // pixels of a panel; below, legends are above the plot, one entry per line
  const LEAST = 120; // pixels of a plot; below, plots side by side are put below each other
  const LETTER = 6.4; // pixels of a character of 12 px

  // A copy of a specification without its data, which are never changed.
  function cloneSpec({ datasets, ...spec }) {
    return { ...structuredClone(spec), datasets };
  }

  // Every object in a specification: views, channels, axes, legends.
  function* parts(object) {
    for (const [key, value] of Object.entries(object)) {
      if (value === null || typeof value !== "object" || key === "datasets") continue;
      if (!Array.isArray(value)) yield [key, value, object];
      yield* parts(value);
    }
  }

  // Columns of a plot whose width is a step for each.
  function columns(view, datasets, data) {
    const layers = view.layer ?? [view];
    const field = [view, ...layers].find((part) => part.encoding?.x)?.encoding.x.field;
    const name = ([view, ...layers].find((part) => part.data)?.data ?? data)?.name;
    return new Set((datasets?.[name] ?? []).map((row) => row[field])).size || 1;
  }

  // The plots of a specification that have a width, and how wide they are together.
  function plots(view, datasets, data) {
    const inner = view.hconcat ?? view.vconcat;
    data = view.data ?? data;
    if (inner) {
      const found = inner.map((part) => plots(part, datasets, data));
      const widths = found.map((part) => part.width);
      const width = view.hconcat ? widths.reduce((a, b) => a + b, 0) : Math.max(...widths);
      return { width, views: found.flatMap((part) => part.views) };
    }
    const step = view.width?.step;
    const width = step ? step * columns(view, datasets, data) : (view.width ?? 200);
    return { width, views: [{ view, width, step }] };
  }

  // Text in lines that are no wider than a plot.
  function lines(words, width) {
    const made = [""];
    for (const word of words.split(" ")) {
      const line = made.at(-1) && `${made.at(-1)} ${word}`;
      if (line && line.length * LETTER > width) made.push(word);
      else made.splice(-1, 1, line || word);
    }
    return made.length > 1 ? made : words;
  }

  // A specification for a panel of this width, of which axes and legends take some.
  function fitted(spec, room, around) {
    const made = cloneSpec(spec);
    let { width, views: found } = plots(made, made.datasets);
    const free = Math.max(room - around, 0.4 * room); // a legend may be wider than the panel
    let factor = free / width;
    if (made.hconcat && found.some((plot) => !plot.step && plot.width * factor < LEAST)) {
      made.vconcat = made.hconcat;
      delete made.hconcat;
      made.vconcat.forEach((view) => {
        for (const [key, channel] of parts(view)) if (key === "y" && !channel.axis) delete channel.axis;
      });
      ({ width, views: found } = plots(made, made.datasets));
      factor = free / width;
    }
    for (const { view, width: natural, step } of found) {
      const size = Math.max(40, Math.floor(natural * factor));
      if (!step || factor < 1) view.width = size;
      if (step && factor < 0.9) shrinkCells(view, factor);
      for (const [key, channel] of parts(view)) {
        if (key !== "x") continue;
        if (typeof channel.title === "string") channel.title = lines(channel.title, size);
        const axis = channel.axis;
        if (axis && typeof axis.title === "string") axis.title = lines(axis.title, size);
        if (step && step * factor < 12) channel.axis = axis === null ? null : { ...axis, labelOverlap: true };
      }
    }
    shorten(made, room);
    return made;
  }

  // Cells of a matrix stay square, and lose the numbers for which they are too small.
  function shrinkCells(view, factor) {
    if (view.height?.step) view.height.step = Math.max(14, Math.round(view.height.step * factor));
    const marks = view.layer?.filter(({ mark }) => mark?.type !== "text");
    if (marks?.length) view.layer = marks;
    for (const [key, mark] of parts(view)) if (key === "mark") delete mark.yOffset;
  }

  // Names are cut in proportion to the width; legends move away from the side of a narrow panel.
  function shorten(spec, room) {
    const narrow = room < NARROW;
    const plotWidth = Math.round(0.58 * room) - 30; // a legend above the plot begins where the plot does
    const limit = (given, most) => Math.min(given || most, most);
    const axis = (look) => (look.labelLimit = limit(look.labelLimit, Math.round(0.42 * room)));
    const legend = (look) => {
      look.labelLimit = limit(look.labelLimit, narrow ? plotWidth : room - 40);
      look.titleLimit = room - 20;
      if (narrow && look.orient !== "none") Object.assign(look, { orient: "top", columns: 1 });
    };
    if (narrow) spec.config.legend.layout = { top: { direction: "vertical", anchor: "start" } };
    for (const [key, look, holder] of parts(spec)) {
      if (key === "axis" && (holder === spec.config || look.labelLimit)) axis(look);
      if (key === "legend") legend(look);
      if (narrow && Array.isArray(look.scale?.domain)) wrapLegend(look, plotWidth);
    }
  }

  // Entries of a legend in lines that are no wider than this.
  function wrapLegend(channel, width) {
    const wrapped = channel.scale.domain.map((name) => [name, lines(String(name), width)]);
    if (channel.legend === null || !wrapped.some(([, words]) => Array.isArray(words))) return;
    const labelExpr = `${JSON.stringify(Object.fromEntries(wrapped))}[datum.label]`;
    channel.legend = { ...channel.legend, labelExpr };
  }

  // ---- figures --------------------------------------------------------------------------------

  // Expressions are interpreted, not compiled: the Content-Security-Policy forbids eval.
  const LOOK = {
    actions: false,
    ast: true,
    defaultStyle: false,
    logLevel: 1, // errors: that a layer has nothing to show is not worth a line
    mode: "vega-lite",
    renderer: "svg",
    tooltip: { disableDefaultStyle: true },
  };

  // The specifications of a figure's panels: the parts of a concatenation, else the whole.
  function panelSpecs({ title, usermeta, ...spec }) {
    if (!usermeta?.panels.length) return [spec];
    const { hconcat, vconcat, spacing, resolve, ...around } = spec;
    return usermeta.panels.map((part) => ({ ...around, ...part, title: undefined }));
  }

  class Panel {
    constructor(element) {
      this.element = element;
      this.room = 0;
      this.view = null;
    }

    // Drawn again until the width is right, because the width of axes is known only after drawing.
    async draw(spec) {
      const room = Math.floor(this.element.clientWidth);
      const drawing = one(".static", this.element);
      const { width } = plots(spec, spec.datasets);
      let around = (drawing ? Number(drawing.getAttribute("width")) : width + 60) - width;
      for (let turn = 0; turn < 3; turn++) {
        const target = one(".live", this.element);
        const { view } = await vegaEmbed(target, fitted(spec, room, around), LOOK);
        this.forget();
        this.view = view;
        const surplus = Number(one(".live svg", this.element).getAttribute("width")) - room;
        if (surplus <= 0 && surplus > -8) break;
        around += surplus + 1;
      }
      this.room = room;
      this.element.classList.add("drawn");
      views.add(this.view);
      this.view.addEventListener("click", (_, item) => {
        if (typeof item?.datum?.system === "string") choose(item.datum.system);
      });
      if (chosen) showChosen(this.view);
    }

    forget() {
      this.view?.finalize();
      views.delete(this.view);
    }
  }

  class Figure {
    constructor(element) {
      this.element = element;
      this.panels = all(".panel", element).map((panel) => new Panel(panel));
      this.spec = null;
      this.isBroken = false;
      one(".actions", element).hidden = false;
      one(".svg", element).addEventListener("click", () => this.save("svg"));
      one(".png", element).addEventListener("click", () => this.save("png"));
    }

    // Panels whose width has changed; none while they are folded.
    get stale() {
      if (this.isBroken || this.element.closest("details:not([open])")) return [];
      return this.panels.filter(({ element, room }) => Math.abs(element.clientWidth - room) > 4);
    }

    async unpack() {
      this.spec ??= await unpacked(one(".packed", this.element).textContent);
      return this.spec;
    }

    async draw(panels = this.stale) {
      if (panels.length === 0) return;
      try {
        const specs = panelSpecs(await this.unpack());
        for (const panel of panels) await panel.draw(specs[this.panels.indexOf(panel)]);
      } catch (error) {
        this.#admit(error);
      }
    }

    // If the browser cannot draw, the SVG of the page stays; without one, a text replaces it.
    #admit(error) {
      console.error(error);
      this.isBroken = true;
      if (one(".static", this.element)) return;
      const words = one(".panels", this.element).getAttribute("aria-label");
      one(".panels", this.element).textContent = `This figure could not be drawn. It shows: ${words}`;
    }

    // A saved figure is on white with its title, independent of the colours of the page and of the
    // selected system.
    async save(ending) {
      const inked = JSON.stringify(await this.unpack()).replaceAll('"currentColor"', '"#1a1a1a"');
      const paper = { ...JSON.parse(inked), background: "white" };
      const { view } = await vegaEmbed(document.createElement("div"), paper, LOOK);
      const name = `${this.element.dataset.name}.${ending}`;
      if (ending === "svg") {
        save(name, new Blob([await view.toSVG()], { type: "image/svg+xml" }));
      } else {
        const canvas = await view.toCanvas(2);
        canvas.toBlob((blob) => save(name, blob));
      }
      view.finalize();
    }
  }

  // One figure after the other, so that the page stays responsive.
  let queue = Promise.resolve();
  function redraw(figure, panels) {
    queue = queue.then(() => figure.draw(panels)).then(() => new Promise((go) => setTimeout(go)));
    return queue;
  }

  // ---- the comparison of two systems ----------------------------------------------------------

  class Pairs {
    constructor(section, held) {
      Object.assign(this, held);
      this.section = section;
      this.figure = new Figure(one("figure", section));
      this.selects = all("select", section);
      [held.systems, held.systems, held.measures].forEach((names, place) => {
        this.selects[place].append(...names.map((name) => new Option(name, name)));
        this.selects[place].addEventListener("change", () => this.show());
      });
      const mean = (scores) => scores.reduce((sum, score) => sum + score, 0) / scores.length;
      const means = held.values[0].map(mean);
      const [best, second] = means.map((_, place) => place).sort((a, b) => means[b] - means[a]);
      [this.selects[0].selectedIndex, this.selects[1].selectedIndex] = [best, second];
    }

    pick(system, baseline, measure) {
      const names = [system, baseline, measure ?? this.selects[2].value];
      if (!names.every((name, place) => [this.systems, this.systems, this.measures][place].includes(name))) return;
      names.forEach((name, place) => (this.selects[place].value = name));
      this.show();
      const link = document.createElement("a");
      link.href = "#pair";
      link.textContent = `Differences from ${baseline} per query`;
      if (chosen) one("#chosen").append(" ", link, ".");
    }

    show() {
      const [system, baseline, measure] = this.selects.map((select) => select.value);
      const scores = this.values[this.measures.indexOf(measure)];
      const [own, other] = [system, baseline].map((name) => scores[this.systems.indexOf(name)]);
      const rows = this.queries
        .map((query, k) => ({ query, difference: own[k] - other[k], score: own[k], baseline: other[k] }))
        .filter((row) => row.score !== null && row.baseline !== null)
        .sort((a, b) => b.difference - a.difference);
      const words = this.#words(rows, system, baseline, measure);
      one(".found", this.section).textContent = words;
      one(".panels", this.section).setAttribute("aria-label", `Bars, one per query. ${words}`);
      this.figure.spec = this.#spec(rows, system, baseline, measure);
      return redraw(this.figure, this.figure.panels);
    }

    #words(rows, system, baseline, measure) {
      const mean = rows.reduce((sum, row) => sum + row.difference, 0) / rows.length;
      const count = (sign) => rows.filter((row) => Math.sign(row.difference) === sign).length;
      const place = mean === 0 ? "as high as" : `${Math.abs(mean).toFixed(4)} ${mean > 0 ? "above" : "below"}`;
      return (
        `By ${measure}, ${system} scores ${place} ${baseline} on average over ${rows.length} queries: ` +
        `higher on ${count(1)}, equal on ${count(0)}, lower on ${count(-1)}.`
      );
    }

    #spec(rows, system, baseline, measure) {
      const made = cloneSpec(this.spec);
      const [name] = Object.keys(made.datasets);
      const [bars] = made.layer;
      const shown = { score: system, baseline };
      bars.encoding.tooltip.forEach((one) => (one.title = shown[one.field] ?? one.title));
      bars.encoding.y.title = `difference in ${measure}`;
      bars.encoding.x.axis.labels = rows.length <= 40;
      bars.encoding.x.title = rows.length <= 40 ? "query" : `${rows.length} queries, by difference`;
      return {
        ...made,
        title: `${measure} of ${system} less that of ${baseline}, per query`,
        datasets: { [name]: rows },
      };
    }
  }

  async function startPairs() {
    const section = one("section.pair");
    if (!section) return;
    pairs = new Pairs(section, await unpacked(one(".packed", section).textContent));
    await pairs.show();
  }

  // ---- scrolling, folding, print ---------------------------------------------------------------

  // A box that does not scroll is not focusable, and its headings stay visible.
  function fit(box) {
    const fits = box.scrollWidth <= box.clientWidth && !box.closest(".tall");
    box.classList.toggle("fits", fits);
    box.tabIndex = fits ? -1 : 0;
  }

  const boxes = new ResizeObserver((seen) => seen.forEach((one) => fit(one.target.closest(".box"))));
  all(".box, .box > *").forEach((part) => boxes.observe(part));

  // A link into a folded section opens it.
  function unfold() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const details = target?.closest("section details");
    if (!details || details.open) return;
    details.open = true;
    target.scrollIntoView();
  }
  addEventListener("hashchange", unfold);
  document.addEventListener("click", (event) => {
    if (event.target.closest("a")?.hash === location.hash) unfold();
  });

  let opened = [];
  addEventListener("beforeprint", () => {
    tables.forEach((table) => table.beforePrint());
    opened = all("details:not([open])");
    opened.forEach((details) => (details.open = true));
  });
  addEventListener("afterprint", () => {
    tables.forEach((table) => table.afterPrint());
    opened.forEach((details) => (details.open = false));
  });

  // The contents mark the first section on screen.
  const onScreen = new Set();
  const sections = new IntersectionObserver(
    (seen) => {
      seen.forEach(({ target, isIntersecting }) => onScreen[isIntersecting ? "add" : "delete"](target));
      const first = all("main > section").find((section) => onScreen.has(section));
      const id = first?.getAttribute("aria-labelledby");
      all("nav a").forEach((link) => {
        if (link.hash === `#${id}`) link.setAttribute("aria-current", "true");
        else link.removeAttribute("aria-current");
      });
    },
    { rootMargin: "-10% 0px -50% 0px" },
  );
  all("main > section").forEach((section) => sections.observe(section));
  if (matchMedia("(max-width: 64rem)").matches) one("nav details").open = false;

  const tables = all("div.table").map((element) => new Table(element));
  const figures = all("figure")
    .filter((element) => !element.closest(".pair"))
    .map((element) => new Figure(element));
  let pairs = null;

  async function start() {
    unfold();
    for (const figure of figures) await redraw(figure);
    await startPairs();
    for (const table of tables) await table.makeReady();
    document.documentElement.dataset.drawn = views.size;
    // from now on the panels follow their width: another window, or a section that is opened
    let waiting = 0;
    const drawn = pairs ? [...figures, pairs.figure] : figures;
    const follow = () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => drawn.forEach((figure) => redraw(figure)), 60);
    };
    const widths = new ResizeObserver(follow);
    all(".panels").forEach((panels) => widths.observe(panels));
    document.addEventListener("toggle", follow, { capture: true });
  }
  start();
})();
