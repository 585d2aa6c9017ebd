/** What is looked at: which runs are drawn, and which two are set against each other. */
(function (gc) {
  "use strict";

  const app = (gc.app ??= {});

  /** How the charts draw each run, read from the scales of a chart: colour and line style by label. */
  app.styles = function (specs, observed, dark, colours) {
    const scales = [];
    (function look(value) {
      if (value === null || typeof value !== "object") return;
      if (Array.isArray(value.domain) && Array.isArray(value.range)) scales.push(value);
      Object.values(value).forEach(look);
    })(specs[`curve-${gc.facts.default}`] ?? {});
    const styleOf = (label, wanted, otherwise) => {
      const scale = scales.find((candidate) => candidate.domain.includes(label) && wanted(candidate.range[0]));
      return scale ? scale.range[scale.domain.indexOf(label) % scale.range.length] : otherwise;
    };
    return observed.runs.map(({ label }) => {
      const colour = styleOf(label, (value) => typeof value === "string", "#4D4D4D");
      return { colour: dark ? (colours[colour] ?? colour) : colour, dash: styleOf(label, Array.isArray, [1, 0]) };
    });
  };

  /** Switches for the runs, shared by all charts; the last one on cannot be switched off. */
  app.switches = function (place, { observed, state, change }) {
    const { el, fill, id } = app.dom;
    const boxes = observed.runs.map((run, r) => {
      const box = el("input", { type: "checkbox", "data-run": run.name });
      box.addEventListener("change", () => {
        const on = observed.runs.map((_, i) => i).filter((i) => boxes[i].checked);
        if (on.length) change({ on });
        else box.checked = true;
      });
      return box;
    });
    const swatches = boxes.map(() => el("span"));
    const label = (run, r) => el("label", {}, boxes[r], swatches[r], id(run.label, run.name));
    fill(place, el("span", { class: "small" }, "Runs drawn"), observed.runs.map(label));
    place.setAttribute("role", "group");
    place.setAttribute("aria-label", "Runs drawn in the charts");
    return {
      show() {
        boxes.forEach((box, r) => {
          box.checked = state.view.on.includes(r);
          const swatch = app.swatch(state.styles[r]);
          swatches[r].replaceWith(swatch);
          swatches[r] = swatch;
        });
      },
    };
  };

  /** The choice of the two runs a and b, the same wherever it stands; choosing the other one swaps them. */
  app.pairChoice = function (place, { observed, state, change }) {
    const { el, fill, button } = app.dom;
    const select = (name) => {
      const element = el(
        "select",
        { name, "data-choice": name },
        observed.runs.map((run, r) => el("option", { value: r }, run.label)),
      );
      element.addEventListener("change", () => {
        const other = name === "a" ? "b" : "a";
        const chosen = Number(element.value);
        change({ [name]: chosen, ...(state.view[other] === chosen ? { [other]: state.view[name] } : {}) });
      });
      return element;
    };
    const [a, b] = [select("a"), select("b")];
    const swap = button("Swap", () => change({ a: state.view.b, b: state.view.a }), { class: "quiet" });
    fill(place, el("label", {}, "Run", a), el("label", {}, "against", b), swap);
    return {
      show() {
        a.value = String(state.view.a);
        b.value = String(state.view.b);
      },
    };
  };
})((globalThis.gaincurve ??= {}));
