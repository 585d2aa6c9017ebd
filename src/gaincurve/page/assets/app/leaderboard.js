/**
 * The leaderboard: runs from best to worst, each with its difference from the best or from the baseline and the interval
 * of that difference, as text and as a figure. A run alone has the interval of its mean.
 */
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

  /** A small figure of a value and its interval on a scale shared by all runs, with a guide; empty without a value. */
  function intervalBar(row, { from, to, guide }) {
    if (!row) return "";
    const { el } = app.dom;
    const xOf = (value) => (to > from ? EDGE + ((value - from) / (to - from)) * (WIDE - 2 * EDGE) : WIDE / 2);
    const line = (name, x1, x2, y1, y2) => el("svg:line", { class: name, x1, x2, y1, y2 });
    const middle = TALL / 2;
    const upright = (name, value, half) => line(name, xOf(value), xOf(value), middle - half, middle + half);
    const known = Number.isFinite(row.low);
    return el(
      "svg:svg",
      { class: "bar", viewBox: `0 0 ${WIDE} ${TALL}`, "aria-hidden": "true" },
      Number.isFinite(guide) && upright("guide", guide, middle),
      known && line("range", xOf(row.low), xOf(row.high), middle, middle),
      known && upright("range", row.low, SERIF),
      known && upright("range", row.high, SERIF),
      Number.isFinite(row.value) && el("svg:circle", { class: "mean", cx: xOf(row.value), cy: middle, r: 4 }),
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
    const alone = rows.length < 2;
    const tested = alone || analysis.comparison.topics.length > 1;
    const shown = (row) => (alone ? { value: row.mean, low: row.low, high: row.high } : differenceOf(row));
    const ends = rows.map(shown).flatMap((range) => (range ? [range.low, range.high, range.value] : []));
    const known = [...ends, ...(alone ? [] : [0])].filter(Number.isFinite);
    const scale = { from: Math.min(...known), to: Math.max(...known), guide: alone ? NaN : 0 };
    const unseen = (text) => el("span", { class: "unseen" }, text);
    const base = gc.runNamed(observed, settings.baseline);
    const gap = ({ against }) => (against ? signed(against.difference) : "");
    const starred = (row) => `${gap(row)}${row.against?.significant ? " *" : ""}`;
    const intervalText = (range) => (range ? interval(range.low, range.high) : "");
    return [
      { head: unseen("Place"), number: true, cell: (row) => row.place },
      { head: "Run", cell: ({ run }) => [app.swatch(styles[run]), id(observed.labels[run], observed.names[run])] },
      { head: analysis.measure, number: true, cell: (row) => number(row.mean) },
      tested && base >= 0 && !alone && { head: ["Against ", id(observed.labels[base])], number: true, cell: starred },
      tested && base < 0 && !alone && { head: "Behind the best", number: true, cell: gap },
      tested && { head: `${level(settings)}% interval`, number: true, cell: (row) => intervalText(shown(row)) },
      tested && { head: unseen("Interval as a figure"), cell: (row) => intervalBar(shown(row), scale) },
      rows.some((row) => row.letters) && { head: "Letters", cell: (row) => row.letters },
      ...app.others(settings).map(([name, cutoff]) => ({
        head: gc.measureText(settings, name, cutoff),
        number: true,
        cell: ({ run }) => number(analysis.means(name, cutoff)[run]),
      })),
    ].filter(Boolean);
  }

  const level = ({ alpha }) => gc.general(100 * (1 - alpha));

  /** What a run has more than the one it is compared with, and the interval of that; null for that one itself. */
  const differenceOf = ({ against }) =>
    against && { value: against.difference, low: against.low, high: against.high };

  /** What the table shows, in words. */
  function caption({ analysis, observed, settings }) {
    const { measure, leaderboard } = analysis;
    if (leaderboard.length < 2) return gc.say("mean and interval", { measure, level: level(settings) });
    if (analysis.comparison.topics.length < 2) return gc.say("best to worst", { measure });
    const { intervals } = analysis;
    const reference = observed.labels[leaderboard[0].reference];
    return gc.say("best to worst, differences", { measure, reference, intervals });
  }

  /** What the figures, letters and stars mean. */
  function legendOf({ analysis, settings }) {
    const { leaderboard: rows, comparison } = analysis;
    const legend = [];
    if (rows.length > 1 && comparison.topics.length > 1)
      legend.push("Bars: these differences and their intervals on one scale; dotted, no difference.");
    if (rows.some((row) => row.letters))
      legend.push("Runs that share a letter do not differ significantly, all pairs taken together.");
    if (settings.baseline && rows.length > 1) legend.push("* differs significantly from the baseline.");
    return legend;
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
    table.caption.textContent = caption(state);
    const legend = legendOf(state);
    const common = analysis.comparison.topics.length;
    const own = analysis.scores(analysis.primary.name, analysis.primary.cutoff);
    if (own.some((scores) => scores.filter((score) => !Number.isNaN(score)).length > common)) {
      const every = `${analysis.measure} is compared over the ${gc.counted(common, "topic")} that every run has`;
      legend.push(`${every}; other columns, and the CSV, are over each run's own.`);
    }
    byId("leaderboard-legend").textContent = legend.join(" ");
  };
})((globalThis.gaincurve ??= {}));
