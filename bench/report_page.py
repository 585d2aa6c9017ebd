"""What a touch of a control costs in the report page, beside what Vega alone needs to draw one chart; in Chromium.

usage: python bench/report_page.py [--rounds 15] [--out FILE.md]

`answer` is the time until verdict and leaderboard stand, `screen` until everything in sight is painted, `all` until
every part of the page is drawn again, most of it out of sight and in idle time. `Vega` is one embed of the nDCG
chart, in the same page and round: a page that drew its charts anew would pay it once for each chart. Medians.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent / "tools"), str(HERE.parent / "tests" / "browser")]
import programs  # noqa: E402 -- from the folders above
from subjects import write_demo, write_large  # noqa: E402

from gaincurve.cli import main as gaincurve  # noqa: E402

DATA = HERE / "data" / "pages"
ROUND = """
async (depth) => {
  const root = document.documentElement;
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const until = async (test) => { while (!test()) await new Promise((done) => setTimeout(done, 1)); };
  const settled = () => root.dataset.failed || root.dataset.settled === root.dataset.updated;
  await until(settled);
  const { page, analysis, view } = gaincurve.app.current;
  const spec = gaincurve.app.fed(page.charts["curve-nDCG"], gaincurve.feeds["curve-nDCG"](analysis, view), 500);
  const place = document.body.appendChild(document.createElement("div"));
  let begun = performance.now();
  const made = await vegaEmbed(place, spec, { ast: true, renderer: "svg", actions: false });
  const vega = performance.now() - begun;
  made.finalize();
  place.remove();
  await frame();
  const input = document.getElementById("control-depth");
  input.value = String(depth);
  begun = performance.now();
  input.dispatchEvent(new Event("input", { bubbles: true }));
  const answer = performance.now() - begun;
  await frame();
  const screen = performance.now() - begun;
  await until(settled);
  return { vega, answer, screen, all: performance.now() - begun };
}
"""


def reports() -> dict[str, Path]:
    """50 topics with 4 runs, 1 000 topics with 10: written on first use."""
    made = {"50 × 4": write_demo, "1 000 × 10": write_large}
    found = {}
    for name, write in made.items():
        folder = DATA / name.replace(" ", "")
        page = folder / "report.html"
        qrels, runs = write(folder)
        if gaincurve(["report", str(qrels), *map(str, runs), "-o", str(page), "--quiet"]):
            sys.exit(f"could not write {page}")
        found[name] = page
    return found


def measure(browser: Browser, report: Path, rounds: int) -> dict[str, float]:
    """Medians in milliseconds over changes of the last rank."""
    page = browser.new_page(viewport={"width": 1400, "height": 900})
    page.goto(report.as_uri())
    page.wait_for_function("() => document.documentElement.dataset.ready")
    opened: float = page.evaluate("() => performance.now()")
    rows: list[dict[str, Any]] = [page.evaluate(ROUND, 11 + i) for i in range(rounds + 1)][1:]
    failed = page.evaluate("() => document.documentElement.dataset.failed ?? null")
    page.close()
    if failed:
        sys.exit(f"the page failed: {failed}")
    return {"open": opened, **{key: statistics.median(row[key] for row in rows) for key in rows[0]}}


def main() -> None:
    """Print one row a report."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    path = programs.find(programs.BROWSER)
    if path is None:
        sys.exit(programs.advice([programs.BROWSER]))
    lines = [
        "| topics × runs | MB | opens, ms | Vega, ms | answer, ms | screen, ms | all, ms | screen ÷ Vega |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    print("\n".join(lines), flush=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=programs.flags())
        for name, report in reports().items():
            found = measure(browser, report, given.rounds)
            times = " | ".join(f"{found[key]:.0f}" for key in ("open", "vega", "answer", "screen", "all"))
            lines.append(
                f"| {name} | {report.stat().st_size / 1e6:.1f} | {times} | {found['screen'] / found['vega']:.2f} |"
            )
            print(lines[-1], flush=True)
        browser.close()
    if given.out:
        given.out.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
