/** Tables as text, letter by letter as `gaincurve -f csv`, `-f latex` and `-f md` write them (io/render.py). No DOM. */
(function (gc) {
  "use strict";

  const app = (gc.app ??= {});

  /**
   * A floating-point number with all the digits it has, as Python writes it: 1.0, 1e-05, 1e+16; nan is empty.
   * @param {number} value
   */
  function real(value) {
    if (Number.isNaN(value)) return "";
    if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
    if (value === 0) return Object.is(value, -0) ? "-0.0" : "0.0";
    const [digits, power] = value.toExponential().split("e");
    const exponent = Number(power);
    if (exponent >= 16 || exponent < -4)
      return `${digits}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
    const text = String(value); // between these bounds JavaScript writes no exponent either
    return text.includes(".") ? text : `${text}.0`;
  }

  const cellText = (cell, undefinedText) => {
    if (cell === null || cell === undefined || Number.isNaN(cell)) return undefinedText;
    if (typeof cell === "boolean") return cell ? "yes" : "no";
    return typeof cell === "number" && !Number.isInteger(cell) ? real(cell) : String(cell);
  };

  const quoted = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

  const FORMULA = /^(\s*[=+\-@\uff0b\uff0d\uff1d\uff20]|[\t\r\n])/;
  const NUMBER = /^([+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?|[+-]inf)$/i;

  /** A cell that a spreadsheet would run as a formula stands behind an apostrophe. */
  const harmless = (text) => (FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text);

  /** Comma-separated, full precision; a line per row. */
  const csv = (columns, rows) =>
    [columns, ...rows].map((row) => `${row.map((cell) => quoted(harmless(cellText(cell, "")))).join(",")}\n`).join("");

  /** Control characters made visible. */
  const printable = (text) =>
    text.replace(/[\u0000-\u001f\u007f-\u00a0\u00ad\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff]/g, (c) => {
      const short = { "\n": "\\n", "\r": "\\r", "\t": "\\t" }[c];
      const code = c.charCodeAt(0);
      return (
        short ?? (code < 256 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`)
      );
    });

  const TEX = {
    "\\": "\\textbackslash{}",
    "~": "\\textasciitilde{}",
    "^": "\\textasciicircum{}",
    "–": "--",
    "<": "\\textless{}",
    ">": "\\textgreater{}",
    "−": "$-$",
  };
  for (const c of "&%$#_{}") TEX[c] = `\\${c}`;

  const tex = (text) => [...printable(text)].map((c) => TEX[c] ?? c).join("");

  const ENTITIES = { "<": "&lt;", "&": "&amp;", ":": "&#58;", ".": "&#46;" };

  /** Text that Markdown shows as it is: no column ends, no tag, link or code begins. */
  const markdownText = (text) =>
    printable(text).replace(/[\\|*[\]`]|<|&(?=#?\w+;)|:(?=\/\/)|(?<=www)\./gi, (c) => ENTITIES[c] ?? `\\${c}`);

  /** Cells are texts, or {text, mark} for a value with letters raised beside it. */
  const raised = (cell, begin, end, escape) =>
    typeof cell === "object" ? escape(cell.text) + (cell.mark ? begin + escape(cell.mark) + end : "") : escape(cell);

  /**
   * A booktabs tabular; `foot` lines stand above it as comments.
   * @param {{columns: string[], numeric: boolean[], rows: (string|{text: string, mark: string})[][], foot: string[]}} table
   */
  function latex({ columns, numeric, rows, foot }) {
    const line = (cells) => {
      const row = cells.map((cell) => raised(cell, "\\textsuperscript{", "}", tex)).join(" & ");
      return `${/^\s*[[*]/.test(row) ? "{}" : ""}${row} \\\\`; // no argument of the line before
    };
    const comments = foot.map((text) => `% ${printable(text)}`);
    const shape = numeric.map((right) => (right ? "r" : "l")).join("");
    return [
      ...comments,
      `\\begin{tabular}{${shape}}`,
      "\\toprule",
      line(columns),
      "\\midrule",
      ...rows.map(line),
      "\\bottomrule",
      "\\end{tabular}",
      "",
    ].join("\n");
  }

  /** A pipe table, `head` sentences above it, signatures under it as code. */
  function markdown({ columns, numeric, rows, head, foot }) {
    const line = (cells) => `| ${cells.map((cell) => raised(cell, "<sup>", "</sup>", markdownText)).join(" | ")} |`;
    const rule = `| ${numeric.map((right) => (right ? "---:" : "---")).join(" | ")} |`;
    const above = head.flatMap((text) => [markdownText(text), ""]);
    const below = foot.map((text) => (text.includes("`") ? `${markdownText(text)}  ` : `\`${printable(text)}\`  `));
    return [...above, line(columns), rule, ...rows.map(line), "", ...below, ""].join("\n");
  }

  app.formats = { real, csv, latex, markdown, tex, markdownText, printable };
})((globalThis.gaincurve ??= {}));
