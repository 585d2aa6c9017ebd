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
   * Unjudged documents above the depth, by how far a best grade for one would move two runs apart in their mean nDCG.
   *
   * The document gains in the runs that show it and raises the ideal of its topic for all; a topic that had nothing to
   * gain begins to count. Exact where the ideal is that of the judgments, unjudged documents keep their ranks and the
   * depth is within what the page names; under other rules it is what would happen there.
   * @param {number} most how many are wanted
   * @returns {{topic: number, document: number, runs: {run: number, rank: number}[], swing: number}[]}
   */
  function toJudge(observed, settings, most) {
    if (!observed.documents) return [];
    const { depth, gains } = settings;
    const plain = { ...settings, unjudged: "zero", ideal: "judged" };
    const divisor = gc.divisors(settings, depth);
    const best = gains.indexOf(Math.max(...gains));
    const raised = observed.base.slice();
    for (let t = 0; t < observed.topics.count; t++) raised[t * observed.scale.length + best]++;
    const ideal = gc.idealSums(observed, gains, raised, divisor, depth);
    const gained = gc.scores(observed, plain, "DCG", depth);
    const before = gc.scores(observed, plain, "nDCG", depth);
    const counts = (t) => before.every((scores) => !Number.isNaN(scores[t]));
    const common = Array.from({ length: observed.topics.count }, (_, t) => t).filter(counts);
    const means = before.map((scores) => (common.length ? gc.mean(common.map((t) => scores[t])) : 0));
    const found = [];
    observed.documents.forEach((entry, topic) => {
      const enters = settings.missing !== "skip" || observed.runs.every((run) => run.present[topic]);
      const [known, topics] = counts(topic) ? [true, common.length] : [false, common.length + 1];
      placesOf(observed, entry, depth).forEach((runs, document) => {
        const moved = gained.map((scores, run) => {
          const place = runs.find((one) => one.run === run);
          const now = place ? scores[topic] + gains[best] / divisor[place.rank - 1] : scores[topic];
          return (ideal[topic] > 0 ? now / ideal[topic] : 0) - (known ? before[run][topic] : means[run]);
        });
        const swing = enters ? (Math.max(...moved) - Math.min(...moved)) / topics : 0;
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
