/** One topic: the rankings side by side, what moved, and how each number was made. */
(function (gc) {
  "use strict";

  const app = (gc.app ??= {});
  const LIMITS = [10, 20, 50, 100];
  const MARKS = { up: "↑", down: "↓", same: "=", new: "new", unknown: "" };

  /** The panel of one topic; `draw()` shows the topic of the present state. */
  app.topicPanel = function (place, { observed, state, openTopic }) {
    const { el, fill, id, number, button, box } = app.dom;
    const own = { limit: null, reference: null };
    const choose = el(
      "select",
      { id: "topic-choice", "aria-label": "Topic" },
      observed.topics.ids.map((name, t) => el("option", { value: t }, app.dom.elided(app.dom.visible(name), 80))),
    );
    choose.addEventListener("change", () => openTopic(Number(choose.value), false));
    const step = (by) => openTopic((state.view.topic + by + observed.topics.count) % observed.topics.count, false);
    const limit = el(
      "select",
      { id: "topic-ranks" },
      LIMITS.map((n) => el("option", { value: n }, `first ${n}`)),
    );
    limit.addEventListener("change", () => {
      own.limit = Number(limit.value);
      draw();
    });
    const reference = el(
      "select",
      { id: "topic-reference" },
      observed.runs.map((run, r) => el("option", { value: r }, run.label)),
    );
    reference.addEventListener("change", () => {
      own.reference = Number(reference.value);
      draw();
    });
    const body = el("div");
    fill(
      place,
      el(
        "div",
        { class: "choices" },
        el("label", {}, "Topic", choose),
        button("Previous", () => step(-1), { id: "topic-previous" }),
        button("Next", () => step(1), { id: "topic-next" }),
        el("label", {}, "Ranks", limit),
        observed.runs.length > 1 ? el("label", {}, "Moved against", reference) : null,
      ),
      body,
    );

    function draw() {
      const { view, settings, analysis, styles } = state;
      const { topic } = view;
      const base = gc.runNamed(observed, settings.baseline);
      const against = own.reference ?? (base >= 0 ? base : (view.b ?? view.a));
      const upTo = own.limit ?? LIMITS.find((n) => n >= Math.min(settings.depth, 20)) ?? 20;
      choose.value = String(topic);
      limit.value = String(upTo);
      reference.value = String(against);
      const first = app.ranking(observed, settings, against, topic);
      const order = analysis.leaderboard.map((row) => row.run).filter((r) => view.on.includes(r) && r !== against);
      const shown = view.on.includes(against) || observed.runs.length === 1 ? [against, ...order] : order;
      const scores = analysis.scores(settings.measure, settings.cutoff);
      const measure = gc.measureText(settings, settings.measure, settings.cutoff);
      const columns = shown.map((run) =>
        column({ run, topic, first, against, upTo, settings, styles, score: scores[run][topic], measure }),
      );
      const text = observed.topics.texts?.[topic];
      const ranks = el("div", { class: "ranks" }, columns);
      ranks.style.setProperty("--runs", String(columns.length));
      fill(
        body,
        el("h3", { id: "topic-title" }, "Topic ", id(observed.topics.ids[topic])),
        text ? el("blockquote", {}, app.dom.visible(text)) : null,
        el("p", { class: "small" }, recallBase(topic)),
        legend(settings),
        box(ranks, "Rankings side by side"),
      );
    }

    /** How many documents of each grade were judged: what there was to find. */
    function recallBase(topic) {
      const width = observed.scale.length;
      const counts = observed.scale
        .map((grade, g) => [grade, observed.base[topic * width + g]])
        .reverse()
        .filter(([, count]) => count);
      return counts.length
        ? `Judged for this topic: ${counts.map(([grade, count]) => `${count} of grade ${gc.numberText(grade)}`).join(", ")}.`
        : "Nothing was judged for this topic.";
    }

    function legend(settings) {
      const grades = observed.scale.map((_, g) => g).filter((g) => observed.isJudged[g]);
      return el(
        "p",
        { class: "legend small" },
        "Grades ",
        grades.map((g) => chip(g, settings)),
        chip(null, settings),
        " unjudged",
        el("span", {}, "double edge: tied scores"),
        el("span", {}, `blue line: rank ${settings.depth}, the last one counted`),
      );
    }

    /** A grade with its gain in the title, darker the more it is worth; never by colour alone. */
    function chip(grade, settings) {
      if (grade === null) return el("span", { class: "chip unjudged", title: "unjudged" }, "?");
      const most = Math.max(...settings.gains);
      const share = most > 0 ? settings.gains[grade] / most : 0;
      const level = observed.scale[grade] <= 0 ? null : share > 0.5 ? "high" : "low";
      const element = el(
        "span",
        {
          class: "chip",
          "data-level": level,
          title: `grade ${gc.numberText(observed.scale[grade])}, gain ${gc.numberText(settings.gains[grade])}`,
        },
        gc.numberText(observed.scale[grade]),
      );
      element.style.setProperty("--level", String(level === "high" ? Math.max(share, 0.85) : Math.min(share, 0.3)));
      return element;
    }

    function column({ run, topic, first, against, upTo, settings, styles, score, measure }) {
      const entries = app.ranking(observed, settings, run, topic);
      const before = run === against ? null : app.ranksOf(first);
      const { label, name } = observed.runs[run];
      const items = entries.slice(0, upTo).map((entry) => item(entry, before, settings, against));
      const gone = run === against ? [] : app.left(entries, first, upTo);
      const more = observed.runs[run].all.retrieved[topic];
      return el(
        "div",
        { class: "ranking", "data-run": name },
        el("h3", {}, app.swatch(styles[run]), id(label, name)),
        el(
          "p",
          { class: "small" },
          `${measure} ${number(score)}${run === against && observed.runs.length > 1 ? ", reference" : ""}`,
        ),
        items.length ? el("ol", {}, items) : el("p", { class: "small" }, "Nothing was retrieved."),
        gone.length
          ? el(
              "details",
              { class: "left" },
              el("summary", { class: "small" }, `${gone.length} left the first ${upTo}`),
              el(
                "ol",
                {},
                gone.map((entry) => goneItem(entry, settings)),
              ),
            )
          : null,
        more > items.length ? el("p", { class: "small" }, `${gc.grouped(more)} documents in all.`) : null,
        sums(run, topic, entries, upTo),
      );
    }

    function item(entry, before, settings, against) {
      const tie = entry.tied ? `ranks ${entry.tied[0]} to ${entry.tied[1]} share a score` : null;
      const dress = [entry.tied ? "tied" : "", entry.rank === settings.depth ? "cut" : ""].filter(Boolean).join(" ");
      return el(
        "li",
        { class: dress || null, title: tie, "data-document": entry.key },
        el("span", { class: "rank" }, entry.rank),
        chip(entry.grade, settings),
        entry.name === null ? el("span") : id(entry.name),
        before ? movement(app.moved(entry, before), against) : el("span"),
        entry.text
          ? el("span", { class: "text", title: app.dom.visible(entry.text) }, app.dom.visible(entry.text))
          : null,
      );
    }

    /** A document that the reference has among the first and this run has not: its old rank, and where it went. */
    function goneItem(entry, settings) {
      const now = entry.now === null ? `beyond ${observed.shown}` : `→ ${entry.now}`;
      return el(
        "li",
        { "data-document": entry.key },
        el("span", { class: "rank" }, entry.rank),
        chip(entry.grade, settings),
        id(entry.name),
        el("span", { class: "moved down" }, now),
      );
    }

    function movement({ kind, by, from }, against) {
      const { label } = observed.runs[against];
      const title =
        kind === "new"
          ? `entered: not among the first ${observed.shown} of ${label}`
          : from === null
            ? null
            : `rank ${from} in ${label}`;
      return el("span", { class: `moved ${kind}`, title }, MARKS[kind] + (by || ""));
    }

    /** How the number was made, rank by rank; made when it is opened. */
    function sums(run, topic, entries, upTo) {
      const details = el("details", {}, el("summary", { class: "small" }, "How the number is made"));
      details.addEventListener("toggle", () => {
        if (!details.open || details.childElementCount > 1) return;
        const derivation = app.sums(
          observed,
          state.settings,
          run,
          topic,
          entries,
          Math.max(upTo, Math.min(state.settings.depth, LIMITS.at(-1))),
        );
        const table = app.dom.table({
          caption: derivation.caption,
          columns: derivation.columns.map((label, i) => ({ label, number: i !== 1 })),
          rows: derivation.rows,
        });
        details.append(box(table, "Running sums", true));
      });
      return details;
    }

    /** The same document in the other lists shows itself when one is pointed at. */
    function together(event) {
      const key = event.target.closest?.("li[data-document]")?.dataset.document;
      for (const line of body.querySelectorAll("li[data-document]"))
        line.classList.toggle("same", key !== undefined && line.dataset.document === key && event.type === "mouseover");
    }
    body.addEventListener("mouseover", together);
    body.addEventListener("mouseout", together);
    return { draw };
  };

  (app.panels ??= {}).topic = {
    needs: ["settings", "on", "a", "b", "topic", "theme"],
    make: (context) => app.topicPanel(app.dom.byId("topic"), context).draw,
  };
})((globalThis.gaincurve ??= {}));
