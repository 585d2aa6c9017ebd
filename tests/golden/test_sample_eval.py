"""What NIST's script sample_eval printed for sampled judgments, held against `gaincurve estimate -f sample_eval`."""

import tarfile
from pathlib import Path

import pytest
from beside import DATA, needs

from gaincurve.cli import main
from gaincurve.errors import InputError
from gaincurve.files.evaluate import evaluate_files
from gaincurve.verbs.sample_eval import _levels

CASES = Path(__file__).parents[1] / "data" / "sample_eval" / "cases.tar.xz"
NAMES = (
    "binary", "letters", "many_relevant", "no_relevant_found", "short_list", "three_grades", "two_grades",
    "unseen_stratum",
)  # fmt: skip


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sample_eval")
    with tarfile.open(CASES) as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)
        archive.extractall(folder)
    return folder


@pytest.mark.parametrize("name", NAMES)
def test_every_line_is_that_of_sample_eval(name: str, cases: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    folder = cases / name
    assert main(["estimate", str(folder / "qrels"), str(folder / "run"), "-f", "sample_eval"]) == 0
    assert capsysbinary.readouterr().out.decode() == (folder / "expected.txt").read_text()


def test_no_case_is_forgotten(cases: Path) -> None:
    assert sorted(path.name for path in cases.iterdir()) == sorted(NAMES)


@needs("tv21")
def test_every_line_of_a_trec_collection(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    folder = DATA / "tv21"
    assert main(["estimate", str(folder / "qrels.gz"), str(folder / "run.gz"), "-f", "sample_eval"]) == 0
    assert capsysbinary.readouterr().out.decode() == (folder / "expected.txt").read_text()


@pytest.mark.parametrize("name", NAMES)
def test_eval_gives_the_same_numbers(name: str, cases: Path) -> None:
    ours = {"infAP": "xinfAP", "infNDCG": "infNDCG", "inum_rel": "iNumRel", "inum_rel_ret": "iNumRelRet"}
    ours |= {f"iP{k}": f"iP@{k}" for k in (5, 10, 15, 20, 30, 100, 200, 500, 1000)}
    scores = evaluate_files(cases / name / "qrels", cases / name / "run", [*ours.values()], scenario="sample_eval")
    compared = 0
    for line in (cases / name / "expected.txt").read_text().splitlines():
        printed, topic, value = line.split()
        if printed in ours:
            text = next(text for text in scores.texts if text.startswith(ours[printed]) and fits(text, ours[printed]))
            found = scores.summary()["run"][text] if topic == "all" else scores["run", text][topic]
            assert f"{found:.4f}" == value, line
            compared += 1
    assert compared == len(ours) * (len(scores.topics) + 1)


def fits(text: str, wanted: str) -> bool:
    return text in (wanted, f"{wanted}@1000")


def test_levels_go_one_at_a_rank() -> None:
    """By hand: R = 2, found 1 1 2: the level 1 is reached at rank 3, all others at rank 1.

    At rank 3 the best is 2/3; at rank 2, where 1 < 1·2, it goes to level 1; at rank 1 the best, 1, goes to level .9;
    what is left has it too.
    """
    assert _levels([1.0, 1.0, 2.0], 2.0) == [1.0] * 10 + [2 / 3]
    assert _levels([], 2.0) == [0.0] * 11


def test_a_stratum_of_which_nothing_was_sampled_is_refused_by_name(tmp_path: Path) -> None:
    qrels, run = tmp_path / "q", tmp_path / "r.run"
    qrels.write_text("t1 0 d1 top 1\nt1 0 d2 low -1\n")
    run.write_text("t1 Q0 d1 1 2.0 r\nt1 Q0 d2 2 1.0 r\n")
    with pytest.raises(InputError, match="stratum low of topic t1") as caught:
        evaluate_files(qrels, run, "xinfAP")
    assert caught.value.slug == "judgments-stratum-empty"
    skipped = evaluate_files(qrels, run, "xinfAP(empty_strata='skip')")
    assert skipped.values[0, 0, 0] == 1.0


def test_judgments_without_strata_are_refused(tmp_path: Path) -> None:
    qrels, run = tmp_path / "q", tmp_path / "r.run"
    qrels.write_text("t1 0 d1 1\n")
    run.write_text("t1 Q0 d1 1 2.0 r\n")
    with pytest.raises(InputError) as caught:
        evaluate_files(qrels, run, "infNDCG")
    assert caught.value.slug == "measure-needs-strata"


def test_one_run_is_printed(cases: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, copy = cases / "binary", tmp_path / "other.run"
    copy.write_bytes((folder / "run").read_bytes())
    assert main(["estimate", str(folder / "qrels"), str(folder / "run"), str(copy), "-f", "sample_eval"]) == 2
    assert "format-one-run" in capsys.readouterr().err
