/** What is worth judging next: the unjudged documents that can still change which of two runs is ahead. */
(function (gc) {
  "use strict";

  const app = (gc.app ??= {});
  const SHOWN = 12;

  /** The list, the pool to take along and the command that makes it anew, or why there is none. */
  app.drawToJudge = function ({ analysis, observed, settings, page, openTopic }) {
    const { el, byId, fill, button, download } = app.dom;
    const place = byId("to-judge");
    if (observed.runs.length < 2) return;
    const { rows, stop } = analysis.toJudge ?? { rows: null };
    const about = rows?.length ? listed(rows, stop, observed, analysis, openTopic) : [el("p", {}, none(rows, observed, analysis))];
    fill(place, el("h3", {}, "Worth judging next"), about);
    if (!rows?.length) return;
    const take = (name, file, type, make) => button(name, () => download(file, type, make()), { class: "quiet", "data-export": file });
    place.append(
      take("Pool (JSON lines)", "pool.jsonl", "application/x-ndjson", () => gc.poolLines(observed, rows)),
      take("CSV", "to-judge.csv", "text/csv", () => toJudgeCsv(rows, observed)),
      el("p", { class: "small" }, "The pool names no run, so that judges stay blind. As judging goes on, update it with ", el("code", {}, el("bdi", {}, command(page, settings, stop)))),
    );
  };

  /** Why there is nothing to list. */
  function none(rows, observed, analysis) {
    if (!observed.documents) return "To keep the page small its documents are not named, so none can be listed here.";
    if (rows === null) return `For ${analysis.measure} under these settings no rule says which judgments could change a difference.`;
    return `The order of every two runs by ${analysis.measure} is certain, or a tie however the rest is judged.`;
  }

  const named = (observed, row) => observed.documents[row.topic].ids[row.document];
  const ranks = (observed, row) => row.runs.map(({ run, rank }) => `${observed.labels[run]} ${rank}`).join(", ");

  function listed(rows, stop, observed, analysis, openTopic) {
    const { id, button, number, table, box } = app.dom;
    const cut = rows.length > SHOWN ? `; the first ${SHOWN} of ${gc.grouped(rows.length)}` : "";
    const about = `by how far a grade can move apart the mean sums of two runs, of which ${analysis.measure} is made,`;
    const where = stop === "certain" ? "where their order is likely (P at least .95), but not certain" : "where their order is open";
    const open = (topic) => button(id(observed.topics.ids[topic]), () => openTopic(topic), { class: "link" });
    const documentTable = table({
      id: "to-judge-table",
      caption: `Unjudged documents ${about} ${where}${cut}.`,
      columns: ["Topic", "Document", "Ranks", { label: "Can move", number: true }],
      rows: rows.slice(0, SHOWN).map((row) => [
        open(row.topic), id(named(observed, row)), ranks(observed, row), number(row.moves, 5),
      ]),
    });
    return [box(documentTable, "Worth judging next")];
  }

  /** The command that writes the pool, under the settings as they stand. */
  function command(page, settings, stop) {
    const quoted = (text) => (/^[\w./@%+=:,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
    const paths = (role) => page.provenance.inputs.filter((input) => input.role === role).map((input) => quoted(input.path));
    const runs = paths("run").join(" ");
    return `gaincurve pool ${runs} --method decide --judgments ${paths("judgments")[0]} -m ${quoted(withChoices(settings))} ${stop === "certain" ? "--stop certain " : ""}-o pool.jsonl`;
  }

  /** The measure that decides with its gains and discount, where they are not the usual ones. */
  function withChoices(settings) {
    const { name, cutoff } = gc.primary(settings);
    const { gains, discounted } = gc.record(name);
    if (!gains) return gc.measureText(settings, name, cutoff);
    const choices = [];
    if (settings.gains_text !== "identity") choices.push(`gains='${settings.gains_text}'`);
    if (discounted && settings.discount !== "log") {
      choices.push(`discount='${settings.discount}'`);
      if (settings.base !== null) choices.push(`base=${settings.base}`);
    }
    return `${name}${choices.length ? `(${choices.join(", ")})` : ""}@${cutoff}`;
  }

  function toJudgeCsv(rows, observed) {
    const { csv, real } = app.formats;
    const row = (entry) => [
      observed.topics.ids[entry.topic], named(observed, entry), ranks(observed, entry), real(entry.moves),
    ];
    return csv(["topic", "document", "ranks", "moves"], rows.map(row));
  }

  app.measureWithChoices = withChoices;
  (app.panels ??= {}).health = { needs: ["settings"], make: ({ state }) => () => app.drawToJudge(state) };
})((globalThis.gaincurve ??= {}));
