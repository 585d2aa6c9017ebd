// What the charts of reading draw: effort for the same gain, precision by recall, and the grades at each rank.
(function (gc) {
  "use strict";

  const feeds = (gc.feeds ??= {});
  const { IDEAL, keptRanks, cell, valueText, listed } = gc.feeding;
  const MOST_BARS = 100;
  const HATCHES = 25;
  const UNJUDGED = "unjudged";

  /** Documents to read with each run, over documents read with the best one of those drawn. */
  feeds.effort = function (analysis, view) {
    const { observed } = analysis;
    const { rank, depth } = analysis.effort();
    const { values, ideal } = analysis.curve("CG");
    const alone = view.on.length === 1;
    const best = view.on.reduce((most, r) => (values[r][rank - 1] > values[most][rank - 1] ? r : most), view.on[0]);
    const [target, name] = alone ? [ideal, IDEAL] : [values[best], observed.labels[best]];
    const others = view.on.filter((r) => alone || r !== best);
    const needs = new Map(others.map((r) => [r, gc.ranksToReach(values[r], target[rank - 1])]));
    const readText = (needed) => (Number.isNaN(needed) ? `more than ${depth}` : String(needed));
    const diagonal = `${name}: ${rank}`;
    const entry = (r) => (needs.has(r) ? `${observed.labels[r]}: ${readText(needs.get(r))}` : diagonal);
    const entries = observed.labels.map((label, r) => (view.on.includes(r) ? entry(r) : label));
    const lines = effortLines(others, values, target, rank, depth, entries);
    const last = lines.reduce((most, { read }) => Math.max(most, read), rank);
    for (const read of [0, last]) lines.push({ read, needed: read, run: diagonal });
    const most = (side) => lines.reduce((far, point) => Math.max(far, point[side]), rank + 1);
    const reference = alone ? "the ideal" : name;
    const read = others.map((r) => `${readText(needs.get(r))} with ${observed.labels[r]}`);
    return {
      data: { lines, dots: lines.filter((point) => point.read === rank), rule: [{ read: rank }] },
      signals: {
        entries: [...entries, alone ? diagonal : IDEAL],
        shown: [...view.on.map((r) => entries[r]), ...(alone ? [diagonal] : [])],
        most_read: most("read"),
        most_needed: most("needed"),
        across: `documents read with ${reference}`,
      },
      title: `Documents to read for the gain of ${reference}`,
      description: `To gain what ${reference} gives in ${gc.counted(rank, "document")}, read ${listed(read)}.`,
      table: {
        columns: [`read with ${reference}`, "gain", ...others.map((r) => `needed with ${observed.labels[r]}`)],
        rows: Array.from(target, (gain, k) => [
          k + 1, cell(gain), ...others.map((r) => cell(gain > 0 ? gc.ranksToReach(values[r], gain) : NaN)),
        ]),
      },
      get signature() { return analysis.signatureOf("CG", analysis.reach); },
    };
  };

  function effortLines(others, values, target, rank, depth, entries) {
    const ranks = [...new Set([...keptRanks(depth), rank])].sort((a, b) => a - b);
    const points = [];
    for (const r of others) {
      for (const read of ranks) {
        const needed = target[read - 1] > 0 ? gc.ranksToReach(values[r], target[read - 1]) : NaN;
        if (!Number.isNaN(needed)) points.push({ read, needed, run: entries[r] });
      }
    }
    return points;
  }

  /** Mean interpolated precision at the eleven points of recall. */
  feeds.recall = function (analysis, view) {
    const { observed, settings } = analysis;
    const points = analysis.recallPoints;
    const means = analysis.means("AP", null);
    const labels = view.on.map((r) => observed.labels[r]);
    const lines = view.on.flatMap((r) =>
      gc.POINTS.map((recall, i) => ({ recall, precision: points[r][i], run: observed.labels[r] })),
    );
    return {
      data: { lines: lines.filter(({ precision }) => !Number.isNaN(precision)) },
      signals: { shown: labels },
      title: `Precision by recall: relevant are grades from ${gc.numberText(settings.rel)}`,
      description: `Mean interpolated precision at eleven points of recall; average precision ${listed(view.on.map((r) => `${observed.labels[r]} ${valueText(means[r])}`))}.`,
      table: {
        columns: ["recall", ...labels],
        rows: gc.POINTS.map((recall, i) => [recall, ...view.on.map((r) => cell(points[r][i]))]),
      },
      get signature() { return analysis.signatureOf("AP", null); },
    };
  };

  /** The share of topics by the grade at each rank, for one run. */
  feeds.grades = function (analysis, view) {
    const { observed } = analysis;
    const { counts } = analysis.gradesByRank(view.run);
    const places = observed.scale.map((_, g) => g).filter((g) => observed.isJudged[g]).reverse();
    const names = [...places.map((g) => `grade ${gc.numberText(observed.scale[g])}`), UNJUDGED];
    const ordered = counts.map((row) => [...places.map((g) => row[g]), row[observed.scale.length]]);
    const topics = counts.length ? counts[0].reduce((sum, count) => sum + count, 0) : 0;
    const label = observed.labels[view.run];
    const first = ordered[0] ?? [];
    const share = (count) => (topics ? `${gc.fixed((100 * count) / topics, 1)}%` : "undefined");
    const all = names.map((name, i) => `${name} ${share(first[i])}`);
    return {
      data: stacked(ordered, names, topics),
      signals: { first: 0.5, last: counts.length + 0.5, shown: names },
      title: `${label}: grades by rank`,
      description: `Share of ${gc.counted(topics, "topic")} by the grade that ${label} shows at each rank to ${counts.length}; at rank 1 ${listed(all)}.`,
      table: {
        columns: ["rank", ...names, "list ended"],
        rows: counts.map((row, k) => [k + 1, ...ordered[k], row[observed.scale.length + 1]]),
      },
      get signature() { return analysis.rulesSignature; },
    };
  };

  /** Blocks from rank to rank, stacked best grade first, and the lines over the unjudged ones. */
  function stacked(ordered, names, topics) {
    const depth = ordered.length;
    const step = Math.ceil(depth / MOST_BARS);
    const bars = [];
    for (let first = 1; first <= depth; first += step) {
      const last = Math.min(depth, first + step - 1);
      const whole = topics * (last - first + 1);
      const span = { from: first - 0.5, to: last + 0.5, ranks: first === last ? `${first}` : `${first}–${last}` };
      let sum = 0;
      names.forEach((grade, i) => {
        const count = ordered.slice(first - 1, last).reduce((total, row) => total + row[i], 0);
        if (count) bars.push({ ...span, low: sum / whole, high: (sum + count) / whole, grade, share: count / whole });
        sum += count;
      });
    }
    return { bars, hatch: hatched(bars.filter(({ grade }) => grade === UNJUDGED)) };
  }

  /** Level lines through neighbouring blocks, each as long as it stays inside. */
  function hatched(bars) {
    const rows = [];
    for (let i = 0; i < HATCHES; i++) {
      const level = (i + 0.5) / HATCHES;
      let line = null;
      for (const { from, to, low, high } of bars) {
        if (!(low < level && level < high)) continue;
        if (line && line.to === from) line.to = to;
        else rows.push((line = { from, to, level }));
      }
    }
    return rows;
  }
})((globalThis.gaincurve ??= {}));
