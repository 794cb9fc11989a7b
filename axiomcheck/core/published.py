"""The published claims on which metric satisfies which axiom (Amigo et al. 2018, Table 1 and sections 4 and 5).

``yes`` and ``no`` are explicit statements in the paper. ``u`` means undefined for graded judgments. A trailing ``?``
marks a value that is inferred, because the text does not mention it. ``contradictory`` means that two sentences of the
text contradict each other. Results are compared with these claims, but never depend on them.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

Published: TypeAlias = Literal["yes", "no", "u", "yes?", "no?", "contradictory"]

_COLUMNS = ("Pri", "Deep", "DeepTh", "CloseTh", "Conf", "AspDiv", "Red", "MRed", "Sat", "AspRel")
_WORDS: dict[str, Published] = {"y": "yes", "n": "no", "u": "u", "Y": "yes?", "N": "no?", "c": "contradictory"}
_TABLE = {
    "P@k": "uuynnnnnnn",
    "RR": "uuynnnnnnn",
    "AP": "uunynnnnnn",
    "nDCG@k": "yynynnnnnn",
    "ERR@k": "yyynnnnnnn",
    "RBP": "yyyynnnnnn",
    "P-IA@k": "uuynnunNny",
    "RR-IA@k": "uuynnunNyy",
    "AP-IA": "uunynunNny",
    "nDCG-IA@k": "yycynynNny",
    "ERR-IA@k": "yyynnyyyyy",
    "RBP-IA": "yyyynynNny",
    "S-Recall@k": "nnYnnnnnyn",
    "S-RR@100%": "nnYnnnnnyn",
    "NRBP": "yyyynyynnn",
    "D#-Measure@k": "yycynynnny",
    "alpha-nDCG@k": "yyyynyynnn",
    "EU": "yyyyyyynny",
    "CT@k": "YYYnnYYNyY",
    "RBU@k": "yyyyyyyyyy",
}

PUBLISHED: dict[tuple[str, str], Published] = {
    (row, column): _WORDS[letter]
    for row, letters in _TABLE.items()
    for column, letter in zip(_COLUMNS, letters, strict=True)
}
"""Published claims, keyed by row of the paper's table and name of the axiom."""


def published_claim(row: str | None, axiom: str) -> Published | None:
    """Return the published claim for a row and an axiom, or None if the paper's table does not have this cell."""
    return PUBLISHED.get((row, axiom)) if row else None
