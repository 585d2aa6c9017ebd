/** Every part of the page, and what each depends on. */
(function (gc) {
  "use strict";

  const app = (gc.app ??= {});

  /** What each chart depends on. */
  const NEEDS = {
    difference: ["settings", "a", "b", "theme"],
    topics: ["settings", "a", "b", "topic", "theme"],
    scatter: ["settings", "a", "b", "topic", "theme"],
    map: ["settings", "theme"],
    forest: ["settings", "theme"],
  };
  const OTHERWISE = ["settings", "on", "theme"];

  /** What follows the controls in each panel, by its id: `make(context)` gives how it is drawn, `needs` when. */
  app.panels ??= {};

  const panel = (id) => app.dom.byId(`panel-${id}`);

  /**
   * Builds what the template left room for. `change` is the one way through which anything changes.
   * @param {object} state of app/main.js
   * @returns {(() => void)[]} what is brought up to date at once with every change: controls, verdict, leaderboard
   */
  app.build = function (state, change) {
    const { page, observed, parts } = state;
    const common = { page, observed, state, openTopic: state.openTopic, change: (view) => change({ view }, true) };
    const shows = [controls(state, change), ...choices(common)];
    const alone = !observed.runs.length; // sessions without single lists
    if (!alone) shows.push(app.heading(state), () => app.drawVerdict(state), () => app.drawLeaderboard(state));
    for (const figure of document.querySelectorAll("figure[data-chart]")) {
      if (!figure.dataset.chart.startsWith("session-")) addChart(state, figure, figure.dataset.chart);
    }
    if (panel("grades")) shows.push(gradeCharts(app.dom.byId("grades"), state));
    for (const [id, { needs, make }] of Object.entries(app.panels)) {
      if (panel(id) && !alone) parts.add({ element: panel(id), draw: make(common), needs, heavy: false });
    }
    if (panel("export")) app.exports(app.dom.byId("export"), common);
    if (panel("sessions")) shows.push(app.sessions(panel("sessions"), { ...common, parts, change, written: page.settings, alone }));
    copying();
    anchors();
    return shows;
  };

  function controls(state, change) {
    const { page, observed } = state;
    const asked = (settings, lasting) => change(settings && { settings }, lasting);
    const fields = app.controls(app.dom.byId("controls"), { page, observed, written: page.settings, change: asked });
    return () => fields.show(state.settings, state.changed);
  }

  /** The runs drawn, and the two runs set against each other, wherever they can be chosen. */
  function choices(common) {
    const pickers = panel("curves") ? [app.switches(app.dom.byId("switches"), common)] : [];
    if (common.observed.runs.length > 1) {
      const places = document.querySelectorAll('[data-choices="pair"]');
      for (const place of places) pickers.push(app.pairChoice(place, common));
    }
    return pickers.map((choice) => choice.show);
  }

  /** A chart as a part of the page; the map is heavy, since it tries many users. */
  function addChart(state, figure, name, run = null) {
    const context = () => ({ analysis: state.analysis, view: state.view, dark: state.dark });
    const chart = new app.Chart(figure, name, state.page, context, run);
    const { byId } = app.dom;
    if (name === "map") chart.told = () => (byId("map-sentence").textContent = state.analysis.sweep.sentence);
    if (name === "difference") chart.told = () => (byId("crossings").textContent = app.crossingsText(state));
    if (name === "topics" || name === "scatter") chart.clicked = ({ index }) => state.openTopic(index);
    const [draw, wait] = [() => chart.draw(), () => chart.wait()];
    const needs = NEEDS[name] ?? OTHERWISE;
    return state.parts.add({ element: figure, draw, wait, needs, heavy: name === "map", chart });
  }

  /** A chart of grades for each run that is drawn, in the order of the runs. */
  function gradeCharts(place, state) {
    const shown = new Map();
    const remove = (run) => {
      state.parts.remove([shown.get(run)]);
      shown.get(run).chart.discard();
      shown.delete(run);
    };
    const add = (run) => {
      const name = state.observed.names[run];
      const figure = app.dom.el("figure", { class: "chart", "data-chart": "grades", "data-run": name });
      const next = [...shown.keys()].filter((other) => other > run).sort((x, y) => x - y)[0];
      place.insertBefore(figure, next === undefined ? null : shown.get(next).element);
      shown.set(run, addChart(state, figure, "grades", run));
    };
    return () => {
      const { on } = state.view;
      for (const run of [...shown.keys()]) if (!on.includes(run)) remove(run);
      for (const run of on) if (!shown.has(run)) add(run);
    };
  }

  function copying() {
    for (const button of document.querySelectorAll("[data-copy]")) {
      button.addEventListener("click", () => app.dom.copy(app.dom.byId(button.dataset.copy).textContent, button));
    }
  }

  /** Links inside the page scroll; the fragment of the address is kept for the settings. */
  function anchors() {
    document.addEventListener("click", (event) => {
      const link = event.target.closest?.('a[href^="#panel-"]');
      if (!link) return;
      event.preventDefault();
      app.goTo(link.getAttribute("href").slice(1));
    });
  }

  app.goTo = function (id) {
    const target = app.dom.byId(id);
    target?.scrollIntoView();
    target?.focus({ preventScroll: true });
  };
})((globalThis.gaincurve ??= {}));
