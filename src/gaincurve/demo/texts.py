"""Made-up texts for the made-up experiment: titles of topics, a sentence a document. Same seed, same bytes.

A document speaks of its topic as its grade says: at length, in part, in passing, or of something else.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gaincurve.demo.experiment import SEED, MadeUp

SUBJECTS = (
    "wooden bridges", "rain gardens", "night trains", "cargo bicycles", "tidal power plants", "public libraries",
    "sourdough bakeries", "urban beehives", "harbour cranes", "village cinemas",
)  # fmt: skip
ASPECTS = ("maintenance costs", "safety", "noise", "local history", "winter operation")
"""Each topic asks about one aspect of one subject."""

PLACES = (
    "Tampere", "Bergen", "Ghent", "Porto", "Graz", "Cork", "Tartu", "Malmö", "Utrecht", "Gdynia", "Bilbao", "Trieste",
)  # fmt: skip
KINDS = ("report", "survey", "handbook", "case study", "newspaper article", "lecture", "interview", "field guide")
DEPTH = 100
"""Documents down to this rank of some run have a text."""


@dataclass(frozen=True)
class MadeUpTexts:
    """Id and text, one pair a line, separated by a tab."""

    topics: str
    documents: str


def make_texts(demo: MadeUp, seed: int = SEED) -> MadeUpTexts:
    """Texts for the topics and for the documents that a reader of the runs gets to see."""
    random = np.random.default_rng((seed, 2))  # a stream of its own: the judgments and runs do not depend on it
    grades = _grades(demo.qrels)
    about: dict[str, tuple[int, int]] = {}  # the topic a document is about, and its grade there
    topics: dict[int, None] = {}
    for run in demo.runs.values():
        for topic, documents in _ranked(run).items():
            topics[int(topic)] = None
            for document in documents[:DEPTH]:
                grade = grades.get((topic, document), 0)
                if document not in about or grade > about[document][1]:
                    about[document] = (int(topic), grade)
    titles = "".join(f"{topic}\t{title(topic)}\n" for topic in sorted(topics))
    texts = "".join(f"{name}\t{_sentence(random, *about[name])}\n" for name in sorted(about))
    return MadeUpTexts(titles, texts)


def _ranked(run: str) -> dict[str, list[str]]:
    """The documents of each topic in the order a reader sees them: by score, equal scores by id, both descending."""
    scored: dict[str, list[tuple[float, str]]] = {}
    for line in run.splitlines():
        topic, _, document, _, score, _ = line.split()
        scored.setdefault(topic, []).append((float(score), document))
    return {topic: [document for _, document in sorted(row, reverse=True)] for topic, row in scored.items()}


def title(topic: int) -> str:
    """What a topic asks for: 'safety of night trains'."""
    subject, aspect = _parts(topic)
    return f"{aspect} of {subject}"


def _parts(topic: int) -> tuple[str, str]:
    place = topic - 1
    return SUBJECTS[place % len(SUBJECTS)], ASPECTS[place // len(SUBJECTS) % len(ASPECTS)]


def _grades(qrels: str) -> dict[tuple[str, str], int]:
    rows = (line.split() for line in qrels.splitlines())
    return {(topic, document): int(grade) for topic, _, document, grade in rows}


def _sentence(random: np.random.Generator, topic: int, grade: int) -> str:
    subject, aspect = _parts(topic)
    place, kind = (str(random.choice(words)) for words in (PLACES, KINDS))
    year = int(random.integers(1962, 2025))
    other = str(random.choice([candidate for candidate in ASPECTS if candidate != aspect]))
    elsewhere = str(random.choice([candidate for candidate in SUBJECTS if candidate != subject]))
    return (
        f"{kind.capitalize()} on {elsewhere} in {place}, {year}, with a chapter on {other}",
        f"{kind.capitalize()} on {subject} in {place}, {year}, mostly on {other}; {aspect} in passing",
        f"{kind.capitalize()} on {subject} in {place}, {year}: {aspect} and {other}, with some figures",
        f"{kind.capitalize()} on the {aspect} of {subject} in {place}, {year}: causes, figures and what was learned",
    )[grade]
