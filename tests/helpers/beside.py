"""Real data that may not be copied into the project: read where `shared` stands beside the checkout."""

from __future__ import annotations

from pathlib import Path

import pytest

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"


def needs(*collections: str) -> pytest.MarkDecorator:
    """Skip a test, with the reason, where one of the collections is not there."""
    missing = [name for name in collections if not (DATA / name).is_dir()]
    return pytest.mark.skipif(bool(missing), reason=f"../shared/data has no {', '.join(missing)}")
