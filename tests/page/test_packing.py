"""Packed documents: the same bytes for the same input, read back by Python and by the page, cut until they fit."""

import random

import pytest
from experiments import experiment
from node import run

from gaincurve.model.judgments import Judgments
from gaincurve.model.run import Run
from gaincurve.model.scenario import Scenario
from gaincurve.page.observed.runs import observe
from gaincurve.page.packing import fit, pack, unpack

ODD = {"text": "</script><!-- \u2028 é 𝔘 \\x80", "numbers": [0, 1.5, -2, 1e-7], "none": None}


def test_the_same_document_gives_the_same_text_and_comes_back():
    judgments, runs = experiment(random.Random(1))
    document = observe(judgments, runs, Scenario()).to_dict()
    assert pack(document) == pack(observe(judgments, runs, Scenario()).to_dict())
    assert unpack(pack(document)) == document
    assert unpack(pack(ODD)) == ODD


def test_packed_text_means_nothing_in_html():
    assert not set(pack(ODD)) & set("<>&\"'-")


def test_undefined_numbers_are_refused_rather_than_written():
    with pytest.raises(ValueError, match="JSON"):
        pack({"x": float("nan")})


def test_the_page_unpacks_what_python_packed():
    judgments, runs = experiment(random.Random(2))
    document = {**observe(judgments, runs, Scenario()).to_dict(), "odd": ODD}
    assert run("return await gc.unpack(input);", f"\n{pack(document)}\n") == document


def made(topics: int = 6, depth: int = 300) -> tuple[Judgments, list[Run]]:
    rng = random.Random(3)
    judged = {str(t): {f"d{rng.randrange(10**6)}": rng.randrange(4) for _ in range(400)} for t in range(topics)}
    runs = [Run.of({t: rng.sample(sorted(d), depth) for t, d in judged.items()}, name) for name in ("a", "b")]
    return Judgments.of(judged), runs


def test_what_fits_is_kept_whole():
    judgments, runs = made()
    found = fit(judgments, runs, Scenario(), extra={"sessions": {"x": 1}})
    assert (found.shown, found.reach, found.notes) == (100, None, ())
    document = unpack(found.text)
    assert document.pop("sessions") == {"x": 1}
    assert document == observe(judgments, runs, Scenario()).to_dict()


def test_first_fewer_documents_are_named_then_lists_are_cut():
    judgments, runs = made()
    steps = []
    for budget in range(18_000, 0, -400):
        found = fit(judgments, runs, Scenario(), budget=budget)
        document = unpack(found.text)
        assert (document["shown"], document["reach"]) == (found.shown, found.reach)
        assert len(found.text) <= budget or found.reach == 10
        if not steps or steps[-1] != (found.shown, found.reach):
            steps.append((found.shown, found.reach))
            assert len(found.notes) == (found.shown < 100) + (found.reach is not None)
    assert steps[:5] == [(100, None), (50, None), (20, None), (10, None), (0, None)]
    assert [reach for _, reach in steps[5:]] == sorted((reach for _, reach in steps[5:]), reverse=True)
    assert steps[-1] == (0, 10)


def test_a_cut_is_told():
    judgments, runs = made()
    notes = fit(judgments, runs, Scenario(), budget=1).notes
    assert [note.slug for note in notes] == ["report-size", "report-size"]
    assert "no documents are named" in notes[0].text
    assert "after rank 10" in notes[1].text
    assert "the first 50 documents" in fit(judgments, runs, Scenario(), budget=9_000).notes[0].text
