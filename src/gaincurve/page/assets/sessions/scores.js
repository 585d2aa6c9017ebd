// The numbers of sessions: sDCG and nsDCG, their mean over concatenated ranks, last against other queries, positions.
(function (gc) {
  "use strict";

  const MOST_SHOWN = 1000;

  /** Whether a query enters means over queries: it is judged, or counts as 0. */
  const enters = (row, plan) => row.topic >= 0 || plan.rules.unjudged_queries === "zero";

  /** nsDCG at every place, NaN where the ideal has gained nothing; 0 before the first judged query if the others count. */
  function shares(rows, plan) {
    const values = plainShares(rows, plan);
    if (plan.rules.unjudged_queries !== "zero") return values;
    const first = rows.findIndex((row) => row.topic >= 0);
    const leading = (first < 0 ? rows : rows.slice(0, first)).reduce((sum, row) => sum + row.own.length, 0);
    return values.map((value, i) => (i < leading ? 0 : value));
  }

  function plainShares(rows, plan) {
    const own = rows.map((row) => row.own);
    if (plan.rules.normalise === "concat") {
      return ratios(gc.cumulatedRows(own, plan), gc.cumulatedRows(gc.idealLists(rows, plan), plan));
    }
    const best = gc.bestLists(rows, plan);
    const share = own.map((list, q) => list.map((value, r) => (best[q][r] > 0 ? value / best[q][r] : 0)));
    const possible = gc.cumulatedRows(best, plan);
    return gc.cumulatedRows(share, plan).map((value, i) => (possible[i] > 0 ? value : NaN));
  }

  const ratio = (above, below) => (below > 0 ? above / below : NaN);
  const ratios = (above, below) => above.map((value, i) => ratio(value, below[i]));
  const last = (line) => (line.length ? line[line.length - 1] : 0);
  const defined = (values) => values.filter((value) => !Number.isNaN(value));

  /** The sessions of all systems together, and where each system's own stand among them. */
  function columns(observed) {
    const index = new Map();
    const place = observed.runs.map((run) => run.table.ids.map((id) => {
      if (!index.has(id)) index.set(id, index.size);
      return index.get(id);
    }));
    return { ids: [...index.keys()], place };
  }

  /**
   * sDCG and nsDCG of every session of every system, NaN undefined or left out, and their summaries.
   * @returns {{ids: string[], sDCG: Float64Array[], nsDCG: Float64Array[], means: {sDCG: number[], nsDCG: number[]},
   *   counts: {sDCG: number[], nsDCG: number[]}, totals: number[]}} values by system and session
   */
  gc.sessionScores = function (observed, settings) {
    const plan = gc.sessionPlan(observed, settings, "nsDCG");
    const { ids, place } = columns(observed);
    const scores = { ids, sDCG: [], nsDCG: [], means: { sDCG: [], nsDCG: [] }, counts: { sDCG: [], nsDCG: [] } };
    scores.totals = observed.runs.map((run) => run.table.ids.length);
    scores.longest = plan.longest;
    observed.runs.forEach((run, r) => {
      const own = runScores(run, plan);
      scores.means.sDCG.push(gc.mean(defined(own.actual)));
      scores.means.nsDCG.push(own.pooled ? pooledMean(own) : gc.mean(defined(own.share)));
      for (const [name, values] of [["sDCG", own.actual], ["nsDCG", own.share]]) {
        const row = new Float64Array(ids.length).fill(NaN);
        values.forEach((value, s) => { row[place[r][s]] = value; });
        scores[name].push(row);
        scores.counts[name].push(defined(values).length);
      }
    });
    return scores;
  };

  function runScores(run, plan) {
    const many = run.table.ids.length;
    const [actual, ideal, share] = [0, 1, 2].map(() => new Float64Array(many).fill(NaN));
    const concat = plan.rules.normalise === "concat";
    for (let s = 0; s < many; s++) {
      if (!gc.sessionCounts(run, s, plan.rules)) continue;
      const { rows } = gc.sessionRows(run, s, plan);
      actual[s] = last(gc.cumulatedRows(rows.map((row) => row.own), plan));
      if (concat) ideal[s] = last(gc.cumulatedRows(gc.idealLists(rows, plan), plan));
      share[s] = concat ? ratio(actual[s], ideal[s]) : rows.length ? last(shares(rows, plan)) : NaN;
      if (plan.rules.empty === "zero" && Number.isNaN(share[s])) share[s] = 0;
    }
    return { actual, ideal, share, pooled: concat && plan.rules.average === "ratio-of-means" };
  }

  /** The mean of the sessions over the mean of their ideals. */
  function pooledMean({ actual, ideal, share }) {
    const there = [...share.keys()].filter((s) => !Number.isNaN(share[s]));
    return ratio(gc.mean(there.map((s) => actual[s])), gc.mean(there.map((s) => ideal[s])));
  }

  /**
   * The mean of sDCG or nsDCG over the concatenated ranks: rank r of query q stands at (q−1) · depth + r. After a
   * session stopped its last value is held.
   * @param {string} name - of a session measure
   * @returns {{name: string, depth: number, queries: number, values: Float64Array[], ideal: Float64Array[],
   *   going: number[][], sessions: number[]}} by system; `going`: how many sessions had a first, second, … query
   */
  gc.sessionCurve = function (observed, settings, name = "nsDCG") {
    const plan = gc.sessionPlan(observed, settings, name);
    const queries = Math.min(MOST_SHOWN, plan.queries);
    const curve = { name, depth: plan.depth, queries, values: [], ideal: [], going: [], sessions: [] };
    for (const run of observed.runs) {
      const line = meanLine(run, plan, queries, gc.facts.sessions[name].normalised);
      curve.values.push(line.values);
      curve.ideal.push(line.ideal);
      curve.going.push(line.going);
      curve.sessions.push(line.sessions);
    }
    return curve;
  };

  function meanLine(run, plan, queries, relative) {
    const { rules, depth } = plan;
    const pooled = relative && rules.average === "ratio-of-means" && rules.normalise === "concat";
    const zero = rules.empty === "zero";
    const actual = held(queries * depth);
    const best = held(queries * depth);
    const going = new Array(queries).fill(0);
    let sessions = 0;
    for (let s = 0; s < run.table.ids.length; s++) {
      if (!gc.sessionCounts(run, s, rules)) continue;
      sessions += 1;
      const { rows, queries: own } = gc.sessionRows(run, s, plan);
      for (let q = 0; q < Math.min(own, queries); q++) going[q] += 1;
      const share = relative && !pooled;
      let line = share ? shares(rows, plan) : gc.cumulatedRows(rows.map((row) => row.own), plan);
      if (share && zero) line = line.map((value) => (Number.isNaN(value) ? 0 : value));
      add(actual, line, share && !zero ? NaN : 0);
      add(best, gc.cumulatedRows(gc.idealLists(rows, plan), plan), 0);
    }
    const mean = ratios(actual.total, actual.known);
    const ideal = ratios(best.total, best.known);
    const ones = new Float64Array(ideal.length).fill(1);
    return { values: pooled ? ratios(mean, ideal) : mean, ideal: relative ? ones : ideal, going, sessions };
  }

  const held = (places) => ({ total: new Float64Array(places), known: new Float64Array(places) });

  /** Add one session at every place; `value` is that of a session without queries. */
  function add(sums, line, value) {
    for (let i = 0; i < sums.total.length; i++) {
      if (i < line.length) value = line[i];
      if (Number.isNaN(value)) continue;
      sums.total[i] += value;
      sums.known[i] += 1;
    }
  }

  /**
   * Figure 1 of the 2008 paper: mean c(q)·DCG by rank, of the last queries and of those before them.
   * @returns {{last: Float64Array, others: Float64Array, sessions: number, otherQueries: number}[]} by system
   */
  gc.lastQueries = function (observed, settings) {
    const plan = gc.sessionPlan(observed, settings, "sDCG");
    return observed.runs.map((run) => {
      const sums = [new Float64Array(plan.depth), new Float64Array(plan.depth)];
      const many = [0, 0];
      eachQuery(run, plan, (row, q, queries) => {
        if (!enters(row, plan)) return;
        const side = q === queries - 1 ? 0 : 1;
        many[side] += 1;
        for (let r = 0; r < plan.depth; r++) sums[side][r] += plan.queryWeight[q] * row.own[r];
      });
      const [lastOnes, others] = sums.map((side, i) => side.map((sum) => ratio(sum, many[i])));
      return { last: lastOnes, others, sessions: many[0], otherQueries: many[1] };
    });
  };

  /**
   * What the first, second, … queries gave: means over the sessions that have one.
   * @returns {{position: number, queries: number, judged: number, entering: number, defined: number, dcg: number, discounted: number, ndcg: number, empty: number}[][]}
   *   by system
   */
  gc.sessionPositions = function (observed, settings) {
    const plan = gc.sessionPlan(observed, settings, "sDCG");
    const most = Math.min(MOST_SHOWN, plan.queries);
    return observed.runs.map((run) => {
      const sums = Array.from({ length: most }, () => ({ queries: 0, judged: 0, entering: 0, dcg: 0, discounted: 0, ndcg: 0, shares: 0, empty: 0 }));
      eachQuery(run, plan, (row, q) => {
        if (q >= most) return;
        const own = row.own[plan.depth - 1];
        const judged = row.topic >= 0;
        const share = judged ? ratio(own, gc.bestLists([row], plan)[0][plan.depth - 1]) : enters(row, plan) ? 0 : NaN;
        const sum = sums[q];
        sum.queries += 1;
        sum.judged += judged;
        sum.entering += enters(row, plan);
        sum.dcg += own;
        sum.discounted += plan.queryWeight[q] * own;
        if (!Number.isNaN(share)) { sum.ndcg += share; sum.shares += 1; }
        if (row.listed === 0) sum.empty += 1;
      });
      return sums.filter((sum) => sum.queries).map((sum, q) => ({
        position: q + 1,
        queries: sum.queries,
        judged: sum.judged,
        entering: sum.entering,
        defined: sum.shares,
        dcg: ratio(sum.dcg, sum.entering),
        discounted: ratio(sum.discounted, sum.entering),
        ndcg: ratio(sum.ndcg, sum.shares),
        empty: sum.empty,
      }));
    });
  };

  /** Every query that was issued in a session that counts, with its place and how many the session has. */
  function eachQuery(run, plan, visit) {
    for (let s = 0; s < run.table.ids.length; s++) {
      if (!gc.sessionCounts(run, s, plan.rules)) continue;
      const { rows, queries } = gc.sessionRows(run, s, plan);
      rows.slice(0, queries).forEach((row, q) => visit(row, q, queries));
    }
  }
})((globalThis.gaincurve ??= {}));
