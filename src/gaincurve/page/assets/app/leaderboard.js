/** The leaderboard: runs from best to worst, each mean with its interval as text and as a figure. */
(function (gc) {
  "use strict";

  const app = (gc.app ??= {});
  const [WIDE, TALL, EDGE, SERIF] = [192, 18, 5, 4];

  /** A swatch in a run's colour and line style, as the charts draw it. */
  app.swatch = function ({ colour, dash }) {
    const line = { x1: 0, x2: 24, y1: 5, y2: 5, stroke: colour, "stroke-width": 3, "stroke-dasharray": dash.join(" ") };
    const box = { class: "swatch", viewBox: "0 0 24 10", "aria-hidden": "true" };
    return app.dom.el("svg:svg", box, app.dom.el("svg:line", line));
  };

  /** A small figure of a mean and its interval on a scale shared by all runs, with a guide at the best mean. */
  function intervalBar(row, { from, to, guide }) {
    const { el } = app.dom;
    const at = (value) => (to > from ? EDGE + ((value - from) / (to - from)) * (WIDE - 2 * EDGE) : WIDE / 2);
    const line = (name, x1, x2, y1, y2) => el("svg:line", { class: name, x1, x2, y1, y2 });
    const middle = TALL / 2;
    const upright = (name, value, half) => line(name, at(value), at(value), middle - half, middle + half);
    const known = Number.isFinite(row.low);
    return el(
      "svg:svg",
      { class: "bar", viewBox: `0 0 ${WIDE} ${TALL}`, "aria-hidden": "true" },
      upright("guide", guide, middle),
      known && line("range", at(row.low), at(row.high), middle, middle),
      known && upright("range", row.low, SERIF),
      known && upright("range", row.high, SERIF),
      Number.isFinite(row.mean) && el("svg:circle", { class: "mean", cx: at(row.mean), cy: middle, r: 4 }),
    );
  }

  /** The measures beside the primary one, as [name, cutoff]. */
  app.others = (settings) =>
    gc.facts.leaderboard
      .filter((name) => name !== settings.measure)
      .map((name) => [name, gc.record(name).whole ? null : settings.depth]);

  /** The columns of the table in their order: a heading, and the cell of a row. */
  function columnsOf({ analysis, observed, settings, styles }) {
    const { el, number, signed, interval, id } = app.dom;
    const rows = analysis.leaderboard;
    const ends = rows.flatMap((row) => [row.low, row.high, row.mean]).filter(Number.isFinite);
    const scale = { from: Math.min(...ends), to: Math.max(...ends), guide: rows[0].mean };
    const unseen = (text) => el("span", { class: "unseen" }, text);
    const base = gc.runNamed(observed, settings.baseline);
    const gap = (row) => (row === rows[0] ? "" : signed(row.mean - rows[0].mean));
    const tested = ({ against }) => (against ? `${signed(against.difference)}${against.significant ? " *" : ""}` : "");
    return [
      { head: unseen("Place"), number: true, cell: (row) => row.place },
      { head: "Run", cell: ({ run }) => [app.swatch(styles[run]), id(observed.labels[run], observed.names[run])] },
      { head: analysis.measure, number: true, cell: (row) => number(row.mean) },
      { head: "95 % interval", number: true, cell: (row) => interval(row.low, row.high) },
      { head: unseen("Interval as a figure"), cell: (row) => intervalBar(row, scale) },
      rows.some((row) => row.letters) && { head: "Letters", cell: (row) => row.letters },
      base >= 0 && { head: ["Against ", id(observed.labels[base])], number: true, cell: tested },
      base < 0 && rows.length > 1 && { head: "Behind the best", number: true, cell: gap },
      ...app.others(settings).map(([name, cutoff]) => ({
        head: gc.measureText(settings, name, cutoff),
        number: true,
        cell: ({ run }) => number(analysis.means(name, cutoff)[run]),
      })),
    ].filter(Boolean);
  }

  /** The same as the table that Python wrote, with bars. */
  app.drawLeaderboard = function (state) {
    const { el, byId, fill } = app.dom;
    const { analysis, observed, settings } = state;
    const columns = columnsOf(state);
    const dress = (column) => (column.number ? "number" : null);
    const head = columns.map((column) => el("th", { scope: "col", class: dress(column) }, column.head));
    const body = analysis.leaderboard.map((row, i) => {
      const cells = columns.map((column) => {
        const named = column.head === "Run";
        return el(named ? "th" : "td", { scope: named ? "row" : null, class: dress(column) }, column.cell(row));
      });
      return el("tr", { "data-run": observed.names[row.run], class: i ? null : "lead" }, cells);
    });
    const table = byId("leaderboard");
    fill(table.tHead, el("tr", {}, head));
    fill(table.tBodies[0], body);
    byId("leaderboard-measure").textContent = analysis.measure;
    const legend = ["Bars: the 95 % interval of each mean on one scale; dotted, the first run's mean."];
    if (analysis.leaderboard.some((row) => row.letters)) legend.push("Runs that share a letter are not shown to differ.");
    if (settings.baseline) legend.push("* differs significantly from the baseline.");
    const common = analysis.comparison.topics.length;
    const own = analysis.scores(analysis.primary.name, analysis.primary.cutoff);
    if (own.some((scores) => scores.filter((score) => !Number.isNaN(score)).length > common)) {
      const every = `${analysis.measure} is compared over the ${gc.counted(common, "topic")} that every run has`;
      legend.push(`${every}; other columns, and the CSV, are over each run's own.`);
    }
    byId("leaderboard-legend").textContent = legend.join(" ");
  };
})((globalThis.gaincurve ??= {}));
