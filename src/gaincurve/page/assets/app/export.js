/** What a reader can take along: tables as CSV, LaTeX and Markdown, and what was observed as JSON. */
(function (gc) {
  "use strict";

  const app = (gc.app ??= {});
  const { real } = app.formats;

  /** The measures of the leaderboard: the one that decides, then those beside it, as [name, cutoff]. */
  const measures = (settings) => [[settings.measure, gc.primary(settings).cutoff], ...app.others(settings)];

  /** One signed number a row, as `gaincurve eval -f csv`; with topics as `eval -q`. */
  app.scoresCsv = function ({ analysis, observed, settings }, perTopic) {
    const rows = observed.runs.flatMap((run, r) =>
      measures(settings).flatMap(([name, cutoff]) => {
        const text = gc.measureText(settings, name, cutoff);
        const signature = analysis.signatureOf(name, cutoff);
        const values = analysis.scores(name, cutoff)[r];
        const topics = perTopic
          ? observed.topics.ids.map((topic, t) => [run.name, topic, text, real(values[t]), signature])
          : [];
        return [...topics, [run.name, "all", text, real(analysis.means(name, cutoff)[r]), signature]];
      }),
    );
    return app.formats.csv(["run", "topic", "measure", "value", "signature"], rows);
  };

  const JUDGING = gc.facts.judging.columns;

  const percent = (a, b) => (b === 0 ? NaN : (100 * (a - b)) / Math.abs(b));
  const practical = (size) =>
    Number.isNaN(size) ? "" : Math.abs(size) < 5 ? "marginal" : Math.abs(size) > 10 ? "essential" : "noticeable";

  /** One row a pair, as `gaincurve compare -t t -f csv`, without the columns that are drawn at random. */
  app.pairsCsv = function ({ analysis, observed }) {
    const { comparison } = analysis;
    const signature = analysis.deciding;
    const columns = [
      "measure",
      "a",
      "b",
      "mean_a",
      "mean_b",
      "difference",
      "low",
      "high",
      "p",
      "p_adjusted",
      "significant",
      "effect",
      "relative",
      "practical",
      "wins",
      "ties",
      "losses",
      "better",
      ...JUDGING,
      "signature",
    ];
    const rows = comparison.pairs.map((pair) => {
      const relative = percent(pair.mean_a, pair.mean_b);
      const numbers = [pair.mean_a, pair.mean_b, pair.difference, pair.low, pair.high, pair.p, pair.p_adjusted].map(
        real,
      );
      const name = (run) => (run < 0 ? "" : observed.runs[run].name);
      return [
        comparison.measure,
        name(pair.a),
        name(pair.b),
        ...numbers,
        pair.significant,
        real(pair.effect),
        real(relative),
        practical(relative),
        pair.wins,
        pair.ties,
        pair.losses,
        name(pair.better),
        ...JUDGING.map((column) => pair.standing?.[column.replace(/^judged_(low|high|p)$/, "$1")] ?? NaN),
        signature,
      ];
    });
    return app.formats.csv(columns, rows);
  };

  /** The leaderboard for a paper or a pull request: runs, means with group letters, the other measures. */
  function leaderboardTable({ analysis, observed, settings }) {
    const asked = measures(settings);
    const means = asked.map(([name, cutoff]) => analysis.means(name, cutoff));
    const text = (value) => (Number.isNaN(value) ? "–" : gc.fixed(value, 4));
    const lettered = analysis.leaderboard.some((row) => row.letters);
    const shared = "Means are over the topics of each measure; runs that share a letter do not differ significantly.";
    return {
      columns: ["run", ...asked.map(([name, cutoff]) => gc.measureText(settings, name, cutoff))],
      numeric: [false, ...asked.map(() => true)],
      rows: analysis.leaderboard.map((row) => [
        observed.runs[row.run].label,
        lettered ? { text: text(row.mean), mark: row.letters } : text(row.mean),
        ...means.slice(1).map((values) => text(values[row.run])),
      ]),
      foot: [...(lettered ? [shared] : []), String(analysis.deciding)],
    };
  }

  app.leaderboardLatex = (state) => {
    const table = leaderboardTable(state);
    return app.formats.latex({ ...table, foot: [state.analysis.verdict, ...table.foot] });
  };

  app.leaderboardMarkdown = (state) => {
    const table = leaderboardTable(state);
    return app.formats.markdown({
      ...table,
      head: [state.analysis.verdict, ...table.foot.slice(0, -1)],
      foot: table.foot.slice(-1),
    });
  };

  /** The panel: a row for each thing to take. */
  app.exports = function (place, { observed, state }) {
    const { el, fill, button, download, copy } = app.dom;
    const now = () => ({ analysis: state.analysis, observed, settings: state.settings });
    const save = (name, file, type, make) => button(name, () => download(file, type, make()), { "data-export": file });
    const taken = (name, make) => {
      const copyButton = button(name, () => copy(make(), copyButton), { "data-copies": name });
      return copyButton;
    };
    const rows = [
      [
        save("Leaderboard CSV", "leaderboard.csv", "text/csv", () => app.scoresCsv(now(), false)),
        "One signed number per row, with all digits, as gaincurve eval -f csv writes it.",
      ],
      [
        save("Topics CSV", "topics.csv", "text/csv", () => app.scoresCsv(now(), true)),
        "The same for every topic, as gaincurve eval -q -f csv writes it.",
      ],
      observed.runs.length > 1 && [
        save("Pairs CSV", "pairs.csv", "text/csv", () => app.pairsCsv(now())),
        "Every comparison with difference, interval, p and adjusted p, as in gaincurve compare -f csv.",
      ],
      [
        save("LaTeX", "leaderboard.tex", "application/x-tex", () => app.leaderboardLatex(now())),
        "The leaderboard as a booktabs tabular, with verdict and signature above it as comments.",
        taken("Copy LaTeX", () => app.leaderboardLatex(now())),
      ],
      [
        save("Markdown", "leaderboard.md", "text/markdown", () => app.leaderboardMarkdown(now())),
        "Verdict, leaderboard and signature, ready for a pull request.",
        taken("Copy Markdown", () => app.leaderboardMarkdown(now())),
      ],
      [
        save("Observed JSON", "observed.json", "application/json", () => JSON.stringify(observed.document)),
        "What was observed: the grade at every rank, from which everything here is computed.",
      ],
    ].filter(Boolean);
    const link = taken("Copy link", () => location.href);
    rows.push([
      link,
      "The address of this page with the current settings; it works for anyone who has the file in the same place.",
    ]);
    fill(
      place,
      el(
        "p",
        {},
        "Everything follows the controls: what is exported is what is shown. Under each chart are its SVG, PNG and CSV.",
      ),
      el(
        "div",
        { class: "exports" },
        rows.flatMap(([control, about, more]) => [
          el("div", { class: "buttons" }, control, more ?? null),
          el("p", { class: "small" }, about),
        ]),
      ),
    );
  };

  /** The signatures and the methods sentence under the present settings. */
  app.drawSignatures = function ({ analysis, observed, settings, page, changed }) {
    const { el, fill, byId, parts } = app.dom;
    const shown = new Set(measures(settings).map(([name]) => name));
    const asked = [
      ...measures(settings),
      ...gc.facts.gain_curves.filter((name) => !shown.has(name)).map((name) => [name, settings.depth]),
    ];
    const rows = asked.map(([name, cutoff]) =>
      el(
        "tr",
        {},
        el("th", { scope: "row" }, gc.measureText(settings, name, cutoff)),
        el("td", {}, el("code", {}, parts(analysis.signatureOf(name, cutoff)))),
      ),
    );
    const ofSessions = page.provenance.signatures
      .filter(({ measure }) => measure in gc.facts.sessions)
      .map((row) => {
        const name = changed ? `${row.measure}, as written` : row.measure;
        const signature = new gc.Signature(row.parts);
        return el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, el("code", {}, parts(signature))));
      });
    const table = byId("signatures");
    fill(table.tBodies[0], [...rows, ...ofSessions]);
    table.caption.textContent = changed
      ? "A signature per measure, under the current settings"
      : "A signature per measure";
    const methods =
      changed && observed.runs.length > 1
        ? [analysis.methods, "Intervals and p-values follow the controls; the command above writes the page as it was."]
        : page.provenance.methods;
    fill(
      byId("methods"),
      methods.map((text) => el("p", {}, text)),
    );
  };

  (app.panels ??= {}).provenance = { needs: ["settings"], make: ({ state }) => () => app.drawSignatures(state) };
})((globalThis.gaincurve ??= {}));
