/** Elements, tables and small acts of the page. Data only ever becomes text: nothing here parses markup. */
(function (gc) {
  "use strict";

  const app = (gc.app ??= {});
  const MOST_SHOWN = 300; // of a very long id; its title holds the rest
  const [WHOLE, TAIL] = [20, 12]; // longer ones are shown with their last letters whatever the room
  const SVG = "http://www.w3.org/2000/svg";

  /**
   * An element with attributes and children; `on` holds listeners, a value of null or false leaves an attribute out.
   * @param {string} tag
   * @param {Record<string, any>} [attributes]
   * @param {...(Node|string|number|null)} children
   */
  function el(tag, attributes = {}, ...children) {
    const element = tag.startsWith("svg:") ? document.createElementNS(SVG, tag.slice(4)) : document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name === "on") for (const [event, act] of Object.entries(value)) element.addEventListener(event, act);
      else if (value === true) element.setAttribute(name, "");
      else if (value !== null && value !== false && value !== undefined) element.setAttribute(name, String(value));
    }
    element.append(
      ...children
        .flat(2)
        .filter(isChild)
        .map(node),
    );
    return element;
  }

  const isChild = (child) => child !== null && child !== undefined && child !== false;
  const node = (child) => (child instanceof Node ? child : document.createTextNode(String(child)));

  /** The element with new children. */
  function fill(element, ...children) {
    element.replaceChildren(
      ...children
        .flat(2)
        .filter(isChild)
        .map(node),
    );
    return element;
  }

  const byId = (id) => document.getElementById(id);

  /** What cannot be seen, or turns the text around it, made visible. */
  const visible = (text) =>
    String(text).replace(
      /[\u0000-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
      (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );

  /** A text of at most so many letters: a longer one loses its middle, and keeps its last letters. */
  function elided(text, most) {
    const letters = [...text];
    return letters.length <= most ? text : [...letters.slice(0, most - TAIL - 1), "…", ...letters.slice(-TAIL)].join("");
  }

  /**
   * A run, topic or document in its own direction of writing, whole in its title. Where the layout cuts a long one, it
   * loses its middle: ids often differ at their ends only.
   */
  function id(text, title = text) {
    const shown = visible(text);
    const cut = [...elided(shown, MOST_SHOWN)];
    if (cut.length <= WHOLE) return el("bdi", { class: "id", title: visible(title) }, shown);
    const [head, tail] = [cut.slice(0, -TAIL), cut.slice(-TAIL)].map((part) => el("span", {}, part.join("")));
    return el("bdi", { class: "id long", title: visible(title) }, head, tail);
  }

  /** A number with so many digits after the point, as Python's tables write it; undefined is a dash. */
  const number = (value, digits = 4) => (Number.isFinite(value) ? gc.fixed(value, digits).replace("-", "−") : "–");

  /** The same with its sign. */
  const signed = (value, digits = 4) =>
    value >= 0 && Number.isFinite(value) ? `+${number(Math.abs(value), digits)}` : number(value, digits);

  /** 'x to y', or a dash. */
  const interval = (low, high, digits = 4) =>
    Number.isFinite(low) && Number.isFinite(high) ? `${number(low, digits)} to ${number(high, digits)}` : "–";

  const button = (label, act, attributes = {}) =>
    el("button", { type: "button", ...attributes, on: { click: act } }, label);

  /**
   * A table: columns are {label, number} or texts, rows are arrays of cells (nodes or texts); the first cell heads its
   * row. `row(element, i)` may dress a row.
   */
  function table({ id: name = null, caption, columns, rows, row = null }) {
    const heads = columns.map((column) => (typeof column === "object" ? column : { label: column }));
    const head = heads.map((c) => c.head ?? el("th", { scope: "col", class: c.number ? "number" : null }, c.label));
    const body = rows.map((cells, i) => {
      const cellElements = cells.map((cell, j) => {
        const dress = heads[j]?.number ? "number" : null;
        return j === 0 ? el("th", { scope: "row", class: dress }, cell) : el("td", { class: dress }, cell);
      });
      const line = el("tr", {}, cellElements);
      row?.(line, i);
      return line;
    });
    return el(
      "table",
      { id: name },
      el("caption", {}, caption),
      el("thead", {}, el("tr", {}, head)),
      el("tbody", {}, body),
    );
  }

  /** A table in a box that scrolls by itself; a tall one in both directions. */
  const box = (inside, label, tall = false) =>
    el(
      "div",
      { class: tall ? "table-box tall" : "table-box", role: "group", tabindex: "0", "aria-label": label },
      inside,
    );

  /** Copy a text and say so on the button; where the browser refuses (a page from a disk), the old way, by selection. */
  async function copy(text, said) {
    const done = (await byClipboard(text)) || bySelection(text);
    const label = said.textContent;
    said.textContent = done ? "Copied" : "Press Ctrl+C";
    if (!done) offer(text, said);
    setTimeout(() => (said.textContent = label), 1500);
    return done;
  }

  async function byClipboard(text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      return false;
    }
  }

  function bySelection(text) {
    const area = el("textarea", { class: "unseen", readonly: true, "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    const before = document.activeElement;
    area.select();
    let done = false;
    try {
      done = document.execCommand("copy");
    } catch {
      done = false;
    }
    area.remove();
    before?.focus?.({ preventScroll: true });
    return done;
  }

  /** Where nothing may copy, the text stands ready and selected. */
  function offer(text, beside) {
    const area = el("textarea", { readonly: true, "aria-label": "Text to copy" });
    area.value = text;
    beside.after(area);
    area.select();
    area.addEventListener("blur", () => area.remove());
  }

  /** Hand a file to the reader. */
  function download(name, type, content) {
    const address = URL.createObjectURL(
      content instanceof Blob ? content : new Blob([content], { type: `${type};charset=utf-8` }),
    );
    const link = el("a", { href: address, download: name, hidden: true });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }

  /** A signature, which is broken between its parts where a line is too short. */
  const parts = (signature) => signature.pieces.map((piece) => el("span", { class: "part" }, piece));

  app.dom = { el, fill, parts, byId, visible, elided, id, number, signed, interval, button, table, box, copy, download };
})((globalThis.gaincurve ??= {}));
