"""One symbol and one line of words per verdict, shared by every report; and what stands for them in fewer letters."""

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
"""The symbol of each verdict, in the order of the legend."""

WORDS: dict[Verdict, str] = {
    Verdict.PROVED: "proved: a checked certificate covers every instance",
    Verdict.BOUNDED: "bounded: a checked certificate covers every instance up to a stated length only",
    Verdict.HELD: "held: no violation in N instances, which is not a proof",
    Verdict.REFUTED: "refuted: a counterexample, or an argument about every large n",
    Verdict.INCOMPARABLE: "incomparable: neither ranking's distribution of scores dominates the other's",
    Verdict.NOT_APPLICABLE: "not applicable: the metric knows nothing of what the axiom speaks of, or cannot reach it",
    Verdict.UNDECIDED: "undecided: the search was cut short or came to no answer",
    Verdict.ERROR: "error: the metric failed, or two computations contradict each other",
}
"""The meaning of each symbol, one line each."""

FINDING_MARK = "*"
FINDING_WORDS = "a finding: differs from the published claim"
BINARY_MARK = "ᵇ"
BINARY_WORDS = "on binary instances only: the metric sees no more than whether a grade is 0"

EDITED = "◀"
"""Stands at the ranks where two rankings have different documents."""

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
"""Replacements of the characters beyond ASCII in reports, for encodings that lack one of them.

All are replaced together or none is, so that no symbol is taken for another's replacement.
"""

_TABLE = str.maketrans(PLAIN)


def fitting(text: str, encoding: str | None) -> str:
    """A report's text in the characters that an encoding has; None stands for one that has all.

    What else it does not have, such as a letter of a name, is left to the stream.
    """
    try:
        "".join(PLAIN).encode(encoding or "utf-8")
    except UnicodeEncodeError:
        return text.translate(_TABLE)
    return text
