/** One topic's lists as they stood: documents, grades, ties, and how each moved against another run. No DOM. */
(function (gc) {
  "use strict";

  const app = (gc.app ??= {});

  /**
   * The first documents of a run for a topic, under the rule for unjudged ones. `key` is the same for the same document
   * in every run of the topic; without named documents it is null.
   * @returns {{rank: number, key: ?number, name: ?string, text: ?string, grade: ?number, tied: ?number[]}[]}
   */
  function ranking(observed, settings, run, topic) {
    const named = observed.documents?.[topic];
    const whole = named ? fromDocuments(observed, named, run) : fromGrades(observed, run, topic);
    if (settings.unjudged !== "condensed") return whole;
    return whole.filter((entry) => entry.grade !== null).map((entry, i) => ({ ...entry, rank: i + 1, tied: null }));
  }

  const gradeAt = (observed, place) => (place >= 0 && observed.isJudged[place] ? place : null);

  function fromDocuments(observed, named, run) {
    const blocks = named.tied[run];
    return named.lists[run].map((key, i) => ({
      rank: i + 1,
      key,
      name: named.ids[key],
      text: observed.texts?.get(named.ids[key]) ?? null,
      grade: gradeAt(observed, named.grade[key]),
      tied: blocks.find(([from, to]) => from <= i + 1 && i + 1 <= to) ?? null,
    }));
  }

  const UNNAMED = 100; // ranks shown where documents have no names

  function fromGrades(observed, run, topic) {
    const lists = observed.runs[run].all;
    const length = Math.min(UNNAMED, lists.retrieved[topic]);
    const entries = Array.from({ length }, (_, i) => ({
      rank: i + 1,
      key: null,
      name: null,
      text: null,
      grade: null,
      tied: null,
    }));
    for (let i = lists.offsets[topic]; i < lists.offsets[topic + 1]; i++) {
      if (lists.rank[i] <= length) entries[lists.rank[i] - 1].grade = gradeAt(observed, lists.grade[i]);
    }
    return entries;
  }

  /** How an entry moved against a reference list: {kind: "up"|"down"|"same"|"new", by, from}. */
  function moved(entry, reference) {
    const before = entry.key === null ? null : reference.get(entry.key);
    if (before === undefined || before === null)
      return { kind: entry.key === null ? "unknown" : "new", by: 0, from: null };
    const by = before - entry.rank;
    return { kind: by > 0 ? "up" : by < 0 ? "down" : "same", by: Math.abs(by), from: before };
  }

  const ranksOf = (entries) =>
    new Map(entries.filter((entry) => entry.key !== null).map((entry) => [entry.key, entry.rank]));

  /** What stood among the first `limit` of the reference and does not here, with the rank it has now, if any. */
  function left(entries, reference, limit) {
    const now = ranksOf(entries);
    return reference
      .filter((entry) => entry.key !== null && entry.rank <= limit && !((now.get(entry.key) ?? Infinity) <= limit))
      .map((entry) => ({ ...entry, now: now.get(entry.key) ?? null }));
  }

  app.ranking = ranking;
  Object.assign(app, { moved, ranksOf, left });
})((globalThis.gaincurve ??= {}));
