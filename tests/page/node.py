"""Run the page's scripts under Node: the files that stand in the page, one process for all that a test asks."""

import json
import math
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import programs
from needed import need

from gaincurve.page.scripts import ENGINE, source

_RUN = """
const gc = globalThis.gaincurve;
const plain = (key, value) => {
  if (ArrayBuffer.isView(value)) return Array.from(value);
  if (value instanceof Map) return [...value];
  if (value instanceof Set) return [...value];
  if (typeof value === "number" && !Number.isFinite(value)) return { number: String(value) };
  return value;
};
const chunks = [];
process.stdin.on("data", (chunk) => chunks.push(chunk));
process.stdin.on("end", async () => {
  const input = JSON.parse(Buffer.concat(chunks).toString("utf-8"));
  process.stdout.write(JSON.stringify(await (async (input) => { BODY })(input), plain));
});
"""
NUMBERS = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


def run(body: str, value: object = None, scripts: Iterable[str] = ENGINE) -> Any:
    """What the statements of `body` return for `input` (the value): typed arrays as lists, numbers as they are."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "script.js"
        script.write_text(source(scripts) + _RUN.replace("BODY", body), encoding="utf-8")
        given = json.dumps(value, allow_nan=False).encode()
        done = subprocess.run([need(programs.NODE), str(script)], input=given, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout, object_hook=_number)


def _number(found: dict[str, Any]) -> Any:
    return NUMBERS[found["number"]] if found.keys() == {"number"} else found
