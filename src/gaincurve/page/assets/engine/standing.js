// How a difference stands against what nobody judged and against tied documents: verbs/standing.py, computed here.
(function (gc) {
  "use strict";

  const { likely: LIKELY, enough: ENOUGH, deepest: DEEPEST, draws: DRAWS, first_draws: FIRST } = gc.facts.judging;
  const { clear: CLEAR, slack: SLACK } = gc.facts.judging;

  /**
   * What could turn the difference a less b of a pair: shares judged of the first `depth` documents, the mean difference
   * over all judgings (`low`, `high`), whether its sign is `certain`, the chance `p` that the one ahead stays ahead.
   * @typedef {{depth: number, judged_a: number, judged_b: number, low: number, high: number, certain: boolean, p: number,
   *   decided_by_ties: boolean}} Standing
   */

  const MOST_DRAWN = 4e7; // more would keep a reader waiting: then only what Python wrote has a chance

  const UNKNOWN = { low: NaN, high: NaN, certain: false, p: NaN };

  /** Whether too little of one system's first documents is judged, and that could turn the difference. */
  const fewJudged = (standing) => !standing.certain && Math.min(standing.judged_a, standing.judged_b) < ENOUGH;

  /** Whether the one ahead may well fall behind once all is judged. */
  const unlikely = (standing) => !standing.certain && standing.p < LIKELY;

  /** Whether a verdict on the difference must be weakened; not where nothing is known. */
  const isDoubtful = (standing) =>
    Boolean(standing) && (standing.decided_by_ties || fewJudged(standing) || unlikely(standing));

  /** A probability with two decimals that reaches neither 0, 1 nor .95 by rounding: '.62', '> .99', '< .01'. */
  function chanceText(p) {
    if (p > 0.99 || p < 0.01) return p > 0.5 ? "> .99" : "< .01";
    return gc.noLevel(p, 2, [LIKELY]);
  }

  /** 'certain', 'likely .99', 'open .62', '–' where it is not known; with 'few judged' and 'ties open' where so. */
  function standingText(standing) {
    if (!standing) return "–";
    return `${ifJudged(standing)}${fewJudged(standing) ? ", few judged" : ""}${standing.decided_by_ties ? ", ties open" : ""}`;
  }

  function ifJudged({ certain, p }) {
    if (certain) return "certain";
    return Number.isNaN(p) ? "–" : `${p >= LIKELY ? "likely" : "open"} ${chanceText(p)}`;
  }

  /** The standing of a difference of which only the shares judged are known. */
  const shareStanding = (depth, judged_a, judged_b) => ({ depth, judged_a, judged_b, ...UNKNOWN, decided_by_ties: false });

  /** All runs as one measure sees them on the topics compared. */
  class Seen {
    #kept = new Map();

    constructor(observed, settings, comparison) {
      const { name, cutoff } = gc.primary(settings);
      Object.assign(this, { observed, settings, comparison, name, cutoff });
      this.depth = Math.min(cutoff ?? DEEPEST, DEEPEST);
    }

    #once(key, compute) {
      if (!this.#kept.has(key)) this.#kept.set(key, compute());
      return this.#kept.get(key);
    }

    /** Topics in the order of their ids, so that the order of a file decides nothing. */
    get topics() {
      const { ids } = this.observed.topics;
      return this.#once("topics", () => [...this.comparison.topics].sort((t, u) => gc.byCodePoint(ids[t], ids[u])));
    }

    /** The share judged of each run's first documents, the mean over topics that have any. */
    share(run) {
      return this.#once(`share ${run}`, () => {
        const { rank, grade, offsets, retrieved } = gc.listsOf(this.observed, this.settings, run);
        const shares = this.topics.filter((t) => retrieved[t] > 0).map((t) => {
          let judged = 0;
          for (let i = offsets[t]; i < offsets[t + 1] && rank[i] <= this.depth; i++) judged += this.observed.isJudged[grade[i]] ? 1 : 0;
          return judged / Math.min(retrieved[t], this.depth);
        });
        return shares.length ? shares.reduce((sum, share) => sum + share, 0) / shares.length : 1;
      });
    }

    /** The measure as a sum of gain × weight, or as a share of such a sum; null where it is none. */
    get linear() {
      return this.#once("linear", () => (this.#known() ? linear(this.observed, this.settings, this.name, this.cutoff) : null));
    }

    /** Whether every document above the cutoff is named in the page. */
    #known() {
      const { documents, shown, longest } = this.observed;
      return documents && this.cutoff !== null && this.settings.unjudged === "zero" && Math.min(this.cutoff, longest) <= shown;
    }

    /** The lowest and highest mean of each run over the orders of its tied documents. */
    get tied() {
      return this.#once("tied", () => {
        if (this.observed.runs.every((run) => !run.ties.length)) return null;
        const means = (best) => {
          const ordered = { ...this.observed, runs: this.observed.runs.map((run) => gc.tieOrder(this.observed, run, best)) };
          const scores = gc.scores(ordered, this.settings, this.name, this.cutoff);
          return scores.map((values) => gc.mean(this.topics.map((t) => values[t] || 0)));
        };
        const [worst, best] = [means(false), means(true)];
        return worst.map((low, run) => [low, best[run]]);
      });
    }

    #turnedByTies(a, b) {
      if (!this.tied) return false;
      const [[lowA, highA], [lowB, highB]] = [this.tied[a], this.tied[b]];
      return gc.rounded(lowA - highB) < 0 && gc.rounded(highA - lowB) > 0;
    }

    /** How a less b stands. */
    standing({ a, b, difference }) {
      const known = { depth: this.depth, judged_a: this.share(a), judged_b: this.share(b), decided_by_ties: this.#turnedByTies(a, b) };
      if (!this.linear) return { ...known, ...UNKNOWN };
      const turned = difference < 0;
      const pair = this.#open(...(turned ? [b, a] : [a, b]));
      const { low, high, certain } = worstCase(pair);
      const affordable = pair.topic.length * this.comparison.pairs.length * FIRST <= MOST_DRAWN;
      const asked = gc.rounded(difference) !== 0 && this.cutoff <= DEEPEST && (affordable || !pair.ideal);
      const p = !asked ? NaN : certain ? 1 : plausible(pair);
      return { ...known, low: turned ? -high : low, high: turned ? -low : high, certain, p };
    }

    /** The sum of a run over judged documents, by topic, in the order of ids. */
    #judged(run) {
      return this.#once(`judged ${run}`, () => {
        const { rank, grade, offsets } = this.observed.runs[run].all;
        const { weights, gains } = this.linear;
        return this.topics.map((t) => {
          let sum = 0;
          for (let i = offsets[t]; i < offsets[t + 1] && rank[i] <= this.cutoff; i++) {
            if (this.observed.isJudged[grade[i]]) sum += gains[grade[i]] * weights[rank[i] - 1];
          }
          return sum;
        });
      });
    }

    /**
     * The unjudged documents that can still change which of two runs is ahead, as `gaincurve decide` finds them: none
     * where the order is certain or, unless `stop` is "certain", holds with a chance of .95. `moves` is how far a grade
     * moves the mean, at most.
     * @returns {{topic: number, document: number, moves: number}[]}
     */
    undecided(a, b, stop) {
      let pair = this.#open(a, b);
      if (asJudged(pair) < 0) pair = this.#open(b, a);
      const matters = canMatter(pair);
      if (worstCase(pair).certain || !matters.includes(true)) return [];
      const runs = this.observed.runs.length;
      const affordable = pair.topic.length * ((runs * (runs - 1)) / 2) * FIRST <= MOST_DRAWN;
      const p = stop !== "certain" && (affordable || !pair.ideal) ? plausible(pair) : NaN;
      if (Math.max(p, 1 - p) >= LIKELY) return [];
      const range = (Math.max(...pair.gains) - Math.min(...pair.gains)) / this.topics.length;
      const row = (place, i) => ({ topic: this.topics[place], document: pair.document[i], moves: Math.abs(pair.weight[i]) * range });
      return pair.topic.map(row).filter((_, i) => matters[i]);
    }

    /** The pair, with the run ahead first: what is judged, and topic and weight of every unjudged document. */
    #open(first, second) {
      const { isJudged, documents } = this.observed;
      const { weights } = this.linear;
      const [topic, weight, document] = [[], [], []];
      const counts = this.observed.scale.map(() => 0);
      this.topics.forEach((t, place) => {
        const { lists, grade } = documents[t];
        const weightPairs = new Map(); // document → its weights in both lists
        [first, second].forEach((run, side) => {
          lists[run].slice(0, this.cutoff).forEach((document, i) => {
            if (!weightPairs.has(document)) weightPairs.set(document, [0, 0]);
            weightPairs.get(document)[side] = weights[i];
          });
        });
        for (const [shown, [mine, theirs]] of weightPairs) {
          if (grade[shown] >= 0 && isJudged[grade[shown]]) counts[grade[shown]]++;
          else { topic.push(place); weight.push(mine - theirs); document.push(shown); }
        }
      });
      const judged = this.#judged(first).map((sum, i) => sum - this.#judged(second)[i]);
      return { judged, topic, weight, document, ...this.#scaled(counts, topic.length) };
    }

    /** The gains of the scale, the chance of each, their levels, and how many judged documents reach each level. */
    #scaled(counts, unjudged) {
      const { scale, isJudged, base } = this.observed;
      const { gains: byGrade, ideal } = this.linear;
      const places = scale.map((_, g) => g).filter((g) => isJudged[g]);
      const chances = places.map((g) => counts[g] + 1);
      if (this.prior === "shown") {
        const size = places.map((g) => Math.abs(scale[g]));
        chances[size.indexOf(Math.min(...size))] += unjudged;
      }
      const all = chances.reduce((sum, count) => sum + count, 0);
      const gains = places.map((g) => byGrade[g]);
      const levels = [...new Set(gains.filter((gain) => gain > 0))].sort((x, y) => x - y);
      const atLeast = (t, level) => scale.reduce((sum, _, g) => sum + (byGrade[g] >= level ? base[t * scale.length + g] : 0), 0);
      const known = this.#once("known", () => this.topics.map((t) => levels.map((level) => atLeast(t, level))));
      return { gains, prior: chances.map((count) => count / all), levels, ideal, known };
    }

    /** The model as a signature has it, undefined where there is none. */
    get model() {
      return this.prior && this.linear.ideal ? `${this.prior}(draws=${DRAWS},seed=0)` : this.prior || undefined;
    }

    /** 'pooled' where at least half of all judgments say what is not relevant, else 'shown'; '' without a chance. */
    get prior() {
      return this.#once("prior", () => {
        if (!this.linear || this.cutoff > DEEPEST) return "";
        const { scale, base } = this.observed;
        let [all, not] = [0, 0];
        for (const t of this.topics) scale.forEach((grade, g) => {
          all += base[t * scale.length + g];
          not += grade <= 0 ? base[t * scale.length + g] : 0;
        });
        return 2 * not >= all ? "pooled" : "shown";
      });
    }
  }

  /** Weights of ranks 1 to the cutoff, gains by grade, and `ideal(n)`: the weights of the first n of an ideal list. */
  function linear(observed, settings, name, cutoff) {
    const { normalised, gains, relevant } = gc.record(name);
    if (relevant) {
      const gain = gc.relevance(observed, settings).map(Number);
      if (name === "P") return { weights: new Float64Array(cutoff).fill(1 / cutoff), gains: gain, ideal: null };
      return name === "R" ? { weights: new Float64Array(cutoff).fill(1), gains: gain, ideal: (n) => n } : null;
    }
    if (!gains || (normalised && settings.ideal !== "judged")) return null;
    const weights = gc.divisorsOf(settings, name, cutoff).map((divisor) => 1 / divisor);
    if (!normalised) return { weights, gains: settings.gains, ideal: null };
    const running = new Float64Array(cutoff + 1);
    weights.forEach((weight, i) => { running[i + 1] = running[i] + weight; });
    return { weights, gains: settings.gains, ideal: (n) => running[Math.min(n, cutoff)] };
  }

  const idealOf = ({ ideal, levels }, counts) =>
    levels.reduce((sum, level, l) => sum + ideal(counts[l]) * (level - (l ? levels[l - 1] : 0)), 0);

  /** The highest share of an ideal between `small` and `large` that a sum of at most `top` can be. */
  function highestShare(top, small, large) {
    if (!(large > 0)) return 0;
    if (top > 0) return small > 0 ? Math.min(1, top / small) : 1;
    return Math.max(top / large, -1);
  }

  /** Ends of the mean difference over all judgings, and whether they have one sign. */
  function worstCase(pair) {
    const [least, most] = [Math.min(...pair.gains), Math.max(...pair.gains)];
    const [low, high, more] = [[...pair.judged], [...pair.judged], pair.judged.map(() => 0)];
    pair.topic.forEach((t, i) => {
      const [fromLeast, fromMost] = [pair.weight[i] * least, pair.weight[i] * most];
      low[t] += Math.min(fromLeast, fromMost);
      high[t] += Math.max(fromLeast, fromMost);
      more[t]++;
    });
    if (pair.ideal) {
      for (let t = 0; t < low.length; t++) {
        const raised = (gain) => idealOf(pair, pair.known[t].map((n, l) => n + (pair.levels[l] <= gain ? more[t] : 0)));
        const [small, large] = [raised(least), raised(most)];
        low[t] = -highestShare(-low[t], small, large);
        high[t] = highestShare(high[t], small, large);
      }
    }
    const total = (values) => values.reduce((sum, value) => sum + value, 0);
    const slack = SLACK * total(low.map((value, t) => Math.abs(value) + Math.abs(high[t])));
    const [lowest, highest] = [total(low), total(high)];
    return { low: lowest / low.length, high: highest / low.length, certain: lowest > slack || highest < -slack };
  }

  /** The chance that the first system is ahead once all is judged, if unjudged grades follow the prior: a model. */
  function plausible(pair) {
    const total = (values) => values.reduce((sum, value) => sum + value, 0);
    if (!pair.ideal) {
      const mean = total(pair.gains.map((gain, g) => pair.prior[g] * gain));
      const variance = total(pair.gains.map((gain, g) => pair.prior[g] * (gain - mean) ** 2)) * total(pair.weight.map((w) => w * w));
      return side(total(pair.judged) + mean * total(pair.weight), Math.sqrt(variance));
    }
    if (!pair.weight.length) {
      return side(total(pair.judged.map((sum, t) => divided(sum, idealOf(pair, pair.known[t])))), 0);
    }
    let sums = drawn(pair, 0, FIRST);
    const mean = total(sums) / sums.length;
    const spread = Math.sqrt(total(sums.map((sum) => (sum - mean) ** 2)) / sums.length);
    if (Math.abs(mean) > CLEAR * spread) return Number(mean > 0);
    sums = [...sums, ...drawn(pair, FIRST, DRAWS)];
    const slack = SLACK * sums.reduce((most, sum) => Math.max(most, Math.abs(sum)), 0);
    const share = (holds) => sums.filter(holds).length / sums.length;
    return (share((sum) => sum > slack) + share((sum) => sum >= -slack)) / 2;
  }

  function side(middle, spread) {
    if (spread === 0) return Math.abs(middle) <= SLACK ? 0.5 : Number(middle > 0);
    return gc.normalBelow(middle / spread);
  }

  /** The sum of the differences of the topics where unjudged documents gain nothing. */
  const asJudged = (pair) =>
    pair.judged.reduce((sum, value, t) => sum + (pair.ideal ? divided(value, idealOf(pair, pair.known[t])) : value), 0);

  /** Which unjudged documents can change the difference: of different weight, or raising an ideal that matters. */
  function canMatter({ judged, topic, weight, ideal, gains }) {
    if (gains.every((gain) => gain === gains[0])) return topic.map(() => false);
    const apart = judged.map((sum) => Math.abs(sum) > SLACK);
    topic.forEach((t, i) => { if (weight[i] !== 0) apart[t] = true; });
    return topic.map((t, i) => weight[i] !== 0 || Boolean(ideal && apart[t]));
  }

  const divided = (sum, ideal) => (ideal > 0 ? sum / ideal : 0);

  /** Σ of the differences over topics in draws start … stop − 1. */
  function drawn(pair, start, stop) {
    const { levels, topic, weight, known } = pair;
    const steps = levels.map((level, l) => level - (l ? levels[l - 1] : 0));
    const below = (level) => pair.prior.reduce((sum, p, g) => sum + (pair.gains[g] < level ? p : 0), 0);
    const bars = levels.map((level) => Math.min(Math.floor(below(level) * 2 ** 32), 2 ** 32));
    const sums = new Array(stop - start).fill(0);
    const [gained, counts] = [new Float64Array(levels.length), new Int32Array(levels.length)];
    for (let t = 0, from = 0; t < pair.judged.length; t++) {
      let to = from;
      while (to < topic.length && topic[to] === t) to++;
      for (let draw = start; draw < stop; draw++) {
        gained.fill(0);
        for (let l = 0; l < levels.length; l++) counts[l] = known[t][l];
        for (let i = from; i < to; i++) {
          const number = drawnNumber(i, draw);
          for (let l = 0; l < levels.length && number >= bars[l]; l++) { gained[l] += weight[i]; counts[l]++; }
        }
        let sum = pair.judged[t];
        for (let l = 0; l < levels.length; l++) sum += steps[l] * gained[l];
        sums[draw - start] += divided(sum, idealOf(pair, counts));
      }
      from = to;
    }
    return sums;
  }

  /** A number from 0 to 2^32 − 1 for a document and a draw: the same as Python draws. */
  function drawnNumber(document, draw) {
    return mixed(mixed(Math.imul(document, 0x9e3779b1)) + Math.imul(draw + 1, 0x85ebca77));
  }

  function mixed(number) {
    let x = number >>> 0;
    x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
    x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
    return (x ^ (x >>> 15)) >>> 0;
  }

  Object.assign(gc, { Seen, shareStanding, isDoubtful, fewJudged, unlikely, chanceText, standingText, drawnNumber });
})((globalThis.gaincurve ??= {}));
