// Student's t: tail probabilities and quantiles, to about 13 digits also far out in the tails.
(function (gc) {
  "use strict";

  const SMALLEST = 2.2250738585072014e-308; // a tail too small for a number is small, not impossible
  const EPSILON = 2.220446049250313e-16;

  // Γ(a + ½)/Γ(a) = √a (1 − 1/(8a) + 1/(128a²) + …): the expansion of the central binomial coefficient.
  const SERIES = [
    1, -1 / 8, 1 / 128, 5 / 1024, -21 / 32768, -399 / 262144, 869 / 4194304, 39325 / 33554432, -334477 / 2147483648,
  ];
  const FAR = 40;

  /** Γ(a + ½)/Γ(a), by the recurrence from an `a` at which the series has converged. */
  function gammaRatio(a) {
    let factor = 1;
    while (a < FAR) {
      factor *= a / (a + 0.5);
      a += 1;
    }
    let series = 0;
    for (let i = SERIES.length - 1; i >= 0; i--) series = series / a + SERIES[i];
    return factor * Math.sqrt(a) * series;
  }

  /** Lentz's continued fraction of the incomplete beta function, converging for x < (a + 1)/(a + b + 2). */
  function betaFraction(a, b, x) {
    const tiny = 1e-300;
    let c = 1;
    let d = 1 - ((a + b) * x) / (a + 1);
    d = 1 / (Math.abs(d) < tiny ? tiny : d);
    let fraction = d;
    for (let m = 1; m < 10000; m++) {
      const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
      d = 1 + even * d;
      c = 1 + even / c;
      d = 1 / (Math.abs(d) < tiny ? tiny : d);
      c = Math.abs(c) < tiny ? tiny : c;
      fraction *= d * c;
      const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
      d = 1 + odd * d;
      c = 1 + odd / c;
      d = 1 / (Math.abs(d) < tiny ? tiny : d);
      c = Math.abs(c) < tiny ? tiny : c;
      fraction *= d * c;
      if (Math.abs(d * c - 1) < EPSILON) break;
    }
    return fraction;
  }

  /** log(1 + t²/df), also where t² is too large for a number. */
  function logSpread(t, df) {
    return t > 1e150 ? 2 * Math.log(t) - Math.log(df) : Math.log1p((t * t) / df);
  }

  /** Whether t lies so near to 0 that the centre, not the tail, is computed. */
  function isCentral(t, df) {
    return t < 1e150 && df / (df + t * t) >= (df / 2 + 1) / (df / 2 + 2.5);
  }

  /** log P(|T| ≥ t) for a t that is not central. */
  function logTail(t, df) {
    const a = df / 2;
    const spread = logSpread(t, df);
    const x = Math.exp(-spread); // df/(df + t²)
    const scale = (gammaRatio(a) / (a * Math.sqrt(Math.PI))) * Math.sqrt(-Math.expm1(-spread));
    return -a * spread + Math.log(scale * betaFraction(a, 0.5, x));
  }

  /** P(|T| ≤ t) for a central t. */
  function centre(t, df) {
    const a = df / 2;
    const spread = logSpread(t, df);
    const y = -Math.expm1(-spread); // t²/(df + t²)
    const scale = (2 * gammaRatio(a)) / Math.sqrt(Math.PI);
    return scale * Math.sqrt(y) * Math.exp(-a * spread) * betaFraction(0.5, a, y);
  }

  /** The logarithm of the density at t. */
  function logDensity(t, df) {
    return Math.log(gammaRatio(df / 2) / Math.sqrt(df * Math.PI)) - ((df + 1) / 2) * logSpread(t, df);
  }

  /**
   * The probability of a t at least as far from 0.
   * @param {number} t
   * @param {number} df
   * @returns {number}
   */
  function tTwoSided(t, df) {
    const size = Math.abs(t);
    if (Number.isNaN(size) || !(df > 0)) return NaN;
    if (size === Infinity) return SMALLEST;
    if (isCentral(size, df)) return 1 - (size === 0 ? 0 : centre(size, df));
    return Math.max(tail(size, df), SMALLEST);
  }

  /** P(|T| ≥ t) without the detour over its logarithm, which would cost a digit or two. */
  function tail(t, df) {
    const a = df / 2;
    const spread = logSpread(t, df);
    const scale = (gammaRatio(a) / (a * Math.sqrt(Math.PI))) * Math.sqrt(-Math.expm1(-spread));
    return scale * betaFraction(a, 0.5, Math.exp(-spread)) * Math.exp(-a * spread);
  }

  /**
   * The value below which Student's t lies with the probability.
   * @param {number} probability
   * @param {number} df
   * @returns {number}
   */
  function tQuantile(probability, df) {
    if (!(probability >= 0 && probability <= 1) || !(df > 0)) return NaN;
    if (probability === 0 || probability === 1) return probability === 0 ? -Infinity : Infinity;
    const upper = probability > 0.5;
    const both = 2 * (upper ? 1 - probability : probability);
    const inside = upper ? 2 * probability - 1 : 1 - 2 * probability;
    if (inside === 0) return 0;
    const size = inside < 0.5 ? centralQuantile(inside, df) : outerQuantile(both, df);
    return upper ? size : -size;
  }

  /** The t with P(|T| ≤ t) = inside. P is concave in t, so Newton's steps from 0 never pass the answer. */
  function centralQuantile(inside, df) {
    let t = inside / (2 * Math.exp(logDensity(0, df)));
    for (let i = 0; i < 60; i++) {
      const reached = isCentral(t, df) ? centre(t, df) : 1 - tail(t, df);
      const step = (inside - reached) / (2 * Math.exp(logDensity(t, df)));
      t += step;
      if (Math.abs(step) <= EPSILON * t) break;
    }
    return t;
  }

  /** The t with P(|T| ≥ t) = both, by Newton's steps on log P over log t, which is concave: after one step they fall. */
  function outerQuantile(both, df) {
    const wanted = Math.log(both);
    let u = 0;
    for (let i = 0; i < 200; i++) {
      const t = Math.exp(u);
      const reached = isCentral(t, df) ? Math.log1p(-centre(t, df)) : logTail(t, df);
      const slope = -2 * Math.exp(logDensity(t, df) + u - reached);
      const step = (wanted - reached) / slope;
      u = Math.min(u + step, 700);
      if (Math.abs(step) <= 4 * EPSILON * Math.max(1, Math.abs(u))) break;
    }
    const t = Math.exp(u);
    const density = Math.exp(logDensity(t, df));
    return density > 0 && !isCentral(t, df) ? t + (tail(t, df) - both) / (2 * density) : t; // the digits logs cost
  }

  /** The probability of a standard normal of at most z, by the error function's series or continued fraction. */
  function normalBelow(z) {
    const x = Math.abs(z) / Math.SQRT2;
    const tail = x < 2.5 ? 1 - erf(x) : erfc(x);
    return z < 0 ? tail / 2 : 1 - tail / 2;
  }

  /** 2/√π · e^(−x²) · Σ 2^n x^(2n+1) / (1·3·…·(2n+1)), all terms positive. */
  function erf(x) {
    let [term, sum] = [x, x];
    for (let n = 1; term > sum * 1e-17; n++) sum += term *= (2 * x * x) / (2 * n + 1);
    return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
  }

  /** The complement for large x, as a continued fraction from the far end. */
  function erfc(x) {
    let rest = x;
    for (let n = 120; n > 0; n--) rest = x + n / 2 / rest;
    return Math.exp(-x * x) / Math.sqrt(Math.PI) / rest;
  }

  Object.assign(gc, { normalBelow, tTwoSided, tQuantile, SMALLEST });
})((globalThis.gaincurve ??= {}));
