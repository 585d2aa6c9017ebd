// Curves read otherwise: sideways (how much must be read for a gain), and precision by recall.
(function (gc) {
  "use strict";

  const POINTS = Array.from({ length: 11 }, (_, i) => i / 10);
  const ROUNDING = { "trec_eval-9": 0.9, "trec_eval-10": 0.5 };

  /**
   * Ranks that each run needs for what the ideal and each run give at a rank, read off the mean curves.
   * @param {string} name CG or DCG
   * @param {number} depth how far the curves go
   * @param {number} rank at which a giver's gain is taken
   * @returns {{givers: string[], targets: number[], needed: number[][], rank: number, depth: number}} NaN: never
   */
  function effort(observed, settings, name, depth, rank, curve = gc.curve(observed, settings, name, depth)) {
    const targetRank = Math.min(rank, depth);
    const targets = [curve.ideal[targetRank - 1], ...curve.values.map((values) => values[targetRank - 1])];
    const needed = targets.map((target) => curve.values.map((values) => ranksToReach(values, target)));
    return { givers: ["ideal", ...observed.labels], targets, needed, rank: targetRank, depth };
  }

  /** The first rank at which a rising curve reaches the target; NaN if it never does. */
  function ranksToReach(values, target) {
    const enough = target - gc.SAME * Math.abs(target);
    const index = values.findIndex((value) => value >= enough);
    return index < 0 ? NaN : index + 1;
  }

  /**
   * Mean interpolated precision at recall 0, .1, …, 1 for every run.
   * @returns {Float64Array[]}
   */
  function recallPoints(observed, settings) {
    const isRelevant = gc.relevance(observed, settings);
    const total = gc.totalRelevant(observed, settings);
    return observed.runs.map((run, r) => {
      const lists = gc.listsOf(observed, settings, r);
      const byPoint = POINTS.map(() => new Float64Array(observed.topics.count));
      for (let t = 0; t < observed.topics.count; t++) {
        const best = interpolated(lists, t, isRelevant);
        POINTS.forEach((level, p) => {
          const count = Math.max(needed(total[t], level, p, settings.points), 1);
          byPoint[p][t] = total[t] ? (best[count - 1] ?? 0) : NaN;
        });
      }
      return Float64Array.from(byPoint, (values) => gc.mean(gc.settled(values, run, settings)));
    });
  }

  /** The highest precision at any rank by which n relevant documents are found, for n = 1, 2, … */
  function interpolated(lists, t, isRelevant) {
    const precisions = [];
    for (let i = lists.offsets[t]; i < lists.offsets[t + 1]; i++) {
      if (isRelevant[lists.grade[i]]) precisions.push((precisions.length + 1) / lists.rank[i]);
    }
    for (let n = precisions.length - 2; n >= 0; n--) precisions[n] = Math.max(precisions[n], precisions[n + 1]);
    return precisions;
  }

  /** How many relevant documents it takes to reach a level of recall, under the rule `points`. */
  function needed(total, level, tenths, points) {
    return points === "exact" ? Math.floor((total * tenths + 9) / 10) : Math.floor(level * total + ROUNDING[points]);
  }

  Object.assign(gc, { effort, ranksToReach, recallPoints, POINTS });
})((globalThis.gaincurve ??= {}));
