"use strict";
// A single figure on its page, drawn as in a report.
(() => {
  const chart = document.querySelector("#chart");
  const specification = JSON.parse(document.querySelector("#specification").textContent);
  // Expressions are interpreted, not compiled: the page's policy forbids to make code from text.
  const look = {
    actions: false,
    ast: true,
    defaultStyle: false,
    logLevel: 1,
    mode: "vega-lite",
    renderer: "svg",
    tooltip: { disableDefaultStyle: true },
  };
  vegaEmbed(chart.firstElementChild, specification, look)
    .catch((error) => {
      console.error(error);
      const words = chart.getAttribute("aria-label");
      chart.textContent = `This figure could not be drawn. It shows: ${words}`;
    })
    .then(() => (document.documentElement.dataset.drawn = ""));
})();
