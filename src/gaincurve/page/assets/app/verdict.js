/** The verdict, whether that of the page as written survives, and the bar that keeps the outcome in sight. */
(function (gc) {
  "use strict";

  const app = (gc.app ??= {});

  /** Sentence, signature, and what was said under the settings the page was written with. */
  app.drawVerdict = function ({ analysis, first, observed, changed, looked }) {
    const { byId, fill, el, parts } = app.dom;
    const said = analysis.verdict;
    if (byId("verdict").textContent !== said) byId("verdict").textContent = said; // told aloud only when it changes
    fill(byId("signature"), parts(analysis.deciding));
    const [now, before] = [leader(analysis), leader(first.analysis)];
    const whoLeads = now === before ? "The same run is first." : "Another run is first now.";
    const held = now < 0 ? "No single run is first now." : whoLeads;
    const place = byId("as-written");
    place.hidden = !changed;
    place.classList.add("told");
    const several = observed.runs.length > 1;
    const exploratory = gc.say("exploratory", { settings: gc.counted(looked.size, "setting") });
    fill(place, several ? el("b", {}, held, " ") : null, several ? `${exploratory} ` : "", "As written: ", first.analysis.verdict);
    const [row] = analysis.leaderboard;
    const aside = changed ? "; changed from what was written" : "";
    fill(byId("standing"), `${analysis.measure}: `, standing(now, row, observed), aside);
  };

  /** Who is first. */
  function standing(first, row, observed) {
    if (first < 0) return "no single run is first";
    const place = observed.runs.length > 1 ? " first, " : " ";
    return [app.dom.id(observed.labels[first]), `${place}${app.dom.number(row.mean)}`];
  }

  /** The run in first place, −1 if the first two are level. */
  function leader({ leaderboard: [first, second] }) {
    if (!first || Number.isNaN(first.mean)) return -1;
    return second && gc.rounded(second.mean) === gc.rounded(first.mean) ? -1 : first.run;
  }
})((globalThis.gaincurve ??= {}));
