"""Agreement of two sets of judgments: on grades, and on the order of systems."""

from __future__ import annotations

from dataclasses import dataclass

from gaincurve.model.rows import Floats
from gaincurve.model.scores import json_number
from gaincurve.model.signature import Signature
from gaincurve.model.source import Note, Source, counted, number_text
from gaincurve.model.tables.result import Result
from gaincurve.model.tables.tidy import Cell, Tidy

STATISTICS = (
    "common", "only_first", "only_second", "same", "kappa", "kappa_linear", "kappa_quadratic", "alpha_nominal",
    "alpha_ordinal", "alpha_interval",
)  # fmt: skip
ORDER_STATISTICS = ("tau_b", "tau_ap", "rbo", "both", "first_only", "second_only", "conflict", "share")
"""What tidy rows hold beside the cross table, of grades and of the order of systems."""


@dataclass(frozen=True, eq=False)
class Orders:
    """How alike both sets of judgments order systems on one measure.

    Of all pairs of systems, `both` differ significantly and alike under both sets, `first_only` and `second_only`
    under one, `conflict` under both but in opposite directions.
    """

    measure: str
    runs: tuple[str, ...]
    topics: int
    first: tuple[float, ...]
    second: tuple[float, ...]
    tau_b: float
    tau_ap: float
    rbo: float
    both: int
    first_only: int
    second_only: int
    conflict: int
    signatures: tuple[Signature, Signature]
    higher_is_better: bool = True

    def places(self, means: tuple[float, ...]) -> list[int]:
        """The place of every run, 1 for the best; equal means share the better place.

        Worked: means .4 .5 .4 have places 2 1 2, or 1 3 1 where less is better.
        """
        sign = -1 if self.higher_is_better else 1
        values = [sign * round(mean, 10) for mean in means]
        return [1 + sum(other < value for other in values) for value in values]

    @property
    def share(self) -> float:
        """Of the pairs significant under either set, the share that is so under both and alike; nan without any."""
        either = self.both + self.first_only + self.second_only + self.conflict
        return self.both / either if either else float("nan")

    def to_dict(self) -> dict[str, object]:
        """The part `orders` of gaincurve.agreement/1."""
        first, second = self.places(self.first), self.places(self.second)
        return {
            "measure": self.measure,
            "topics": self.topics,
            "signatures": list(map(str, self.signatures)),
            "summary": {
                run: {
                    "first": json_number(self.first[r]),
                    "first_place": first[r],
                    "second": json_number(self.second[r]),
                    "second_place": second[r],
                }
                for r, run in enumerate(self.runs)
            },
            "tau_b": json_number(self.tau_b),
            "tau_ap": json_number(self.tau_ap),
            "rbo": json_number(self.rbo),
            "significant": {
                "both": self.both,
                "first_only": self.first_only,
                "second_only": self.second_only,
                "conflict": self.conflict,
                "share": json_number(self.share),
            },
        }


@dataclass(frozen=True, eq=False)
class Agreement(Result):
    """`counts[i, j]`: documents to which the first judge gave `scale[i]` and the second `scale[j]`."""

    names: tuple[str, str]
    scale: Floats
    counts: Floats
    only_first: int
    only_second: int
    kappa: float
    kappa_linear: float
    kappa_quadratic: float
    alpha_nominal: float
    alpha_ordinal: float
    alpha_interval: float
    orders: Orders | None
    inputs: tuple[Source, ...]
    notes: tuple[Note, ...]

    def __repr__(self) -> str:
        return f"Agreement({counted(self.common, 'document')} judged by both, κ = {self.kappa:.3f})"

    @property
    def common(self) -> int:
        """Documents that both have judged."""
        return int(self.counts.sum())

    @property
    def same(self) -> float:
        """The share of them with the same grade."""
        return float(self.counts.trace() / self.counts.sum())

    def sentences(self) -> list[str]:
        """The result in plain words."""
        sentences = [
            f"Both judged {counted(self.common, 'document')} and gave {100 * self.same:.1f}% of them the same grade; "
            f"κ = {self.kappa:.3f} (linear weights {self.kappa_linear:.3f}, quadratic weights "
            f"{self.kappa_quadratic:.3f}), Krippendorff's α = {self.alpha_ordinal:.3f} (ordinal)."
        ]
        if self.only_first or self.only_second:
            sentences.append(
                f"{self.names[0]} alone judged {counted(self.only_first, 'document')}, {self.names[1]} alone "
                f"{counted(self.only_second, 'document')}; these are not counted."
            )
        if self.orders is not None:
            sentences.append(_orders_sentence(self.orders))
        return sentences

    def tidy(self) -> Tidy:
        """statistic, value: the cross table cell by cell, then every coefficient."""
        grades = [number_text(float(grade)) for grade in self.scale]
        rows: list[tuple[Cell, ...]] = [
            (f"grades {a},{b}", int(self.counts[i, j])) for i, a in enumerate(grades) for j, b in enumerate(grades)
        ]
        rows += [(name, getattr(self, name)) for name in STATISTICS]
        if self.orders is not None:
            rows += [(f"order {name}", getattr(self.orders, name)) for name in ORDER_STATISTICS]
        signatures = () if self.orders is None else self.orders.signatures
        return Tidy.of_rows("gaincurve.agreement/1", {"statistic": "text", "value": "number"}, rows, signatures)

    def to_dict(self) -> dict[str, object]:
        """The JSON shape gaincurve.agreement/1."""
        grades = [number_text(float(grade)) for grade in self.scale]
        numbers = ("kappa", "kappa_linear", "kappa_quadratic", "alpha_nominal", "alpha_ordinal", "alpha_interval")
        shape: dict[str, object] = {
            "schema": "gaincurve.agreement/1",
            "judgments": list(self.names),
            "common": self.common,
            "only_first": self.only_first,
            "only_second": self.only_second,
            "same_grade": self.same,
            "table": {
                first: {second: int(self.counts[i, j]) for j, second in enumerate(grades)}
                for i, first in enumerate(grades)
            },
            **{name: json_number(getattr(self, name)) for name in numbers},
            "sentences": self.sentences(),
        }
        return shape if self.orders is None else {**shape, "orders": self.orders.to_dict()}


def _orders_sentence(orders: Orders) -> str:
    either = orders.both + orders.first_only + orders.second_only + orders.conflict
    start = (
        f"On {orders.measure} over {counted(orders.topics, 'shared topic')} the two sets order "
        f"{counted(len(orders.runs), 'run')} with τ_b = {orders.tau_b:.3f}, τ_AP = {orders.tau_ap:.3f}"
    )
    if not either:
        return f"{start}; no pair differs significantly under either."
    against = f"{orders.conflict} in opposite directions" if orders.conflict else "none in opposite directions"
    both = f"{orders.both} {'is' if orders.both == 1 else 'are'} so under both"
    return f"{start}; of {counted(either, 'pair')} significant under either, {both}, {against}."
