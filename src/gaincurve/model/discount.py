"""The divisor D(i): how much a document at rank i loses because the user gets there late."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gaincurve.errors import ChoiceError, Problem, one_of
from gaincurve.model.elementary import log
from gaincurve.model.rows import Floats
from gaincurve.model.source import number_text


@dataclass(frozen=True)
class Form:
    """One form of discount: its formula as text, where it comes from, and whether it has a base."""

    formula: str
    source: str
    based: bool


FORMS: dict[str, Form] = {
    "none": Form("1", "2002 paper, section 4: DCG becomes CG", based=False),
    "rank": Form("i", "2002 paper, section 4: a very sharp discount", based=False),
    "jk2002": Form("1 if i < b else log_b i", "2002 paper, formula (2)", based=True),
    "jarvelin2008": Form("1 + log_b i", "2008 paper, appendix (2)", based=True),
    "log": Form("log2(i+1)", "trec_eval; Burges et al. 2005", based=False),
    "kanoulas2011": Form("log_b(i + b - 1)", "Kanoulas et al. 2011", based=True),
}


@dataclass(frozen=True)
class Discount:
    """A named discount with its base, where it has one."""

    name: str
    base: float | None = None

    @classmethod
    def of(cls, name: object, base: object = None) -> Discount:
        """A checked discount; base 2 unless given."""
        if isinstance(name, Discount):
            return name if base is None else cls.of(name.name, base)
        form = FORMS[one_of("discount", name, tuple(FORMS))]
        if not form.based:
            if base is not None:
                what = f"the discount {name} has no base, but base {base} was given"
                raise ChoiceError(
                    Problem("discount-base", what, hint="--discount jk2002 --base 2, or another discount with a base")
                )
            return cls(str(name))
        return cls(str(name), 2.0 if base is None else checked_base(base))

    def __str__(self) -> str:
        if self.base is None:
            return FORMS[self.name].formula if self.name == "log" else self.name
        return f"{self.name}(base={number_text(self.base)})"

    @property
    def canonical(self) -> Discount:
        """The same function as it is always written: without a base where it has no effect, log for log_2(i + 1)."""
        if self.base is not None and math.isinf(self.base):
            return Discount("none")
        return Discount("log") if (self.name, self.base) == ("kanoulas2011", 2) else self

    def divisors(self, depth: int) -> Floats:
        """D(1) … D(depth)."""
        i = np.arange(1, depth + 1, dtype=np.float64)
        if self.name == "rank":
            return i
        if self.name == "log":
            return log(i + 1, 2)
        if self.base is None or math.isinf(self.base):
            return np.ones(depth)
        if self.name == "jk2002":
            return np.where(i < self.base, 1.0, log(i, self.base))
        if self.name == "jarvelin2008":
            return 1.0 + log(i, self.base)
        return log(i + self.base - 1, self.base)


def checked_base(given: object) -> float:
    """The base of a logarithmic discount: above 1, inf for no discount."""
    try:
        base = float(given)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        base = math.nan
    if math.isnan(base) or base <= 1:
        raise ChoiceError(Problem("discount-base", f"the base of a discount cannot be {given}"))
    return base
