/** Start: read what the page holds, build its parts, and let every change go one way: state, analysis, parts, address. */
(function (gc) {
  "use strict";

  const app = (gc.app ??= {});
  const root = globalThis.document?.documentElement;

  /** Say something above the page; '' takes it back, unless a part has failed. */
  app.tell = function (text) {
    if (!text && root.dataset.failed) return;
    const place = app.dom.byId("problem");
    place.hidden = !text;
    place.textContent = text;
  };

  /** Something that should not happen is told on the page; the console stays for the browser's own words. */
  app.failed = function (error) {
    root.dataset.failed = String(error?.stack ?? error);
    const what = error?.message ?? error;
    app.tell(`This part of the page failed: ${what}. The tables written into the page are not affected.`);
  };

  /** The two runs set against each other at first: the best one against the baseline, or against the next. */
  function firstPair(analysis) {
    const { observed, settings } = analysis;
    if (!observed.runs.length) return { a: 0, b: 0 }; // a page about sessions alone
    const order = analysis.leaderboard.map((row) => row.run);
    const base = gc.runNamed(observed, settings.baseline);
    if (base < 0) return { a: order[0], b: order[1] ?? order[0] };
    return { a: order.find((run) => run !== base) ?? base, b: base };
  }

  /** What was observed; a browser's own words for bytes that do not unpack would speak of a network. */
  async function unpacked(text) {
    try {
      return await gc.unpack(text);
    } catch {
      throw new Error("what was observed does not unpack");
    }
  }

  /** Where everything stands: `first` is the page as it was written. */
  function stateOf(page, observed) {
    const results = new Map();
    const analysed = (settings, written) => new app.SharingAnalysis(observed, settings, results, written);
    const { settings } = page;
    const analysis = analysed(settings, page.written);
    const sessions = app.state.firstSessions(observed);
    const view = { on: observed.runs.map((_, r) => r), ...firstPair(analysis), topic: 0, run: 0, sessions };
    const first = { settings, view, analysis };
    const parts = new app.Parts(
      (change) => (root.dataset.updated = String(change)),
      (change) => (root.dataset.settled = String(change)),
    );
    return { page, observed, analysed, first, ...first, parts, changed: false, dark: false, styles: [], looked: new Set([JSON.stringify(settings)]) };
  }

  async function start() {
    const page = JSON.parse(app.dom.byId("page").textContent);
    const observed = gc.observe(await unpacked(app.dom.byId("observed").textContent));
    const state = (app.current = stateOf(page, observed));
    const { first } = state;
    const alike = (a, b) => JSON.stringify(a) === JSON.stringify(b);

    /** The one way through which anything changes; null goes back to what was written. */
    function change(changes, lasting) {
      const asked = { ...state.settings, ...changes?.settings };
      const settings = changes ? app.state.settled(first.settings, observed.scale, asked) : first.settings;
      const view = { ...state.view, ...changes?.view };
      apply(settings, { ...view, sessions: app.state.settledSessions(view.sessions) });
      address.keep(lasting);
    }

    function apply(settings, view, forced = []) {
      const begun = performance.now();
      const kinds = [...forced, ...Object.keys(view).filter((key) => !alike(view[key], state.view[key]))];
      if (!alike(settings, state.settings)) kinds.push("settings");
      const changed = !alike(settings, first.settings);
      if (kinds.includes("settings")) state.analysis = changed ? state.analysed(settings) : first.analysis;
      Object.assign(state, { settings, view, changed });
      state.looked.add(JSON.stringify(settings));
      try {
        for (const show of shows) show();
        if (kinds.length) state.parts.refresh(kinds);
      } catch (error) {
        app.failed(error);
      }
      root.dataset.took = (performance.now() - begun).toFixed(1);
    }

    state.openTopic = (topic, scroll = true) => {
      change({ view: { topic } }, true);
      if (scroll) app.goTo("panel-topic");
    };
    const address = new app.Address(state, apply);
    const shows = app.build(state, change);
    theme((dark) => {
      state.dark = dark;
      state.styles = app.styles(page.charts, observed, dark, page.dark);
      root.dataset.drawn = dark ? "dark" : "light";
      apply(state.settings, state.view, ["theme"]);
    });
    apply(first.settings, first.view, ["settings"]);
    address.follow();
    root.dataset.ready = "yes";
  }

  /** Light or dark: as the system asks until the reader chooses; `draw` is told at the start and at every change. */
  function theme(draw) {
    const system = matchMedia("(prefers-color-scheme: dark)");
    const button = app.dom.byId("theme");
    const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
    const show = () => {
      button.textContent = isDark() ? "Light" : "Dark";
      draw(isDark());
    };
    button.addEventListener("click", () => {
      root.dataset.theme = isDark() ? "light" : "dark";
      show();
    });
    system.addEventListener("change", show);
    show();
  }

  /** A page whose data cannot be read says so; what Python wrote still stands. */
  app.start = () =>
    start().catch((error) => {
      root.dataset.ready = "error";
      app.tell(
        `The data in this page cannot be read (${error?.message ?? error}): it may be damaged, or the browser too old. ` +
          "The tables below are those the page was written with.",
      );
    });

  if (root) app.start();
})((globalThis.gaincurve ??= {}));
