// What the charts of differences draw: two runs by rank and by topic, all pairs, and who wins for which user.
(function (gc) {
  "use strict";

  const feeds = (gc.feeds ??= {});
  const { keptRanks, cell, valueText, listed, userText, depthRule, pairTones } = gc.feeding;
  const OPEN = "#8a8a8a";
  const PAPER = "#ffffff";
  const INK = "#222222";
  const NEAREST = 0.07; // crossings nearer than this share of the figure are marked, but not all are named
  const HALF = 0.14; // the least share of the figure, beyond the other half, that lies on one side of zero
  const LONG_NAME = 20; // the two names of a pair have a line each where one is longer
  const MOST_PAIRS = 60;
  const STRONG = 0.01;
  const EQUAL = "equal";
  const MOST_LETTERS = 16; // longer gains are cut beside a row of the map: what follows them tells rows apart
  const FREE = "no discount";

  /** Run a less run b by rank. */
  feeds.difference = function (analysis, view) {
    const { observed, settings } = analysis;
    const name = gc.curveMeasure(settings);
    const { values, low, high, crossings } = analysis.difference(name, view.a, view.b);
    const [a, b] = [observed.labels[view.a], observed.labels[view.b]];
    const depth = values.length;
    const known = (line) => keptRanks(depth).filter((rank) => !Number.isNaN(line[rank - 1]));
    const cutoff = Math.min(settings.depth, depth);
    const turns = crossings.map(({ rank, ahead }) => `at rank ${rank} ${observed.labels[ahead]} gets ahead`);
    return {
      data: {
        line: known(values).map((rank) => ({ rank, difference: values[rank - 1] })),
        band: known(low).map((rank) => ({ rank, low: low[rank - 1], high: high[rank - 1] })),
        crossings: crossingRows(crossings, observed.labels, depth),
        depth: depthRule(settings, depth),
      },
      signals: {
        last: Math.max(2, depth),
        ...aboutZero([values, low, high]),
        above: `${a} ahead`,
        below: `${b} ahead`,
        ...tones(view),
        up: `difference in ${name} (${a} less ${b})`,
      },
      title: `${a} less ${b} by rank: ${name}, ${userText(settings, name)}`,
      description: `Difference in mean ${name}, ${a} less ${b}, by rank to ${depth}: ${valueText(values[cutoff - 1])} at rank ${cutoff}; ${turns.length ? listed(turns.slice(0, 6)) : "the curves do not cross"}.`,
      table: {
        columns: ["rank", "difference", "low", "high", "gets ahead"],
        rows: Array.from(values, (value, k) => {
          const turn = crossings.find(({ rank }) => rank === k + 1);
          return [k + 1, cell(value), cell(low[k]), cell(high[k]), turn ? observed.labels[turn.ahead] : ""];
        }),
      },
      get signature() { return analysis.signatureOf(name, analysis.reach); },
    };
  };

  /** The ends of an axis of differences: both signs have room for the words that say who is ahead there. */
  function aboutZero(lines) {
    const known = lines.flatMap((line) => Array.from(line)).filter((value) => !Number.isNaN(value));
    const low = known.reduce((least, value) => Math.min(least, value), 0);
    const high = known.reduce((most, value) => Math.max(most, value), 0);
    const room = HALF * (high - low) || 1;
    return { least: Math.min(1.05 * low, -room), most: Math.max(1.05 * high, room) };
  }

  /** A pair beside its row, with the names in a line each where one is long. */
  const pairText = (a, b) => ([a, b].some((name) => [...name].length > LONG_NAME) ? `${a} −\n${b}` : `${a} − ${b}`);

  /** The colours of the two runs compared. */
  function tones(view) {
    const [first_tone, second_tone] = pairTones(view.a, view.b);
    return { first_tone, second_tone };
  }

  /** A mark for each crossing; it is named unless the name before stands too near. */
  function crossingRows(crossings, labels, depth) {
    let named = -Infinity;
    return crossings.map(({ rank, ahead, behind }) => {
      const near = rank - named < NEAREST * depth;
      if (!near) named = rank;
      const words = `at rank ${rank} ${labels[ahead]} gets ahead of ${labels[behind]}`;
      return { rank, difference: 0, label: near ? "" : String(rank), told: words };
    });
  }

  /** Scores of two runs on the topics that all runs have scores for. */
  function topicScores(analysis, view) {
    const { observed, comparison } = analysis;
    return comparison.topics.map((index, i) => {
      const [a, b] = [comparison.scores[view.a][i], comparison.scores[view.b][i]];
      return { topic: observed.topics.ids[index], index, a, b, difference: a - b, chosen: index === view.topic };
    });
  }

  /** A bar for each topic, largest gain of run a first. */
  feeds.topics = function (analysis, view) {
    const { observed } = analysis;
    const [a, b] = [observed.labels[view.a], observed.labels[view.b]];
    const [first, second] = [`${a} better`, `${b} better`];
    const topics = topicScores(analysis, view);
    topics.sort((x, y) => y.difference - x.difference || gc.byCodePoint(x.topic, y.topic));
    const mean = topics.reduce((sum, { difference }) => sum + difference, 0) / topics.length;
    const [better, worse, same] = won(topics);
    return {
      data: {
        topics: topics.map(({ topic, index, difference, chosen }, place) => ({
          place, topic, index, difference, ahead: difference > 0 ? first : second, chosen,
        })),
        mean: topics.length ? [{ difference: mean }] : [],
      },
      signals: { first, second, ...tones(view), up: `difference in ${analysis.measure} (${a} less ${b})` },
      title: `${a} less ${b} by topic: ${analysis.measure}`,
      description: `Difference in ${analysis.measure} on ${gc.counted(topics.length, "topic")}: ${a} is better on ${better}, ${b} on ${worse}, equal on ${same}; the mean difference is ${valueText(mean)}.`,
      table: {
        columns: ["topic", a, b, "difference"],
        rows: topics.map((row) => [row.topic, row.a, row.b, row.difference]),
      },
      get signature() { return analysis.deciding; },
    };
  };

  /** How many topics the first run wins, loses, and neither. */
  function won(topics) {
    const signs = topics.map(({ difference }) => Math.sign(gc.rounded(difference)));
    return [1, -1, 0].map((sign) => signs.filter((other) => other === sign).length);
  }

  /** A point for each topic: the score of run a over that of run b. */
  feeds.scatter = function (analysis, view) {
    const { observed } = analysis;
    const [a, b] = [observed.labels[view.a], observed.labels[view.b]];
    const [first, second] = [`${a} better`, `${b} better`];
    const topics = topicScores(analysis, view);
    const kind = (gap) => (gap > 0 ? first : gap < 0 ? second : EQUAL);
    const scores = topics.flatMap((row) => [row.a, row.b]);
    const low = scores.reduce((least, score) => Math.min(least, score), 0);
    const far = scores.reduce((most, score) => Math.max(most, score), 0);
    const high = low === 0 && far > 0.2 && far <= 1 ? 1 : 1.04 * far || 1;
    const [better, worse, same] = won(topics);
    return {
      data: {
        topics: topics.map(({ difference, ...row }) => ({ ...row, ahead: kind(gc.rounded(difference)) })),
        diagonal: [low, high].map((end) => ({ a: end, b: end })),
      },
      signals: {
        low,
        high,
        first,
        second,
        ...tones(view),
        across: `${analysis.measure} of ${b}`,
        up: `${analysis.measure} of ${a}`,
      },
      title: `${a} against ${b}, topic by topic: ${analysis.measure}`,
      description: `${analysis.measure} of ${a} over that of ${b}: of ${gc.counted(topics.length, "topic")} ${better} ${better === 1 ? "lies" : "lie"} above the diagonal, ${worse} below, ${same} on it.`,
      table: { columns: ["topic", a, b], rows: topics.map((row) => [row.topic, row.a, row.b]) },
      get signature() { return analysis.deciding; },
    };
  };

  /** Every pair: its difference, interval and p. */
  feeds.forest = function (analysis) {
    const { observed, comparison, measure } = analysis;
    const { labels } = observed;
    const bySize = [...comparison.pairs].sort((x, y) => Math.abs(y.difference) - Math.abs(x.difference));
    const shown = comparison.pairs.length > MOST_PAIRS ? bySize.slice(0, MOST_PAIRS) : [...comparison.pairs];
    const byDifference = shown.filter(({ difference }) => !Number.isNaN(difference));
    byDifference.sort((x, y) => y.difference - x.difference);
    const pairs = byDifference.map((pair, place) => ({ place, ...pairRow(pair, labels) }));
    const sizes = pairs.flatMap(({ difference, low, high }) => [difference, low ?? 0, high ?? 0].map(Math.abs));
    const most = 1.05 * sizes.reduce((far, size) => Math.max(far, size), 1e-6);
    const sure = comparison.pairs.filter(({ significant }) => significant).length;
    const cut = shown.length < comparison.pairs.length ? ` (the ${MOST_PAIRS} largest)` : "";
    return {
      data: { pairs },
      signals: { least: -most, most },
      title: `Differences between runs: ${measure}${cut}`,
      description: `Differences in mean ${measure} with intervals: ${sure} of ${gc.counted(comparison.pairs.length, "pair")} significant.`,
      table: {
        columns: ["run", "less run", "difference", "low", "high", "p", "adjusted p", "significant"],
        rows: comparison.pairs.map((pair) => [
          labels[pair.a], labels[pair.b], cell(pair.difference), cell(pair.low), cell(pair.high), cell(pair.p),
          cell(pair.p_adjusted), pair.significant ? "yes" : "no",
        ]),
      },
      get signature() { return analysis.deciding; },
    };
  };

  function pairRow(pair, labels) {
    const { a, b, difference, low, high, significant, better, p_adjusted } = pair;
    const shade = significant ? pairTones(a, b)[Number(better !== a)] : OPEN;
    const p = gc.pText(p_adjusted);
    const stars = significant ? (p_adjusted <= STRONG ? "**" : "*") : "";
    const known = !Number.isNaN(low) && !Number.isNaN(high);
    return {
      pair: pairText(labels[a], labels[b]),
      difference,
      low: known ? low : null,
      high: known ? high : null,
      p,
      label: p.startsWith("<") ? `p ${p}${stars}` : `p = ${p}${stars}`,
      shade,
      fill: significant ? shade : PAPER,
    };
  }

  /** A cell for each user tried: who wins, by how much, and whether that is more than chance. */
  feeds.map = function (analysis) {
    const { observed, settings, sweep } = analysis;
    const equal = nobody(observed.labels);
    const winnerOf = ({ winner }) => (winner < 0 ? equal : observed.labels[winner]);
    const { discounted } = gc.record(sweep.measure);
    const discountOf = (setting) => (discounted ? gc.discountText(setting) : FREE);
    const names = rowNames(sweep.settings);
    const lines = [...new Set(names)];
    const cells = sweep.settings.map((setting, i) => {
      const margin = Number.isNaN(setting.margin) ? "–" : gc.fixed(setting.margin, 3);
      return {
        line: lines.indexOf(names[i]),
        row: names[i],
        gains: setting.gains_text,
        discount: discountOf(setting),
        last: setting.depth,
        depth: String(setting.depth),
        winner: winnerOf(setting),
        margin: setting.significant ? margin : `(${margin})`,
        shade: setting.significant ? 1 : 0.35,
        ink: setting.significant ? PAPER : INK,
        here: isHere(setting, settings),
      };
    });
    const won = new Set(cells.map(({ winner }) => winner));
    const about = gc.record(settings.measure).gains ? "" : `, since ${settings.measure} has no gains to vary`;
    const test = observed.runs.length > 2 ? "paired t, Holm over all pairs" : "paired t";
    return {
      data: { cells },
      signals: {
        seen: [...observed.labels, equal].filter((name) => won.has(name)),
        up: rowsTitle(discounted ? sweep.settings : []),
      },
      title: `Who wins for which user: ${sweep.measure}${about}. Full colour: significant (${test}); pale, in brackets: not.`,
      description: `${sweep.sentence} The settings chosen are outlined.`,
      table: {
        columns: ["gains", "discount", "cutoff", "winner", "runner-up", "margin", "p", "significant"],
        rows: sweep.settings.map((setting) => [
          setting.gains_text, discountOf(setting), setting.depth, winnerOf(setting), observed.labels[setting.runner_up],
          cell(setting.margin), cell(setting.p), setting.significant ? "yes" : "no",
        ]),
      },
      get signature() { return analysis.sweepSignature; },
    };
  };

  /** Stands in the map for a winner where two runs share the best mean; no run is called like it. */
  function nobody(labels) {
    let name = "no run (equal)";
    while (labels.includes(name)) name = `(${name})`;
    return name;
  }

  /** What the rows are: gains, and what their short names leave out of the discounts tried. */
  function rowsTitle(discounts) {
    const tried = [...new Set(discounts.map(gc.discountText))];
    if (tried.length < 2) return ["gains", ...tried].join("; discount ");
    const based = discounts.filter(({ base }) => base !== null).map(({ discount }) => discount);
    return `gains, base b of the discount ${[...new Set(based)].join(", ")}`;
  }

  /** A short name for the row of each setting: 0-1-1-1, or 0-1-1-1, b=2 where several discounts are tried. */
  function rowNames(settings) {
    const gains = shortGains(settings.map((setting) => setting.gains_text));
    const single = new Set(settings.map(gc.discountText)).size < 2;
    return settings.map((setting) => gains.get(setting.gains_text) + (single ? "" : `, ${shortDiscount(setting)}`));
  }

  /** A discount without its form where it has a base: b=2. */
  function shortDiscount({ discount, base }) {
    if (discount === "none" || base === "inf") return FREE;
    return base === null ? gc.discountText({ discount, base }) : `b=${gc.numberText(base)}`;
  }

  /** Gains short enough to stand beside a row, no two alike: long ones are cut and numbered. */
  function shortGains(texts) {
    const short = new Map(texts.map((text) => [text, text]));
    const long = [...short.keys()].filter((text) => text.length > MOST_LETTERS);
    long.forEach((text, i) => {
      const behind = `… (${i + 1})`;
      short.set(text, text.slice(0, MOST_LETTERS - behind.length) + behind);
    });
    return short;
  }

  /** Whether a cell is the present choice of gains, discount and cutoff. */
  function isHere(setting, settings) {
    const same = setting.gains.every((gain, g) => gain === settings.gains[g]);
    return same && gc.discountText(setting) === gc.discountText(settings) && setting.depth === settings.depth;
  }
})((globalThis.gaincurve ??= {}));
