/** The topics as a table: search, won or lost, at least so much; sorted by any column; a row opens its topic. */
(function (gc) {
  "use strict";

  const app = (gc.app ??= {});
  const PAGE = 100; // rows shown before "more"

  /** Score and difference of every topic for the two runs looked at, and what became of it. */
  function topicRows(analysis, observed, settings, { a, b }) {
    const scores = analysis.scores(settings.measure, settings.cutoff);
    return observed.topics.ids.map((name, topic) => {
      const [of, against] = [scores[a][topic], scores[b][topic]];
      const difference = of - against;
      const near = gc.rounded(difference);
      const outcome = Number.isNaN(difference) ? "undefined" : near > 0 ? "won" : near < 0 ? "lost" : "tied";
      return { topic, name, a: of, b: against, difference, outcome };
    });
  }

  /** Undefined values last whichever way, ids with their numbers in order. */
  function ordered(rows, { key, down }) {
    const names = new Intl.Collator("en", { numeric: true });
    const rank = (x, y) => (typeof x[key] === "string" ? names.compare(x[key], y[key]) : x[key] - y[key]);
    const [known, unknown] = [
      rows.filter((row) => !Number.isNaN(row[key])),
      rows.filter((row) => Number.isNaN(row[key])),
    ];
    return [...known.sort((x, y) => (down ? -1 : 1) * rank(x, y) || x.topic - y.topic), ...unknown];
  }

  /** The table with its filters; `draw()` shows it for the present state. */
  app.topicTable = function (place, { observed, state, openTopic }) {
    const { el, fill, id, number, signed, button, box } = app.dom;
    const single = observed.runs.length < 2;
    const order = { key: single ? "a" : "difference", down: true };
    let shown = PAGE;
    const search = el("input", { type: "search", id: "topic-search", placeholder: "id or text", spellcheck: "false" });
    const outcome = el(
      "select",
      { id: "topic-outcome" },
      [
        ["", "all"],
        ["won", "won"],
        ["lost", "lost"],
        ["tied", "tied"],
      ].map(([value, text]) => el("option", { value }, text)),
    );
    const least = el("input", { type: "text", inputmode: "decimal", id: "topic-least", size: 6, placeholder: "0" });
    const countLine = el("p", { class: "small", id: "topic-count", "aria-live": "polite" });
    const body = el("div");
    for (const input of [search, outcome, least])
      input.addEventListener("input", () => {
        shown = PAGE;
        draw();
      });
    const filters = single
      ? [el("label", {}, "Search", search)]
      : [
          el("label", {}, "Search", search),
          el("label", {}, "Outcome", outcome),
          el("label", {}, "Difference at least", least),
        ];
    fill(place, el("div", { class: "choices" }, filters), countLine, body);

    function matching(rows) {
      const text = search.value.trim().toLowerCase();
      const floor = Number(least.value) || 0;
      const hasText = (row) =>
        row.name.toLowerCase().includes(text) ||
        (observed.topics.texts?.[row.topic] ?? "").toLowerCase().includes(text);
      return rows.filter(
        (row) =>
          (!text || hasText(row)) &&
          (!outcome.value || row.outcome === outcome.value) &&
          !(Math.abs(row.difference) < floor),
      );
    }

    function head(label, key, numeric) {
      const sorted = order.key === key ? (order.down ? "descending" : "ascending") : "none";
      const turn = () => {
        Object.assign(order, { key, down: order.key === key ? !order.down : numeric });
        draw();
        place.querySelector(`[data-sort="${key}"]`).focus();
      };
      return {
        label: "",
        number: numeric,
        head: el(
          "th",
          { scope: "col", "aria-sort": sorted, class: numeric ? "number" : null },
          button(label, turn, { "data-sort": key }),
        ),
      };
    }

    function draw() {
      const { view, settings, analysis } = state;
      const all = topicRows(analysis, observed, settings, view);
      const rows = ordered(matching(all), order);
      const count = (kind) => all.filter((row) => row.outcome === kind).length;
      const [a, b] = [observed.runs[view.a].label, observed.runs[view.b]?.label];
      countLine.textContent = single
        ? `${gc.counted(rows.length, "topic")} shown of ${all.length}.`
        : `${a} wins ${count("won")}, ties ${count("tied")}, loses ${count("lost")} of ` +
          `${gc.counted(all.length, "topic")} against ${b}; ${rows.length} shown.`;
      const columns = [
        head("Topic", "name", false),
        head(id(a), "a", true),
        ...(single
          ? []
          : [head(id(b), "b", true), head("Difference", "difference", true), head("Outcome", "outcome", false)]),
      ];
      if (observed.topics.texts) columns.push({ label: "Text" });
      const cells = (row) => [
        button(id(row.name), () => openTopic(row.topic), { class: "link", "data-topic": row.name.slice(0, 200) }),
        number(row.a),
        ...(single ? [] : [number(row.b), signed(row.difference), row.outcome]),
        ...(observed.topics.texts ? [id(observed.topics.texts[row.topic] ?? "")] : []),
      ];
      const cut = rows.slice(0, shown);
      const table = app.dom.table({
        id: "topics-table",
        caption: `${gc.measureText(settings, settings.measure, settings.cutoff)} by topic; choose one to see its rankings.`,
        columns,
        rows: cut.map(cells),
        row: (line, i) => {
          line.className = cut[i].topic === view.topic ? "opens chosen" : "opens";
          line.addEventListener("click", (event) => event.target.closest("button") ?? openTopic(cut[i].topic));
        },
      });
      const more =
        rows.length > shown
          ? button(
              `Show all ${rows.length}`,
              () => {
                shown = Infinity;
                draw();
              },
              { class: "quiet" },
            )
          : null;
      fill(body, box(table, "Topics", true), more);
    }
    return { draw };
  };

  app.topicRows = topicRows;

  (app.panels ??= {}).topics = {
    needs: ["settings", "a", "b", "topic"],
    make: (context) => app.topicTable(app.dom.byId("topic-table"), context).draw,
  };
})((globalThis.gaincurve ??= {}));
