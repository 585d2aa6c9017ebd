// The comparison of all runs on the measure that decides: pairs, order, letters, and the leaderboard.
(function (gc) {
  "use strict";

  /**
   * One comparison, `a` less `b` (runs by index); `better` is the one ahead, −1 if neither is.
   * @typedef {{a: number, b: number, mean_a: number, mean_b: number, difference: number, low: number, high: number,
   *   p: number, p_adjusted: number, significant: boolean, effect: number, wins: number, ties: number, losses: number,
   *   better: number, worse: number, replaced: boolean}} Pair
   */

  /**
   * Every two runs, or every run against the baseline, by the paired t-test over topics that all runs have scores for.
   *
   * Three and more runs are adjusted by Holm. `groups` are letters that runs share unless they differ; there are none
   * with a baseline, nor for two runs.
   * @param {Float64Array[]} [scores] by run and topic, of the measure that decides
   * @returns {{measure: string, topics: number[], scores: Float64Array[], means: number[], order: number[],
   *   baseline: number, adjust: string, pairs: Pair[], groups: string[]}}
   */
  function compare(observed, settings, scores) {
    const { name, cutoff } = gc.primary(settings);
    const all = scores ?? gc.scores(observed, settings, name, cutoff);
    const topics = commonTopics(all);
    const commonScores = all.map((values) => Float64Array.from(topics, (t) => values[t]));
    const baseline = gc.runNamed(observed, settings.baseline);
    const adjust = all.length > 2 ? "holm" : "none";
    const means = commonScores.map((values) => gc.mean(values));
    const order = bestFirst(means, observed.names);
    const compared = ([a, b]) => pairOf(a, b, commonScores, means, settings.alpha);
    const pairs = comparedPairs(all.length, baseline).map(compared);
    decide(pairs, adjust, settings.alpha);
    const groups = baseline < 0 && all.length > 2 ? groupsOf(pairs, order) : [];
    const measure = gc.measureText(settings, name, cutoff);
    const comparison = { measure, topics, scores: commonScores, means, order, baseline, adjust, pairs, groups };
    if (topics.length > 1) stand(comparison, new gc.Seen(observed, settings, comparison));
    return comparison;
  }

  /** Give each pair its `standing`, computed when it is first asked for, and the comparison what they are `seen` by. */
  function stand(comparison, seen) {
    Object.defineProperty(comparison, "seen", { value: seen });
    for (const pair of comparison.pairs) {
      let standing;
      Object.defineProperty(pair, "standing", { get: () => (standing ??= seen.standing(pair)), configurable: true });
    }
  }

  /** The topics that have a score for every run. */
  function commonTopics(scores) {
    const counts = new Uint8Array(scores[0].length).fill(1);
    for (const values of scores) for (let t = 0; t < counts.length; t++) if (Number.isNaN(values[t])) counts[t] = 0;
    const topics = [];
    for (let t = 0; t < counts.length; t++) if (counts[t]) topics.push(t);
    return topics;
  }

  /** Runs from best to worst mean, equal ones by name. */
  function bestFirst(means, names) {
    const key = means.map((value) => (Number.isNaN(value) ? -Infinity : Number(value.toFixed(10))));
    const compareKeys = (r, s) => (key[r] === key[s] ? gc.byCodePoint(names[r], names[s]) : key[s] - key[r]);
    return means.map((_, r) => r).sort(compareKeys);
  }

  /** A comparison with the numbers of the test that Python wrote into the page; null stands for what is undefined. */
  function asWritten(comparison, { pairs, groups }) {
    const number = (value) => value ?? NaN;
    const merged = comparison.pairs.map((pair, i) => {
      const { standing, significant, better, ...numbers } = pairs[i];
      for (const name of Object.keys(numbers)) numbers[name] = number(numbers[name]);
      const worse = better < 0 ? -1 : better === pair.a ? pair.b : pair.a;
      const own = Object.defineProperties({}, Object.getOwnPropertyDescriptors(pair));
      Object.assign(own, numbers, { significant, better, worse });
      const stands = standing && { ...standing, low: number(standing.low), high: number(standing.high), p: number(standing.p) };
      return Object.defineProperty(own, "standing", { value: stands });
    });
    return { ...comparison, pairs: merged, groups };
  }

  /** Every two runs in their order, or every run against the baseline. */
  function comparedPairs(runs, baseline) {
    const pairs = [];
    for (let a = 0; a < runs; a++) {
      if (baseline >= 0) {
        if (a !== baseline) pairs.push([a, baseline]);
      } else {
        for (let b = a + 1; b < runs; b++) pairs.push([a, b]);
      }
    }
    return pairs;
  }

  function pairOf(a, b, scores, means, alpha) {
    const test = gc.pairedT(scores[a].map((value, t) => value - scores[b][t]), alpha);
    const gap = gc.rounded(test.difference);
    const [better, worse] = gap > 0 ? [a, b] : gap < 0 ? [b, a] : [-1, -1];
    return { a, b, mean_a: means[a], mean_b: means[b], ...test, p_adjusted: test.p, significant: false, better, worse };
  }

  /** Put in the adjusted p-values, and what they decide. */
  function decide(pairs, adjust, alpha) {
    const p = pairs.map((pair) => pair.p);
    const adjusted = adjust === "holm" ? gc.holm(p) : p;
    pairs.forEach((pair, i) => Object.assign(pair, { p_adjusted: adjusted[i], significant: adjusted[i] <= alpha }));
  }

  function groupsOf(pairs, order) {
    const differ = order.map(() => order.map(() => false));
    for (const { a, b, significant } of pairs) differ[a][b] = differ[b][a] = significant;
    return gc.letterGroups(differ, order);
  }

  /**
   * The runs from best to worst, each with the interval of its mean and what it is behind (or ahead of) a reference:
   * the baseline, or without one the run that leads. `against` is run less reference, null for the reference itself.
   * @param {ReturnType<compare>} comparison
   */
  function leaderboard(observed, settings, comparison = compare(observed, settings)) {
    const { order, means, groups, scores, baseline } = comparison;
    const reference = baseline >= 0 ? baseline : order[0];
    return order.map((run, place) => {
      const { low, high } = gc.meanInterval(scores[run], means[run], settings.alpha);
      const against = run === reference ? null : against_(comparison, run, reference);
      return { run, place: place + 1, mean: means[run], low, high, letters: groups[run] ?? "", reference, against };
    });
  }

  /** The comparison of a run with the reference, turned so that the run comes first. */
  function against_({ pairs }, run, reference) {
    const pair = pairs.find(({ a, b }) => (a === run && b === reference) || (a === reference && b === run));
    if (!pair || pair.a === run) return pair ?? null;
    return {
      ...pair, // without its standing, which stays that of the pair as compared
      a: run,
      b: reference,
      mean_a: pair.mean_b,
      mean_b: pair.mean_a,
      difference: -pair.difference,
      low: -pair.high,
      high: -pair.low,
      effect: -pair.effect,
      wins: pair.losses,
      losses: pair.wins,
    };
  }

  Object.assign(gc, { asWritten, compare, leaderboard, bestFirst, commonTopics, comparedPairs });
})((globalThis.gaincurve ??= {}));
