/** A chart as a figure for elsewhere: always light, standing alone, its title above and its signature below. */
(function (gc) {
  "use strict";

  const app = (gc.app ??= {});
  const SVG = "http://www.w3.org/2000/svg";
  app.FIGURE_WIDTH = 560; // of the plot itself
  const SCALE = 2; // pixels of a PNG for each unit of the figure
  const MARGIN = 12;
  const LETTER = 5.6; // width of a letter of the caption, about

  /** A signature in lines that fit, broken between its parts, or at a space. */
  function inLines(signature, width) {
    const most = Math.max(20, Math.floor(width / LETTER));
    const lines = [""];
    for (const word of signature.pieces.flatMap((piece) => piece.split(/(?<= )/))) {
      for (let rest = word; rest; rest = rest.slice(most)) {
        const piece = rest.slice(0, most);
        if ((lines.at(-1) + piece).length > most && lines.at(-1)) lines.push("");
        lines[lines.length - 1] += piece;
      }
    }
    return lines;
  }

  function textAt(document, x, y, size, colour, text, weight = "normal") {
    const element = document.createElementNS(SVG, "text");
    const attributes = { x, y, "font-family": "sans-serif", "font-size": size, "font-weight": weight, fill: colour };
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
    element.textContent = text;
    return element;
  }

  /** Vega's figure with a title, a description and a caption around it. */
  function framed(svg, title, description, signature) {
    const clean = svg.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd");
    const document = new DOMParser().parseFromString(clean, "image/svg+xml");
    const inner = document.documentElement;
    const [width, height] = ["width", "height"].map((side) => Number(inner.getAttribute(side)));
    const under = inLines(signature, width);
    const [above, below] = [30, under.length * 13 + 8];
    const outer = document.createElementNS(SVG, "svg");
    const [wide, tall] = [width + 2 * MARGIN, height + above + below + MARGIN];
    outer.setAttribute("width", wide);
    outer.setAttribute("height", tall);
    outer.setAttribute("viewBox", `0 0 ${wide} ${tall}`);
    outer.setAttribute("role", "img");
    const titleAndDescription = [
      ["title", title],
      ["desc", description],
    ].map(([tag, text]) => {
      const element = document.createElementNS(SVG, tag);
      element.textContent = text;
      return element;
    });
    const paper = document.createElementNS(SVG, "rect");
    for (const [name, value] of Object.entries({ width: wide, height: tall, fill: "white" }))
      paper.setAttribute(name, String(value));
    document.replaceChild(outer, inner);
    inner.setAttribute("x", String(MARGIN));
    inner.setAttribute("y", String(above));
    const foot = under.map((line, i) => textAt(document, MARGIN, height + above + 16 + i * 13, 10, "#444", line));
    outer.append(...titleAndDescription, paper, textAt(document, MARGIN, 20, 13, "#111", title, "600"), inner, ...foot);
    return new XMLSerializer().serializeToString(outer);
  }

  /** The figure of a chart that is already fed, as SVG text. */
  app.svgOf = async function (spec, feed) {
    const embedded = await app.embed(app.dom.el("div"), spec);
    const svg = await embedded.view.toSVG();
    embedded.finalize();
    return framed(svg, feed.title, feed.description, feed.signature);
  };

  async function pngOf(svg) {
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
    await image.decode();
    const canvas = app.dom.el("canvas", { width: image.naturalWidth * SCALE, height: image.naturalHeight * SCALE });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return new Promise((done) => canvas.toBlob(done, "image/png"));
  }

  /** Save a chart as SVG or PNG, signed. */
  app.saveFigure = async function (spec, feed, kind, name) {
    const svg = await app.svgOf(spec, feed);
    if (kind === "SVG") app.dom.download(`${name}.svg`, "image/svg+xml", svg);
    else app.dom.download(`${name}.png`, "image/png", await pngOf(svg));
  };
})((globalThis.gaincurve ??= {}));
