/** The panel of sessions: its own controls, what the systems gave over whole sessions, and whether they differ. */
(function (gc) {
  "use strict";

  const app = (gc.app ??= {});
  const MOST_POSITIONS = 20;
  const CHARTS = ["session-curve", "session-last"];
  const NEEDS = ["settings", "on", "sessions"];
  const BY_QUERY = Object.fromEntries(gc.facts.discounts_by_query.map((name) => [name, gc.facts.discounts[name].query]));
  const CURVES = Object.fromEntries(Object.entries(gc.facts.sessions).map(([name, { menu }]) => [name, menu]));
  const BY_POSITION = {
    queries: "Sessions with it",
    ndcg: "nDCG",
    dcg: "DCG",
    discounted: "Query gain (DCG after the query discount)",
    empty: "Returned nothing",
  };
  const FOLLOWED = { gains: "gains", discount: "discount", base: "base", depth: "cutoff", unjudged: "unjudged documents" };

  /**
   * Builds the panel inside its section and keeps it in step with the page's controls.
   * @param {HTMLElement} section
   * @param {{page: object, observed: object, state: object, parts: object, change: Function, written: object}} context
   * @returns {() => void} how its controls follow the address
   */
  app.sessions = function (section, { page, observed, state, parts, change, written, alone }) {
    const sessions = gc.observeSessions(observed.sessions);
    let latest = null;

    /** The analysis under the page's settings and the panel's own, made once for each. */
    function analysis() {
      const { query_discount, bq, shown } = state.view.sessions;
      const settings = gc.sessionSettings(sessions, state.settings, written, observed, { query_discount, bq });
      const off = observed.runs.filter((_, r) => !state.view.on.includes(r)).map((run) => run.name);
      const options = { alpha: state.settings.alpha, baseline: state.settings.baseline, shown, off };
      const key = JSON.stringify([settings, options]);
      if (latest?.key !== key) latest = { key, analysis: new gc.SessionAnalysis(sessions, settings, options) };
      return latest.analysis;
    }

    const place = app.dom.byId("sessions");
    const tables = app.dom.el("div");
    section.append(tables); // behind the charts
    const choose = (chosen, lasting) => change({ view: { sessions: { ...state.view.sessions, ...chosen } } }, lasting);
    const choice = controls(() => state.view.sessions, choose);
    const panel = makePanel(place, tables, sessions, choice.form);
    parts.add({ element: place, draw: () => panel.draw(analysis(), state.settings.depth), needs: NEEDS, heavy: false });
    for (const figure of section.querySelectorAll("figure[data-chart]")) {
      if (!CHARTS.includes(figure.dataset.chart)) continue;
      const chart = new app.Chart(figure, figure.dataset.chart, page, () => ({ analysis: analysis(), view: state.view, dark: state.dark }));
      parts.add({ element: figure, draw: () => chart.draw(), wait: () => chart.wait(), needs: [...NEEDS, "theme"], heavy: false, chart });
    }
    if (!alone) return choice.show;
    const showVerdict = verdictOfSessions(state);
    return () => {
      choice.show();
      showVerdict(analysis());
    };
  };

  /**
   * On a page about sessions alone the verdict is theirs, word for word that of Python until something is changed. Its
   * table stands for readers without scripts: the panel has the systems as they are now.
   */
  function verdictOfSessions(state) {
    const { byId, el, fill, parts } = app.dom;
    const [verdict, signature, before] = ["verdict", "signature", "as-written"].map(byId);
    const written = { words: verdict.textContent, signature: [...signature.childNodes] };
    for (const table of [byId("leaderboard").closest(".table-box"), byId("leaderboard-legend")]) table.hidden = true;
    return (analysis) => {
      const changed = state.changed || JSON.stringify(state.view.sessions) !== JSON.stringify(state.first.view.sessions);
      const words = changed ? (analysis.told?.words ?? "") : written.words;
      if (verdict.textContent !== words) verdict.textContent = words;
      fill(signature, changed ? parts(analysis.signature(Object.keys(gc.facts.sessions)[0])) : written.signature);
      before.hidden = !changed;
      fill(before, el("b", {}, "As written: "), written.words);
    };
  }

  function makePanel(place, tables, sessions, form) {
    const { el, fill } = app.dom;
    const words = el("p", { class: "told", "aria-live": "polite" });
    const choices = el("p", { class: "small", id: "session-choices" });
    fill(place, words, form, choices);
    return {
      draw(analysis, asked) {
        words.textContent = analysis.told?.words ?? "";
        fill(choices, choicesText(sessions, analysis.settings, asked));
        fill(tables, systems(analysis), pairs(analysis), positions(analysis), signatures(analysis));
      },
    };
  }

  /**
   * Query discount, its base and the measure of the curve: what no other panel has.
   * @param {() => object} own what is chosen now @param {(chosen: object, lasting: boolean) => void} choose
   * @returns {{form: HTMLElement, show: () => void}} the fields, and how they follow the address
   */
  function controls(own, choose) {
    const { el } = app.dom;
    const select = (name, options) => el("select", { name, id: `session-${name}` }, Object.entries(options).map(([value, text]) => el("option", { value }, text)));
    const discount = select("query_discount", BY_QUERY);
    const curve = select("shown", CURVES);
    const error = el("span", { class: "error", id: "error-bq", role: "alert" });
    const bq = el("input", { type: "text", inputmode: "decimal", spellcheck: "false", size: 6, name: "bq", id: "session-bq", "aria-describedby": error.id });
    const showError = (text) => {
      error.textContent = text;
      bq.toggleAttribute("aria-invalid", Boolean(text));
    };
    bq.addEventListener("input", () => {
      const read = app.state.CHECKS.base(bq.value);
      showError(read.error ?? "");
      if (!read.error) choose({ bq: read.value }, false);
    });
    discount.addEventListener("change", () => choose({ query_discount: discount.value }, true));
    curve.addEventListener("change", () => choose({ shown: curve.value }, true));
    const show = () => {
      const { query_discount, bq: base, shown } = own();
      discount.value = query_discount;
      curve.value = shown;
      bq.disabled = base === null;
      if (document.activeElement === bq && app.state.CHECKS.base(bq.value).value === base) return; // being typed
      bq.value = base === null ? "" : app.state.numberText(base);
      showError("");
    };
    const field = (text, input, ...more) => el("label", {}, text, input, ...more);
    const form = el("form", { class: "choices", autocomplete: "off", "aria-label": "Choices for sessions", on: { submit: (event) => event.preventDefault() } },
      field("A later query counts for less, divided by", discount), field("base bq", bq, error), field("Curve", curve));
    return { form, show };
  }

  /** The base of a logarithm: 2 as ₂; what is no whole number stands behind a line. */
  const below = (text) => (/^\d+$/.test(text) ? text.replace(/\d/g, (digit) => String.fromCharCode(0x2080 + Number(digit))) : `_${text}`);

  /** A discount as a formula, by rank i or query q. */
  function formula(discount, base, by) {
    const { divisor } = gc.facts.discounts[base === "inf" ? "none" : discount];
    const text = app.state.numberText;
    const values = { i: by, base: text(base), below: below(text(base ?? 0)), less: text(base - 1) };
    return divisor.replace(/\{(\w+)\}/g, (_, field) => values[field]);
  }

  /** Under which choices sessions are read, and which of them follow the controls of the page. */
  function choicesText(sessions, settings, asked) {
    const { el } = app.dom;
    const choices = [
      `gains ${settings.gains_text}`,
      `a document at rank i divided by ${formula(settings.discount, settings.base, "i")}`,
      `query q divided by ${formula(settings.query_discount, settings.bq, "q")}`,
      `the first ${gc.counted(settings.depth, "document")} of each query`,
      `unjudged documents ${settings.unjudged === "condensed" ? "taken out" : "gain nothing"}`,
    ].join("; ");
    const following = settings.followed.map((name) => FOLLOWED[name]);
    const rest = "What you change in the controls of the page (gains, discount, base, cutoff, unjudged) changes here too";
    const now = following.length ? `; ${gc.joined(following)} ${following.length === 1 ? "does" : "do"} so now.` : "; nothing has been changed.";
    const capped = settings.followed.includes("depth") && settings.depth < asked ? ` Sessions can be read to rank ${settings.depth} here, not to ${asked}.` : "";
    return el("span", {}, `Sessions have choices of their own (scenario ${sessions.settings.scenario}): `, el("b", {}, choices), `. ${rest}${now}${capped}`);
  }

  /** A table with a button for its numbers in full. */
  function withCsv(table, label, name, columns, rows, tall = false) {
    const { el, box, button, download } = app.dom;
    const act = () => download(`${name}.csv`, "text/csv", app.formats.csv(columns, rows()));
    return el("div", {}, box(table, label, tall), button("CSV", act, { class: "quiet", "data-export": name, "aria-label": `${label} as CSV` }));
  }

  const nameOf = (analysis, r) => analysis.observed.runs[r].name;
  const system = (analysis, r) => app.dom.id(analysis.observed.runs[r].label, analysis.observed.runs[r].name);

  /** The systems from best to worst. */
  function systems(analysis) {
    const { el, number, table } = app.dom;
    const { scores, observed } = analysis;
    const order = gc.bestFirst(scores.means.nsDCG, observed.runs.map((run) => run.name));
    const systemTable = table({
      id: "session-systems",
      caption: "Systems by the mean nsDCG of their sessions: the share of what an ideal session of as many queries would have gained. sDCG is that gain itself, and grows with every query that finds anything.",
      columns: ["System", ...["nsDCG", "sDCG", "Sessions", "Queries per session"].map((label) => ({ label, number: true }))],
      rows: order.map((r) => [system(analysis, r), number(scores.means.nsDCG[r]), number(scores.means.sDCG[r]), counts(scores, r), number(queriesPerSession(analysis, r), 1)]),
    });
    const silent = unjudgedQueries(observed);
    const note = silent ? el("p", { class: "small" }, `${silent} of the queries ${silent === 1 ? "has" : "have"} no judgments: such a query adds nothing, not even to the ideal, but counts as a query.`) : null;
    const csv = () => order.map((r) => [nameOf(analysis, r), scores.means.nsDCG[r], scores.means.sDCG[r], scores.counts.nsDCG[r]]);
    return el("div", {}, withCsv(systemTable, "Systems by session", "sessions", ["system", "nsDCG", "sDCG", "sessions"], csv), note);
  }

  const counts = ({ counts: defined, totals }, r) => (defined.nsDCG[r] === totals[r] ? String(totals[r]) : `${defined.nsDCG[r]} of ${totals[r]}`);

  function queriesPerSession(analysis, r) {
    const issued = analysis.positions[r].reduce((sum, position) => sum + position.queries, 0);
    return issued / analysis.positions[r][0]?.queries;
  }

  /** Queries without judgments in sessions that have some, of the first system. */
  function unjudgedQueries(observed) {
    const { table, judgedSession } = observed.runs[0];
    return table.ids.reduce((sum, _, s) => sum + (judgedSession[s] ? table.topic.subarray(table.offsets[s], table.offsets[s + 1]).filter((topic) => topic < 0).length : 0), 0);
  }

  /** Every comparison on nsDCG. */
  function pairs(analysis) {
    const { el, signed, interval, table } = app.dom;
    const { comparison } = analysis;
    if (!comparison) return null;
    const effect = comparison.paired ? "Effect d_z" : "Effect d";
    const won = comparison.paired ? [{ label: "Won / tied / lost", number: true }] : [];
    const why = comparison.paired ? "The systems answered the same sessions." : "The systems have sessions of their own, so different sessions are compared, not pairs.";
    const pairTable = table({
      id: "session-pairs",
      caption: `nsDCG: ${analysis.told.methods} ${why}`,
      columns: ["System", "Against", ...["Difference", `${gc.general(100 * (1 - analysis.alpha))}% interval`, comparison.adjust === "holm" ? "Adjusted p" : "p", effect].map((label) => ({ label, number: true })), ...won, "Significant"],
      rows: comparison.pairs.map((pair) => [
        system(analysis, pair.a), system(analysis, pair.b), signed(pair.difference), interval(pair.low, pair.high), gc.pText(pair.p_adjusted), signed(pair.effect),
        ...(comparison.paired ? [`${pair.wins} / ${pair.ties} / ${pair.losses}`] : []), pair.significant ? "yes" : "no",
      ]),
      row: (line, i) => line.classList.toggle("lead", comparison.pairs[i].significant),
    });
    const keys = ["difference", "low", "high", "p", "p_adjusted", "effect", ...(comparison.paired ? ["wins", "ties", "losses"] : []), "significant"];
    const csv = () => comparison.pairs.map((pair) => [nameOf(analysis, pair.a), nameOf(analysis, pair.b), ...keys.map((key) => pair[key])]);
    return el("div", {}, el("h3", {}, "Do they differ?"), withCsv(pairTable, "Comparison of sessions", "session-pairs", ["a", "b", ...keys], csv));
  }

  /** First, second, … queries, system beside system. */
  function positions(analysis) {
    const { el, number, table } = app.dom;
    const many = Math.max(0, ...analysis.positions.map((rows) => rows.length));
    const shown = Math.min(many, MOST_POSITIONS);
    const rows = Array.from({ length: shown }, (_, q) => analysis.on.filter((r) => analysis.positions[r][q]).map((r) => {
      const position = analysis.positions[r][q];
      return [`Q${position.position}`, system(analysis, r), String(position.queries), number(position.ndcg), number(position.dcg), number(position.discounted), String(position.empty)];
    })).flat();
    const positionTable = table({
      id: "session-positions",
      caption: `What the first, second, … query gave to rank ${analysis.settings.depth}: means over the sessions that have one.${many > shown ? ` The first ${shown} of ${many}.` : ""}`,
      columns: ["Query", "System", ...Object.values(BY_POSITION).map((label) => ({ label, number: true }))],
      rows,
    });
    const keys = ["position", "queries", "dcg", "discounted", "ndcg", "empty"];
    const csv = () => analysis.positions.flatMap((all, r) => all.map((position) => [nameOf(analysis, r), ...keys.map((key) => position[key])]));
    return el("details", {}, el("summary", {}, "First, second, … queries"), withCsv(positionTable, "Positions of queries", "session-positions", ["system", ...keys], csv, true));
  }

  function signatures(analysis) {
    const { el, button, copy, parts } = app.dom;
    return Object.keys(gc.facts.sessions).map((name) => {
      const signature = analysis.signature(name);
      const act = button("Copy", () => copy(String(signature), act), { class: "quiet", "aria-label": `Copy the signature of ${name}` });
      return el("p", { class: "signed" }, el("span", { class: "small" }, "Signature"), el("code", { "data-signature": name }, parts(signature)), act);
    });
  }
})((globalThis.gaincurve ??= {}));
