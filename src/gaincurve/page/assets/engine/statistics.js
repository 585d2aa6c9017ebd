// Paired comparisons: t with its fixed answers for degenerate cases, intervals, Holm's correction, letters.
(function (gc) {
  "use strict";

  const SLACK = 1e-12;

  /**
   * Student's t on the differences of two runs, topic by topic: its p and the 1 − alpha interval of the mean.
   *
   * No difference at all is p = 1. Where all topics shift alike there is no t and no interval, and p is that of the exact
   * sign flip.
   * @param {ArrayLike<number>} differences
   * @param {number} alpha
   * @returns {{difference: number, low: number, high: number, p: number, effect: number, wins: number, ties: number,
   *   losses: number, replaced: boolean}}
   */
  function pairedT(differences, alpha) {
    const n = differences.length;
    const won = winsTiesLosses(differences);
    const difference = n ? gc.sum(differences) / n : NaN;
    const { low, high, spread } = meanInterval(differences, difference, alpha);
    const replaced = n > 1 && isConstant(differences);
    const equal = n > 1 && won.ties === n;
    const effect = equal ? 0 : replaced ? NaN : difference / spread;
    const [from, to] = equal ? [difference, difference] : replaced ? [NaN, NaN] : [low, high];
    return { difference, low: from, high: to, p: pairedP(differences), effect, ...won, replaced };
  }

  /**
   * The p of the paired t-test alone.
   * @param {ArrayLike<number>} differences
   * @returns {number}
   */
  function pairedP(differences) {
    const n = differences.length;
    if (n < 2) return NaN;
    if (differences.every((d) => gc.rounded(d) === 0)) return 1;
    if (isConstant(differences)) return Math.max(2 ** (1 - n), gc.SMALLEST); // only two of 2^n sign vectors reach so far
    const middle = gc.sum(differences) / n;
    return gc.tTwoSided(middle / (gc.deviation(differences, middle) / Math.sqrt(n)), n - 1);
  }

  /** The t interval of a mean, and the standard deviation it rests on; no interval for fewer than two values. */
  function meanInterval(values, middle, alpha) {
    const spread = gc.deviation(values, middle);
    const half = (tCritical(alpha, values.length - 1) * spread) / Math.sqrt(values.length);
    return { low: middle - half, high: middle + half, spread };
  }

  const quantiles = new Map();

  /** The t that is exceeded on either side with probability alpha; remembered, since all ranks of a curve ask for it. */
  function tCritical(alpha, df) {
    const key = `${alpha} ${df}`;
    if (!quantiles.has(key)) quantiles.set(key, df > 0 ? gc.tQuantile(1 - alpha / 2, df) : NaN);
    return quantiles.get(key);
  }

  /** Whether all topics shift alike, by something other than 0: what is left is rounding. */
  function isConstant(differences) {
    let [least, most] = [Infinity, -Infinity];
    for (const d of differences) [least, most] = [Math.min(least, d), Math.max(most, d)];
    const some = gc.rounded(least) !== 0 || gc.rounded(most) !== 0;
    return some && most - least <= SLACK * Math.max(Math.abs(least), Math.abs(most));
  }

  /** Topics won, tied and lost. */
  function winsTiesLosses(differences) {
    let wins = 0;
    let losses = 0;
    for (let i = 0; i < differences.length; i++) {
      const d = gc.rounded(differences[i]);
      if (d > 0) wins++;
      else if (d < 0) losses++;
    }
    return { wins, ties: differences.length - wins - losses, losses };
  }

  /**
   * Holm's adjusted p-values in the order given; NaN stays and does not count.
   * @param {number[]} p
   * @returns {number[]}
   */
  function holm(p) {
    const tested = p.map((_, i) => i).filter((i) => !Number.isNaN(p[i]));
    tested.sort((i, j) => p[i] - p[j] || i - j);
    const adjusted = p.slice();
    let reached = 0;
    tested.forEach((i, place) => {
      reached = Math.max(reached, p[i] * (tested.length - place));
      adjusted[i] = Math.min(1, reached);
    });
    return adjusted;
  }

  /** a, b, …, z, aa, ab, …: a name for the row at a place. */
  function letter(place) {
    let text = "";
    for (let rest = place + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
      text = String.fromCharCode(97 + ((rest - 1) % 26)) + text;
    }
    return text;
  }

  /**
   * For each run the letters of the groups it belongs to: two runs share a letter unless they differ.
   *
   * Piepho's (2004) insert-and-absorb: begin with one group, split it wherever a pair inside differs, drop groups
   * inside others. Letters go by `order`, best first.
   * @param {boolean[][]} differ
   * @param {number[]} order
   * @returns {string[]}
   */
  function letterGroups(differ, order) {
    let groups = [new Set(order)];
    order.forEach((i, place) => {
      for (const j of order.slice(place + 1)) if (differ[i][j]) groups = split(groups, i, j);
    });
    const rank = new Map(order.map((run, place) => [run, place]));
    const keys = groups.map((group) => [Array.from(group, (run) => rank.get(run)).sort((a, b) => a - b), group]);
    keys.sort(([a], [b]) => byList(a, b));
    return order.map((_, run) => keys.map(([, group], g) => (group.has(run) ? letter(g) : "")).join(""));
  }

  /** Every group that holds both is replaced by one without each; what lies inside another group is dropped. */
  function split(groups, i, j) {
    let remaining = groups.filter((group) => !(group.has(i) && group.has(j)));
    for (const group of groups) {
      if (!(group.has(i) && group.has(j))) continue;
      for (const gone of [j, i]) {
        const part = new Set(group);
        part.delete(gone);
        if (!remaining.some((other) => isInside(part, other))) {
          remaining = [...remaining.filter((other) => !isInside(other, part)), part];
        }
      }
    }
    return remaining;
  }

  function isInside(part, whole) {
    for (const run of part) if (!whole.has(run)) return false;
    return true;
  }

  function byList(a, b) {
    for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i] - b[i];
    return a.length - b.length;
  }

  Object.assign(gc, { pairedT, pairedP, meanInterval, tCritical, winsTiesLosses, holm, letter, letterGroups });
})((globalThis.gaincurve ??= {}));
