"""What every result can do: become a frame, an Arrow table or a file, and show its numbers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, NamedTuple

from gaincurve.errors import ChoiceError, Problem
from gaincurve.model.source import Note
from gaincurve.model.tables.frames import arrow_of, frame_of
from gaincurve.model.tables.shown import as_html, as_text
from gaincurve.model.tables.tidy import Tidy


class Series(NamedTuple):
    """What a tracker of experiments logs: the summary of a measure, or a curve by rank."""

    run: str
    name: str
    signature: str
    values: tuple[float, ...]


class Result(ABC):
    """A result gives its columns once, in `tidy`; all else follows. `inputs` and `notes` are its own."""

    if TYPE_CHECKING:

        @property
        def notes(self) -> tuple[Note, ...]:
            """Remarks about the data that a reader of the numbers should see."""
            ...

    @abstractmethod
    def tidy(self) -> Tidy:
        """One signed number, pair or setting a row: what TSV, CSV and JSON lines hold, with typed columns."""

    def wide(self) -> Tidy:
        """The same side by side, where there is more than one way to lay it out."""
        return self.tidy()

    def shown(self) -> Tidy:
        """What people see first."""
        return self.tidy().without("signature")

    def sentences(self) -> list[str] | tuple[str, ...]:
        """The result in plain words."""
        return ()

    def series(self) -> list[Series]:
        """What a tracker of experiments logs: scores and curves have it."""
        what = f"a {type(self).__name__} has no number for each run and measure to log"
        raise ChoiceError(Problem("choice-unknown", what, hint="log scores or curves"))

    def to_frame(self, library: str | None = None, *, wide: bool = False) -> Any:
        """A data frame: 'pandas', 'polars' or 'pyarrow', else the first of these that is installed.

        The long form has the columns of TSV and CSV; `wide` lays runs or measures out side by side.
        """
        return frame_of(self.wide() if wide else self.tidy(), library)

    def to_arrow(self) -> Any:
        """The long form as a pyarrow.Table, with schema, version and signatures in its metadata."""
        return arrow_of(self.tidy())

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def __str__(self) -> str:
        shown = self.shown()
        return as_text(shown, (*self.sentences(), *shown.signatures, *self.notes))

    def _repr_html_(self) -> str:
        return as_html(self.shown(), self.sentences(), self.notes)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(repr(self) if cycle else str(self))
