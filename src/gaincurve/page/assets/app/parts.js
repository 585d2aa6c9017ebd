/** What is drawn when: what the reader sees at once, the rest in idle time, nothing twice. */
(function (gc) {
  "use strict";

  const app = (gc.app ??= {});
  const idle =
    globalThis.requestIdleCallback ??
    ((act) => setTimeout(() => act({ timeRemaining: () => 20, didTimeout: true }), 30));

  /**
   * A queue of parts. A part is {element, draw(), needs: "settings"|"view"|…, heavy}: `draw` may return a promise;
   * `needs` are the kinds of change it depends on; a heavy one is never drawn inside the reader's own action.
   */
  class Parts {
    /** `begun` and `settled` are told the number of each change: when it begins, and when all of it is drawn. */
    constructor(begun, settled) {
      this.parts = [];
      this.generation = 0;
      Object.assign(this, { begun, settled });
      this.working = false;
      this.observer = new IntersectionObserver((entries) => this.#seen(entries));
    }

    add(part) {
      this.parts.push(Object.assign(part, { stale: true, visible: false }));
      this.observer.observe(part.element);
      return part;
    }

    remove(gone) {
      this.parts = this.parts.filter((part) => !gone.includes(part));
      for (const part of gone) this.observer.unobserve(part.element);
    }

    /** Something changed: draw what is seen now, and the rest when there is time. */
    refresh(kinds) {
      this.begun((this.generation += 1));
      for (const part of this.parts) if (part.needs.some((kind) => kinds.includes(kind))) part.stale = true;
      for (const part of this.parts) if (part.stale && part.heavy) part.wait?.();
      for (const part of this.parts) if (part.stale && part.visible && !part.heavy) this.#draw(part);
      this.#later();
    }

    #seen(entries) {
      const by = new Map(this.parts.map((part) => [part.element, part]));
      for (const entry of entries) {
        const part = by.get(entry.target);
        if (!part) continue;
        part.visible = entry.isIntersecting;
        if (part.visible && part.stale && !part.heavy && this.generation) this.#draw(part);
      }
      if (this.generation) this.#later();
    }

    #draw(part) {
      part.stale = false;
      part.busy = new Promise((done) => done(part.draw())).catch(app.failed);
      return part.busy;
    }

    /** One part at a time, those in sight first; a part that becomes stale meanwhile is simply found again. */
    #later() {
      if (this.working) return;
      this.working = true;
      const next = async () => {
        const waiting = this.parts.filter((part) => part.stale);
        const light = waiting.find(({ heavy }) => !heavy);
        const part = waiting.find(({ visible }) => visible) ?? light ?? waiting[0];
        if (part) {
          await this.#draw(part);
          idle(next, { timeout: 500 });
          return;
        }
        await Promise.all(this.parts.map((part) => part.busy));
        this.working = false;
        if (this.parts.some((part) => part.stale)) this.#later();
        else this.settled(this.generation);
      };
      idle(next, { timeout: 500 });
    }
  }

  app.Parts = Parts;
  app.idle = idle;
})((globalThis.gaincurve ??= {}));
