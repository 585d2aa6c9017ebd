// Choices as text: measures, gains, discounts, and the signature that says everything that decided a number.
(function (gc) {
  "use strict";

  /**
   * A measure as Python writes it: nDCG@10, P(rel=2)@10, AP.
   * @returns {string}
   */
  function measureText(settings, name, cutoff) {
    const rel = !gc.record(name).relevant || settings.rel === 1 ? "" : `(rel=${gc.numberText(settings.rel)})`;
    return `${name}${rel}${cutoff === null ? "" : `@${cutoff}`}`;
  }

  /** A discount as Python writes it: log2(i+1), none, jk2002(base=2). */
  function discountText({ discount, base }) {
    const { text } = gc.facts.discounts[discount];
    if (base === null || base === undefined) return text;
    return `${text}(base=${base === "inf" ? "inf" : gc.numberText(base)})`;
  }

  /** A discount as signatures write it: one function has one text. */
  function canonicalDiscount({ discount, base }) {
    if (base === "inf") return discountText({ discount: "none" });
    return discountText(discount === "kanoulas2011" && base === 2 ? { discount: "log" } : { discount, base });
  }

  /**
   * Gains, one for each grade of the scale, as signatures write them: the first of identity, binary, exp2 and
   * binary(rel=r) that gives these gains, else as a list or a mapping.
   * @param {number[]} scale
   * @param {number[]} gains
   * @returns {string}
   */
  function canonicalGains(scale, gains) {
    const lowest = scale[gains.indexOf(1)];
    const from = lowest === undefined ? [] : [`binary(rel=${gc.numberText(lowest)})`];
    const named = ["identity", "binary", "exp2", ...from];
    const fits = (text) => scale.map(gainOf(text)).every((gain, g) => gain === gains[g]);
    return named.find(fits) ?? gainsText(scale, gains);
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
    const needed = named.filter(([grade, gain]) => grade > 0 || gain !== 0);
    const written = needed.length ? needed : named.slice(-1);
    return written.map(([grade, gain]) => `${gc.numberText(grade)}=${gc.numberText(gain)}`).join(",");
  }

  /**
   * Gains from text: identity, exp2, binary(rel=2), 0-1-10-100, 1=3,2=9. null where it is not understood, leaves a
   * grade without a gain, or makes one negative or too large or small to be summed.
   * @param {number[]} scale
   * @param {string} text
   * @returns {?number[]}
   */
  function parseGains(scale, text) {
    const gain = gainOf(text.trim());
    const gains = gain ? scale.map(gain) : [];
    return gains.length && summable(gains) ? gains : null;
  }

  /** Whether gains are 0 or of a size that sums keep; false for none. */
  function summable(gains) {
    const [smallest, largest] = gc.facts.gain_range;
    return gains !== null && gains.every((gain) => gain === 0 || (gain >= smallest && gain <= largest));
  }

  function gainOf(text) {
    if (text === "identity") return (grade) => Math.max(grade, 0);
    if (text === "exp2") return (grade) => 2 ** Math.max(grade, 0) - 1;
    const binary = /^binary(?:\(rel=([^)]+)\)|:(.+))?$/.exec(text);
    if (binary) return (grade) => (grade >= number(binary[1] ?? binary[2] ?? "1") ? 1 : 0);
    const table = text.includes("=")
      ? text.split(",").map((part) => part.split("=").map(number))
      : text.includes("-") ? text.split("-").map((part, grade) => [grade, number(part)]) : [];
    const isPair = (pair) => pair.length === 2 && pair.every(Number.isFinite) && summable([pair[1]]);
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
   * @returns {Signature}
   */
  function signature(observed, settings, name, cutoff, scores = gc.scores(observed, settings, name, cutoff)) {
    return signed(measureText(settings, name, cutoff), partsOf(observed, settings, name, cutoff, topicsText(scores)));
  }

  /**
   * The signature of the comparison: that of the scores, and how they were tested.
   * @param {object} comparison as `compare` gives it
   * @returns {Signature}
   */
  function comparisonSignature(observed, settings, comparison = gc.compare(observed, settings)) {
    const { name, cutoff } = gc.primary(settings);
    const parts = partsOf(observed, settings, name, cutoff, String(comparison.topics.length));
    const test = testParts(settings, comparison.adjust, observed.names[comparison.baseline]);
    return signed(measureText(settings, name, cutoff), { ...parts, ...test, prior: comparison.seen?.model });
  }

  /** The parts that say how differences were tested. */
  function testParts(settings, adjust, baseline) {
    return { test: "t", adjust, baseline, alpha: gc.general(settings.alpha) };
  }

  /**
   * What decided the scores of a measure, part by part; undefined where the measure has nothing to do with it.
   * @returns {Object<string, ?string>}
   */
  function partsOf(observed, settings, name, cutoff, topics) {
    const { gains, discounted, normalised, relevant, own, undefined: lacks } = gc.record(name);
    const when = (said, text) => (said ? text : undefined);
    return {
      gain: when(gains, canonicalGains(observed.scale, settings.gains)),
      discount: when(discounted, canonicalDiscount(settings)),
      ideal: when(normalised, `${settings.ideal}${cutoff === null ? "" : `@${cutoff}`}`),
      rel: when(relevant, gc.numberText(settings.rel)),
      ...own,
      ties: settings.ties,
      unjudged: settings.unjudged,
      negative: when(settings.negative !== "judged", settings.negative),
      missing: settings.missing,
      empty: when(settings.empty === "zero" && lacks, "zero"),
      judgments: observed.origin,
      topics,
      gaincurve: settings.version,
    };
  }

  /** Everything that decided a number, part by part; as text, and in JSON, with a bar between the parts. */
  class Signature {
    /** @param {string[]} parts - the measure, if it is about one, then name:value */
    constructor(parts) {
      this.parts = parts;
    }

    /** The text in pieces between which a line may break: each part with the bar behind it. */
    get pieces() {
      return this.parts.map((part, i) => (i < this.parts.length - 1 ? `${part}|` : part));
    }

    toString() {
      return this.parts.join("|");
    }

    toJSON() {
      return this.toString();
    }
  }

  /**
   * A signature: the measure if it is about one, and the parts in the order that Python gives them.
   * @param {?string} measure
   * @param {Object<string, ?string>} parts
   * @returns {Signature}
   */
  function signed(measure, parts, order = gc.facts.signature) {
    const written = order.filter((part) => parts[part] !== undefined).map((part) => `${part}:${parts[part]}`);
    return new Signature(measure === null ? written : [measure, ...written]);
  }

  Object.assign(gc, {
    measureText, discountText, canonicalDiscount, canonicalGains, gainsText, parseGains, summable, topicsText, signature, comparisonSignature, partsOf, testParts,
    signed, Signature,
  });
})((globalThis.gaincurve ??= {}));
