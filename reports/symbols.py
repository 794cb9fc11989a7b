"""Define symbols and descriptions for verdicts, shared by all reports, with ASCII replacements for the symbols."""

from __future__ import annotations

from axiomcheck.core.verdict import Verdict

SYMBOLS: dict[Verdict, str] = {
    Verdict.PROVED: "●",
    Verdict.BOUNDED: "◑",
    Verdict.HELD: "◐",
    Verdict.REFUTED: "○",
    Verdict.INCOMPARABLE: "∥",
    Verdict.NOT_APPLICABLE: "–",
    Verdict.UNDECIDED: "?",
    Verdict.ERROR: "!",
}
"""Symbol for each verdict, in legend order."""

WORDS: dict[Verdict, str] = {
    Verdict.PROVED: "proved: a checked certificate covers every instance",
    Verdict.BOUNDED: "bounded: a checked certificate covers every instance up to a stated length only",
    Verdict.HELD: "held: no violation in N instances, which is not a proof",
    Verdict.REFUTED: "refuted: a counterexample, or an argument for all large n",
    Verdict.INCOMPARABLE: "incomparable: neither ranking's distribution of scores dominates the other's",
    Verdict.NOT_APPLICABLE: "not applicable: no instance fits the metric, or it ignores the axiom's subject",
    Verdict.UNDECIDED: "undecided: the search was interrupted or found no answer",
    Verdict.ERROR: "error: the metric failed, or two computations contradict each other",
}
"""Description of each verdict, one line each."""

BRIEFLY: dict[Verdict, str] = {
    Verdict.PROVED: "proved",
    Verdict.BOUNDED: "proved up to a stated length",
    Verdict.HELD: "no violation found",
    Verdict.REFUTED: "violated",
    Verdict.INCOMPARABLE: "incomparable",
    Verdict.NOT_APPLICABLE: "not applicable",
    Verdict.UNDECIDED: "undecided",
    Verdict.ERROR: "error",
}
"""Description of each verdict in the legend of a figure."""

FINDING_MARK = "*"
FINDING_WORDS = "a finding: differs from the published claim"
BINARY_MARK = "ᵇ"
BINARY_WORDS = "on binary instances only: the metric only tests whether a grade is 0"

EDITED = "◀"
"""Mark for ranks at which two rankings have different documents."""

PLAIN: dict[str, str] = {
    SYMBOLS[Verdict.PROVED]: "P",
    SYMBOLS[Verdict.BOUNDED]: "B",
    SYMBOLS[Verdict.HELD]: "H",
    SYMBOLS[Verdict.REFUTED]: "R",
    SYMBOLS[Verdict.INCOMPARABLE]: "I",
    SYMBOLS[Verdict.NOT_APPLICABLE]: "-",
    BINARY_MARK: "b",
    "✓": "+",
    "✗": "X",
    "·": "-",
    EDITED: "<",
    "─": "-",
    "×": "x",
    "±": "+-",
    "≈": "~",
    "…": ".",
}
"""Replacements for the non-ASCII characters in reports, for encodings that lack one of them.

Either all of them are replaced or none is, so that no symbol can be mistaken for the replacement of another.
"""

_TABLE = str.maketrans(PLAIN)


def fitting(text: str, encoding: str | None) -> str:
    """Replace the symbols in a report's text with ASCII if an encoding lacks one of them.

    Other characters that the encoding lacks, such as letters of a name, are left to the stream's error handler.

    Args:
        text: Text of a report.
        encoding: Name of the encoding; None for one that supports all characters.

    """
    try:
        "".join(PLAIN).encode(encoding or "utf-8")
    except UnicodeEncodeError:
        return text.translate(_TABLE)
    return text
