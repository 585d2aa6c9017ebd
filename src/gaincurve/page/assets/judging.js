// How well the lists are judged: grades by rank, the share unjudged, and what is worth judging next.
(function (gc) {
  "use strict";

  /**
   * At every rank, in how many topics a document of each grade, an unjudged one, or none (the list has ended) stands.
   * @param {number} run
   * @param {number} depth
   * @returns {{labels: string[], counts: Int32Array[]}} labels: the scale, 'unjudged', 'nothing'; counts by rank
   */
  function gradesByRank(observed, settings, run, depth) {
    const { scale, isJudged } = observed;
    const lists = gc.listsOf(observed, settings, run);
    const [unjudged, nothing] = [scale.length, scale.length + 1];
    const counts = Array.from({ length: depth }, () => new Int32Array(scale.length + 2));
    for (let t = 0; t < observed.topics.count; t++) {
      if (settings.missing === "skip" && !observed.runs[run].present[t]) continue;
      for (let k = 0; k < depth; k++) counts[k][k < lists.retrieved[t] ? unjudged : nothing]++;
      for (let i = lists.offsets[t]; i < lists.offsets[t + 1] && lists.rank[i] <= depth; i++) {
        if (!isJudged[lists.grade[i]]) continue;
        const row = counts[lists.rank[i] - 1];
        row[unjudged]--;
        row[lists.grade[i]]++;
      }
    }
    return { labels: [...scale.map(gc.numberText), "unjudged", "nothing"], counts };
  }

  /**
   * The share of unjudged documents among the first k retrieved, the mean over topics that retrieved any.
   * @returns {Float64Array[]} by run, then k
   */
  function unjudgedByRank(observed, depth) {
    return observed.runs.map(({ all }) => {
      const found = new Float64Array(depth);
      let topics = 0;
      for (let t = 0; t < observed.topics.count; t++) {
        if (!all.retrieved[t]) continue;
        topics++;
        let judged = 0;
        let i = all.offsets[t];
        for (let k = 1; k <= depth; k++) {
          for (; i < all.offsets[t + 1] && all.rank[i] <= k; i++) judged += observed.isJudged[all.grade[i]] ? 1 : 0;
          const seen = Math.min(k, all.retrieved[t]);
          found[k - 1] += (seen - judged) / seen;
        }
      }
      return found.map((sum) => (topics ? sum / topics : NaN));
    });
  }

  /**
   * Unjudged documents above the depth, by how far a best grade for one could move two runs apart in their mean nDCG.
   *
   * That is the best gain times the largest difference of 1/D(rank) between runs (0 where a run has it below the depth
   * or not at all), as a share of the topic's ideal, over the number of topics. Only documents that the page names.
   * @param {number} most how many are wanted
   * @returns {{topic: number, document: number, runs: {run: number, rank: number}[], swing: number}[]}
   */
  function toJudge(observed, settings, most) {
    if (!observed.documents) return [];
    const { depth, gains } = settings;
    const divisor = gc.divisors(settings, depth);
    const ideal = gc.idealSums(observed, gains, observed.base, divisor, depth);
    const best = Math.max(...gains);
    const found = [];
    observed.documents.forEach((entry, topic) => {
      const whole = Math.max(ideal[topic], best / divisor[0]) * observed.topics.count;
      placesOf(observed, entry, depth).forEach((runs, document) => {
        const worth = observed.runs.map(() => 0);
        for (const { run, rank } of runs) worth[run] = 1 / divisor[rank - 1];
        const swing = whole > 0 ? (best * (Math.max(...worth) - Math.min(...worth))) / whole : 0;
        found.push({ topic, document, runs, swing });
      });
    });
    found.sort((a, b) => b.swing - a.swing || a.topic - b.topic || a.document - b.document);
    return found.slice(0, most);
  }

  /** Every unjudged document of a topic that stands above the depth, and where. */
  function placesOf(observed, entry, depth) {
    const places = new Map();
    entry.lists.forEach((list, run) => {
      list.slice(0, depth).forEach((document, at) => {
        const grade = entry.grade[document];
        if (grade >= 0 && observed.isJudged[grade]) return;
        if (!places.has(document)) places.set(document, []);
        places.get(document).push({ run, rank: at + 1 });
      });
    });
    return places;
  }

  Object.assign(gc, { gradesByRank, unjudgedByRank, toJudge });
})((globalThis.gaincurve ??= {}));
