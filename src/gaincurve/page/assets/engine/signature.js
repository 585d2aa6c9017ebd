// Choices as text: measures, gains, discounts, and the signature that says everything that decided a number.
(function (gc) {
  "use strict";

  const DISCOUNTED = ["DCG", "nDCG"];

  /**
   * A measure as Python writes it: nDCG@10, P(rel=2)@10, AP.
   * @returns {string}
   */
  function measureText(settings, name, cutoff) {
    const rel = gc.GAIN.includes(name) || settings.rel === 1 ? "" : `(rel=${gc.numberText(settings.rel)})`;
    return `${name}${rel}${cutoff === null ? "" : `@${cutoff}`}`;
  }

  /** A discount as Python writes it: log2(i+1), none, jk2002(base=2). */
  function discountText({ discount, base }) {
    if (base === null || base === undefined) return discount === "log" ? "log2(i+1)" : discount;
    return `${discount}(base=${base === "inf" ? "inf" : gc.numberText(base)})`;
  }

  /**
   * Gains, one for each grade of the scale, as text that Python reads back: 0-1-10-100, or 0.5=1,1=3.
   *
   * Grades of 0 and below gain 0 unless the text says otherwise.
   * @param {number[]} scale
   * @param {number[]} gains
   * @returns {string}
   */
  function gainsText(scale, gains) {
    const named = scale.map((grade, g) => [grade, gains[g]]);
    const above = named.filter(([grade]) => grade > 0);
    const odd = named.filter(([grade, gain]) => grade < 0 && gain !== 0);
    if (above.length && !odd.length && above.every(([grade], i) => grade === i + 1)) {
      const zero = named.find(([grade]) => grade === 0)?.[1] ?? 0;
      return [zero, ...above.map(([, gain]) => gain)].map(gc.plainNumberText).join("-");
    }
    const told = named.filter(([grade, gain]) => grade > 0 || gain !== 0);
    const written = told.length ? told : named.slice(-1);
    return written.map(([grade, gain]) => `${gc.numberText(grade)}=${gc.numberText(gain)}`).join(",");
  }

  /**
   * Gains from text: identity, exp2, binary(rel=2), 0-1-10-100, 1=3,2=9. null where it is not understood, leaves a
   * grade without a gain, or makes one negative.
   * @param {number[]} scale
   * @param {string} text
   * @returns {?number[]}
   */
  function parseGains(scale, text) {
    const gain = gainOf(text.trim());
    const found = gain ? scale.map(gain) : [];
    return found.length && found.every((value) => Number.isFinite(value) && value >= 0) ? found : null;
  }

  function gainOf(text) {
    if (text === "identity") return (grade) => Math.max(grade, 0);
    if (text === "exp2") return (grade) => 2 ** Math.max(grade, 0) - 1;
    const binary = /^binary(?:\(rel=([^)]+)\)|:(.+))?$/.exec(text);
    if (binary) return (grade) => (grade >= number(binary[1] ?? binary[2] ?? "1") ? 1 : 0);
    const table = text.includes("=")
      ? text.split(",").map((part) => part.split("=").map(number))
      : text.includes("-") ? text.split("-").map((part, grade) => [grade, number(part)]) : [];
    const isPair = (pair) => pair.length === 2 && pair.every(Number.isFinite) && pair[1] >= 0;
    if (!table.length || !table.every(isPair)) return null;
    const gains = new Map(table);
    return (grade) => gains.get(grade) ?? (grade <= 0 ? 0 : NaN);
  }

  function number(text) {
    return /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text) ? Number(text) : NaN;
  }

  /** '50', '48/50' where some are undefined, '45-48/50' where runs differ. */
  function topicsText(scores) {
    const defined = scores.map((values) => values.reduce((sum, value) => sum + (Number.isNaN(value) ? 0 : 1), 0));
    const [low, high, total] = [Math.min(...defined), Math.max(...defined), scores[0].length];
    if (low === total) return String(total);
    return low === high ? `${low}/${total}` : `${low}-${high}/${total}`;
  }

  /**
   * Everything that decided the scores of one measure, always in the same order.
   * @param {Float64Array[]} [scores] of that measure
   * @returns {string}
   */
  function signature(observed, settings, name, cutoff, scores = gc.scores(observed, settings, name, cutoff)) {
    return signed(settings, name, cutoff, topicsText(scores)).join("|");
  }

  /**
   * The signature of the comparison: that of the scores, with the test before the version.
   * @param {object} comparison as `compare` gives it
   * @returns {string}
   */
  function comparisonSignature(observed, settings, comparison = gc.compare(observed, settings)) {
    const { name, cutoff } = gc.primary(settings);
    const parts = signed(settings, name, cutoff, String(comparison.topics.length));
    const test = ["test:t", `adjust:${comparison.adjust}`];
    if (comparison.baseline >= 0) test.push(`baseline:${observed.names[comparison.baseline]}`);
    test.push(`alpha:${gc.general(settings.alpha)}`);
    return [...parts.slice(0, -1), ...test, parts.at(-1)].join("|");
  }

  function signed(settings, name, cutoff, topics) {
    const gain = gc.GAIN.includes(name);
    const emptiable = gc.NORMALISED.includes(name) || name === "R" || name === "AP";
    const cut = cutoff === null ? "" : `@${cutoff}`;
    return [
      measureText(settings, name, cutoff),
      gain && `gain:${settings.gains_text}`,
      DISCOUNTED.includes(name) && `discount:${discountText(settings)}`,
      gc.NORMALISED.includes(name) && `ideal:${settings.ideal}${cut}`,
      !gain && `rel:${gc.numberText(settings.rel)}`,
      name === "AP" && "norm:R",
      `ties:${settings.ties}`,
      `unjudged:${settings.unjudged}`,
      settings.negative !== "judged" && `negative:${settings.negative}`,
      `missing:${settings.missing}`,
      settings.empty === "zero" && emptiable && "empty:zero",
      `topics:${topics}`,
      `gaincurve:${settings.version}`,
    ].filter(Boolean);
  }

  Object.assign(gc, { measureText, discountText, gainsText, parseGains, topicsText, signature, comparisonSignature });
})((globalThis.gaincurve ??= {}));
