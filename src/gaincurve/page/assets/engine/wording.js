// The comparison in plain words: what may be claimed, and what may not. Sentence by sentence as Python writes it.
(function (gc) {
  "use strict";

  const MOST_NAMES = 6;

  /** A p-value as papers print it: .048, < .0001, never 0. */
  function pText(p) {
    if (Number.isNaN(p)) return "–";
    if (p < 0.0001) return "< .0001";
    const text = gc.fixed(p, p >= 0.01 ? 3 : 4);
    return p < 1 ? text.replace(/^0/, "") : "1";
  }

  /** 0.05 as '.05'. */
  function alphaText(alpha) {
    return gc.general(alpha).replace(/^0/, "");
  }

  /** 'a', 'a and b', 'a, b and c'; many are cut short. */
  function joined(names) {
    if (names.length > MOST_NAMES) {
      return `${names.slice(0, MOST_NAMES - 1).join(", ")}, … (${names.length} in all)`;
    }
    return names.length === 1 ? names[0] : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
  }

  function are(names) {
    return names.length === 1 ? "is" : "are";
  }

  /**
   * The verdict in one or two sentences, runs by their labels.
   * @param {object} comparison as `compare` gives it
   * @returns {string}
   */
  function verdict(observed, settings, comparison = gc.compare(observed, settings)) {
    const { measure, topics, means, pairs } = comparison;
    const names = observed.labels;
    if (observed.runs.length < 2) return oneRun(comparison, names[0], settings.alpha);
    if (topics.length < 2) {
      return `On ${measure} ${gc.counted(topics.length, "topic")} with a score for every run are too few to compare.`;
    }
    if (pairs.length === 1) return onePair(comparison, pairs[0], names, settings.alpha);
    return comparison.baseline < 0 ? allPairs(comparison, names) : againstBaseline(comparison, names);
  }

  function oneRun({ measure, topics, means, scores }, name, alpha) {
    if (!topics.length) return `On ${measure} ${name} has no score: it is undefined for every topic.`;
    const { low, high } = gc.meanInterval(scores[0], means[0], alpha);
    const number = (value) => gc.fixed(value, 4).replace("-", "−");
    const level = topics.length > 1 ? ` (${gc.general(100 * (1 - alpha))} % interval ${number(low)} to ${number(high)})` : "";
    const over = `over ${gc.counted(topics.length, "topic")}`;
    return `On ${measure} ${name} scores ${number(means[0])}${level} ${over}; with one run there is nothing to compare it with.`;
  }

  function onePair({ measure, topics }, pair, names, alpha) {
    const [a, b] = [names[pair.a], names[pair.b]];
    if (pair.better < 0) return `On ${measure} ${a} and ${b} have the same mean over ${gc.counted(topics.length, "topic")}.`;
    const level = `${gc.general(100 * (1 - alpha))} % interval ${ends(pair)}`;
    const size = gc.fixed(Math.abs(pair.difference), 4);
    const start = `On ${measure} ${names[pair.better]} is ahead of ${names[pair.worse]} by ${size} (${level})`;
    const chance = `(p = ${pText(pair.p_adjusted)})`.replace("= <", "<");
    if (pair.significant) return `${start}: more than chance explains ${chance}.`;
    return `${start}, which chance could explain ${chance}: no difference is shown, and no equality either.`;
  }

  function ends({ difference, low, high }) {
    const [from, to] = difference >= 0 ? [low, high] : [-high, -low];
    if (Number.isNaN(from) || Number.isNaN(to)) return "undefined";
    return `${gc.fixed(from, 4)} to ${gc.fixed(to, 4)}`;
  }

  function againstBaseline({ measure, pairs, baseline }, names) {
    const base = names[baseline];
    const up = pairs.filter((pair) => pair.significant && pair.worse === baseline).map((pair) => names[pair.better]);
    const down = pairs.filter((pair) => pair.significant && pair.better === baseline).map((pair) => names[pair.worse]);
    const rest = pairs.filter((pair) => !pair.significant).map((pair) => names[pair.b === baseline ? pair.a : pair.b]);
    const parts = [];
    if (up.length) parts.push(`${joined(up)} ${are(up)} significantly better than ${base}`);
    if (down.length) parts.push(`${joined(down)} ${are(down)} significantly worse${up.length ? "" : ` than ${base}`}`);
    if (rest.length) {
      const from = up.length || down.length ? "" : ` from ${base}`;
      parts.push(`${joined(rest)} ${are(rest)} not shown to differ${from}`);
    }
    return `On ${measure} ${parts.join("; ")}.`;
  }

  function allPairs({ measure, means, order, pairs }, names) {
    const first = order[0];
    const significant = pairs.filter((pair) => pair.significant);
    const beaten = new Set(significant.filter((pair) => pair.better === first).map((pair) => pair.worse));
    const above = significant.filter((pair) => pair.worse === first).map((pair) => pair.better);
    const level = order.slice(1).filter((run) => !beaten.has(run) && !above.includes(run)).map((run) => names[run]);
    const head = `On ${measure} ${names[first]} scores highest`;
    const tail = `${significant.length} of ${gc.counted(pairs.length, "pair")} differ significantly`;
    if (new Set(means.map((mean) => mean.toFixed(10))).size === 1) {
      const same = `On ${measure} all runs have the same mean`;
      return significant.length ? `${same}; ${tail}.` : `${same}.`;
    }
    if (!significant.length) return `${head}, but no difference between any two runs is shown.`;
    if (!level.length) return `${head} and is significantly better than every other run; ${tail}.`;
    return `${head}; ${joined(level)} ${are(level)} not shown to be worse, which does not make them equal; ${tail}.`;
  }

  /**
   * The methods sentence of a paper.
   * @param {object} comparison as `compare` gives it
   * @returns {string}
   */
  function methods(observed, settings, comparison = gc.compare(observed, settings)) {
    const count = gc.counted(comparison.pairs.length, "comparison");
    const how = comparison.adjust === "holm" ? `Holm-adjusted over ${count}` : count;
    const over = gc.counted(comparison.topics.length, "topic");
    return `Two-sided paired t-test over ${over}, ${how}, α = ${alphaText(settings.alpha)}.`;
  }

  Object.assign(gc, { pText, alphaText, joined, verdict, methods });
})((globalThis.gaincurve ??= {}));
