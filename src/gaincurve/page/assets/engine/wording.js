// The comparison in plain words: what may be claimed, and what may not. The sentences are Python's, filled here.
(function (gc) {
  "use strict";

  const MOST_NAMES = gc.facts.most_names;

  /** One of Python's sentences with its fields filled. */
  function say(sentence, values = {}) {
    return gc.facts.sentences[sentence].replace(/\{(\w+)\}/g, (_, field) => values[field]);
  }

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
      return say("too few topics", { measure, topics: gc.counted(topics.length, "topic") });
    }
    if (pairs.length === 1) return onePair(comparison, pairs[0], names, settings.alpha);
    return comparison.baseline < 0 ? allPairs(comparison, names) : againstBaseline(comparison, names);
  }

  function oneRun({ measure, topics, means, scores }, run, alpha) {
    if (!topics.length) return say("no score", { measure, run });
    const number = (value) => gc.fixed(value, 4).replace("-", "−");
    const values = { measure, run, mean: number(means[0]), topics: gc.counted(topics.length, "topic") };
    if (topics.length < 2) return say("one run", values);
    const { low, high } = gc.meanInterval(scores[0], means[0], alpha);
    return say("one run, interval", { ...values, interval: interval(alpha, number(low), number(high)) });
  }

  function interval(alpha, low, high) {
    return say("interval", { level: gc.general(100 * (1 - alpha)), ends: say("ends", { low, high }) });
  }

  function onePair({ measure, topics }, pair, names, alpha) {
    const [a, b] = [names[pair.a], names[pair.b]];
    if (pair.better < 0) {
      if (pair.wins === undefined) return say("same mean", { measure, a, b });
      return say("same mean over", { measure, a, b, topics: gc.counted(topics.length, "topic") });
    }
    const ahead = say("ahead", {
      measure,
      better: names[pair.better],
      worse: names[pair.worse],
      size: gc.fixed(Math.abs(pair.difference), 4),
      interval: say("interval", { level: gc.general(100 * (1 - alpha)), ends: ends(pair) }),
    });
    const p = pText(pair.p_adjusted);
    const chance = say(p.startsWith("<") ? "p below" : "p", { p });
    return say(pair.significant ? "ahead, significant" : "ahead, open", { ahead, p: chance });
  }

  function ends({ difference, low, high }) {
    const [from, to] = difference >= 0 ? [low, high] : [-high, -low];
    if (Number.isNaN(from) || Number.isNaN(to)) return "undefined";
    return say("ends", { low: gc.fixed(from, 4), high: gc.fixed(to, 4) });
  }

  function againstBaseline({ measure, pairs, baseline }, names) {
    const base = names[baseline];
    const up = pairs.filter((pair) => pair.significant && pair.worse === baseline).map((pair) => names[pair.better]);
    const down = pairs.filter((pair) => pair.significant && pair.better === baseline).map((pair) => names[pair.worse]);
    const rest = pairs.filter((pair) => !pair.significant).map((pair) => names[pair.b === baseline ? pair.a : pair.b]);
    const groups = [
      ["better", up],
      [up.length ? "worse, too" : "worse", down],
      [up.length || down.length ? "open, too" : "open", rest],
    ].filter(([, runs]) => runs.length);
    const group = ([sentence, runs]) => say(sentence, { runs: joined(runs), are: are(runs), baseline: base });
    return say("against a baseline", { measure, groups: groups.map(group).join("; ") });
  }

  function allPairs({ measure, means, order, pairs }, names) {
    const first = order[0];
    const significant = pairs.filter((pair) => pair.significant);
    const beaten = new Set(significant.filter((pair) => pair.better === first).map((pair) => pair.worse));
    const above = significant.filter((pair) => pair.worse === first).map((pair) => pair.better);
    const level = order.slice(1).filter((run) => !beaten.has(run) && !above.includes(run)).map((run) => names[run]);
    const best = say("highest", { measure, run: names[first] });
    const many = say("significant pairs", { significant: significant.length, pairs: gc.counted(pairs.length, "pair") });
    if (new Set(means.map((mean) => mean.toFixed(10))).size === 1) {
      return say(significant.length ? "all the same, but" : "all the same", { measure, pairs: many });
    }
    if (!significant.length) return say("nothing shown", { best });
    if (!level.length) return say("beats all", { best, pairs: many });
    return say("some level", { best, runs: joined(level), are: are(level), pairs: many });
  }

  /**
   * The methods sentence of a paper.
   * @param {object} comparison as `compare` gives it
   * @returns {string}
   */
  function methods(observed, settings, comparison = gc.compare(observed, settings)) {
    return method("paired t", gc.counted(comparison.topics.length, "topic"), comparison, settings.alpha);
  }

  /** How something was tested: by which test, over what, adjusted how. */
  function method(test, sample, { pairs, adjust }, alpha) {
    const count = gc.counted(pairs.length, "comparison");
    const name = gc.facts.adjustments[adjust];
    const comparisons = name ? say("adjusted", { name, comparisons: count }) : count;
    return say("method", { test: say(test), sample, comparisons, alpha: alphaText(alpha) });
  }

  Object.assign(gc, { say, pText, alphaText, joined, verdict, methods, method });
})((globalThis.gaincurve ??= {}));
