// The sweep: who wins over gains × discount × cutoff, and whether that is more than chance.
(function (gc) {
  "use strict";

  const { bases: BASES, depths: DEPTHS, axes: AXES } = gc.facts.sweep;
  const TIED = -1;

  /**
   * Gains for the grades in use: all alike, as graded, 2^g − 1, tenfold from grade to grade, the best grade only.
   * @param {number[]} scale
   * @returns {{gains: number[], gains_text: string}[]}
   */
  function flatToSteep(scale) {
    const named = (text) => ({ gains: gc.parseGains(scale, text), gains_text: text });
    const above = scale.filter((grade) => grade > 0);
    if (!above.length) return [named("identity")];
    const listed = (gain) => {
      const gains = scale.map((grade) => (grade > 0 ? gain(above.indexOf(grade)) : 0));
      return { gains, gains_text: gc.gainsText(scale, gains) };
    };
    const best = (i) => (i === above.length - 1 ? 1 : 0);
    const wanted = [listed(() => 1), named("identity"), named("exp2"), listed((i) => 10 ** i), listed(best)];
    const different = new Map(); // with a single relevant grade all are one
    for (const scheme of wanted.filter(({ gains }) => gc.summable(gains))) {
      const key = scheme.gains.join(" ");
      if (!different.has(key)) different.set(key, scheme);
    }
    return [...different.values()];
  }

  /**
   * What is tried unless told otherwise: gains from flat to steep, every base of the present discount, or the present
   * one and the 2002 paper's, several cutoffs; and among them, in their places, the present settings.
   * @returns {{gains: object[], discounts: {discount: string, base: *}[], depths: number[]}}
   */
  function defaultAxes(observed, settings) {
    const { gains, discounted } = gc.record(settings.measure);
    const { discount, base } = settings;
    return {
      gains: gainsTried(flatToSteep(observed.scale), settings),
      discounts: gains && !discounted ? [{ discount, base }] : discountsTried(discount, base),
      depths: [...new Set([...DEPTHS, settings.depth])].sort((x, y) => x - y),
    };
  }

  /** Schemes and the present one, unless it is one of them, before the first that is steeper. */
  function gainsTried(schemes, { gains, gains_text }) {
    if (schemes.some((scheme) => scheme.gains.every((gain, g) => gain === gains[g]))) return schemes;
    const place = schemes.findIndex((scheme) => steepness(scheme.gains) > steepness(gains));
    const before = place < 0 ? schemes.length : place;
    return [...schemes.slice(0, before), { gains, gains_text }, ...schemes.slice(before)];
  }

  /** How much of all gains is that of the best grade: from an equal share to 1. */
  function steepness(gains) {
    const all = gains.reduce((sum, gain) => sum + gain, 0);
    return all > 0 ? Math.max(...gains) / all : 0;
  }

  /** The bases of a discount with its own; without one, the discount itself and the bases of the 2002 paper's. */
  function discountsTried(discount, base) {
    const size = (value) => (value === "inf" ? Infinity : value);
    const based = (form, bases) => bases.map((value) => ({ discount: form, base: value }));
    if (gc.facts.discounts[discount].based) {
      const bases = BASES.includes(base) ? BASES : [...BASES, base].sort((x, y) => size(x) - size(y));
      return based(discount, bases);
    }
    const own = { discount, base };
    if (discount !== "none") return [own, ...based("jk2002", BASES)];
    return [...based("jk2002", BASES.filter((value) => value !== "inf")), own]; // no discount, in the place of base inf
  }

  /**
   * Who wins under every setting of the axes: the winner (a run, −1 where two share the best mean), the runner-up, the
   * margin, and the p of the margin among all pairs. Measures without gains are swept as the default.
   * @param {object} [axes] gains, discounts, depths
   * @returns {{measure: string, settings: object[], sentence: string}}
   */
  function sweep(observed, settings, axes = defaultAxes(observed, settings)) {
    const measure = gc.sweptMeasure(settings);
    const tried = [];
    for (const scheme of axes.gains) {
      for (const discount of axes.discounts) {
        const trial = { ...settings, ...scheme, ...discount };
        scoresAt(observed, trial, measure, axes.depths).forEach((scores, d) => {
          tried.push({ ...scheme, ...discount, depth: axes.depths[d], ...settle(observed, scores, settings.alpha) });
        });
      }
    }
    return { measure, settings: tried, sentence: sentence(observed, tried) };
  }

  /** The scores of every run at every cutoff, by depth, run and topic, read off one sum. */
  function scoresAt(observed, trial, measure, depths) {
    const topics = observed.topics.count;
    const divisor = gc.divisorsOf(trial, measure, Math.max(...depths));
    const possible = gc.canGain(observed, trial.gains);
    const best = (r) => idealAt(observed, trial.gains, gc.idealCounts(observed, trial, trial.ideal, r), divisor, depths);
    const { normalised } = gc.record(measure);
    const shared = normalised && trial.ideal !== "retrieved" ? best(0) : null;
    const byRun = observed.runs.map((run, r) => {
      const own = ownAt(gc.listsOf(observed, trial, r), topics, trial.gains, divisor, depths);
      const ideal = normalised ? (shared ?? best(r)) : null;
      return own.map((sums, d) => {
        if (ideal) for (let t = 0; t < topics; t++) sums[t] = gc.relative(sums[t], ideal[d][t], possible[t]);
        return gc.settled(sums, run, trial);
      });
    });
    return depths.map((_, d) => byRun.map((run) => run[d]));
  }

  function ownAt({ rank, grade, offsets }, topics, gains, divisor, depths) {
    const sums = depths.map(() => new Float64Array(topics));
    for (let t = 0; t < topics; t++) {
      let i = offsets[t];
      let sum = 0;
      for (let d = 0; d < depths.length; d++) {
        for (; i < offsets[t + 1] && rank[i] <= depths[d]; i++) sum += gains[grade[i]] / divisor[rank[i] - 1];
        sums[d][t] = sum;
      }
    }
    return sums;
  }

  function idealAt(observed, gains, counts, divisor, depths) {
    const width = observed.scale.length;
    const order = gc.byGain(gains);
    const sums = depths.map(() => new Float64Array(observed.topics.count));
    for (let t = 0; t < observed.topics.count; t++) {
      let rank = 0;
      let sum = 0;
      let g = 0;
      let left = order.length ? counts[t * width + order[0]] : 0;
      for (let d = 0; d < depths.length; d++) {
        while (g < order.length && rank < depths[d]) {
          if (left-- > 0) sum += gains[order[g]] / divisor[rank++];
          else left = ++g < order.length ? counts[t * width + order[g]] : 0;
        }
        sums[d][t] = sum;
      }
    }
    return sums;
  }

  /** Winner, runner-up and margin of one setting; its p is that of the pair among all pairs, by t and Holm. */
  function settle(observed, scores, alpha) {
    const topics = gc.commonTopics(scores);
    const onTopics = (values) => Float64Array.from(topics, (t) => values[t]);
    const commonScores = topics.length === scores[0].length ? scores : scores.map(onTopics);
    const means = commonScores.map((values) => (topics.length ? gc.sum(values) / topics.length : NaN));
    const [first, second = first] = gc.bestFirst(means, observed.names);
    const margin = Math.abs(means[first] - means[second]);
    const tied = !(gc.rounded(margin) > 0);
    const p = chance(commonScores, first, second);
    return {
      winner: tied ? TIED : first,
      runner_up: second,
      margin,
      p,
      significant: !tied && p <= alpha,
      means,
      topics: topics.length,
    };
  }

  function chance(scores, first, second) {
    if (scores.length < 2) return NaN;
    const pairs = gc.comparedPairs(scores.length, -1);
    const gaps = new Float64Array(scores[0].length);
    const p = pairs.map(([a, b]) => {
      for (let t = 0; t < gaps.length; t++) gaps[t] = scores[a][t] - scores[b][t];
      return gc.pairedP(gaps);
    });
    const index = pairs.findIndex(([a, b]) => (a === first && b === second) || (a === second && b === first));
    return (pairs.length > 1 ? gc.holm(p) : p)[index];
  }

  /** Under which users the verdict holds. */
  function sentence(observed, settings) {
    const wins = countWins(settings);
    const [winner] = byWins(observed, wins);
    if (winner === undefined) return gc.say("no winner");
    const won = settings.filter((setting) => setting.winner === winner);
    const flips = settings.filter((setting) => setting.winner !== winner && setting.winner !== TIED);
    const name = (run) => observed.labels[run];
    const head = gc.say("wins", {
      run: name(winner),
      won: won.length,
      settings: gc.counted(settings.length, "setting"),
      significant: significant(won),
    });
    if (!flips.length) return gc.say("holds", { wins: head });
    const others = byWins(observed, countWins(flips)).map((run) =>
      gc.say("other wins", { run: name(run), won: wins.get(run), where: where(settings, run) }),
    );
    return gc.say("flips", { wins: head, others: others.join("; "), significant: significant(flips) || "none" });
  }

  function significant(settings) {
    return settings.filter((setting) => setting.significant).length;
  }

  function countWins(settings) {
    const wins = new Map();
    for (const { winner } of settings) if (winner !== TIED) wins.set(winner, (wins.get(winner) ?? 0) + 1);
    return wins;
  }

  /** The runs that win anything, most wins first, equal ones by name. */
  function byWins(observed, wins) {
    const { names } = observed;
    return [...wins.keys()].sort((r, s) => wins.get(s) - wins.get(r) || gc.byCodePoint(names[r], names[s]));
  }

  const VALUES = {
    gains: (setting) => setting.gains_text,
    discount: (setting) => gc.discountText(setting),
    depth: (setting) => String(setting.depth),
  };

  /** The one choice that explains best where a run wins: ', mostly with gains 0-1-1-1'. */
  function where(settings, run) {
    let best = [0, ""];
    for (const [axis, valueOf] of Object.entries(VALUES)) {
      const values = [...new Set(settings.map(valueOf))];
      const share = new Map(values.map((value) => {
        const here = settings.filter((setting) => valueOf(setting) === value);
        return [value, here.filter((setting) => setting.winner === run).length / here.length];
      }));
      const high = values.filter((value) => share.get(value) >= 0.5);
      if (!high.length || high.length === values.length) continue;
      const rest = values.filter((value) => share.get(value) < 0.5).map((value) => share.get(value));
      const contrast = Math.min(...high.map((value) => share.get(value))) - Math.max(...rest);
      if (contrast > best[0]) {
        const span = axis === "depth" && high.length > 2 ? `${high[0]} to ${high.at(-1)}` : high.join(", ");
        const how = contrast === 1 ? "exactly" : "mostly";
        best = [contrast, gc.say("where", { how, axis: AXES[axis], values: span })];
      }
    }
    return best[1];
  }

  Object.assign(gc, { sweep, sweepSentence: sentence, flatToSteep, defaultAxes });
})((globalThis.gaincurve ??= {}));
