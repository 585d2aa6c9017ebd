"""Results as Parquet and Arrow files: the tidy columns, typed, with schema, version and signatures in the metadata."""

from __future__ import annotations

from gaincurve.model.tables.frames import arrow_of, imported
from gaincurve.model.tables.tidy import Tidy

BINARY: dict[str, str] = {
    "parquet": "typed columns in a Parquet file (needs the extra 'arrow')",
    "arrow": "the same in an Arrow IPC file (needs the extra 'arrow')",
}


def check_extra(format: str) -> None:
    """Raise MissingExtra where the format cannot be written: better before than after a long read."""
    imported("pyarrow", f"-f {format}")


def columnar(tidy: Tidy, format: str) -> bytes:
    """The file's bytes."""
    pyarrow = imported("pyarrow", f"-f {format}")
    table, sink = arrow_of(tidy), pyarrow.BufferOutputStream()
    if format == "parquet":
        imported("pyarrow.parquet", "Parquet").write_table(table, sink)
    else:
        with imported("pyarrow.ipc", "Arrow").new_file(sink, table.schema) as file:
            file.write_table(table)
    return bytes(sink.getvalue())
