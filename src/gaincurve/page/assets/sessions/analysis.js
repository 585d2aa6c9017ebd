// Everything the panel of sessions shows under one choice of settings, each thing computed when it is first asked for.
(function (gc) {
  "use strict";

  /** The measure that decides. */
  const [PRIMARY] = Object.keys(gc.facts.sessions);

  /**
   * Welch's t of two independent samples with the 1 − alpha interval of mean(a) − mean(b). Where neither sample
   * spreads, equal means have p = 1 and different ones the p of randomly assigned labels.
   * @param {number[]} a @param {number[]} b @param {number} alpha
   */
  function welchT(a, b, alpha) {
    const means = [a, b].map(gc.mean);
    const difference = means[0] - means[1];
    const spreads = [a, b].some((sample) => sample.some((value) => gc.rounded(value - sample[0]) !== 0));
    if (a.length < 2 || b.length < 2 || !spreads) {
      const p = gc.rounded(difference) === 0 ? 1 : byLabels(a.length, b.length);
      return { difference, low: NaN, high: NaN, p, effect: p === 1 ? 0 : NaN };
    }
    const squares = [a, b].map((sample, i) => gc.deviation(sample, means[i]) ** 2);
    const parts = [squares[0] / a.length, squares[1] / b.length];
    const whole = parts[0] + parts[1];
    const df = whole ** 2 / (parts[0] ** 2 / (a.length - 1) + parts[1] ** 2 / (b.length - 1));
    const error = Math.sqrt(whole);
    const half = gc.tQuantile(1 - alpha / 2, df) * error;
    const pooled = (squares[0] * (a.length - 1) + squares[1] * (b.length - 1)) / (a.length + b.length - 2);
    const effect = gc.rounded(difference) === 0 ? 0 : gc.rounded(pooled) ? difference / Math.sqrt(pooled) : NaN;
    return { difference, low: difference - half, high: difference + half, p: gc.tTwoSided(difference / error, df), effect };
  }

  /** The share of all ways to hand out the labels that separate two constant samples as they were. */
  function byLabels(first, second) {
    let ways = first === second ? 2 : 1;
    for (let i = 1; i <= first; i++) ways *= i / (second + i);
    return Math.max(Math.min(1, ways), gc.SMALLEST);
  }

  /**
   * Systems compared on the measure that decides: by paired t where they answered the same sessions, else by Welch's t; Holm's
   * correction for three and more. With a baseline each other system against it.
   * @returns {object|null} as gc.compare gives it, with `paired` and the `sizes` of the samples; null if there is
   *   nothing to compare
   */
  function compareSessions(observed, scores, alpha, baseline, settings) {
    const paired = observed.design === "paired";
    const common = gc.commonTopics(scores[PRIMARY]);
    const depth = Math.min(settings.depth, gc.facts.judging.deepest);
    const samples = scores[PRIMARY].map((row) => (paired ? common.map((s) => row[s]) : [...row].filter((value) => !Number.isNaN(value))));
    if (samples.length < 2 || samples.some((sample) => sample.length < 2)) return null;
    const means = samples.map(gc.mean);
    const base = observed.runs.findIndex((run) => run.name === baseline);
    const pairs = gc.comparedPairs(samples.length, base).map(([a, b]) => comparedPair(a, b, samples, paired, alpha));
    const adjust = samples.length > 2 ? "holm" : "none";
    const p = pairs.map((pair) => pair.p);
    const adjusted = adjust === "holm" ? gc.holm(p) : p;
    const shares = observed.runs.map((run) => judgedShare(run, paired ? new Set(common.map((s) => scores.ids[s])) : null, depth));
    pairs.forEach((pair, i) => {
      const standing = gc.shareStanding(depth, shares[pair.a], shares[pair.b]);
      Object.assign(pair, { p_adjusted: adjusted[i], significant: adjusted[i] <= alpha, standing });
    });
    return {
      measure: PRIMARY,
      topics: paired ? common : [...scores.ids.keys()],
      means,
      order: gc.bestFirst(means, observed.runs.map((run) => run.name)),
      baseline: base,
      adjust,
      pairs,
      paired,
      sizes: samples.map((sample) => sample.length),
    };
  }

  /** The share judged of the first documents of a system's lists, the mean over lists that have any. */
  function judgedShare(run, sessions, depth) {
    const shares = [];
    run.table.ids.forEach((id, s) => {
      if (sessions && !sessions.has(id)) return;
      for (let query = run.table.offsets[s]; query < run.table.offsets[s + 1]; query++) {
        const seen = Math.min(run.retrieved[query], depth);
        if (!seen) continue;
        let judged = 0;
        for (let row = run.rows[query]; row < run.rows[query + 1] && run.rank[row] <= depth; row++) judged++;
        shares.push(judged / seen);
      }
    });
    return shares.length ? shares.reduce((sum, share) => sum + share, 0) / shares.length : 1;
  }

  function comparedPair(a, b, samples, paired, alpha) {
    const [left, right] = [samples[a], samples[b]];
    const test = paired ? gc.pairedT(left.map((value, i) => value - right[i]), alpha) : welchT(left, right, alpha);
    const gap = gc.rounded(test.difference);
    const [better, worse] = gap > 0 ? [a, b] : gap < 0 ? [b, a] : [-1, -1];
    return { a, b, ...test, better, worse };
  }

  /** The comparison in one or two sentences, and the test as a paper tells it. */
  function sessionWords(observed, comparison, alpha) {
    const labels = observed.runs.map((run) => run.label);
    const { pairs, paired, sizes, topics } = comparison;
    const alike = pairs.length === 1 && pairs[0].better < 0;
    const same = () => gc.say("same mean", { measure: PRIMARY, a: labels[pairs[0].a], b: labels[pairs[0].b] });
    const words = alike ? same() : gc.verdict({ runs: observed.runs, labels }, { alpha }, comparison);
    const each = sizes.map((size, r) => `${size} ${labels[r]}`).join(", ");
    const sample = paired ? gc.counted(topics.length, "session") : gc.say("different units", { unit: "session", sizes: each });
    return { words, methods: gc.method(paired ? "paired t" : "welch", sample, comparison, alpha) };
  }

  /**
   * Everything that decided the numbers of a measure, in the order and words of Python's signatures.
   * @param {string} name - of a session measure
   */
  function sessionSignature(observed, settings, scores, name) {
    const { rules } = observed;
    const { parts: used } = gc.facts.sessions[name];
    const counts = scores.counts[name].map((n, r) => (n === scores.totals[r] ? String(n) : `${n}/${scores.totals[r]}`));
    const named = Object.entries(rules).map(([rule, value]) => [rule.replaceAll("_", "-"), value]);
    const parts = {
      ...Object.fromEntries(named),
      gain: gc.canonicalGains(observed.scale, settings.gains),
      discount: gc.canonicalDiscount(settings),
      "query-discount": gc.canonicalDiscount({ discount: settings.query_discount, base: settings.bq }),
      X: settings.depth,
      horizon: rules.horizon === "longest" ? `longest(${scores.longest})` : rules.horizon,
      duplicates: rules.duplicates ?? undefined,
      "unjudged-queries": rules.unjudged_queries ?? undefined,
      queries: rules.queries ?? undefined,
      average: rules.normalise === "concat" ? rules.average : "mean-of-ratios",
      judgments: observed.origin,
      "judged-by": observed.judged_by,
      unjudged: settings.unjudged,
      sessions: new Set(counts).size === 1 ? counts[0] : counts.join("+"),
      gaincurve: rules.version,
    };
    return gc.signed(name, parts, used);
  }

  /**
   * The sessions under some settings. `shown` is the measure of the curve; `off` names runs that the reader switched
   * off on the page, whose sessions are not drawn either.
   */
  class SessionAnalysis {
    #kept = new Map();

    constructor(observed, settings, { alpha = 0.05, baseline = "", shown = PRIMARY, off = [] } = {}) {
      Object.assign(this, { observed, settings, alpha, baseline, shown });
      const on = [...observed.runs.keys()].filter((r) => !off.includes(observed.runs[r].name));
      this.on = on.length ? on : [...observed.runs.keys()];
    }

    #once(key, make) {
      if (!this.#kept.has(key)) this.#kept.set(key, make());
      return this.#kept.get(key);
    }

    get scores() { return this.#once("scores", () => gc.sessionScores(this.observed, this.settings)); }
    get curve() { return this.#once("curve", () => gc.sessionCurve(this.observed, this.settings, this.shown)); }
    get last() { return this.#once("last", () => gc.lastQueries(this.observed, this.settings)); }
    get positions() { return this.#once("positions", () => gc.sessionPositions(this.observed, this.settings)); }
    get comparison() {
      return this.#once("comparison", () => compareSessions(this.observed, this.scores, this.alpha, this.baseline, this.settings));
    }
    get told() {
      return this.#once("told", () => this.comparison && sessionWords(this.observed, this.comparison, this.alpha));
    }
    signature(name) { return sessionSignature(this.observed, this.settings, this.scores, name); }
  }

  Object.assign(gc, { welchT, compareSessions, sessionWords, sessionSignature, SessionAnalysis });
})((globalThis.gaincurve ??= {}));
