// What the charts of sessions draw: rows and values for their definitions, the table behind each, and a sentence.
(function (gc) {
  "use strict";

  const { feeds, feeding: { IDEAL, cell, listed, valueText } } = gc;
  const MOST_POINTS = 2000;
  const MOST_LABELS = 10;
  const HEIGHT = 300;

  const queriesText = (n) => `${n} quer${n === 1 ? "y" : "ies"}`;

  /** The height of the figure: room for every line, and 1 for shares that reach it. */
  function topOf(lines, normalised) {
    let highest = -Infinity;
    for (const { values } of lines) for (const value of values) if (value > highest) highest = value;
    if (highest === -Infinity) return 1;
    if (normalised && highest > 0.75 && highest <= 1) return 1;
    return 1.08 * highest || 1;
  }

  /** Points of lines, names at their ends where all can be told apart, and dots where a single rank makes no line. */
  function lineRows(lines, top, most) {
    const points = lines.flatMap(({ label, values }) => {
      const step = Math.max(1, Math.floor(values.length / MOST_POINTS));
      const drawn = [...values.keys()].filter((i) => i % step === 0 || i === values.length - 1);
      const known = drawn.filter((i) => !Number.isNaN(values[i]));
      return known.map((i) => ({ line: label, place: i + 1, value: values[i] }));
    });
    const last = lines[0]?.values.length ?? 0;
    const ends = lines.map(({ label, values }) => ({ label, end: values[last - 1] })).filter(({ end }) => !Number.isNaN(end));
    const heights = most <= MOST_LABELS ? gc.spreadLabels(ends.map(({ end }) => end), 0, top, HEIGHT) : [];
    const labels = heights.map((value, i) => ({ line: ends[i].label, place: last, value }));
    return { lines: points, labels, dots: last === 1 ? points : [] };
  }

  const steps = (from, to, step) => Array.from({ length: Math.max(0, Math.ceil((to - from) / step)) }, (_, i) => from + i * step);

  /** A session measure over the concatenated ranks of a session's queries. */
  feeds["session-curve"] = function (analysis) {
    const { curve, observed } = analysis;
    const { depth, queries, name } = curve;
    const { normalised } = gc.facts.sessions[name];
    const lines = analysis.on.map((r) => ({ label: observed.runs[r].label, values: curve.values[r] }));
    if (!normalised && observed.design === "paired") lines.push({ label: IDEAL, values: curve.ideal[0] });
    const top = topOf(lines, normalised);
    const every = Math.max(1, Math.ceil(queries / 25));
    const ticks = Math.max(1, Math.ceil(queries / 16));
    const ends = lines.filter(({ label }) => label !== IDEAL).map(({ label, values }) => `${label} ${valueText(values.at(-1))}`);
    return {
      data: {
        ...lineRows(lines, top, observed.runs.length + 1),
        ends: steps(1, queries, every).map((q) => ({ place: q * depth })),
        names: steps(0, queries, every).map((q, nth) => ({
          place: (q + 0.5) * depth, value: top, name: `Q${q + 1}`, nth, room: every / queries,
        })),
      },
      signals: {
        last: queries * depth,
        top,
        ticks: steps(0, queries + 1, ticks).map((q) => q * depth),
        across: `the first ${depth === 1 ? "document" : `${depth} documents`} of each query, one after the other`,
        up: `mean ${name}`,
      },
      title: `${name} over the session`,
      signature: analysis.signature(name),
      description: `Mean ${name} over the concatenated ranks of up to ${queriesText(queries)}; at the end ${listed(ends)}.`,
      table: {
        columns: ["query", "rank", ...lines.map(({ label }) => label)],
        rows: [...lines[0].values.keys()].map((i) => [
          Math.floor(i / depth) + 1, (i % depth) + 1, ...lines.map(({ values }) => cell(values[i])),
        ]),
      },
    };
  };

  /** Last queries against the others, by rank in the query's own list. */
  feeds["session-last"] = function (analysis) {
    const { observed, settings, last } = analysis;
    const both = analysis.on.flatMap((r) => [
      { label: `${observed.runs[r].label}, last query`, values: last[r].last },
      { label: `${observed.runs[r].label}, other queries`, values: last[r].others },
    ]);
    const lines = both.filter(({ values }) => !values.every(Number.isNaN));
    const top = topOf(lines, false);
    const ends = analysis.on.map((r) => `${observed.runs[r].label} ${valueText(last[r].last.at(-1))} against ${valueText(last[r].others.at(-1))}`);
    return {
      data: lineRows(lines, top, 2 * observed.runs.length),
      signals: {
        last: Math.max(2, settings.depth),
        top,
        across: "rank in the query's own list",
        up: "mean session-based discounted query gain",
      },
      title: "Last queries against the others",
      signature: analysis.signature("sDCG"),
      description: `Mean discounted gain of one query by rank ${settings.depth}, last queries against the others: ${listed(ends)}.`,
      table: {
        columns: ["rank", ...lines.map(({ label }) => label)],
        rows: Array.from({ length: settings.depth }, (_, r) => [r + 1, ...lines.map(({ values }) => cell(values[r]))]),
      },
    };
  };
})((globalThis.gaincurve ??= {}));
