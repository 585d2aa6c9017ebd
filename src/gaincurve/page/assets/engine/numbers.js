// Numbers: sums rounded once, logarithms exact at powers, and numbers as text, each as Python computes or writes it.
(function (gc) {
  "use strict";

  /**
   * The exact sum of finite numbers, rounded once (Shewchuk 1997), so that the order of topics cannot change a bit.
   * @param {ArrayLike<number>} values
   * @returns {number}
   */
  function sum(values) {
    let parts = 0;
    for (let v = 0; v < values.length; v++) {
      let x = values[v];
      let count = 0;
      for (let i = 0; i < parts; i++) {
        const y = partials[i];
        const high = x + y;
        const left = high - y; // Knuth's two-sum: what high has lost of both, exactly
        const low = x - left + (y - (high - left));
        if (low !== 0) partials[count++] = low;
        x = high;
      }
      partials[count++] = x;
      parts = count;
    }
    return roundedOnce(parts);
  }

  const partials = new Float64Array(64); // of numbers that do not overlap there are never more than 40

  /** The sum of numbers that do not overlap, smallest first, to the nearest number and in a tie to the even one. */
  function roundedOnce(n) {
    if (n === 0) return 0;
    let high = partials[--n];
    let low = 0;
    while (n > 0) {
      const x = high;
      const y = partials[--n];
      high = x + y;
      low = y - (high - x);
      if (low !== 0) break;
    }
    if (n > 0 && ((low < 0 && partials[n - 1] < 0) || (low > 0 && partials[n - 1] > 0))) {
      const y = low * 2;
      const x = high + y;
      if (y === x - high) high = x;
    }
    return high;
  }

  /**
   * The mean of the defined values; NaN if there are none.
   * @param {ArrayLike<number>} values
   * @returns {number}
   */
  function mean(values) {
    const defined = new Float64Array(values.length);
    let count = 0;
    for (let i = 0; i < values.length; i++) if (values[i] === values[i]) defined[count++] = values[i];
    return count ? sum(defined.subarray(0, count)) / count : NaN;
  }

  /**
   * The standard deviation of defined values, with n − 1 below; NaN for fewer than two.
   * @param {ArrayLike<number>} values
   * @param {number} middle their mean
   * @returns {number}
   */
  function deviation(values, middle) {
    let squares = 0;
    for (let i = 0; i < values.length; i++) {
      const apart = values[i] - middle;
      squares += apart * apart;
    }
    return values.length > 1 ? Math.sqrt(squares / (values.length - 1)) : NaN;
  }

  const DECIMALS = 1e10;

  /**
   * A value as it is compared: numbers that differ only by how their sums were rounded are one value.
   * @param {number} value
   * @returns {number}
   */
  function rounded(value) {
    const scaled = value * DECIMALS;
    const below = Math.floor(scaled);
    const rest = scaled - below;
    const whole = rest > 0.5 || (rest === 0.5 && below % 2 !== 0) ? below + 1 : below;
    return whole / DECIMALS + 0;
  }

  /** The logarithm to base 2, exact at powers of 2 in every browser. */
  function log2(x) {
    const logarithm = Math.log2(x);
    const near = Math.round(logarithm);
    return 2 ** near === x ? near : logarithm;
  }

  const TENS = Array.from({ length: 23 }, (_, n) => Number(`1e${n}`));

  /** The logarithm to base 10, exact at powers of 10. */
  function log10(x) {
    const logarithm = Math.log10(x);
    const near = Math.round(logarithm);
    return TENS[near] === x ? near : logarithm;
  }

  /** The order of Python's strings: by code point, where JavaScript's own is by UTF-16 unit. */
  function byCodePoint(a, b) {
    const left = Array.from(a);
    const right = Array.from(b);
    for (let i = 0; i < Math.min(left.length, right.length); i++) {
      if (left[i] !== right[i]) return left[i].codePointAt(0) - right[i].codePointAt(0);
    }
    return left.length - right.length;
  }

  /**
   * A number with so many decimals, a tie going to the even digit as in Python: 0.03125 is 0.0312.
   * @param {number} value
   * @param {number} digits
   * @returns {string}
   */
  function fixed(value, digits) {
    if (Number.isNaN(value)) return "nan";
    const size = Math.abs(value);
    const sign = value < 0 || Object.is(value, -0) ? "-" : "";
    if (size >= 1e21) return sign + BigInt(size) + (digits ? `.${"0".repeat(digits)}` : "");
    const text = size.toFixed(digits);
    if (!Number.isInteger(size * 2 ** (digits + 1))) return sign + text; // a tie is a multiple of 2^-(digits + 1)
    const longer = size.toFixed(digits + 1);
    const odd = Number(text.at(-1)) % 2 === 1;
    if (!longer.endsWith("5") || !odd) return sign + text;
    return sign + longer.slice(0, -1).replace(/\.$/, "");
  }

  /** A share with more digits where fewer would make it a level that it is not: .0502 is not .050. */
  function noLevel(value, digits, levels) {
    const text = fixed(value, digits);
    if (digits < gc.facts.levels.most_digits && levels.includes(Number(text)) && Number(text) !== value) {
      return noLevel(value, digits + 1, levels);
    }
    return text.replace(/^0/, "");
  }

  /** Python's `:g`: six digits at most, without zeros at the end. */
  function general(value) {
    const exponent = value === 0 ? 0 : Number(value.toExponential(5).split("e")[1]);
    if (exponent >= -4 && exponent < 6) return String(Number(fixed(value, 5 - exponent)));
    return withExponent(value.toExponential(5).replace(/\.?0+e/, "e"));
  }

  /** 1e-7 as Python writes it: 1e-07. */
  function withExponent(text) {
    return text.replace(/e([+-])(\d)$/, "e$10$2");
  }

  /** The shortest text that is read back as the same number, as Python's `repr` writes a float. */
  function floatText(value) {
    if (!Number.isFinite(value)) return Number.isNaN(value) ? "nan" : value < 0 ? "-inf" : "inf";
    const [digits, power] = value.toExponential().split("e");
    const exponent = Number(power);
    if (exponent < -4 || exponent >= 16) return withExponent(`${digits}e${power}`);
    const text = exponent < 0 ? plain(value) : String(value);
    return text.includes(".") ? text : `${text}.0`;
  }

  /** A number as people write it: 2, 0.5, 1e-07, inf. */
  function numberText(value) {
    return Number.isInteger(value) && Math.abs(value) < 1e15 ? String(value + 0) : floatText(value);
  }

  /** The same without an exponent, for texts in which '-' has a meaning. */
  function plainNumberText(value) {
    const text = numberText(value);
    return text.includes("e") ? plain(value) : text;
  }

  /** All digits of a number, none of them in an exponent. */
  function plain(value) {
    const [digits, power] = Math.abs(value).toExponential().split("e");
    const [head, tail = ""] = digits.split(".");
    const exponent = Number(power);
    const sign = value < 0 ? "-" : "";
    if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${head}${tail}`;
    const whole = (head + tail).padEnd(exponent + 1, "0");
    return sign + whole.slice(0, exponent + 1) + (whole.length > exponent + 1 ? `.${whole.slice(exponent + 1)}` : "");
  }

  /** 1432 as '1 432'. */
  function grouped(number) {
    return String(number).replace(/\B(?=(\d{3})+$)/g, " ");
  }

  /** '1 topic', '1 432 topics'. */
  function counted(number, noun) {
    return `${grouped(number)} ${noun}${number === 1 ? "" : "s"}`;
  }

  Object.assign(gc, {
    sum, mean, deviation, rounded, log2, log10, byCodePoint, fixed, noLevel, general, numberText, plainNumberText, grouped,
    counted,
  });
})((globalThis.gaincurve ??= {}));
