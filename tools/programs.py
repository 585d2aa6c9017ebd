"""Find the programs that tests drive and pip cannot install; as root on Debian, install those that are missing.

usage: python tools/programs.py          for the tests of the report page: a browser and Node
       python tools/programs.py peers    for the tests beside other libraries: Java, which Spark runs on

A program that is already there is used as it is, also one named by GAINCURVE_BROWSER, GAINCURVE_NODE or GAINCURVE_JAVA.
Without root or apt-get, what is missing is named together with how to get it, and the tests that need it are skipped.
Where CI is set, a missing program is a failure, here and in the tests: a skipped test there looks like a passed one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Program:
    """Something pip cannot install: the variable that names one, where else to look, and its package in Debian."""

    title: str
    variable: str
    names: tuple[str, ...]
    package: str


BROWSER = Program(
    "Chromium",
    "GAINCURVE_BROWSER",
    (
        "chromium",
        "chromium-browser",
        "google-chrome",
        "google-chrome-stable",
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    ),
    "chromium",
)
NODE = Program("Node.js", "GAINCURVE_NODE", ("node", "nodejs"), "nodejs")
JAVA = Program("Java", "GAINCURVE_JAVA", ("java",), "default-jre-headless")
NEEDS = {"the report page": (BROWSER, NODE), "the peers": (JAVA,)}
PROGRAMS = NEEDS["the report page"]
FLAGS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def flags() -> list[str]:
    """How the browser is started: it asks for nothing from outside, and as root it refuses to run sandboxed."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    return [*FLAGS, *(["--no-sandbox"] if root else [])]


def find(program: Program, environment: Mapping[str, str] = os.environ) -> str | None:
    """Its path. One that is named in the environment is used or nothing is: a wrong name should not go unnoticed."""
    named = environment.get(program.variable)
    names = (named,) if named else program.names
    return next((found for name in names if (found := shutil.which(name, path=environment.get("PATH")))), None)


def missing(programs: tuple[Program, ...] = PROGRAMS, environment: Mapping[str, str] = os.environ) -> list[Program]:
    """The programs that were not found."""
    return [program for program in programs if find(program, environment) is None]


def required(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether a missing program is a failure."""
    return environment.get("CI", "").lower() not in ("", "0", "false")


def advice(programs: list[Program], environment: Mapping[str, str] = os.environ) -> str:
    """What is missing and how to get it."""
    titles = " and ".join(program.title for program in programs)
    packages = " ".join(program.package for program in programs)
    lines = [f"the tests of {_needed_by(programs)} need {titles}, not found on this machine"]
    lines += [
        f"  {program.variable} is {environment[program.variable]}, which is not a program"
        for program in programs
        if environment.get(program.variable)
    ]
    lines.append(f"  Debian   apt-get update && apt-get install --no-install-recommends {packages}   (as root)")
    if BROWSER in programs:
        lines.append(
            "  Ubuntu   Google Chrome's .deb: the chromium there is a snap, which cannot read the tests' files"
        )
    lines.append(f"  Fedora   dnf install {packages.replace('default-jre', 'java-latest-openjdk')}   (as root)")
    casks = {
        "Chromium": "brew install --cask chromium",
        "Node.js": "brew install node",
        "Java": "brew install openjdk@17",
    }
    lines.append(f"  macOS    {' && '.join(casks[program.title] for program in programs)}")
    lines += [f"  or name one that you have: {p.variable}=/path/to/{p.names[0]}" for p in programs]
    return "\n".join(lines)


def _needed_by(programs: list[Program]) -> str:
    return next(tests for tests, needed in NEEDS.items() if programs[0] in needed)


def can_install() -> bool:
    """Root, and apt-get is there."""
    return hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get") is not None


def install(programs: list[Program]) -> None:
    """By apt-get, which is quiet unless it fails: then the end of what it said is printed."""
    packages = [program.package for program in programs]
    titles = " and ".join(packages)
    print(f"installing {titles} with apt-get, once, for the tests of {_needed_by(programs)} …", flush=True)
    waiting = ("-o", "DPkg::Lock::Timeout=300")
    for arguments in (("update",), ("install", "-y", "--no-install-recommends", *packages)):
        done = subprocess.run(
            ["apt-get", "-q", *waiting, *arguments],
            env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
        )
        if done.returncode:  # one stale list among several fails an update; the install may still succeed
            tail = "\n".join(f"  {line}" for line in done.stdout.splitlines()[-8:])
            print(f"apt-get {arguments[0]} failed ({done.returncode}):\n{tail}", file=sys.stderr, flush=True)


def main(needed: tuple[Program, ...] = PROGRAMS) -> int:
    """0 if the tests can start: with all programs, or where CI is not set without some."""
    wanted = missing(needed)
    named = [program for program in wanted if os.environ.get(program.variable)]
    if wanted and not named and can_install():
        install(wanted)
        wanted = missing(needed)
    if not wanted:
        return 0
    print(advice(wanted), file=sys.stderr)
    if required():
        print("CI is set: a missing program is a failure", file=sys.stderr)
        return 1
    print("the tests that need it are skipped", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(NEEDS["the peers"] if sys.argv[1:] == ["peers"] else PROGRAMS))
