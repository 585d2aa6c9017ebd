// Scores: every measure of the page from what was observed, under the settings, as Python computes it.
(function (gc) {
  "use strict";

  /**
   * How each measure of the page is computed, by the name of its record: from the gains at each rank, discounted and
   * normalised as the record says, or by a function of the relevant documents among the first k (`hits`).
   */
  const MEASURES = {
    CG: "gains",
    DCG: "gains",
    nCG: "gains",
    nDCG: "gains",
    P: (hits, total, k) => hits.found / k,
    R: (hits, total) => hits.found / total,
    AP: (hits, total) => hits.precisions / total,
    RR: (hits) => (hits.first ? 1 / hits.first : 0),
  };

  /** The record of a measure, as Python has it. */
  const record = (name) => gc.facts.measures[name];

  /**
   * D(1) … D(depth): how much a document loses because the user gets there late.
   * @param {object} settings discount and base
   * @param {number} depth
   * @returns {Float64Array}
   */
  function divisors(settings, depth) {
    const byRank = new Float64Array(depth);
    const base = settings.base === "inf" ? Infinity : settings.base;
    for (let i = 1; i <= depth; i++) byRank[i - 1] = divisor(settings.discount, base, i);
    return byRank;
  }

  const DIVISORS = {
    none: () => 1,
    rank: (i) => i,
    log: (i) => gc.log2(i + 1),
    jk2002: (i, base) => (i < base ? 1 : logarithm(i, base)),
    jarvelin2008: (i, base) => 1 + logarithm(i, base),
    kanoulas2011: (i, base) => logarithm(i + base - 1, base),
  };

  function divisor(discount, base, i) {
    return base === Infinity ? 1 : DIVISORS[discount](i, base);
  }

  function logarithm(x, base) {
    if (base === 2) return gc.log2(x);
    if (base === 10) return gc.log10(x);
    return Math.log(x) / Math.log(base);
  }

  /** The divisors of one measure: 1 for one that is not discounted. */
  function divisorsOf(settings, name, depth) {
    return record(name).discounted ? divisors(settings, depth) : new Float64Array(depth).fill(1);
  }

  /** Which places of the scale count as relevant. */
  function relevance(observed, settings) {
    return observed.scale.map((grade) => grade >= settings.rel);
  }

  /** How many judged documents of each topic are relevant. */
  function totalRelevant(observed, settings) {
    return totals(observed, relevance(observed, settings));
  }

  /** Whether anything judged in a topic has a gain: where not, nothing relative to an ideal is defined. */
  function canGain(observed, gains) {
    return totals(observed, gains.map((gain) => gain > 0));
  }

  function totals(observed, counts) {
    const width = observed.scale.length;
    const byTopic = new Int32Array(observed.topics.count);
    for (let t = 0; t < byTopic.length; t++) {
      for (let g = 0; g < width; g++) if (counts[g]) byTopic[t] += observed.base[t * width + g];
    }
    return byTopic;
  }

  /**
   * How many documents of each grade the ideal list of each topic is made of, flat by topic and grade.
   * @param {string} ideal judged, pooled or retrieved; the last is another for every run
   */
  function idealCounts(observed, settings, ideal, run) {
    const width = observed.scale.length;
    if (ideal === "retrieved") {
      const lists = gc.listsOf(observed, settings, run);
      const counts = new Int32Array(observed.base.length);
      for (let t = 0; t < observed.topics.count; t++) {
        for (let i = lists.offsets[t]; i < lists.offsets[t + 1]; i++) counts[t * width + lists.grade[i]]++;
      }
      return counts;
    }
    if (ideal !== "pooled" || !observed.pool) return observed.base;
    if (settings.unjudged !== "condensed") return observed.pool;
    return observed.pool.map((count, i) => (observed.isJudged[i % width] ? count : 0));
  }

  /** The places of the scale that gain something, highest gain first. */
  function byGain(gains) {
    const places = gains.map((_, g) => g).filter((g) => gains[g] > 0);
    return places.sort((a, b) => gains[b] - gains[a]);
  }

  /** The (discounted) gain of each topic's ideal list after `depth` documents. */
  function idealSums(observed, gains, counts, divisor, depth) {
    const width = observed.scale.length;
    const order = byGain(gains);
    const sums = new Float64Array(observed.topics.count);
    for (let t = 0; t < sums.length; t++) {
      let rank = 0;
      let sum = 0;
      for (const g of order) {
        const gain = gains[g];
        const end = Math.min(rank + counts[t * width + g], depth);
        for (; rank < end; rank++) sum += gain / divisor[rank];
      }
      sums[t] = sum;
    }
    return sums;
  }

  /** The (discounted) gain of each topic's own list after `depth` documents, added in rank order. */
  function ownSums(lists, topics, gains, divisor, depth) {
    const { rank, grade, offsets } = lists;
    const sums = new Float64Array(topics);
    for (let t = 0; t < topics; t++) {
      let sum = 0;
      for (let i = offsets[t]; i < offsets[t + 1] && rank[i] <= depth; i++) sum += gains[grade[i]] / divisor[rank[i] - 1];
      sums[t] = sum;
    }
    return sums;
  }

  /** As many ranks as any list, or any ideal list, has. */
  function lastRank(observed) {
    const width = observed.scale.length;
    let most = observed.longest;
    for (let t = 0; t < observed.topics.count; t++) {
      let judged = 0;
      for (let g = 0; g < width; g++) judged += observed.base[t * width + g];
      most = Math.max(most, judged);
    }
    return Math.max(1, most);
  }

  /**
   * One measure for every run and topic; NaN where it is undefined or the topic is left out.
   * @param {object} observed
   * @param {object} settings
   * @param {string} name
   * @param {?number} cutoff the last rank that counts; null for the whole list
   * @returns {Float64Array[]} by run, then topic
   */
  function scores(observed, settings, name, cutoff) {
    const depth = Math.min(cutoff ?? Infinity, lastRank(observed));
    const scoresOf = MEASURES[name] === "gains"
      ? gainScores(observed, settings, name, depth)
      : binaryScores(observed, settings, name, depth, cutoff);
    return observed.runs.map((run, r) => settled(scoresOf(r), run, settings));
  }

  /** Values under the rules for topics in which nothing can be gained, and for topics that the run lacks. */
  function settled(values, run, settings) {
    if (settings.empty === "zero") {
      for (let t = 0; t < values.length; t++) if (Number.isNaN(values[t])) values[t] = 0;
    }
    if (settings.missing === "skip") {
      for (let t = 0; t < values.length; t++) if (!run.present[t]) values[t] = NaN;
    }
    return values;
  }

  function gainScores(observed, settings, name, depth) {
    const { gains } = settings;
    const divisor = divisorsOf(settings, name, depth);
    const own = (r) => ownSums(gc.listsOf(observed, settings, r), observed.topics.count, gains, divisor, depth);
    if (!record(name).normalised) return own;
    const possible = canGain(observed, gains);
    const best = (r) => idealSums(observed, gains, idealCounts(observed, settings, settings.ideal, r), divisor, depth);
    const shared = settings.ideal === "retrieved" ? null : best(0);
    return (r) => {
      const ideal = shared ?? best(r);
      const shares = own(r);
      for (let t = 0; t < shares.length; t++) shares[t] = relative(shares[t], ideal[t], possible[t]);
      return shares;
    };
  }

  /** The share of the ideal: undefined only where nothing judged has a gain, 0 where a list has no ideal of its own. */
  function relative(sum, ideal, possible) {
    return ideal > 0 ? sum / ideal : possible ? 0 : NaN;
  }

  function binaryScores(observed, settings, name, depth, cutoff) {
    const isRelevant = relevance(observed, settings);
    const total = totalRelevant(observed, settings);
    const value = MEASURES[name];
    const { undefined: lacks } = record(name);
    return (r) => {
      const lists = gc.listsOf(observed, settings, r);
      const values = new Float64Array(observed.topics.count);
      for (let t = 0; t < values.length; t++) {
        const hits = hitsOf(lists, t, isRelevant, depth);
        values[t] = lacks && !total[t] ? NaN : value(hits, total[t], cutoff);
      }
      return values;
    };
  }

  /** Relevant documents among the first `depth` of a topic: how many, the rank of the first, the sum of precisions. */
  function hitsOf(lists, t, isRelevant, depth) {
    let relevant = 0;
    let first = 0;
    let precisions = 0;
    for (let i = lists.offsets[t]; i < lists.offsets[t + 1] && lists.rank[i] <= depth; i++) {
      if (!isRelevant[lists.grade[i]]) continue;
      relevant++;
      first ||= lists.rank[i];
      precisions += relevant / lists.rank[i];
    }
    return { found: relevant, first, precisions };
  }

  /** The measure that decides, and where it is cut. */
  function primary(settings) {
    const { whole } = record(settings.measure);
    return { name: settings.measure, cutoff: whole ? (settings.cutoff ?? null) : settings.depth };
  }

  /** The measure by which curves are drawn: the one that decides, or the default where it has none. */
  function curveMeasure(settings) {
    return record(settings.measure).curve ? settings.measure : gc.facts.default;
  }

  /** The measure that is swept: the one that decides, or the default where it has no gains to vary. */
  function sweptMeasure(settings) {
    return record(settings.measure).gains ? settings.measure : gc.facts.default;
  }

  Object.assign(gc, {
    MEASURES, record, curveMeasure, sweptMeasure, divisors, divisorsOf, relevance, totalRelevant, canGain, idealCounts, byGain, idealSums,
    ownSums, lastRank, scores, settled, relative, primary,
  });
})((globalThis.gaincurve ??= {}));
