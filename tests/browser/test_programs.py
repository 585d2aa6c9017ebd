"""tools/programs.py: what is found, installed and said; and that CI takes a missing browser as a failure."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import programs
import pytest
from programs import BROWSER, NODE

ROOT = Path(__file__).parents[2]


def executable(path: Path, script: str = "exit 0") -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def bin_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine where nothing but this empty folder is on the PATH, not root, not CI."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    for name in ("CI", BROWSER.variable, NODE.variable):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    return folder


def test_the_first_name_on_the_path_is_found(bin_only: Path) -> None:
    chrome = executable(bin_only / "google-chrome")
    assert programs.find(BROWSER) == str(chrome)
    chromium = executable(bin_only / "chromium")
    assert programs.find(BROWSER) == str(chromium)
    assert programs.missing() == [NODE]


def test_a_browser_named_in_the_environment_is_used_or_none(bin_only: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    executable(bin_only / "chromium")
    mine = executable(bin_only.parent / "elsewhere" / "mine")
    monkeypatch.setenv("GAINCURVE_BROWSER", str(mine))
    assert programs.find(BROWSER) == str(mine)
    monkeypatch.setenv("GAINCURVE_BROWSER", "/no/such/browser")
    assert programs.find(BROWSER) is None
    assert "GAINCURVE_BROWSER is /no/such/browser, which is not a program" in programs.advice([BROWSER])


@pytest.mark.parametrize(
    ("value", "expected"), [("", False), ("0", False), ("false", False), ("true", True), ("1", True)]
)
def test_ci_is_set(value: str, expected: bool) -> None:
    assert programs.required({"CI": value}) is expected
    assert programs.required({}) is False


@pytest.mark.usefixtures("bin_only")
def test_without_root_it_says_what_to_install(capfd: pytest.CaptureFixture[str]) -> None:
    assert programs.main() == 0
    out, err = capfd.readouterr()
    assert out == ""
    assert "need Chromium and Node.js" in err
    assert "apt-get install --no-install-recommends chromium nodejs" in err
    assert "the tests that need it are skipped" in err


def test_only_what_is_missing_is_named(bin_only: Path, capfd: pytest.CaptureFixture[str]) -> None:
    executable(bin_only / "node")
    assert programs.main() == 0
    assert "apt-get install --no-install-recommends chromium   (as root)" in capfd.readouterr().err


@pytest.mark.usefixtures("bin_only")
def test_in_ci_a_missing_program_fails(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("CI", "true")
    assert programs.main() == 1
    assert "CI is set: a missing program is a failure" in capfd.readouterr().err


def apt_get(folder: Path, installs: str) -> Path:
    """One that writes down how it was called and, asked to install, does what it is told here."""
    log = folder.parent / "calls"
    executable(folder / "apt-get", f'echo "$DEBIAN_FRONTEND $@" >>{log}\ncase "$*" in *install*) {installs};; esac')
    return log


@pytest.mark.parametrize("there", [(), ("node",)])
def test_root_installs_what_is_missing(
    there: tuple[str, ...], bin_only: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    for name in there:
        executable(bin_only / name)
    real = f"/bin/cp {bin_only}/apt-get {bin_only}/chromium; /bin/cp {bin_only}/apt-get {bin_only}/node"
    log = apt_get(bin_only, real)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert programs.main() == 0
    out, err = capfd.readouterr()
    packages = "chromium" if there else "chromium nodejs"
    assert log.read_text().splitlines() == [
        "noninteractive -q -o DPkg::Lock::Timeout=300 update",
        f"noninteractive -q -o DPkg::Lock::Timeout=300 install -y --no-install-recommends {packages}",
    ]
    assert (out.count("\n"), err) == (1, "")
    assert out.startswith(f"installing {packages.replace(' ', ' and ')} with apt-get")


@pytest.mark.parametrize(("ci", "code"), [("", 0), ("true", 1)])
def test_an_install_that_fails_is_told(
    ci: str, code: int, bin_only: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    apt_get(bin_only, "echo 'E: Unable to locate package chromium' >&2; exit 100")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setenv("CI", ci)
    assert programs.main() == code
    err = capfd.readouterr().err
    assert "apt-get install failed (100):\n  E: Unable to locate package chromium" in err
    assert "need Chromium and Node.js" in err


def test_nothing_is_installed_over_a_name_given_by_hand(bin_only: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = apt_get(bin_only, "true")
    executable(bin_only / "node")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setenv("GAINCURVE_BROWSER", "/no/such/browser")
    assert programs.main() == 0
    assert not log.exists()


@pytest.mark.parametrize(("ci", "outcome"), [("", "1 skipped"), ("true", "1 error")])
def test_tests_without_a_browser(ci: str, outcome: str) -> None:
    environment = {**os.environ, "GAINCURVE_BROWSER": "/no/such/browser", "CI": ci}
    environment.pop("PYTEST_XDIST_WORKER", None)
    test = "tests/browser/test_watched.py::test_a_quiet_page_passes"
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-n", "0", test]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert outcome in done.stdout, done.stdout + done.stderr
    assert "GAINCURVE_BROWSER is /no/such/browser, which is not a program" in done.stdout
    assert (done.returncode == 0) is (ci == "")


@pytest.mark.usefixtures("bin_only")
def test_the_peers_need_java_and_nothing_of_the_page(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv(programs.JAVA.variable, raising=False)
    assert programs.main(programs.NEEDS["the peers"]) == 0
    message = capfd.readouterr().err
    assert "the tests of the peers need Java, not found on this machine" in message
    assert "apt-get install --no-install-recommends default-jre-headless" in message
