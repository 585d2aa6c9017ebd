"""A command and what it took, round by round: shared by the benchmarks of whole processes."""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

FREE = 0.1
"""A round counts as undisturbed where other processes took less than this share of the machine."""


@dataclass
class Contender:
    """A command; its seconds, its CPU seconds and peak megabytes by round, and the share that others took meanwhile.

    `inside` takes the seconds that the command prints itself. `answer` is the last number between 0 and 1 it printed.
    """

    name: str
    command: list[str]
    inside: bool = False
    pure: bool = False
    seconds: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    megabytes: list[float] = field(default_factory=list)
    others: list[float] = field(default_factory=list)
    answer: float = 0.0

    def run(self) -> None:
        """Once."""
        environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
        environment |= {"LC_ALL": "C.UTF-8"} | ({"GAINCURVE_PURE": "1"} if self.pure else {})
        busy, before = _busy(), time.perf_counter()
        process = subprocess.Popen(
            self.command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment, text=True
        )
        output = process.stdout.read() if process.stdout else ""
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"{self.name} failed: {' '.join(self.command)}")
        wall, cpu = time.perf_counter() - before, usage.ru_utime + usage.ru_stime
        self.seconds.append(float(output.split()[-1]) if self.inside else wall)
        self.cpu.append(cpu)
        self.megabytes.append(usage.ru_maxrss * 1024 / 1e6)
        self.others.append(max(0.0, _busy() - busy - cpu) / (wall * (os.cpu_count() or 1)))
        self.answer = next((float(word) for word in output.split() if re.fullmatch(r"0\.\d+", word)), 0.0)

    def forget(self) -> None:
        """Drop what was measured: the first round warms the page cache."""
        for values in (self.seconds, self.cpu, self.megabytes, self.others):
            values.clear()


def _busy() -> float:
    """Seconds of CPU that the machine has spent so far, all cores together; 0 where the system does not say."""
    path = Path("/proc/stat")
    if not path.exists():
        return 0.0
    user, nice, system, _idle, _waiting, *interrupts = map(int, path.read_text().splitlines()[0].split()[1:8])
    return (user + nice + system + sum(interrupts)) / os.sysconf("SC_CLK_TCK")


def measured(contenders: list[Contender], rounds: int) -> None:
    """Run all in turn, after a round that does not count."""
    for i in range(rounds + 1):
        for contender in contenders:
            contender.run()
            if i == 0:
                contender.forget()


def ratio(values: list[float], base: list[float]) -> str:
    """Median of the ratios round by round, with the spread."""
    ratios = sorted(a / b for a, b in zip(values, base, strict=True))
    return f"{statistics.median(ratios):.2f} ({ratios[0]:.2f}–{ratios[-1]:.2f})"


def disturbed(contenders: list[Contender]) -> str:
    """How many of the rounds had the machine to themselves."""
    rounds = list(zip(*(contender.others for contender in contenders), strict=True))
    free = sum(max(shares) < FREE for shares in rounds)
    most = max((share for shares in rounds for share in shares), default=0.0)
    return f"Rounds: {len(rounds)}, {free} of them undisturbed; others took at most {100 * most:.0f}% of the machine."
