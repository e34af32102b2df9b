"use strict";
// What a reader can do with a report: sort a table, copy or save its numbers, pick a system, save
// a figure. The page is whole without this script, but for its figures.
(() => {
  const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];
  const one = (selector, inside = document) => inside.querySelector(selector);

  // ---- what is packed -------------------------------------------------------------------------

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

  // What to sort a column by: numbers where it has any and stands to the right, else words.
  function keys(rows, column, numeric) {
    const words = rows.map((row) => row.cells[column].textContent.trim());
    const numbers = words.map(number);
    if (numeric && numbers.some((value) => value !== null)) return numbers;
    return words.map((word) => (word === "" || word === "-" ? null : word));
  }

  // Rows in the order of a column, what is missing last in either direction.
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
        const system = event.target.closest("tr")?.dataset.system;
        if (system !== undefined && getSelection().isCollapsed) choose(system);
      });
    }

    async unpack() {
      this.packed ??= unpacked(one(".packed", this.element).textContent);
      this.held = await this.packed;
      return this.held;
    }

    // The rows that were packed become rows like the others.
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
      one(".long", this.element).remove();
      one(".all", this.element).remove();
    }

    // A browser that is about to print does not wait: what it will need is unpacked before.
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

    // Up, down, and back to the order in which the table came.
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

  // "nDCG@10: mean over 50 queries" as any system takes it: nDCG-10-mean-over-50-queries
  function fileName(title) {
    const plain = title.normalize("NFKD").replace(/\p{M}/gu, "");
    return plain.replace(/[^a-z0-9]+/gi, "-").slice(0, 80).replace(/^-+|-+$/g, "");
  }

  // A page that is opened from a file may have no clipboard; selected text can be copied then.
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

  // ---- the picked system ----------------------------------------------------------------------

  let chosen = "";
  const views = [];

  function mark(row) {
    const { system, baseline } = row.dataset;
    row.classList.toggle("chosen", chosen !== "" && (system === chosen || baseline === chosen));
  }

  // Picking a system highlights it everywhere; picking it again lets go.
  function choose(system) {
    chosen = system === chosen ? "" : system;
    tables.forEach((table) => table.rows.forEach(mark));
    views.forEach(showChosen);
    const picker = one("#system");
    if (picker) picker.value = chosen;
    one("#chosen").textContent = chosen && `Highlighted: ${chosen}. Escape lets go.`;
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
  all(".picker").forEach((picker) => (picker.hidden = false));

  // ---- figures --------------------------------------------------------------------------------

  const LEAST = 0.6; // of its size, to which a figure shrinks on a narrow screen before it scrolls

  // Expressions are interpreted, not compiled: the page's policy forbids to make code from text.
  const LOOK = {
    actions: false,
    ast: true,
    defaultStyle: false,
    logLevel: 1, // errors: that a layer has nothing to show is not worth a line
    mode: "vega-lite",
    renderer: "svg",
    tooltip: { disableDefaultStyle: true },
  };

  async function draw(figure) {
    const spec = await unpacked(one(".packed", figure).textContent);
    const shown = { ...spec, title: undefined }; // the title is the caption here
    const { view } = await vegaEmbed(one(".chart > div", figure), shown, LOOK);
    view.addEventListener("click", (_, item) => {
      if (typeof item?.datum?.system === "string") choose(item.datum.system);
    });
    views.push(view);
    if (chosen) showChosen(view);
    const drawing = one("svg", figure);
    drawing.style.minWidth = `${LEAST * drawing.getAttribute("width")}px`;
    one(".actions", figure).hidden = false;
    one(".svg", figure).addEventListener("click", () => saveFigure(figure, spec, "svg"));
    one(".png", figure).addEventListener("click", () => saveFigure(figure, spec, "png"));
  }

  // Words in place of a figure that this browser cannot draw; the others go on.
  function admit(figure, error) {
    console.error(error);
    const words = one(".chart", figure).getAttribute("aria-label");
    one(".chart", figure).textContent = `This figure could not be drawn. It shows: ${words}`;
  }

  // A saved figure goes on white paper, with its title, whatever the page looks like and whichever
  // system is picked.
  async function saveFigure(figure, spec, ending) {
    const inked = JSON.stringify(spec).replaceAll('"currentColor"', '"#1a1a1a"');
    const paper = { ...JSON.parse(inked), background: "white" };
    const { view } = await vegaEmbed(document.createElement("div"), paper, LOOK);
    const name = `${figure.dataset.name}.${ending}`;
    if (ending === "svg") {
      save(name, new Blob([await view.toSVG()], { type: "image/svg+xml" }));
    } else {
      const canvas = await view.toCanvas(2);
      canvas.toBlob((blob) => save(name, blob));
    }
    view.finalize();
  }

  async function drawAll() {
    for (const figure of all("figure")) {
      await draw(figure).catch((error) => admit(figure, error));
      await new Promise((resolve) => setTimeout(resolve)); // the page stays alive meanwhile
    }
    for (const table of tables) await table.makeReady();
    document.documentElement.dataset.drawn = views.length;
  }

  // ---- boxes and paper ------------------------------------------------------------------------

  // A box in which nothing scrolls is not one to stop at, and lets its headings stay in sight.
  function fit(box) {
    const fits = box.scrollWidth <= box.clientWidth && !box.closest(".tall");
    box.classList.toggle("fits", fits);
    box.tabIndex = fits ? -1 : 0;
  }

  const watch = new ResizeObserver((seen) => seen.forEach((one) => fit(one.target.closest(".box"))));
  all(".box, .box > *").forEach((part) => watch.observe(part));

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

  const tables = all("div.table").map((element) => new Table(element));
  drawAll();
})();
