/** The tables that follow the controls: all pairs, crossings, effort, the classic measures. */
(function (gc) {
  "use strict";

  const app = (gc.app ??= {});
  const MOST_PAIRS = 300;

  const runCell = (observed, r) => app.dom.id(observed.runs[r].label, observed.runs[r].name);

  /** Every comparison: difference, interval, p, adjusted p, effect, topics won and lost. */
  app.drawPairs = function ({ analysis, observed }) {
    const { el, signed, interval, byId, fill } = app.dom;
    const { pairs } = analysis.comparison;
    const rows = pairs
      .slice(0, MOST_PAIRS)
      .map((pair) =>
        el(
          "tr",
          {
            class: pair.significant ? "lead" : null,
            "data-a": observed.runs[pair.a].name,
            "data-b": observed.runs[pair.b].name,
          },
          el("th", { scope: "row" }, runCell(observed, pair.a)),
          el("td", {}, runCell(observed, pair.b)),
          ...[
            signed(pair.difference),
            interval(pair.low, pair.high),
            gc.pText(pair.p),
            gc.pText(pair.p_adjusted),
            signed(pair.effect),
            `${pair.wins} / ${pair.ties} / ${pair.losses}`,
          ].map((text) => el("td", { class: "number" }, text)),
          el("td", {}, pair.significant ? "yes" : "no"),
          el("td", {}, gc.standingText(pair.standing)),
        ),
      );
    const table = byId("pairs");
    fill(table.tBodies[0], rows);
    const cut =
      pairs.length > MOST_PAIRS
        ? ` The first ${MOST_PAIRS} of ${gc.grouped(pairs.length)} pairs; the CSV has all.`
        : "";
    const model = analysis.model && ` ${analysis.model}`;
    table.caption.textContent = `${analysis.measure}: ${analysis.methods} Intervals: ${analysis.intervals}.${model}${cut}`;
  };

  /** Where the two runs looked at pass each other, in words. */
  app.crossingsText = function ({ analysis, observed, settings, view }) {
    const name = gc.curveMeasure(settings);
    const { crossings, values } = analysis.difference(name, view.a, view.b);
    const label = (run) => observed.runs[run].label;
    if (crossings.length) {
      const turns = crossings.slice(0, 6).map(({ rank, ahead }) => `at rank ${rank} ${label(ahead)} gets ahead`);
      const times = crossings.length === 1 ? "once" : `${crossings.length} times`;
      return `The curves cross ${times}: ${turns.join(", ")}${crossings.length > 6 ? ", …" : ""}.`;
    }
    const last = values.at(-1);
    if (!(Math.abs(last) > 0)) return "The curves do not cross.";
    return `The curves do not cross: ${label(last > 0 ? view.a : view.b)} is ahead wherever the two differ.`;
  };

  /** Ranks needed for the same gain, run against run. */
  app.drawEffort = function ({ analysis, observed }) {
    const effort = analysis.effort();
    const text = (needed) => (Number.isFinite(needed) ? String(needed) : `> ${effort.depth}`);
    const runs = observed.runs.map((_, r) => r);
    const table = app.dom.table({
      id: "effort-table",
      caption: `Documents to read in each run for the gain (CG) that the ideal, or another run, gives by rank ${effort.rank}.`,
      columns: [
        { label: "For the gain of" },
        { label: "Gain", number: true },
        ...runs.map((r) => ({ label: runCell(observed, r), number: true })),
      ],
      rows: effort.givers.map((giver, g) => [
        g ? runCell(observed, g - 1) : giver,
        app.dom.number(effort.targets[g], 2),
        ...runs.map((r) => text(effort.needed[g][r])),
      ]),
    });
    app.dom.fill(app.dom.byId("effort"), app.dom.box(table, "Effort"));
  };

  /** The measures that ask which documents are relevant, cut at the depth unless they read the whole list. */
  app.drawClassic = function ({ analysis, observed, settings }) {
    const classic = gc.facts.leaderboard.filter((name) => gc.record(name).relevant);
    const asked = classic.map((name) => [name, gc.record(name).whole ? null : settings.depth]);
    const means = asked.map(([name, cutoff]) => analysis.means(name, cutoff));
    const order = observed.runs.map((_, r) => r).sort((a, b) => means[0][b] - means[0][a]);
    const table = app.dom.table({
      id: "classic-table",
      caption: "The classic measures: any relevant document counts the same.",
      columns: [
        { label: "Run" },
        ...asked.map(([name, cutoff]) => ({ label: gc.measureText(settings, name, cutoff), number: true })),
      ],
      rows: order.map((r) => [runCell(observed, r), ...means.map((values) => app.dom.number(values[r]))]),
    });
    app.dom.fill(app.dom.byId("classic"), app.dom.box(table, "Classic measures"));
  };

  Object.assign((app.panels ??= {}), {
    pairs: { needs: ["settings"], make: ({ state }) => () => app.drawPairs(state) },
    effort: { needs: ["settings"], make: ({ state }) => () => app.drawEffort(state) },
    recall: { needs: ["settings"], make: ({ state }) => () => app.drawClassic(state) },
  });
})((globalThis.gaincurve ??= {}));
