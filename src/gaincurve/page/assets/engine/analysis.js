// One analysis: everything the page shows under one choice of settings, each thing computed once and only if shown.
(function (gc) {
  "use strict";

  const REACH = 100;

  /** What was observed, seen under one choice of settings. */
  class Analysis {
    #kept = new Map();

    /**
     * @param {object} observed as `observe` gives it
     * @param {object} settings
     * @param {?object} written the verdict that Python wrote for these settings, by whichever test was asked for
     */
    constructor(observed, settings, written = null) {
      Object.assign(this, { observed, settings, written });
    }

    #once(key, compute) {
      if (!this.#kept.has(key)) this.#kept.set(key, compute());
      return this.#kept.get(key);
    }

    /** The name of the measure that decides, and its cutoff. */
    get primary() {
      return gc.primary(this.settings);
    }

    /** The measure that decides, as text. */
    get measure() {
      return gc.measureText(this.settings, this.primary.name, this.primary.cutoff);
    }

    /** The rank to which curves are drawn. */
    get reach() {
      return Math.max(1, Math.min(this.observed.longest, Math.max(this.settings.depth, REACH)));
    }

    /** The scores of a measure, by run and topic; of the one that decides unless another is named. */
    scores(name = this.primary.name, cutoff = this.cutoffOf(name)) {
      return this.#once(`scores ${name} ${cutoff}`, () => gc.scores(this.observed, this.settings, name, cutoff));
    }

    /** Where a measure is cut under these settings. */
    cutoffOf(name) {
      if (name === this.primary.name) return this.primary.cutoff;
      return gc.record(name).whole ? null : this.settings.depth;
    }

    /** The mean of a measure for every run, over the topics for which it has one. */
    means(name = this.primary.name, cutoff = this.cutoffOf(name)) {
      return this.#once(`means ${name} ${cutoff}`, () => this.scores(name, cutoff).map(gc.mean));
    }

    /** The mean curves of a measure. */
    curve(name, depth = this.reach) {
      return this.#once(`curve ${name} ${depth}`, () => gc.curve(this.observed, this.settings, name, depth));
    }

    /** One topic's curve under one run. */
    topicCurve(name, run, topic, depth = this.reach) {
      const key = `topic ${name} ${depth} ${run} ${topic}`;
      return this.#once(key, () => gc.topicCurve(this.observed, this.settings, name, depth, run, topic));
    }

    /** Two runs by rank, a less b. */
    difference(name, a, b, depth = this.reach) {
      const key = `difference ${name} ${depth} ${a} ${b}`;
      return this.#once(key, () => gc.difference(this.observed, this.settings, name, depth, a, b));
    }

    /** Ranks needed for what each run and the ideal give at a rank: the depth, where curves go so far. */
    effort(name = "CG", rank = Math.min(this.settings.depth, this.reach), depth = this.reach) {
      const read = () => gc.effort(this.observed, this.settings, name, depth, rank, this.curve(name, depth));
      return this.#once(`effort ${name} ${rank} ${depth}`, read);
    }

    /** Mean interpolated precision at the eleven points of recall. */
    get recallPoints() {
      return this.#once("recall", () => gc.recallPoints(this.observed, this.settings));
    }

    /** Which grades stand at which rank. */
    gradesByRank(run, depth = this.reach) {
      return this.#once(`grades ${run} ${depth}`, () => gc.gradesByRank(this.observed, this.settings, run, depth));
    }

    /** The share of unjudged documents by rank. */
    unjudgedByRank(depth = this.reach) {
      return this.#once(`unjudged ${depth}`, () => gc.unjudgedByRank(this.observed, depth));
    }

    /** All pairs, or all against the baseline, on the measure that decides. */
    get comparison() {
      return this.#once("comparison", () => {
        const comparison = gc.compare(this.observed, this.settings, this.scores());
        return this.written ? gc.asWritten(comparison, this.written) : comparison;
      });
    }

    /** The runs from best to worst. */
    get leaderboard() {
      return this.#once("leaderboard", () => gc.leaderboard(this.observed, this.settings, this.comparison));
    }

    /** The verdict in words. */
    get verdict() {
      return this.written?.verdict ?? this.#once("verdict", () => gc.verdict(this.observed, this.settings, this.comparison));
    }

    /** The methods sentence. */
    get methods() {
      return this.written?.methods ?? gc.methods(this.observed, this.settings, this.comparison);
    }

    /** What the intervals of differences are. */
    get intervals() {
      return this.written?.intervals ?? gc.say("paired t intervals", { level: gc.general(100 * (1 - this.settings.alpha)) });
    }

    /** What the chances that an order holds once all is judged rest on; '' where there are none. */
    get model() {
      if (this.written) return this.written.model;
      const { prior } = this.comparison.seen ?? {};
      return prior ? gc.say("if judged", { model: gc.say(`model ${prior}`) }) : "";
    }

    /** The signature of the comparison. */
    get signature() {
      if (this.written) return new gc.Signature(this.written.signature);
      return gc.comparisonSignature(this.observed, this.settings, this.comparison);
    }

    /** What decided the verdict: of the comparison, or of the scores of a single run. */
    get deciding() {
      return this.observed.runs.length > 1 ? this.signature : this.signatureOf(this.primary.name);
    }

    /** The signature of the scores of one measure. */
    signatureOf(name, cutoff = this.cutoffOf(name)) {
      return gc.signature(this.observed, this.settings, name, cutoff, this.scores(name, cutoff));
    }

    /** How documents were counted, whatever they gain: a signature without a measure. */
    get rulesSignature() {
      const { gain, ...rules } = gc.partsOf(this.observed, this.settings, "CG", this.reach, gc.topicsText(this.scores("CG", this.reach)));
      return gc.signed(null, rules);
    }

    /** As `gaincurve sweep` signs: how many gains and discounts were tried, over which ranks. */
    get sweepSignature() {
      const { measure, settings: tried } = this.sweep;
      const parts = gc.partsOf(this.observed, this.settings, measure, null, gc.topicsText(this.scores(measure, null)));
      const many = (key) => `${new Set(tried.map(key)).size} swept`;
      const depths = tried.map((setting) => setting.depth);
      const swept = {
        gain: many((setting) => setting.gains_text),
        discount: parts.discount && many(gc.discountText),
        ranks: `${Math.min(...depths)}–${Math.max(...depths)}`,
        settings: depths.length,
        ...gc.testParts(this.settings, this.observed.runs.length > 2 ? "holm" : "none"),
      };
      return gc.signed(gc.measureText(this.settings, measure, null), { ...parts, ...swept });
    }

    /** Who wins for which user. */
    get sweep() {
      return this.#once("sweep", () => gc.sweep(this.observed, this.settings));
    }

    /** What is worth judging next, until every order is likely, then until it is certain; null where no rule is known. */
    get toJudge() {
      return this.#once("judge", () => {
        const rows = gc.toJudge(this.observed, this.settings);
        if (!rows || rows.length) return rows && { rows, stop: "plausible" };
        return { rows: gc.toJudge(this.observed, this.settings, "certain"), stop: "certain" };
      });
    }
  }

  gc.Analysis = Analysis;
})((globalThis.gaincurve ??= {}));
