import numpy as np
from numpy.typing import NDArray

VERSION: int

class Index:
    def __init__(
        self,
        keys: NDArray[np.uint64],
        offsets: NDArray[np.int64],
        documents: NDArray[np.uint8],
        starts: NDArray[np.int64],
        lengths: NDArray[np.int32],
        topic_keys: NDArray[np.uint64],
        topics: NDArray[np.uint8],
        topic_starts: NDArray[np.int64],
        topic_lengths: NDArray[np.int32],
    ) -> None: ...

def next_boundary(buffer: NDArray[np.uint8], start: int, stop: int) -> int: ...
def hash_ids(
    buffer: NDArray[np.uint8], starts: NDArray[np.int64], lengths: NDArray[np.int32]
) -> NDArray[np.uint64]: ...
def free_memory() -> None: ...
def hash_rows(
    buffer: NDArray[np.uint8],
    starts: NDArray[np.int64],
    lengths: NDArray[np.int32],
    topics: NDArray[np.uint64],
    owner: NDArray[np.int32],
) -> NDArray[np.uint64]: ...
def pack(
    buffer: NDArray[np.uint8], starts: NDArray[np.int64], lengths: NDArray[np.int32], to: NDArray[np.uint8]
) -> None: ...
def read_columns(
    buffer: NDArray[np.uint8],
    start: int,
    stop: int,
    width: int,
    document: int,
    value: int,
    other: int = -1,
    origin: int = -1,
) -> (
    tuple[
        NDArray[np.int64],
        NDArray[np.int64],
        NDArray[np.int32],
        NDArray[np.float64],
        NDArray[np.int64],
        NDArray[np.int32],
    ]
    | None
): ...
def grade_block(
    index: Index,
    buffer: NDArray[np.uint8],
    start: int,
    stop: int,
    document: int,
    value: int,
    fewest: int,
    most: int,
    negate: bool,
    rule: int,
    shown: int = 0,
    rank: int = -1,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], tuple[int, int, int, int]] | None: ...
def grade_rows(
    index: Index,
    bounds: NDArray[np.int64],
    base: NDArray[np.int32],
    buffer: NDArray[np.uint8],
    starts: NDArray[np.int64],
    lengths: NDArray[np.int32],
    scores: NDArray[np.float64],
    ranks: NDArray[np.float64],
    rule: int,
    shown: int = 0,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint8]] | None: ...
def gather(addresses: NDArray[np.uint64], sizes: NDArray[np.int64], to: NDArray[np.uint8]) -> None: ...
def leading(values: NDArray[np.float64], reach: int, above: bool) -> tuple[NDArray[np.float64], NDArray[np.int64]]: ...
