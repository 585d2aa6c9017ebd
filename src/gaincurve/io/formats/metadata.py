"""ir_metadata: comments at the head of a run that say how it was made. Kept as they are, never interpreted."""

from __future__ import annotations

from gaincurve.io.content import Content
from gaincurve.model.ids import decode

START, END = "# ir_metadata.start", "# ir_metadata.end"
MOST = 1 << 16


def metadata_of(content: Content) -> str:
    """The lines between the marks, comment signs taken off; '' where a file begins otherwise."""
    head = decode(content.buffer[content.start : min(content.stop, content.start + MOST)].tobytes())
    lines = [line.rstrip("\r") for line in head.split("\n")]
    if not lines or lines[0].strip() != START or END not in (line.strip() for line in lines):
        return ""
    inside = lines[1 : next(i for i, line in enumerate(lines) if line.strip() == END)]
    return "\n".join(line.removeprefix("#").removeprefix(" ") for line in inside)


def header_of(metadata: str) -> str:
    """The comments that say the same again."""
    if not metadata:
        return ""
    return "\n".join([START, *(f"# {line}".rstrip() for line in metadata.split("\n")), END, ""])
