"""Judgments as the compiled scanner looks them up."""

from __future__ import annotations

from typing import Any

import numpy as np

from gaincurve.model.ids import Ids
from gaincurve.model.judgments import Judgments


def index_of(compiled: Any, judgments: Judgments, names: tuple[object, ...]) -> Any:
    """Judgments, and the names that lead to their topics; None without the scanner, or if keys collide on purpose."""
    if compiled is None:
        return None
    documents = judgments.documents
    columns = (
        judgments.keys,
        judgments.offsets,
        documents.buffer,
        np.ascontiguousarray(documents.starts),
        np.ascontiguousarray(documents.lengths),
        Ids.from_texts(judgments.topics).hashes(),
    )
    try:
        return compiled.Index(*columns, *names)
    except ValueError:
        return None
