// The comparison in plain words: what may be claimed, and what may not. The sentences are Python's, filled here.
(function (gc) {
  "use strict";

  const { most_names: MOST_NAMES, most_doubts: MOST_DOUBTS } = gc.facts;

  /** One of Python's sentences with its fields filled. */
  function say(sentence, values = {}) {
    return gc.facts.sentences[sentence].replace(/\{(\w+)\}/g, (_, field) => values[field]);
  }

  /** A p-value as papers print it: .048, < .0001, never 0. */
  function pText(p) {
    if (Number.isNaN(p)) return "–";
    if (p < 0.0001) return "< .0001";
    if (p > 1 - 1e-9) return "1";
    return gc.noLevel(p, p < 0.01 ? 4 : 3, gc.facts.levels.p);
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

  /** 'is' for one, 'are' for none and many. */
  function are(names) {
    return names.length === 1 ? "is" : "are";
  }

  /**
   * The verdict in one or two sentences, runs by their labels.
   * @param {object} comparison as `compare` gives it
   * @returns {string}
   */
  function verdict(observed, settings, comparison = gc.compare(observed, settings)) {
    const { measure, topics, pairs } = comparison;
    const names = observed.labels;
    if (observed.runs.length < 2) return oneRun(comparison, names[0], settings.alpha);
    if (topics.length === 1) return oneTopic(comparison, names);
    if (!topics.length) return say("too few topics", { measure, topics: gc.counted(0, "topic") });
    if (pairs.length === 1) return onePair(comparison, pairs[0], names, settings.alpha);
    return comparison.baseline < 0 ? allPairs(comparison, names, settings.alpha) : againstBaseline(comparison, names, settings.alpha);
  }

  /** Which of the two best is ahead on the only topic that all runs share, and by how much. */
  function oneTopic({ measure, order: [first, second], means }, names) {
    const gap = means[first] - means[second];
    const about = { measure, better: names[first], worse: names[second] };
    return gc.rounded(gap) ? say("one topic", { ...about, size: gc.fixed(gap, 4) }) : say("one topic, level", about);
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

  /** 'Holm over 15 comparisons'; '' where nothing was corrected. */
  function correction({ pairs, adjust }) {
    const name = gc.facts.adjustments[adjust];
    if (!name || pairs.length < 2) return "";
    return say("corrected", { name, comparisons: gc.counted(pairs.length, "comparison") });
  }

  /** 'p = .048', 'p < .0001'. */
  function chanceOf(p) {
    const text = pText(p);
    return say(text.startsWith("<") ? "p below" : "p", { p: text });
  }

  /** '0.0310 (95% interval 0.0020 to 0.0600, p = .021 after Holm over 15 comparisons)', from the side of `ahead`. */
  function sizeText(comparison, pair, ahead, alpha) {
    const side = ahead === pair.a ? 1 : -1;
    const size = gc.fixed(side * pair.difference, 4);
    const corrected = correction(comparison);
    const p = chanceOf(pair.p_adjusted);
    const known = !(Number.isNaN(pair.low) || Number.isNaN(pair.high));
    const [low, high] = side > 0 ? [pair.low, pair.high] : [-pair.high, -pair.low];
    const within = known ? interval(alpha, gc.fixed(low, 4), gc.fixed(high, 4)) : say("no interval");
    if (corrected && known && !pair.significant && (low > 0 || high < 0)) {
      return say("size of this pair alone", { size, interval: within, correction: corrected, p });
    }
    return say("size", { size, interval: within, p: corrected ? say("p corrected", { p, correction: corrected }) : p });
  }

  /** What leaves it open who is ahead: unjudged documents, or the order of tied ones. */
  function doubtText(pair, names) {
    const { standing } = pair;
    const doubts = [];
    if (gc.fewJudged(standing) || gc.unlikely(standing)) {
      const sides = [[standing.judged_a, names[pair.a]], [standing.judged_b, names[pair.b]]];
      const [share, run] = sides.sort((x, y) => x[0] - y[0] || gc.byCodePoint(x[1], y[1]))[0];
      const unjudged = say("unjudged", { percent: gc.fixed(100 * (1 - share), 0), run, depth: standing.depth });
      const better = names[pair.better < 0 ? pair.a : pair.better];
      if (Number.isNaN(standing.p)) doubts.push(say("unjudged, open", { unjudged }));
      else if (!gc.unlikely(standing)) doubts.push(say("unjudged, few", { unjudged }));
      else doubts.push(say("unjudged, likely", { unjudged, better, p: gc.chanceText(standing.p) }));
    }
    if (standing.decided_by_ties) doubts.push(say("tied"));
    return doubts.length === 1 ? doubts[0] : say("doubts", { first: doubts[0], second: doubts[1] });
  }

  const isDoubted = (pair) => gc.isDoubtful(pair.standing);

  function onePair(comparison, pair, names, alpha) {
    const { measure, topics } = comparison;
    const [a, b] = [names[pair.a], names[pair.b]];
    if (pair.better < 0) {
      if (pair.wins === undefined) return say("same mean", { measure, a, b });
      return say("same mean over", { measure, a, b, topics: gc.counted(topics.length, "topic") });
    }
    const size = sizeText(comparison, pair, pair.better, alpha);
    const ahead = say("ahead", { measure, better: names[pair.better], worse: names[pair.worse], size });
    const decided = pair.significant ? "ahead, significant" : "ahead, open";
    return isDoubted(pair) ? say(`${decided}, doubted`, { ahead, doubt: doubtText(pair, names) }) : say(decided, { ahead });
  }

  /** Which run to ship: the best of those that are shown to be better, and by how much. */
  function againstBaseline(comparison, names, alpha) {
    const { measure, baseline, order } = comparison;
    const base = names[baseline];
    const other = (pair) => (pair.b === baseline ? pair.a : pair.b);
    const pairs = [...comparison.pairs].sort((x, y) => order.indexOf(other(x)) - order.indexOf(other(y)));
    const named = (some) => ({ runs: joined(some.map((pair) => names[other(pair)])), are: are(some), baseline: base });
    const [sure, doubted] = [false, true].map((doubt) => pairs.filter((pair) => pair.significant && isDoubted(pair) === doubt));
    const better = sure.filter((pair) => pair.worse === baseline);
    const [best] = pairs;
    const clauses = [];
    if (better.length) {
      const [most] = better;
      const size = sizeText(comparison, most, other(most), alpha);
      clauses.push(say(better.length === 1 ? "better" : "better, several", { ...named(better), best: names[other(most)], size }));
    } else if (best.better < 0) {
      clauses.push(say("none better, level", { baseline: base, best: names[other(best)] }));
    } else {
      const side = best.worse === baseline ? "ahead" : "behind";
      const size = sizeText(comparison, best, best.better, alpha);
      clauses.push(say("none better", { baseline: base, best: names[other(best)], side, size }));
    }
    if (doubted.length > MOST_DOUBTS) clauses.push(say("doubted, several", named(doubted)));
    else for (const pair of doubted) {
      const side = pair.worse === baseline ? "ahead of" : "behind";
      clauses.push(say("doubted", { run: names[other(pair)], side, baseline: base, doubt: doubtText(pair, names) }));
    }
    const worse = sure.filter((pair) => pair.better === baseline);
    if (worse.length) clauses.push(say("worse", named(worse)));
    const open = pairs.filter((pair) => !pair.significant);
    if (open.length) clauses.push(say("open", named(open)));
    return say("against a baseline", { measure, clauses: clauses.join("; ") });
  }

  function allPairs(comparison, names, alpha) {
    const { measure, means, order, pairs } = comparison;
    const [first, ...others] = order;
    const ofFirst = (run) => pairs.find(({ a, b }) => (a === first && b === run) || (a === run && b === first));
    const significant = pairs.filter((pair) => pair.significant);
    const many = significantPairs(pairs, significant);
    if (new Set(means.map((mean) => mean.toFixed(10))).size === 1) {
      return say(significant.length ? "all the same, but" : "all the same", { measure, pairs: many });
    }
    const next = ofFirst(others[0]);
    const best = say("highest", { measure, run: names[first] });
    const second = names[others[0]];
    const clauses = [
      next.better < 0
        ? say("best, level", { best, second })
        : say("best, ahead", { best, second, size: sizeText(comparison, next, first, alpha) }),
    ];
    const [beaten, doubted, level] = [[], [], []];
    for (const run of others) {
      const pair = ofFirst(run);
      (!pair.significant ? level : isDoubted(pair) ? doubted : beaten).push(run);
    }
    const listed = (runs) => ({ runs: joined(runs.map((run) => names[run])), are: are(runs) });
    if (beaten.length === others.length) clauses.push(say("beats all"));
    else if (beaten.length) clauses.push(say("beats", listed(beaten)));
    if (doubted.length > MOST_DOUBTS) clauses.push(say("leads open", listed(doubted)));
    else for (const run of doubted) clauses.push(say("lead open", { run: names[run], doubt: doubtText(ofFirst(run), names) }));
    if (!significant.length) clauses.push(say("nothing shown"));
    else clauses.push(...(level.length ? [say("level", listed(level))] : []), many);
    return say("clauses", { clauses: clauses.join("; ") });
  }

  /** '9 of 15 pairs differ significantly', and how many of them rest on unjudged or tied documents. */
  function significantPairs(pairs, significant) {
    const differ = significant.length === 1 ? "differs" : "differ";
    const counts = { significant: significant.length, differ, pairs: gc.counted(pairs.length, "pair") };
    const doubted = significant.filter(isDoubted).length;
    const depend = doubted === 1 ? "depends" : "depend";
    return doubted ? say("significant pairs, doubted", { ...counts, doubted, depend }) : say("significant pairs", counts);
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
