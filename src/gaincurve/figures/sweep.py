"""The sweep map."""

from typing import Any


def sweep_chart(sweep: Any) -> Any:
    raise NotImplementedError
