"""Pools that follow answers: what comes next where answers end, or the whole order in a replay."""

from __future__ import annotations

import numpy as np

from gaincurve.model.rows import nth_of
from gaincurve.model.source import Note, counted
from gaincurve.verbs.pools.drawn import Drawn, Request
from gaincurve.verbs.pools.methods import Opening


def adaptive(request: Request, front_of: Opening) -> Drawn:
    """What an adaptive method asks: in a replay all of it, else what comes next where answers end."""
    judged, relevant = request.judged, request.relevant
    documents: list[int] = []
    absent = 0
    most = request.budget if request.replay else (request.budget or 1)
    for rankings in request.lists.rankings().values():
        front, asked = front_of(rankings, request.update), 0
        while (question := front.ask()) is not None and (most is None or asked < most):
            run, document = question
            if request.replay and request.absent == "skip" and not judged[document]:
                front.skip(document)
                continue
            front.answer(run, document, bool(relevant[document]))
            if request.replay or not judged[document]:
                documents.append(document)
                absent += not judged[document]
                asked += 1
    if request.replay and absent:
        text = (
            f"{counted(absent, 'document')} without a judgment counted as not relevant (--absent skip passes over them)"
        )
        request.notes.append(Note("pool-absent", text))
    elif not request.replay and (most or 1) > 1:
        text = f"{most} at once: until they are judged, each counts as not relevant for the order of the next"
        request.notes.append(Note("pool-batch", text))
    order = np.array(documents, dtype=np.int64)
    return Drawn.plain(order, nth_of(request.lists.topic[order]), skip_judged=not request.replay)
