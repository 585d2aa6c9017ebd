// What was observed, unpacked: flat arrays by run, and the same lists without their unjudged documents.
(function (gc) {
  "use strict";

  /**
   * The document that Python packed: base64, deflated JSON.
   * @param {string} text
   * @returns {Promise<object>}
   */
  async function unpack(text) {
    const bytes = Uint8Array.from(atob(text.trim()), (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  }

  /**
   * One list of judged documents after the other: rank and place on the scale of each, `offsets[t]` where topic t
   * begins, `retrieved` documents a topic, judged or not.
   * @typedef {{rank: Int32Array, grade: Uint16Array, offsets: Int32Array, retrieved: Int32Array}} Lists
   */

  /**
   * What was observed, ready to be computed with.
   * @param {object} document gaincurve.observed/1
   * @returns {object} scale, topics (ids, texts), base and pool (counts by topic and grade), runs with their lists
   */
  function observe(document) {
    const width = document.scale.length;
    const topics = document.topics.ids.length;
    const judgedFrom = document.judged_from ?? -Infinity;
    const isJudged = document.scale.map((grade) => grade >= judgedFrom);
    const runs = document.runs.map((run) => observedRun(run, topics, isJudged));
    const longest = runs.reduce((most, run) => run.all.retrieved.reduce((a, b) => Math.max(a, b), most), 0);
    return {
      document,
      scale: document.scale,
      isJudged,
      topics: { count: topics, ids: document.topics.ids, texts: document.topics.texts ?? null },
      base: flatCounts(document.topics.base, width),
      pool: document.topics.pool ? flatCounts(document.topics.pool, width) : null,
      runs,
      names: document.runs.map((run) => run.name),
      labels: document.runs.map((run) => run.label),
      longest,
      shown: document.shown ?? 0,
      documents: document.documents ?? null,
      texts: document.texts ? new Map(document.texts.ids.map((id, i) => [id, document.texts.texts[i]])) : null,
      sessions: document.sessions ?? null,
      origin: document.origin,
    };
  }

  function flatCounts(rows, width) {
    const flat = new Int32Array(rows.length * width);
    rows.forEach((row, t) => flat.set(row, t * width));
    return flat;
  }

  function observedRun(run, topics, isJudged) {
    const offsets = new Int32Array(topics + 1);
    for (let t = 0; t < topics; t++) offsets[t + 1] = offsets[t] + run.judged[t];
    const rank = new Int32Array(run.step.length);
    for (let t = 0; t < topics; t++) {
      let lastRank = 0;
      for (let i = offsets[t]; i < offsets[t + 1]; i++) rank[i] = lastRank += run.step[i];
    }
    const all = { rank, grade: Uint16Array.from(run.grade), offsets, retrieved: Int32Array.from(run.retrieved) };
    return {
      name: run.name,
      label: run.label,
      present: Uint8Array.from(run.present),
      all,
      condensed: condensed(all, topics, isJudged),
      ties: run.ties,
    };
  }

  /** A run with every tied block in its best order, highest grade first, or in its worst; unjudged documents are 0. */
  function tieOrder({ topics, scale, isJudged }, run, best) {
    if (!run.ties.length) return run;
    const [rank, grade] = [run.all.rank.slice(), run.all.grade.slice()];
    const { offsets } = run.all;
    for (let from = 0, to, topic = 0; from < run.ties.length; from = to) {
      const [row, first, last] = run.ties[from];
      while (offsets[topic + 1] <= row) topic++;
      const isSame = ([other, begins]) => other < offsets[topic + 1] && begins === first;
      for (to = from + 1; to < run.ties.length && isSame(run.ties[to]); to++);
      const places = Array.from(grade.subarray(row, row + to - from)).sort((g, h) => (best ? h - g : g - h));
      const unjudged = last - first + 1 - places.length;
      places.forEach((place, i) => {
        const after = best ? scale[place] <= 0 : scale[place] > 0;
        rank[row + i] = first + i + (after ? unjudged : 0);
        grade[row + i] = place;
      });
    }
    const all = { ...run.all, rank, grade };
    return { ...run, all, condensed: condensed(all, topics.count, isJudged) };
  }

  /** The lists without unjudged documents: the others move up. */
  function condensed(lists, topics, isJudged) {
    const rank = [];
    const grade = [];
    const offsets = new Int32Array(topics + 1);
    const retrieved = new Int32Array(topics);
    for (let t = 0; t < topics; t++) {
      for (let i = lists.offsets[t]; i < lists.offsets[t + 1]; i++) {
        if (!isJudged[lists.grade[i]]) continue;
        rank.push(++retrieved[t]);
        grade.push(lists.grade[i]);
      }
      offsets[t + 1] = rank.length;
    }
    return { rank: Int32Array.from(rank), grade: Uint16Array.from(grade), offsets, retrieved };
  }

  /**
   * The lists of a run under the rule for unjudged documents.
   * @returns {Lists}
   */
  function listsOf(observed, settings, run) {
    return settings.unjudged === "condensed" ? observed.runs[run].condensed : observed.runs[run].all;
  }

  /** The index of a run by its name; −1 if there is none, or no name. */
  function runNamed(observed, name) {
    return name ? observed.names.indexOf(name) : -1;
  }

  Object.assign(gc, { unpack, observe, listsOf, runNamed, tieOrder });
})((globalThis.gaincurve ??= {}));
