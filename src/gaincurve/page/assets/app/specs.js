/** A chart's definition made ready to be drawn: fed with rows, in light or dark colours, safe from what Vega stumbles over. */
(function (gc) {
  "use strict";

  const app = (gc.app ??= {});
  const ERRORS_ONLY = 1;

  /** Vega groups rows in plain objects: a run called 'constructor' would find one there. Such names get an unseen end. */
  const TAKEN = new Map(Object.getOwnPropertyNames(Object.prototype).map((name) => [name, `${name}\u2060`]));

  /**
   * Draw a Vega-Lite specification into an element. No code is made from text (the page's policy forbids it), and an
   * empty data set is no reason to warn.
   */
  app.embed = (element, spec) => {
    const options = { ast: true, renderer: "svg", actions: false, defaultStyle: false, logLevel: ERRORS_ONLY };
    return globalThis.vegaEmbed(element, spec, options);
  };

  /**
   * What takes another value's place in a specification and its rows: colours their dark twins, names that are taken
   * the same with an unseen end. Null if nothing does.
   * @returns {?Map<string, string>}
   */
  app.swaps = function (page, observed, dark) {
    const taken = [...observed.runs.map((run) => run.label), ...observed.topics.ids].filter((name) => TAKEN.has(name));
    if (!dark && !taken.length) return null;
    return new Map([...Object.entries(dark ? page.dark : {}), ...taken.map((name) => [name, TAKEN.get(name)])]);
  };

  /** A value of JSON with strings exchanged; keys stay as they are. */
  app.swapped = function swapped(value, swaps) {
    if (swaps === null) return value;
    if (typeof value === "string") return swaps.get(value) ?? value;
    if (Array.isArray(value)) return value.map((item) => swapped(item, swaps));
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, swapped(field, swaps)]));
  };

  /** Whether two data sets, or two values of a signal, are the same: a chart is only fed what changed. */
  app.alike = function alike(a, b) {
    if (a === b || (Number.isNaN(a) && Number.isNaN(b))) return true;
    if (a === null || b === null || typeof a !== "object" || typeof b !== "object") return false;
    const keys = Object.keys(a);
    return keys.length === Object.keys(b).length && keys.every((key) => alike(a[key], b[key]));
  };

  /** A specification with the rows and signals of a feed in it, so wide. */
  app.fed = function (spec, feed, width) {
    const { signals = {} } = feed;
    return {
      ...structuredClone(spec),
      width,
      datasets: { ...spec.datasets, ...feed.data },
      params: (spec.params ?? []).map((param) =>
        param.name in signals ? { ...param, value: signals[param.name] } : param,
      ),
      config: { ...spec.config, aria: false }, // a figure has one label and a table, not a label for each point
    };
  };
})((globalThis.gaincurve ??= {}));
