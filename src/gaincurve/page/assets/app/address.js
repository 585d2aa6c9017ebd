/** The address of the page: every lasting change is a step of the back button, and every address can be followed. */
(function (gc) {
  "use strict";

  const app = (gc.app ??= {});
  const REMEMBER = 400; // milliseconds after which a change that goes on becomes a step of the back button

  class Address {
    #written = "";
    #waiting = null;

    /** @param {object} state of app/main.js @param {(settings: object, view: object) => void} apply */
    constructor(state, apply) {
      Object.assign(this, { state, apply });
      addEventListener("hashchange", () => this.follow());
      addEventListener("popstate", () => this.follow());
    }

    /** Write the state into the address: now, or once the reader has paused. */
    keep(lasting) {
      clearTimeout(this.#waiting);
      if (lasting) this.#write();
      else this.#waiting = setTimeout(() => this.#write(), REMEMBER);
    }

    #write() {
      const now = app.state.fragment(this.state, this.state.first);
      if (now === this.#written) return;
      this.#written = now;
      try {
        history.pushState(null, "", now ? `#${now}` : location.pathname + location.search);
      } catch {
        location.hash = now; // where a page from a disk may not write its history
      }
    }

    /** Show what the address asks for, and tell what of it cannot be shown. */
    follow() {
      const text = location.hash.slice(1);
      if (text && !text.includes("=")) return; // an anchor of the page itself
      clearTimeout(this.#waiting);
      const { first, observed, view } = this.state;
      const asked = app.state.parsed(text, first, observed);
      this.#written = text;
      this.apply(asked.settings, { ...view, ...asked.view });
      const refused = asked.refused.map((refusal) => app.dom.visible(refusal).slice(0, 200)).join("; ");
      app.tell(refused && `The address asks for what cannot be shown and was not followed there: ${refused}.`);
    }
  }

  app.Address = Address;
})((globalThis.gaincurve ??= {}));
