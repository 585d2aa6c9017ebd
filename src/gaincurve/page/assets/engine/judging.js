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
      const shares = new Float64Array(depth);
      let topics = 0;
      for (let t = 0; t < observed.topics.count; t++) {
        if (!all.retrieved[t]) continue;
        topics++;
        let judged = 0;
        let i = all.offsets[t];
        for (let k = 1; k <= depth; k++) {
          for (; i < all.offsets[t + 1] && all.rank[i] <= k; i++) judged += observed.isJudged[all.grade[i]] ? 1 : 0;
          const seen = Math.min(k, all.retrieved[t]);
          shares[k - 1] += (seen - judged) / seen;
        }
      }
      return shares.map((sum) => (topics ? sum / topics : NaN));
    });
  }

  /**
   * What `gaincurve decide` would ask next: unjudged documents that can still change the order of two runs, by how far
   * a grade can move the mean sums of which the measure that decides is made; equal ones by topic, then id. Null where
   * the measure is no sum over ranks, or the page does not name every document above its cutoff.
   * @param {"plausible" | "certain"} stop when the order of two runs needs no more judging
   * @returns {{topic: number, document: number, runs: {run: number, rank: number}[], moves: number}[] | null}
   */
  function toJudge(observed, settings, stop = "plausible") {
    const inAll = (t) => observed.runs.every((run) => run.present[t]);
    const every = Array.from({ length: observed.topics.count }, (_, t) => t);
    const topics = settings.missing === "skip" ? every.filter(inAll) : every;
    const seen = new gc.Seen(observed, { ...settings, empty: "zero" }, { topics, pairs: [] });
    if (!topics.length || !seen.linear) return null;
    const rows = new Map(); // topic and document → the row
    for (let a = 0; a < observed.runs.length; a++) {
      for (let b = a + 1; b < observed.runs.length; b++) {
        for (const { topic, document, moves } of seen.undecided(a, b, stop)) {
          const key = `${topic} ${document}`;
          const known = rows.get(key);
          if (known) known.moves = Math.max(known.moves, moves);
          else rows.set(key, { topic, document, runs: placesOf(observed, topic, document, seen.cutoff), moves });
        }
      }
    }
    const size = ({ moves }) => Math.round(moves * topics.length * 1e9);
    const id = ({ topic, document }) => observed.documents[topic].ids[document];
    return [...rows.values()].sort((x, y) => size(y) - size(x) || x.topic - y.topic || gc.byCodePoint(id(x), id(y)));
  }

  /** The runs that show a document above the cutoff, and where. */
  function placesOf(observed, topic, document, cutoff) {
    return observed.documents[topic].lists
      .map((list, run) => ({ run, rank: list.indexOf(document) + 1 }))
      .filter(({ rank }) => rank > 0 && rank <= cutoff);
  }

  /** What is to be judged as `gaincurve pool --method decide` writes it: JSON lines that name no run. */
  function poolLines(observed, rows) {
    const fields = rows.map(({ topic, document, runs }, i) => [
      ["topic", JSON.stringify(observed.topics.ids[topic])], ["document", JSON.stringify(observed.documents[topic].ids[document])],
      ["priority", i + 1], ["stratum", 1], ["p", "1.0"], ["runs", runs.length],
    ]);
    return fields.map((pairs) => `{${pairs.map(([name, value]) => `"${name}": ${value}`).join(", ")}}\n`).join("");
  }

  Object.assign(gc, { gradesByRank, unjudgedByRank, toJudge, poolLines });
})((globalThis.gaincurve ??= {}));
