// What the charts of curves draw: rows and values for their definitions, the table behind each, and a sentence.
(function (gc) {
  "use strict";

  /**
   * What one chart shows: data sets and signals of its definition, and the same in words and numbers.
   * @typedef {{data: Object<string, object[]>, signals: Object<string, *>, title: string, description: string,
   *   table: {columns: string[], rows: (number|string|null)[][]}, signature: gc.Signature}} Feed
   */

  /**
   * What is looked at: runs drawn, the two compared, one topic, one run; all by index.
   * @typedef {{on: number[], a: number, b: number, topic: ?number, run: number}} View
   */

  const feeds = (gc.feeds ??= {});
  const IDEAL = "ideal";
  const MOST_LABELS = 10;
  const MOST_POINTS = 500;
  const LINE_HEIGHT = 13;
  const HEIGHT = 280;
  const TONES = [
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#3A98D2", "#B8860B", "#7A4FBF", "#8B4513", "#5F7A1F", "#4D4D4D",
  ];
  const ALIKE = "#767676"; // the second of two runs whose own colours are the same

  /**
   * Heights for labels beside the ends of lines, moved apart so that none covers another, in the same order.
   *
   * Labels that would overlap form a block around their mean, which is kept between `low` and `high`.
   * @param {number[]} values
   * @returns {number[]}
   */
  function spreadLabels(values, low, high, height) {
    const gap = ((high - low) * LINE_HEIGHT) / height;
    const order = values.map((_, i) => i).sort((i, j) => values[i] - values[j]);
    const blocks = [];
    for (const i of order) {
      blocks.push({ bottom: values[i], count: 1, wanted: values[i] });
      while (blocks.length > 1 && blocks.at(-2).bottom + blocks.at(-2).count * gap > blocks.at(-1).bottom) {
        const above = blocks.pop();
        const block = blocks.at(-1);
        block.count += above.count;
        block.wanted += above.wanted;
        const span = (block.count - 1) * gap;
        block.bottom = Math.max(low, Math.min(block.wanted / block.count - span / 2, high - span));
      }
    }
    const heights = blocks.flatMap(({ bottom, count }) => Array.from({ length: count }, (_, j) => bottom + j * gap));
    const spread = new Array(values.length).fill(0);
    order.forEach((i, place) => (spread[i] = heights[place]));
    return spread;
  }

  /** The ranks of a line that are drawn: all, or about `MOST_POINTS` of them and the last. */
  function keptRanks(depth) {
    const step = Math.max(1, Math.floor(depth / MOST_POINTS));
    const ranks = [];
    for (let rank = 1; rank <= depth; rank += step) ranks.push(rank);
    if (ranks.at(-1) !== depth) ranks.push(depth);
    return ranks;
  }

  /** Points, the labels at their ends, and dots where a single rank makes no line. */
  function lineRows(lines, top, count) {
    const depth = lines[0].values.length;
    const points = lines.flatMap(({ run, values }) =>
      keptRanks(depth).filter((rank) => !Number.isNaN(values[rank - 1])).map((rank) => ({ rank, value: values[rank - 1], run })),
    );
    const ends = lines.filter(({ values }) => !Number.isNaN(values[depth - 1]));
    const heights = count <= MOST_LABELS ? spreadLabels(ends.map(({ values }) => values[depth - 1]), 0, top, HEIGHT) : [];
    const labels = heights.map((value, i) => ({ rank: depth, value, run: ends[i].run }));
    return { lines: points, labels, dots: depth === 1 ? points : [] };
  }

  /** The intervals of some lines. */
  function bandRows(lines) {
    return lines.flatMap(({ run, low, high }) =>
      keptRanks(low.length).filter((rank) => !Number.isNaN(low[rank - 1])).map((rank) => ({
        rank, low: low[rank - 1], high: high[rank - 1], run,
      })),
    );
  }

  /** The highest of all values; NaN counts as none. */
  function highest(lines) {
    let most = -Infinity;
    for (const { values } of lines) for (const value of values) if (value > most) most = value;
    return most;
  }

  /** A table by rank with a column for each line. */
  function byRank(columns, lines) {
    const rows = Array.from({ length: lines[0]?.length ?? 0 }, (_, k) => [k + 1, ...lines.map((line) => cell(line[k]))]);
    return { columns: ["rank", ...columns], rows };
  }

  /** A number of a table: undefined is null. */
  function cell(value) {
    return value === undefined || Number.isNaN(value) ? null : value;
  }

  /** A number of a sentence. */
  function valueText(value) {
    return value === undefined || Number.isNaN(value) ? "undefined" : gc.fixed(value, 4);
  }

  /** 'a, b and c'. */
  function listed(parts) {
    return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
  }

  /** The user a measure of gain is about, in words. */
  function userText(settings, name) {
    const { gains, discounted } = gc.record(name);
    if (gains) return `gains ${settings.gains_text}${discounted ? `, discount ${gc.discountText(settings)}` : ""}`;
    return `relevant: grades from ${gc.numberText(settings.rel)}`;
  }

  /** Where the depth is marked, if the figure goes so far. */
  function depthRule(settings, reach) {
    return settings.depth <= reach ? [{ rank: settings.depth }] : [];
  }

  /**
   * The colours of two runs by their places among all; with more runs than colours both may be one: then grey.
   * @returns {[string, string]}
   */
  function pairTones(a, b) {
    const [first, second] = [a, b].map((run) => TONES[run % TONES.length]);
    return [first, first === second ? ALIKE : second];
  }

  /** One gain curve: the runs by rank and the ideal, with the interval of the mean where a single run is drawn. */
  function curveFeed(name, analysis, view) {
    const { observed, settings } = analysis;
    const { values, low, high, ideal } = analysis.curve(name);
    const depth = ideal.length;
    const own = view.on.map((r) => ({ run: observed.labels[r], values: values[r], low: low[r], high: high[r] }));
    const lines = [...own, { run: IDEAL, values: ideal }];
    const top = gc.record(name).normalised ? 1 : 1.02 * (Math.max(highest(lines), 0) || 1);
    const cutoff = Math.min(settings.depth, depth);
    const ends = own.map(({ run, values: by }) => `${run} ${valueText(by[cutoff - 1])}`);
    const alone = own.length === 1; // beside a paired test the intervals of single means would mislead
    const columns = [...own.flatMap(({ run }) => (alone ? [run, `${run}, low`, `${run}, high`] : [run])), IDEAL];
    const columnsOf = (line) => (alone ? [line.values, line.low, line.high] : [line.values]);
    return {
      data: {
        ...lineRows(lines, top, observed.labels.length + 1),
        band: alone ? bandRows(own) : [],
        depth: depthRule(settings, depth),
      },
      signals: { last: Math.max(2, depth), top, shown: lines.map(({ run }) => run) },
      title: `${name} by rank: ${userText(settings, name)}`,
      description: `Mean ${name} by rank to ${depth}; at rank ${cutoff} ${listed([...ends, `${IDEAL} ${valueText(ideal[cutoff - 1])}`])}.`,
      table: byRank(columns, [...own.flatMap(columnsOf), ideal]),
      get signature() { return analysis.signatureOf(name, analysis.reach); },
    };
  }

  for (const name of gc.facts.gain_curves) {
    feeds[`curve-${name}`] = (analysis, view) => curveFeed(name, analysis, view);
  }

  /** The share of unjudged documents by rank. */
  feeds.unjudged = function (analysis, view) {
    const { observed, settings } = analysis;
    const shares = analysis.unjudgedByRank();
    const lines = view.on.map((r) => ({ run: observed.labels[r], values: shares[r] }));
    const depth = shares[0].length;
    const top = Math.min(1, Math.max(0.1, 1.05 * highest(lines)));
    const cutoff = Math.min(settings.depth, depth);
    const percent = (value) => (Number.isNaN(value) ? "undefined" : `${gc.fixed(100 * value, 1)}%`);
    const ends = lines.map(({ run, values }) => `${run} ${percent(values[cutoff - 1])}`);
    return {
      data: { ...lineRows(lines, top, observed.labels.length), band: [], depth: depthRule(settings, depth) },
      signals: { last: Math.max(2, depth), top, shown: lines.map(({ run }) => run) },
      title: "Unjudged documents among those read",
      description: `Share of unjudged documents among the first documents of each list, to ${depth}; at rank ${cutoff} ${listed(ends)}.`,
      table: byRank(lines.map(({ run }) => run), lines.map(({ values }) => values)),
      get signature() { return analysis.rulesSignature; },
    };
  };

  Object.assign(gc, { spreadLabels });
  gc.feeding = { IDEAL, keptRanks, byRank, cell, valueText, listed, userText, depthRule, pairTones };
})((globalThis.gaincurve ??= {}));
