"""Provenance: everything a reviewer needs to repeat the numbers, and nothing that changes from day to day."""

from __future__ import annotations

import platform
from collections.abc import Iterable
from importlib import metadata

from gaincurve._version import __version__
from gaincurve.model.comparison import Comparison
from gaincurve.model.scores import Scores
from gaincurve.model.signature import Signature
from gaincurve.model.source import Source, grouped
from gaincurve.page.content import InputRow, Provenance, SignatureRow

PACKAGES = {"NumPy": "numpy", "SciPy": "scipy", "Altair": "altair", "vl-convert": "vl-convert-python"}

PAPER = (
    "Järvelin, K. and Kekäläinen, J. (2002). Cumulated gain-based evaluation of IR techniques. ACM Transactions on "
    "Information Systems 20(4), 422–446. doi:10.1145/582415.582418."
)
SESSIONS = (
    "Järvelin, K., Price, S. L., Delcambre, L. M. L. and Nielsen, M. L. (2008). Discounted cumulated gain based "
    "evaluation of multiple-query IR sessions. In: Advances in Information Retrieval (ECIR 2008), LNCS 4956, 4–15. "
    "doi:10.1007/978-3-540-78646-7_4."
)
_BIBTEX = r"""@article{jarvelin2002cumulated,
  author  = {J{\"a}rvelin, Kalervo and Kek{\"a}l{\"a}inen, Jaana},
  title   = {Cumulated gain-based evaluation of {IR} techniques},
  journal = {ACM Transactions on Information Systems},
  volume  = {20},
  number  = {4},
  pages   = {422--446},
  year    = {2002},
  doi     = {10.1145/582415.582418}
}"""
_BIBTEX_SESSIONS = r"""@inproceedings{jarvelin2008discounted,
  author    = {J{\"a}rvelin, Kalervo and Price, Susan L. and Delcambre, Lois M. L. and Nielsen, Marianne Lykke},
  title     = {Discounted cumulated gain based evaluation of multiple-query {IR} sessions},
  booktitle = {Advances in Information Retrieval ({ECIR} 2008)},
  series    = {Lecture Notes in Computer Science},
  volume    = {4956},
  pages     = {4--15},
  year      = {2008},
  doi       = {10.1007/978-3-540-78646-7_4}
}"""
_BIBTEX_SOFTWARE = r"""@software{{gaincurve,
  author  = {{{{The gaincurve developers}}}},
  title   = {{gaincurve: cumulated-gain evaluation of rankings}},
  version = {{{version}}}
}}"""


def provenance_of(
    command: str,
    scores: Scores,
    comparison: Comparison | None,
    inputs: Iterable[tuple[str, Source]],
    session_signatures: tuple[Signature, ...] = (),
    with_sessions: bool = False,
) -> Provenance:
    """Command, versions, inputs, signatures, methods and what to cite; `inputs` are sources with their roles."""
    with_sessions = with_sessions or bool(session_signatures)
    return Provenance(
        command=command,
        versions=versions(),
        seeds=_seeds(comparison),
        inputs=tuple(_input(role, source) for role, source in inputs),
        signatures=tuple(
            SignatureRow(signature.measure.text, signature_parts(signature))
            for signature in (*scores.signatures, *session_signatures)
        ),
        methods=_methods(scores, comparison),
        citation=" ".join((PAPER, *((SESSIONS,) if with_sessions else ()), f"Software: gaincurve {__version__}.")),
        bibtex="\n\n".join(
            (
                _BIBTEX,
                *((_BIBTEX_SESSIONS,) if with_sessions else ()),
                _BIBTEX_SOFTWARE.format(version=__version__),
            )
        ),
    )


def signature_parts(signature: Signature) -> tuple[str, ...]:
    """The measure, then each part as in the signature's text; the page breaks lines between them."""
    return (signature.measure.text, *(f"{name}:{value}" for name, value in signature.parts.items()))


def versions() -> tuple[tuple[str, str], ...]:
    """The versions of what computed and drew; no machine, no date."""
    import vl_convert  # noqa: PLC0415 -- an extra

    named = [("gaincurve", __version__), ("Python", platform.python_version())]
    named += [(name, metadata.version(package)) for name, package in PACKAGES.items()]
    return (*named, ("Vega-Lite", vl_convert.get_vegalite_versions()[-1]), ("Vega", vl_convert.get_vega_version()))


def _input(role: str, source: Source) -> InputRow:
    return InputRow(
        role=role,
        path=source.path,
        format=source.format,
        topics=grouped(source.topics) if source.topics else "",
        rows=grouped(source.rows),
        sha256=source.sha256 or "",
        metadata=source.metadata,
    )


def _seeds(comparison: Comparison | None) -> str:
    """Nothing in the tables is random; only the sign-flip test is, which a note tells of where it disagrees with t."""
    if comparison is None or not comparison.draws:
        return "nothing was drawn at random"
    if not any(family.disagreeing(comparison.alpha) for family in comparison.families):
        return "nothing was drawn at random"
    return (
        "no number in the tables was drawn at random; the randomisation test that a note reports drew "
        f"{grouped(comparison.draws)} sign vectors with seed {comparison.seed}"
    )


def _methods(scores: Scores, comparison: Comparison | None) -> tuple[str, ...]:
    if comparison is None:
        return (f"{scores.measures[0]} was computed by gaincurve {__version__}; a single run was not tested.",)
    return (*comparison.methods(), *(f"Intervals: {text}." for text in comparison.intervals()))
