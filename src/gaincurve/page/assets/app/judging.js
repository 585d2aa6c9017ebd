/** What is worth judging next: unjudged documents whose judgment could move the runs apart most. */
(function (gc) {
  "use strict";

  const app = (gc.app ??= {});
  const MOST = 200; // of the CSV
  const SHOWN = 12;

  /** The list, its CSV, or why there is none. */
  app.drawToJudge = function ({ analysis, observed, settings, openTopic }) {
    const { el, byId, fill, button } = app.dom;
    const place = byId("to-judge");
    if (observed.runs.length < 2) return;
    const found = analysis.toJudge(MOST);
    const told = found.length ? listed(found, observed, settings, openTopic) : [el("p", {}, none(observed, settings))];
    fill(place, el("h3", {}, "Worth judging next"), told);
    if (found.length) {
      const csv = () => app.dom.download("to-judge.csv", "text/csv", toJudgeCsv(found, observed));
      place.append(button("CSV", csv, { class: "quiet", "data-export": "to-judge.csv" }));
    }
  };

  function none(observed, settings) {
    if (!observed.documents) return "To keep the page small its documents are not named, so none can be listed here.";
    const end = "further judgments of these lists cannot change the order.";
    return `No unjudged document stands above rank ${settings.depth}: ${end}`;
  }

  const named = (observed, row) => observed.documents[row.topic].ids[row.document];
  const ranks = (observed, row) => row.runs.map(({ run, rank }) => `${observed.labels[run]} ${rank}`).join(", ");

  function listed(found, observed, settings, openTopic) {
    const { id, button, number, table, box } = app.dom;
    const cut = found.length > SHOWN ? `; the first ${SHOWN} of ${found.length < MOST ? found.length : "many"}` : "";
    const above = Math.min(settings.depth, observed.shown);
    const about = "by how far one judgment of the best grade could move two runs apart in mean nDCG";
    const open = (topic) => button(id(observed.topics.ids[topic]), () => openTopic(topic), { class: "link" });
    const made = table({
      id: "to-judge-table",
      caption: `Unjudged documents above rank ${above} ${about}${cut}.`,
      columns: ["Topic", "Document", "Ranks", { label: "Could move", number: true }],
      rows: found.slice(0, SHOWN).map((row) => [
        open(row.topic), id(named(observed, row)), ranks(observed, row), number(row.swing, 5),
      ]),
    });
    return [box(made, "Worth judging next")];
  }

  function toJudgeCsv(found, observed) {
    const { csv, real } = app.formats;
    const row = (one) => [observed.topics.ids[one.topic], named(observed, one), ranks(observed, one), real(one.swing)];
    return csv(["topic", "document", "ranks", "swing"], found.map(row));
  }

  (app.panels ??= {}).health = { needs: ["settings"], make: ({ state }) => () => app.drawToJudge(state) };
})((globalThis.gaincurve ??= {}));
