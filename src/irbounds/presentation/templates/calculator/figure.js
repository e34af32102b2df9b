// The figure: estimate, interval and guaranteed limit of recall compared with the claim.
(function () {
  "use strict";

  const C = Calculator;
  const WIDTH = 640, NARROW = 340; // of the drawing, and on a phone
  const LEFT = 12, TOP = 26, ROW = 34;
  const NAMESPACE = "http://www.w3.org/2000/svg";

  function element(name, attributes, text = "") {
    const made = document.createElementNS(NAMESPACE, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.textContent = text;
    return made;
  }

  // A drawing of marks by rows; values are fractions.
  function drawFigure(request, computed, rows) {
    const recall = computed.results.find((row) => row.quantity === "recall");
    const [, value, low, high, limit] = rows.find(([name]) => name === "recall");
    const level = C.percent(request.confidence_level);
    const width = window.innerWidth < WIDTH ? NARROW : WIDTH, RIGHT = width - LEFT;
    const x = (fraction) => LEFT + fraction * (RIGHT - LEFT);
    const bottom = TOP + 2 * ROW + 8, parts = [];
    const write = (place, y, text, anchor, name = "") =>
      parts.push(element("text", { x: place, y, "text-anchor": anchor, class: name }, text));
    const rule = (from, to, y, name) => parts.push(element("path", { d: `M${x(from)} ${y}H${x(to)}`, class: name }));
    const tick = (place, y, reach, name) =>
      parts.push(element("path", { d: `M${x(place)} ${y - reach}V${y + reach}`, class: name }));

    for (let k = 0; k <= 10; k += 1) {
      tick(k / 10, bottom + 3, 3, "axis");
      if (k % 2 === 0) write(x(k / 10), bottom + 20, (k / 10).toFixed(1), k === 0 ? "start" : k === 10 ? "end" : "middle", "soft");
    }
    rule(0, 1, bottom, "axis");
    const said = [];
    if (request.at_least !== null) {
      const claim = request.at_least, text = `claim ${C.formatSetting(claim)}`;
      parts.push(element("path", { d: `M${x(claim)} ${TOP - 10}V${bottom}`, class: "claim-line" }));
      write(x(claim) + (claim < 0.5 ? 4 : -4), TOP - 14, text, claim < 0.5 ? "start" : "end", "soft");
      said.push(text);
    }
    if (recall.low !== null) {
      const y = TOP + 8;
      rule(recall.low, recall.high, y, "interval");
      tick(recall.low, y, 5, "interval");
      tick(recall.high, y, 5, "interval");
      said.push(`${level} interval from ${low} to ${high}`);
      label(y, recall.low, recall.high, `${level} interval (${request.method})`);
    }
    if (recall.estimate !== null) {
      parts.push(element("circle", { cx: x(recall.estimate), cy: TOP + 8, r: 4.5, class: "estimate" }));
      said.push(`estimate ${value}`);
    }
    if (recall.limit !== null) {
      const y = TOP + ROW + 8;
      rule(recall.limit, 1, y, "limit");
      tick(recall.limit, y, 7, "limit");
      said.push(`guaranteed ${level} limit: ${limit}`);
      label(y, recall.limit, 1, `guaranteed ${level} limit: ${limit}`);
    }

    // next to the marks, on the side with more room; below them if there is none
    function label(y, from, to, text) {
      const needed = 6.6 * text.length;
      if (x(from) - LEFT > needed) write(x(from) - 8, y + 4, text, "end");
      else if (RIGHT - x(to) > needed) write(x(to) + 8, y + 4, text, "start");
      else if (x(from) + needed > RIGHT) write(RIGHT, y + 18, text, "end");
      else write(x(from), y + 18, text, "start");
    }

    const svg = element("svg", { viewBox: `0 0 ${width} ${bottom + 26}`, role: "img" });
    svg.setAttribute("aria-label", `Recall: ${said.join("; ")}.`);
    svg.append(...parts);
    return svg;
  }

  Object.assign(Calculator, { drawFigure });
})();
