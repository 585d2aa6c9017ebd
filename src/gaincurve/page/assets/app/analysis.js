/** An analysis that takes over what other settings have already computed, where the change does not touch it. No DOM. */
(function (gc) {
  "use strict";

  const app = (gc.app ??= {});
  const MOST = 60; // results kept; the oldest go first
  const USER = ["gains", "discount", "base", "unjudged"];

  class SharingAnalysis extends gc.Analysis {
    /**
     * @param {Map<string, any>} results of earlier settings on the same data
     * @param {?object} written the verdict that Python wrote for these settings
     */
    constructor(observed, settings, results, written = null) {
      super(observed, settings, written);
      this.results = results;
    }

    #shared(what, choices, compute) {
      const key = JSON.stringify([what, choices.map((name) => this.settings[name])]);
      if (!this.results.has(key)) {
        this.results.set(key, compute());
        if (this.results.size > MOST) this.results.delete(this.results.keys().next().value);
      }
      return this.results.get(key);
    }

    curve(name, depth = this.reach) {
      return this.#shared(["curve", name, depth], gc.record(name).gains ? USER : ["rel", "unjudged"], () =>
        super.curve(name, depth),
      );
    }

    difference(name, a, b, depth = this.reach) {
      return this.#shared(["difference", name, a, b, depth], [...USER, "rel"], () =>
        super.difference(name, a, b, depth),
      );
    }

    get recallPoints() {
      return this.#shared(["recall"], ["rel", "unjudged"], () => super.recallPoints);
    }

    gradesByRank(run, depth = this.reach) {
      return this.#shared(["grades", run, depth], ["unjudged"], () => super.gradesByRank(run, depth));
    }

    unjudgedByRank(depth = this.reach) {
      return this.#shared(["unjudged", depth], [], () => super.unjudgedByRank(depth));
    }

    /** The sweep tries gains, bases and depths itself: what matters is which ones, and the measure. */
    get sweep() {
      const measure = gc.sweptMeasure(this.settings);
      const axes = gc.defaultAxes(this.observed, this.settings);
      return this.#shared(["sweep", measure, axes], ["unjudged"], () => super.sweep);
    }
  }

  app.SharingAnalysis = SharingAnalysis;
})((globalThis.gaincurve ??= {}));
