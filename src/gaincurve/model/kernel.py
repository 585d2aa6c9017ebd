"""Judgments as the compiled scanner looks them up."""

from __future__ import annotations

from typing import Any

import numpy as np

from gaincurve.model.ids import Ids, keys_in
from gaincurve.model.judgments import Judgments


def index_of(compiled: Any, judgments: Judgments, names: tuple[object, ...]) -> Any:
    """Judgments, and the names that lead to their topics; None without the scanner, or if keys collide on purpose."""
    if compiled is None:
        return None
    documents, topics = judgments.documents, Ids.from_texts(judgments.topics)
    columns = (
        keys_in(documents, topics, judgments.topic),  # not judgments.keys, which would stay
        judgments.offsets,
        documents.buffer,
        np.ascontiguousarray(documents.starts),
        np.ascontiguousarray(documents.lengths),
        topics.hashes(),
    )
    try:
        return compiled.Index(*columns, *names)
    except ValueError:
        return None
