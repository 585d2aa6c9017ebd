/** How one number was made, rank by rank: gain, discount, running sum, ideal, share. No DOM. */
(function (gc) {
  "use strict";

  const app = (gc.app ??= {});

  /**
   * The rows of the table behind one run's number for one topic.
   * @param {object[]} entries of app.ranking
   * @param {number} upTo the last rank told
   * @returns {{caption: string, columns: string[], rows: string[][]}}
   */
  app.sums = function (observed, settings, run, topic, entries, upTo) {
    const { name, cutoff } = gc.primary(settings);
    const rows = gc.record(name).gains
      ? gainRows(observed, settings, name, run, topic, entries, upTo)
      : hitRows(observed, settings, topic, entries, upTo);
    const score = gc.scores(observed, settings, name, cutoff)[run][topic];
    const measure = gc.measureText(settings, name, cutoff);
    return {
      ...rows,
      caption: `${measure} of this topic is ${Number.isNaN(score) ? "undefined" : gc.fixed(score, 6)}.`,
    };
  };

  const numberText = (value, digits = 4) => (Number.isNaN(value) ? "–" : gc.fixed(value, digits));
  const whole = (value) => (Number.isInteger(value) ? String(value) : numberText(value));

  /** The document and its grade at a rank, as text; nothing once the list has ended. */
  function at(observed, entry) {
    if (!entry) return ["", "", "–"];
    const grade = entry.grade === null ? "unjudged" : gc.numberText(observed.scale[entry.grade]);
    return [entry.name ?? "", entry.text ?? "", grade];
  }

  function gainRows(observed, settings, name, run, topic, entries, upTo) {
    const { gains } = settings;
    const divisor = gc.divisorsOf(settings, name, upTo);
    const { normalised: share } = gc.record(name);
    const best = idealGains(
      observed,
      gains,
      gc.idealCounts(observed, settings, share ? settings.ideal : "judged", run),
      topic,
    );
    const possible = gc.canGain(observed, gains)[topic];
    let [sum, ideal] = [0, 0];
    const rows = Array.from({ length: upTo }, (_, i) => {
      const entry = entries[i];
      const gain = entry && entry.grade !== null ? gains[entry.grade] : 0;
      sum += gain / divisor[i];
      ideal += (best[i] ?? 0) / divisor[i];
      const [document, , grade] = at(observed, entry);
      const value = share ? [numberText(gc.relative(sum, ideal, possible))] : [];
      return [
        String(i + 1),
        document,
        grade,
        whole(gain),
        numberText(divisor[i]),
        numberText(gain / divisor[i]),
        numberText(sum),
        numberText(ideal),
        ...value,
      ];
    });
    const columns = [
      "rank",
      "document",
      "grade",
      "gain",
      "divisor",
      "discounted gain",
      "running sum",
      "ideal sum",
      ...(share ? [name] : []),
    ];
    return { columns, rows };
  }

  /** The gains of the topic's ideal list, highest first. */
  function idealGains(observed, gains, counts, topic) {
    const width = observed.scale.length;
    return gc.byGain(gains).flatMap((g) => Array(counts[topic * width + g]).fill(gains[g]));
  }

  function hitRows(observed, settings, topic, entries, upTo) {
    const isRelevant = gc.relevance(observed, settings);
    const total = gc.totalRelevant(observed, settings)[topic];
    let [hitCount, precisions] = [0, 0];
    const rows = Array.from({ length: Math.min(upTo, Math.max(entries.length, 1)) }, (_, i) => {
      const entry = entries[i];
      const hit = Boolean(entry && entry.grade !== null && isRelevant[entry.grade]);
      if (hit) precisions += ++hitCount / (i + 1);
      const [document, , grade] = at(observed, entry);
      const of = (value) => numberText(total ? value / total : NaN);
      return [
        String(i + 1),
        document,
        grade,
        hit ? "yes" : "no",
        String(hitCount),
        numberText(hitCount / (i + 1)),
        of(hitCount),
        of(precisions),
      ];
    });
    return { columns: ["rank", "document", "grade", "relevant", "found", "precision", "recall", "AP so far"], rows };
  }
})((globalThis.gaincurve ??= {}));
