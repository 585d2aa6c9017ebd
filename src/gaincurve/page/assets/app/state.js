/** The settings a reader has chosen, and the fragment of the address that keeps them. No DOM. */
(function (gc) {
  "use strict";

  const app = (gc.app ??= {});

  const { menu: MEASURES, discounts: DISCOUNTS } = gc.facts;
  const isBased = (discount) => DISCOUNTS[discount].based;
  const MOST_DEPTH = 1e6;
  const MOST_GAIN = gc.facts.gain_range[1]; // sums of larger ones would not be numbers any more

  /** A number as people write it: 2, 0.5, inf. */
  const numberText = (value) => (value === "inf" ? "inf" : value === null ? "" : gc.numberText(Number(value)));

  const same = (a, b) => a.length === b.length && a.every((x, i) => x === b[i]);

  /** The ways from flat to steep that a sweep tries, by the name a reader knows; alike ones once. */
  function presets(scale) {
    const positive = scale.filter((g) => g > 0);
    const spread = (gain) => scale.map((g) => (g > 0 ? gain(positive.indexOf(g)) : 0));
    const all = [
      { name: "all alike", gains: spread(() => 1) },
      { name: "as graded", gains: gc.parseGains(scale, "identity"), gains_text: "identity" },
      { name: "2^g − 1", gains: gc.parseGains(scale, "exp2"), gains_text: "exp2" },
      { name: "tenfold", gains: spread((i) => 10 ** i) },
      { name: "best only", gains: spread((i) => Number(i === positive.length - 1)) },
    ];
    const named = all.filter(({ gains }) => gc.summable(gains)).map((scheme) => ({ gains_text: gc.gainsText(scale, scheme.gains), ...scheme }));
    return named.filter((scheme, i) => named.findIndex((other) => same(other.gains, scheme.gains)) === i);
  }

  /** Settings whose parts agree: the text of the gains, a base only where the discount has one, the measure's own cutoff. */
  function settled(written, scale, changed) {
    const settings = { ...changed };
    if (!same(gc.parseGains(scale, settings.gains_text) ?? [], settings.gains)) {
      const first = same(settings.gains, written.gains);
      settings.gains_text = first ? written.gains_text : gc.gainsText(scale, settings.gains);
    }
    settings.base = isBased(settings.discount) ? (settings.base ?? 2) : null;
    const whole =
      gc.record(settings.measure).whole && !(written.measure === settings.measure && written.cutoff !== null);
    settings.cutoff = whole ? null : settings.depth;
    return settings;
  }

  /** Why some controls cannot be used under a measure, or ''. */
  function unusedText(name) {
    const { gains, discounted } = gc.record(name);
    if (discounted) return "";
    const others = MEASURES.filter((other) => gc.record(other)[gains ? "discounted" : "gains"]);
    const lacks = gains ? "no discount: it" : "no gains and no discount: they";
    return `${name} has ${lacks} can be changed under ${gc.joined(others)}.`;
  }

  /** What the button of a scenario puts in. */
  const scenarioChanges = ({ settings }) =>
    Object.fromEntries(["gains", "gains_text", "discount", "base", "depth", "unjudged"].map((key) => [key, settings[key]]));

  /** Whether settings are those of a scenario, however its gains are written. */
  const isScenario = (scenario, settings) =>
    !scenario.reason &&
    Object.entries(scenarioChanges(scenario)).every(
      ([key, value]) => key === "gains_text" || String(value) === String(settings[key]),
    );

  /** What is wrong with one value as text, or '' and the value read. */
  const CHECKS = {
    depth(text) {
      const value = Number(text);
      const fine = text.trim() !== "" && Number.isInteger(value) && value >= 1 && value <= MOST_DEPTH;
      return fine
        ? { value }
        : { error: `a whole number of ranks, from 1 to ${MOST_DEPTH.toLocaleString("en").replaceAll(",", " ")}` };
    },
    base(text) {
      if (text.trim().toLowerCase() === "inf") return { value: "inf" };
      const value = Number(text);
      return text.trim() !== "" && value > 1 && Number.isFinite(value)
        ? { value }
        : { error: "a number above 1, or inf for no discount" };
    },
    gain(text) {
      const value = Number(text);
      if (value > MOST_GAIN) return { error: `a gain of at most ${MOST_GAIN}` };
      return text.trim() !== "" && value >= 0 ? { value } : { error: "a number, 0 or more" };
    },
  };

  /** Which scores can be read at all under a text of the fragment: [setting, value] or an error. */
  function readSetting(key, text, observed) {
    const oneOf = (list) => (list.includes(text) ? { value: text } : { error: `one of ${list.join(", ")}` });
    if (key === "measure") return oneOf(MEASURES);
    if (key === "discount") return oneOf(Object.keys(DISCOUNTS));
    if (key === "unjudged") return oneOf(["zero", "condensed"]);
    if (key === "baseline") return text === "" ? { value: "" } : oneOf(observed.runs.map((run) => run.name));
    if (key === "rel")
      return text.trim() !== "" && Number.isFinite(Number(text)) ? { value: Number(text) } : { error: "a grade" };
    if (key === "gains") {
      const gains = gc.parseGains(observed.scale, text);
      if (gains?.some((gain) => gain > MOST_GAIN)) return { error: `gains of at most ${MOST_GAIN}` };
      return gains ? { value: gains } : { error: "a gain for every grade, such as 0-1-10-100" };
    }
    return CHECKS[key](text);
  }

  const SETTINGS = ["measure", "gains", "discount", "base", "depth", "unjudged", "rel", "baseline"];

  const SESSION_CURVES = Object.keys(gc.facts.sessions);

  /** The choices of the panel of sessions as it was written; null where there are none. */
  function firstSessions({ sessions }) {
    if (!sessions) return null;
    const { query_discount, bq } = sessions.settings;
    return { query_discount, bq, shown: SESSION_CURVES[0] };
  }

  /** A base only where the query discount has one. */
  const settledSessions = (chosen) =>
    chosen && { ...chosen, bq: isBased(chosen.query_discount) ? (chosen.bq ?? 4) : null };

  /** The keys of the fragment about sessions: which choice each one is, and how it is read. */
  const SESSIONS = {
    query_discount: {
      choice: "query_discount",
      read: (text) => (Object.hasOwn(DISCOUNTS, text) ? { value: text } : { error: `one of ${Object.keys(DISCOUNTS).join(", ")}` }),
    },
    bq: { choice: "bq", read: (text) => CHECKS.base(text) },
    session_curve: {
      choice: "shown",
      read: (text) => (SESSION_CURVES.includes(text) ? { value: text } : { error: `one of ${SESSION_CURVES.join(", ")}` }),
    },
  };

  const encoded = (text) =>
    encodeURIComponent(
      String(text).replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd"),
    );
  const decoded = (text) => {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  };
  const asText = (key, settings) =>
    key === "gains" ? settings.gains_text : key === "base" ? numberText(settings.base) : String(settings[key]);

  /**
   * The fragment without its '#': only what differs from the page as it was written.
   * @returns {string}
   */
  function fragment(state, first) {
    const { settings, view, observed } = state;
    const parts = SETTINGS.filter((key) => asText(key, settings) !== asText(key, first.settings)).filter(
      (key) => key !== "base" || settings.base !== null,
    );
    const pairs = parts.map(
      (key) => `${key}=${encoded(asText(key, settings)).replaceAll("%2C", ",").replaceAll("%3D", "=")}`,
    );
    const run = (r) => encoded(observed.runs[r].name);
    if (view.a !== first.view.a) pairs.push(`a=${run(view.a)}`);
    if (view.b !== first.view.b) pairs.push(`b=${run(view.b)}`);
    if (view.topic !== first.view.topic) pairs.push(`topic=${encoded(observed.topics.ids[view.topic])}`);
    const off = observed.runs.map((_, r) => r).filter((r) => !view.on.includes(r));
    const offAtFirst = observed.runs.map((_, r) => r).filter((r) => !first.view.on.includes(r));
    if (!same(off, offAtFirst)) pairs.push(`off=${off.map(run).join(",")}`);
    for (const [key, { choice }] of Object.entries(view.sessions ? SESSIONS : {})) {
      const value = view.sessions[choice];
      if (value !== null && value !== first.view.sessions[choice]) pairs.push(`${key}=${encoded(numberOrText(value))}`);
    }
    return pairs.join("&");
  }

  const numberOrText = (value) => (typeof value === "number" ? numberText(value) : value);

  /**
   * The state a fragment asks for, and what of it could not be followed.
   * @returns {{settings: object, view: object, refused: string[]}}
   */
  function parsed(text, first, observed) {
    const refused = [];
    const changed = { ...first.settings };
    const view = { ...first.view };
    const named = (value) => observed.runs.findIndex((run) => run.name === value);
    for (const part of text.replace(/^#/, "").split("&").filter(Boolean)) {
      const [key, raw = ""] = [part.slice(0, part.indexOf("=")), part.slice(part.indexOf("=") + 1)];
      const value = decoded(raw);
      if (SETTINGS.includes(key)) {
        const read = readSetting(key, value, observed);
        if (read.error) refused.push(`${key}=${value}: must be ${read.error}`);
        else changed[key] = read.value;
        if (key === "gains" && !read.error) changed.gains_text = value;
      } else if (key === "a" || key === "b") {
        if (named(value) < 0) refused.push(`${key}=${value}: there is no such run`);
        else view[key] = named(value);
      } else if (key === "topic") {
        const topic = observed.topics.ids.indexOf(value);
        if (topic < 0) refused.push(`topic=${value}: there is no such topic`);
        else view.topic = topic;
      } else if (view.sessions && Object.hasOwn(SESSIONS, key)) {
        const read = SESSIONS[key].read(value);
        if (read.error) refused.push(`${key}=${value}: must be ${read.error}`);
        else view.sessions = { ...view.sessions, [SESSIONS[key].choice]: read.value };
      } else if (key === "off") {
        const off = raw.split(",").map((name) => named(decoded(name)));
        view.on = observed.runs.map((_, r) => r).filter((r) => !off.includes(r));
      }
    }
    if (view.a === view.b) Object.assign(view, { a: first.view.a, b: first.view.b });
    view.sessions = settledSessions(view.sessions);
    return { settings: settled(first.settings, observed.scale, changed), view, refused };
  }

  app.state = {
    isBased,
    scenarioChanges,
    isScenario,
    unusedText,
    CHECKS,
    presets,
    settled,
    settledSessions,
    firstSessions,
    fragment,
    parsed,
    numberText,
    same,
  };
})((globalThis.gaincurve ??= {}));
