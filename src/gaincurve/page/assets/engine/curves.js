// Curves: values by rank, one row per topic, and their means over topics with intervals.
(function (gc) {
  "use strict";

  /**
   * One measure of one run by topic and rank, flat; `defined[t]` tells whether topic t counts.
   * @typedef {{values: Float64Array, defined: Uint8Array, depth: number}} Rows
   */

  /**
   * Every run's measure by topic and rank.
   * @param {string} name of a measure that has a curve
   * @param {number} depth
   * @returns {(run: number) => Rows}
   */
  function rows(observed, settings, name, depth) {
    return gc.record(name).gains
      ? gainRows(observed, settings, name, depth)
      : binaryRows(observed, settings, name, depth);
  }

  function gainRows(observed, settings, name, depth) {
    const topics = observed.topics.count;
    const { gains } = settings;
    const divisor = gc.divisorsOf(settings, name, depth);
    const { normalised } = gc.record(name);
    const possible = normalised ? gc.canGain(observed, gains) : null;
    const best = (r) => idealRows(observed, gains, gc.idealCounts(observed, settings, settings.ideal, r), divisor);
    const shared = normalised && settings.ideal !== "retrieved" ? best(0) : null;
    return (r) => {
      const values = running(gc.listsOf(observed, settings, r), topics, gains, divisor);
      const defined = counted(observed, settings, r);
      if (!normalised) return { values, defined, depth };
      const ideal = shared ?? best(r);
      const { relative } = gc;
      for (let t = 0; t < topics; t++) {
        const some = possible[t];
        for (let i = t * depth; i < (t + 1) * depth; i++) values[i] = relative(values[i], ideal[i], some);
      }
      return withoutEmpty({ values, defined, depth }, possible, settings);
    };
  }

  function binaryRows(observed, settings, name, depth) {
    const gains = gc.relevance(observed, settings).map(Number);
    const total = gc.totalRelevant(observed, settings);
    const undiscounted = new Float64Array(depth).fill(1);
    const value = gc.MEASURES[name];
    const hits = { found: 0 };
    return (r) => {
      const values = running(gc.listsOf(observed, settings, r), observed.topics.count, gains, undiscounted);
      const runRows = { values, defined: counted(observed, settings, r), depth };
      for (let t = 0, i = 0; t < observed.topics.count; t++) {
        for (let k = 1; k <= depth; k++, i++) {
          hits.found = values[i];
          values[i] = value(hits, total[t], k);
        }
      }
      return gc.record(name).undefined ? withoutEmpty(runRows, total, settings) : runRows;
    };
  }

  /** The sums by rank of what each document gains, discounted. */
  function running({ rank, grade, offsets }, topics, gains, divisor) {
    const depth = divisor.length;
    const sums = new Float64Array(topics * depth);
    for (let t = 0; t < topics; t++) {
      const row = t * depth;
      let sum = 0;
      let k = 0;
      for (let i = offsets[t]; i < offsets[t + 1] && rank[i] <= depth; i++) {
        for (; k < rank[i] - 1; k++) sums[row + k] = sum;
        sum += gains[grade[i]] / divisor[k];
      }
      for (; k < depth; k++) sums[row + k] = sum;
    }
    return sums;
  }

  /** The ideal's sums by topic and rank. */
  function idealRows(observed, gains, counts, divisor) {
    const depth = divisor.length;
    const width = observed.scale.length;
    const order = gc.byGain(gains);
    const sums = new Float64Array(observed.topics.count * depth);
    for (let t = 0; t < observed.topics.count; t++) {
      let rank = 0;
      let sum = 0;
      for (const g of order) {
        const gain = gains[g];
        const end = Math.min(rank + counts[t * width + g], depth);
        for (; rank < end; rank++) sums[t * depth + rank] = sum += gain / divisor[rank];
      }
      sums.fill(sum, t * depth + rank, (t + 1) * depth);
    }
    return sums;
  }

  /** 1 for topics that enter the run's means. */
  function counted(observed, settings, run) {
    const { present } = observed.runs[run];
    return settings.missing === "skip" ? present.slice() : new Uint8Array(observed.topics.count).fill(1);
  }

  /** Topics in which nothing can be found: left out, or 0 at every rank. */
  function withoutEmpty(runRows, possible, settings) {
    for (let t = 0; t < possible.length; t++) {
      if (possible[t]) continue;
      if (settings.empty === "zero") runRows.values.fill(0, t * runRows.depth, (t + 1) * runRows.depth);
      else runRows.defined[t] = 0;
    }
    return runRows;
  }

  /**
   * The mean over topics at every rank, with the 1 − alpha interval of the mean.
   * @param {Rows} rows
   * @returns {{values: Float64Array, low: Float64Array, high: Float64Array, topics: number}}
   */
  function meanRows({ values, defined, depth }, alpha) {
    const topics = defined.reduce((sum, flag) => sum + flag, 0);
    const middle = new Float64Array(depth);
    const squares = new Float64Array(depth);
    eachDefined(defined, (t) => {
      for (let k = 0, i = t * depth; k < depth; k++, i++) middle[k] += values[i];
    });
    for (let k = 0; k < depth; k++) middle[k] /= topics || NaN;
    eachDefined(defined, (t) => {
      for (let k = 0, i = t * depth; k < depth; k++, i++) {
        const apart = values[i] - middle[k];
        squares[k] += apart * apart;
      }
    });
    const critical = gc.tCritical(alpha, topics - 1);
    const half = squares.map((square) => critical * Math.sqrt(square / (topics - 1) / topics));
    return { values: middle, low: middle.map((m, k) => m - half[k]), high: middle.map((m, k) => m + half[k]), topics };
  }

  function eachDefined(defined, job) {
    for (let t = 0; t < defined.length; t++) if (defined[t]) job(t);
  }

  /**
   * The mean curve of every run with its interval, and the ideal's.
   * @returns {{name: string, depth: number, values: Float64Array[], low: Float64Array[], high: Float64Array[],
   *   topics: number[], ideal: Float64Array}}
   */
  function curve(observed, settings, name, depth) {
    const rowsOf = rows(observed, settings, name, depth);
    const means = observed.runs.map((_, r) => meanRows(rowsOf(r), settings.alpha));
    const of = (key) => means.map((mean) => mean[key]);
    const ideal = idealCurve(observed, settings, name, depth);
    return { name, depth, values: of("values"), low: of("low"), high: of("high"), topics: of("topics"), ideal };
  }

  /** The mean of the ideal curves over topics that count for at least one run. */
  function idealCurve(observed, settings, name, depth) {
    if (gc.record(name).normalised) return new Float64Array(depth).fill(1);
    const defined = observed.runs.map((_, r) => counted(observed, settings, r));
    const some = defined[0].map((_, t) => (defined.some((flags) => flags[t]) ? 1 : 0));
    const { values, empty } = idealOf(observed, settings, name, depth);
    if (empty && settings.empty !== "zero") some.forEach((_, t) => (some[t] = empty[t] ? 0 : some[t]));
    return meanRows({ values, defined: some, depth }, settings.alpha).values;
  }

  /** Each topic's ideal by rank, and the topics that have none where it can be undefined; an ideal of judged documents. */
  function idealOf(observed, settings, name, depth) {
    const topics = observed.topics.count;
    if (gc.record(name).normalised) return { values: new Float64Array(topics * depth).fill(1), empty: null };
    if (gc.record(name).gains) {
      const divisor = gc.divisorsOf(settings, name, depth);
      return { values: idealRows(observed, settings.gains, observed.base, divisor), empty: null };
    }
    const total = gc.totalRelevant(observed, settings);
    const values = new Float64Array(topics * depth);
    for (let t = 0; t < topics; t++) {
      if (!total[t]) continue;
      for (let k = 1; k <= depth; k++) {
        values[t * depth + k - 1] = gc.MEASURES[name]({ found: Math.min(k, total[t]) }, total[t], k);
      }
    }
    return { values, empty: gc.record(name).undefined ? total.map((relevant) => (relevant ? 0 : 1)) : null };
  }

  /**
   * One topic's curve under one run, and its ideal; NaN at every rank where the topic does not count.
   * @returns {{values: Float64Array, ideal: Float64Array}}
   */
  function topicCurve(observed, settings, name, depth, run, topic) {
    const runRows = rows(observed, settings, name, depth)(run);
    const values = runRows.values.slice(topic * depth, (topic + 1) * depth);
    const ideal = idealOf(observed, settings, name, depth).values.slice(topic * depth, (topic + 1) * depth);
    return { values: runRows.defined[topic] ? values : values.fill(NaN), ideal };
  }

  /**
   * Two runs by rank, a less b, over the topics that count for both, with the paired t interval and the crossings.
   * @returns {{values: Float64Array, low: Float64Array, high: Float64Array, topics: number,
   *   crossings: {rank: number, ahead: number, behind: number}[]}}
   */
  function difference(observed, settings, name, depth, a, b) {
    const rowsOf = rows(observed, settings, name, depth);
    const [left, right] = [rowsOf(a), rowsOf(b)];
    const defined = left.defined.map((counts, t) => counts & right.defined[t]);
    const means = [left, right].map((side) => meanRows({ ...side, defined }, settings.alpha).values);
    const gaps = { values: left.values, defined, depth };
    for (let i = 0; i < gaps.values.length; i++) gaps.values[i] -= right.values[i];
    return { ...meanRows(gaps, settings.alpha), crossings: crossings(a, means[0], b, means[1]) };
  }

  const SAME = 1e-12; // nearer values, relative to the larger, are equal: their sums were only rounded otherwise

  /** The ranks at which the run that was behind gets ahead; touching without passing is no crossing. */
  function crossings(nameA, a, nameB, b) {
    const turns = [];
    let before = 0;
    a.forEach((value, k) => {
      const gap = value - b[k];
      const now = Math.abs(gap) > SAME * Math.max(Math.abs(value), Math.abs(b[k])) ? Math.sign(gap) : 0;
      if (now && before && now !== before) {
        const [ahead, behind] = now > 0 ? [nameA, nameB] : [nameB, nameA];
        turns.push({ rank: k + 1, ahead, behind });
      }
      before = now || before;
    });
    return turns;
  }

  Object.assign(gc, { curve, topicCurve, difference, crossings, meanRows, SAME });
})((globalThis.gaincurve ??= {}));
