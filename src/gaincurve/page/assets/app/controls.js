/** The controls: who the user is taken to be. What is wrong is told beside its field, and changes nothing. */
(function (gc) {
  "use strict";

  const app = (gc.app ??= {});
  const UNJUDGED = { zero: "gain nothing, keep their ranks", condensed: "are taken out, the rest moves up" };
  const NARROW = "(max-width: 68rem)";

  /**
   * Builds the form; `change(changes, lasting)` is called with changed settings, `lasting` once a value is settled.
   * @returns {{show(settings: object, changed: boolean): void}}
   */
  app.controls = function (form, { page, observed, written, change }) {
    const { el } = app.dom;
    const { state } = app;
    const fields = {};

    /** A field with its label and the place where it tells what is wrong. */
    function field(name, label, input, ...more) {
      const error = el("span", { class: "error", id: `error-${name}`, role: "alert" });
      input.id = `control-${name}`;
      input.name = name;
      input.setAttribute("aria-describedby", error.id);
      fields[name] = { input, error };
      return el("div", { class: "field" }, el("label", { for: input.id }, label), input, ...more, error);
    }

    function select(name, label, options, read = (text) => text) {
      const input = el(
        "select",
        {},
        options.map(([value, text]) => el("option", { value }, text)),
      );
      input.addEventListener("change", () => change({ [name]: read(input.value) }, true));
      return field(name, label, input);
    }

    /** Text that is checked while it is typed; what is wrong stands beside it, and the page stays as it was. */
    function checked(name, input, check, changes) {
      const listen = (lasting) => () => {
        const read = check(input.value);
        complain(name, read.error);
        if (!read.error) change(changes(read.value), lasting);
      };
      input.addEventListener("input", listen(false));
      input.addEventListener("change", listen(true));
      return input;
    }

    function complain(name, error = "") {
      const { input, error: place } = fields[name];
      place.textContent = error;
      if (error) input.setAttribute("aria-invalid", "true");
      else input.removeAttribute("aria-invalid");
      if (error) reset.disabled = false; // it also takes back what is wrong
    }

    const text = (attributes = {}) =>
      el("input", { type: "text", inputmode: "decimal", spellcheck: "false", ...attributes });

    const now = { settings: written };
    const gainOf = (i, value) => ({ gains: now.settings.gains.map((gain, j) => (j === i ? value : gain)) });
    const graded = observed.scale.flatMap((grade, i) => (grade > 0 ? [[grade, i]] : []));
    const gainFields = graded.map(([grade, i]) => {
      const name = `gain-${i}`;
      const input = text({ id: `control-${name}`, name, "aria-describedby": "error-gains" });
      fields[name] = { input, error: null };
      return el("div", {}, el("label", { for: input.id }, `grade ${state.numberText(grade)}`), input);
    });
    const gainError = el("span", { class: "error", id: "error-gains", role: "alert" });
    for (const [, i] of graded) {
      fields[`gain-${i}`].error = gainError;
      checked(`gain-${i}`, fields[`gain-${i}`].input, state.CHECKS.gain, (value) => gainOf(i, value));
    }
    const presets = state.presets(observed.scale).map((preset) => ({
      ...preset,
      button: app.dom.button(preset.name, () => change({ gains: preset.gains, gains_text: preset.gains_text }, true), {
        "aria-pressed": "false",
      }),
    }));

    const furthest = observed.runs.length ? observed.longest : Infinity; // sessions are read as far as they reach
    const longest = Math.max(1, Math.min(furthest, Math.max(written.depth, 100)));
    const range = el("input", { type: "range", min: 1, max: longest, step: 1, "aria-label": "Cutoff, as a slider" });
    range.addEventListener("input", () => change({ depth: Number(range.value) }, false));
    range.addEventListener("change", () => change({ depth: Number(range.value) }, true));
    const depth = checked("depth", text({ inputmode: "numeric" }), state.CHECKS.depth, (value) => ({ depth: value }));
    const depthField = field("depth", "Cutoff: the rank the user reads to", depth);
    const pair = el("div", { class: "depth" });
    depth.replaceWith(pair);
    pair.append(depth, range);
    const uncut = el("span", { class: "small", id: "uncut" });
    depthField.append(uncut);

    const scenarios = page.scenarios.map((scenario) => ({ scenario, button: scenarioButton(scenario) }));
    function scenarioButton(scenario) {
      const reason = scenario.reason ?? "";
      const attributes = {
        "aria-pressed": "false",
        "data-scenario": scenario.name,
        title: reason || scenario.about || null,
      };
      const button = app.dom.button(scenario.name, () => change(state.scenarioChanges(scenario), true), attributes);
      button.disabled = Boolean(reason);
      return button;
    }
    const reset = app.dom.button("As written", () => change(null, true), {
      id: "reset",
      title: "Back to the settings the page was written with",
    });

    const unused = el("span", { class: "small", id: "unused" });
    const measureField = select(
      "measure",
      "Measure",
      gc.facts.menu.map((name) => [name, name]),
    );
    measureField.append(unused);
    fields.measure.input.setAttribute("aria-describedby", "error-measure unused");

    const relevantFrom = [...new Set([...observed.scale.filter((g) => g > 0), written.rel])].sort((a, b) => a - b);
    const rows = [
      el(
        "fieldset",
        { id: "scenarios" },
        el("legend", {}, "A kind of user"),
        el(
          "div",
          { class: "buttons" },
          scenarios.map((choice) => choice.button),
          reset,
        ),
      ),
      observed.runs.length > 0 && measureField,
      graded.length &&
        el(
          "fieldset",
          { id: "gains", "aria-describedby": "unused" },
          el("legend", {}, "What a document of each grade is worth"),
          el("div", { class: "gains" }, gainFields),
          gainError,
          el(
            "div",
            { class: "buttons", role: "group", "aria-label": "Gains, from flat to steep" },
            presets.map((preset) => preset.button),
          ),
        ),
      el(
        "div",
        { class: "row" },
        select("discount", "Discount by rank", Object.entries(gc.facts.discounts).map(([name, form]) => [name, form.rank])),
        field(
          "base",
          "Base b",
          checked("base", text(), state.CHECKS.base, (value) => ({ base: value })),
        ),
      ),
      depthField,
      select("unjudged", "Unjudged documents", Object.entries(UNJUDGED)),
      observed.runs.length > 0 && select(
        "rel",
        `Relevant from grade (${gc.facts.menu.filter((name) => gc.record(name).relevant).join(", ")})`,
        relevantFrom.map((g) => [state.numberText(g), state.numberText(g)]),
        Number,
      ),
      observed.runs.length > 1 &&
        select("baseline", "Baseline", [["", "none: all pairs"], ...observed.runs.map((run) => [run.name, run.label])]),
    ];
    app.dom.fill(form, rows.filter(Boolean));
    form.addEventListener("submit", (event) => event.preventDefault());
    collapse();

    /** Show settings; a field the reader is typing in is left alone as long as it says the same. */
    function put(name, value) {
      const input = fields[name]?.input;
      if (!input) return;
      const typing = document.activeElement === input && input.value.trim() !== "" && !input.hasAttribute("aria-invalid");
      if (!typing || Number(input.value) !== Number(value)) input.value = value;
      if (fields[name].error) complain(name);
    }

    return {
      show(settings, changed) {
        now.settings = settings;
        reset.disabled = !changed && !form.querySelector("[aria-invalid]");
        for (const name of ["measure", "discount", "unjudged", "baseline"]) put(name, settings[name]);
        put("rel", state.numberText(settings.rel));
        put("depth", String(settings.depth));
        for (const [, i] of graded) put(`gain-${i}`, state.numberText(settings.gains[i]));
        range.value = String(settings.depth);
        const whole = gc.record(settings.measure).whole && settings.cutoff === null;
        uncut.textContent = whole ? `${settings.measure} reads the whole list; curves, P and R follow.` : "";
        use(settings);
        for (const preset of presets)
          preset.button.setAttribute("aria-pressed", String(state.same(preset.gains, settings.gains)));
        for (const { scenario, button } of scenarios)
          button.setAttribute("aria-pressed", String(state.isScenario(scenario, settings)));
      },
    };

    /** A control without effect on the measure cannot be used, and says why. */
    function use(settings) {
      const { gains, discounted } = gc.record(settings.measure);
      unused.textContent = state.unusedText(settings.measure);
      for (const [control, used] of [[form.querySelector("#gains"), gains], [fields.discount.input, discounted]]) {
        if (!control) continue;
        control.disabled = !used;
        control.title = used ? "" : unused.textContent;
      }
      base(settings, discounted);
    }

    function base(settings, discounted) {
      const { input } = fields.base;
      const based = state.isBased(settings.discount);
      input.disabled = !based || !discounted;
      input.title = !discounted ? unused.textContent : based ? "" : "This discount has no base";
      input.placeholder = based ? "" : "no base";
      if (based) put("base", state.numberText(settings.base));
      else {
        input.value = "";
        complain("base");
      }
    }

    /** On a small screen the controls begin closed, under a bar that stays in sight. */
    function collapse() {
      const details = form.closest("details");
      const narrow = matchMedia(NARROW);
      const follow = () => (details.open = !narrow.matches);
      narrow.addEventListener("change", follow);
      follow();
    }
  };
})((globalThis.gaincurve ??= {}));
