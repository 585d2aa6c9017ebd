/** Charts: drawn once by Vega from the page's specifications, then only fed; sized to their column, light or dark. */
(function (gc) {
  "use strict";

  const app = (gc.app ??= {});
  const NARROWEST = 140; // of the plot itself: below it the whole figure is scaled down
  const WIDEST = 960;
  const MOST_ROWS = 2000; // of a data table on the page; its CSV has all

  /** One chart on the page. `context()` gives {analysis, view, dark}; `run` fixes the run of a chart that has one. */
  class Chart {
    constructor(figure, name, page, context, run = null) {
      Object.assign(this, { figure, name, page, context, run, view: null, feed: null, dark: null });
      this.turn = Promise.resolve();
      const { el } = app.dom;
      this.plot = el("div", { class: "plot", role: "img" }, el("span", { class: "waiting" }, "drawing…"));
      this.caption = el("figcaption");
      this.numbers = el("div");
      this.details = el("details", {}, el("summary", {}, "Data table"), this.numbers);
      this.details.addEventListener("toggle", () => this.#tell(this.feed));
      const save = (kind) =>
        app.dom.button(kind, () => this.save(kind), { class: "quiet", "data-save": kind.toLowerCase() });
      this.tools = el("div", { class: "tools" }, save("SVG"), save("PNG"), save("CSV"), this.details);
      figure.append(this.caption, this.plot, this.tools);
      this.resizer = new ResizeObserver(([{ contentRect }]) => {
        this.room = contentRect.width;
        clearTimeout(this.soon);
        this.soon = setTimeout(() => this.#fit().catch(app.failed), 120);
      });
      this.resizer.observe(this.plot);
    }

    /** What the chart shows now, as the feed tells it. */
    feedNow() {
      const { analysis, view } = this.context();
      return gc.feeds[this.name](analysis, this.run === null ? view : { ...view, run: this.run });
    }

    wait() {
      this.plot.classList.add("stale");
      this.plot.setAttribute("aria-busy", "true");
    }

    /** Draw what is to be seen now; one drawing after the other, each of the newest state. */
    draw() {
      const mine = this.turn.then(() => this.#drawNow());
      this.turn = mine.catch(() => {});
      return mine;
    }

    async #drawNow() {
      const { analysis, dark } = this.context();
      const swaps = app.swaps(this.page, analysis.observed, dark);
      const feed = this.feedNow();
      this.#label(feed);
      if (this.view && this.dark === dark) await this.#update(feed, swaps);
      else await this.#embed(feed, swaps);
      Object.assign(this, { feed, dark });
      await this.#fit();
      this.plot.classList.remove("stale");
      this.plot.removeAttribute("aria-busy");
    }

    #label(feed) {
      app.dom.fill(this.caption, app.dom.el("b", {}, feed.title));
      this.plot.setAttribute("aria-label", feed.description);
      this.#tell(feed);
      this.told?.(feed);
    }

    async #embed(feed, swaps) {
      this.room ??= this.plot.clientWidth;
      const width = Math.max(NARROWEST, Math.min(WIDEST, this.room) - 110);
      const inside = app.dom.el("div", { "aria-hidden": "true" }); // the plot itself has the label
      const embedded = await app.embed(inside, app.swapped(app.fed(this.page.charts[this.name], feed, width), swaps));
      this.finalize?.();
      this.finalize = () => embedded.finalize();
      this.view = embedded.view;
      app.dom.fill(this.plot, inside);
      this.view.addEventListener("click", (_, item) => item?.datum && this.clicked?.(item.datum));
    }

    async #update(feed, swaps) {
      const changed = (kind) =>
        Object.entries(feed[kind] ?? {}).filter(([name, value]) => !app.alike(value, this.feed[kind]?.[name]));
      const [data, signals] = [changed("data"), changed("signals")];
      for (const [name, rows] of data) this.view.data(name, app.swapped(rows, swaps));
      for (const [name, value] of signals) this.view.signal(name, app.swapped(value, swaps));
      if (data.length || signals.length) await this.view.runAsync();
    }

    /** Make the plot as wide as lets the figure with its labels fill the column. */
    async #fit() {
      const svg = this.plot.querySelector("svg");
      const room = Math.min(WIDEST, this.room);
      if (!this.view || !svg || !room) return;
      for (let tries = 0; tries < 2; tries++) {
        const drawn = Number(svg.getAttribute("width"));
        const wanted = Math.max(NARROWEST, Math.floor(this.view.width() + room - drawn));
        if (Math.abs(wanted - this.view.width()) < 2) return;
        await this.view.width(wanted).runAsync();
      }
    }

    /** The data table, made when it is opened. */
    #tell(feed) {
      if (!this.details.open || !feed) return;
      const { columns, rows } = feed.table;
      const shown = rows.slice(0, MOST_ROWS).map((row) => row.map(app.cell));
      const numeric = columns.map((label, j) => ({
        label,
        number: rows.length > 0 && rows.every((row) => typeof row[j] !== "string"),
      }));
      const more = rows.length > MOST_ROWS ? ` The first ${MOST_ROWS} of ${rows.length} rows; the CSV has all.` : "";
      const table = app.dom.table({
        caption: `${feed.title}: the numbers behind the chart.${more}`,
        columns: numeric,
        rows: shown,
      });
      app.dom.fill(this.numbers, app.dom.box(table, feed.title, true));
    }

    /** Hand out the figure or its numbers. */
    async save(kind) {
      const feed = this.feedNow();
      const name = app.fileName(feed.title);
      const { analysis } = this.context();
      if (kind === "CSV") {
        app.dom.download(`${name}.csv`, "text/csv", app.formats.csv(feed.table.columns, feed.table.rows));
        return;
      }
      const spec = app.fed(this.page.charts[this.name], feed, app.FIGURE_WIDTH);
      const safe = app.swapped(spec, app.swaps(this.page, analysis.observed, false));
      await app.saveFigure(safe, feed, kind, name);
    }

    discard() {
      this.resizer.disconnect();
      this.finalize?.();
      this.figure.remove();
    }
  }

  /** A cell of a feed's table as people read it. */
  app.cell = (value) => {
    if (value === null || value === undefined) return "–";
    if (typeof value !== "number") return app.dom.id(value);
    return Number.isInteger(value) ? String(value).replace("-", "−") : app.dom.number(value);
  };

  /** A name for a file from a title. */
  app.fileName = (title) =>
    title
      .toLowerCase()
      .replace(/[^a-z0-9@]+/g, "-")
      .replace(/^-|-$/g, "")
      .slice(0, 60) || "chart";

  app.Chart = Chart;
})((globalThis.gaincurve ??= {}));
