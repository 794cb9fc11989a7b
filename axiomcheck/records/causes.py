"""Define causes: the reasons for verdicts, as codes with numbers and text."""

from __future__ import annotations

from typing import Literal, TypeAlias

from axiomcheck.core.documents import UNSET, Maybe, Record, document_of
from axiomcheck.records.values import Text, Whole

CauseCode: TypeAlias = Literal[
    "counterexample",
    "no-violation",
    "top-ahead",
    "block-ahead",
    "one-aspect",
    "not-lifted",
    "grades-too-coarse",
    "no-weights",
    "no-score",
    "cutoff-too-short",
    "interrupted",
    "no-instance",
    "ties-on-few-shapes",
    "not-confirmed",
    "scores-exhausted",
    "dominance-exhausted",
    "dominance-open",
    "vanishing-ties",
    "not-told-apart",
    "names-matter",
    "open-beyond",
    "no-n-decided",
    "error",
]

RemarkCode: TypeAlias = Literal[
    "code-unreadable", "code-changed", "proof-contradicted", "names-matter", "multiples", "spacing"
]

_NUMBERS: dict[str, tuple[str, ...]] = {
    "grades-too-coarse": ("levels",),
    "cutoff-too-short": ("cutoff", "rank"),
    "ties-on-few-shapes": ("shapes",),
    "dominance-open": ("instances",),
    "vanishing-ties": ("instances",),
    "not-told-apart": ("instances",),
    "open-beyond": ("fails_from", "up_to"),
    "no-n-decided": ("up_to",),
}
_OPTIONAL: dict[str, tuple[str, ...]] = {"block-ahead": ("not_up_to",)}
_TEXT = ("error", "names-matter")
_MAY_HAVE_TEXT = ("block-ahead",)


class Remark(Record):
    """Additional remark on a cell of an external metric.

    ``text`` says how the metric's scores contradict a proof, or gives two scores of a ranking that differ because its
    documents were renamed. ``numbers`` describes the spacing of scores: either a number of which all scores are
    multiples, or the approximate size of the scores and the distance between adjacent floats of that size.
    """

    code: RemarkCode
    text: Maybe[Text] = UNSET
    numbers: Maybe[tuple[float, ...]] = UNSET

    def __post_init__(self) -> None:
        wanted = {"multiples": 1, "spacing": 2}.get(self.code, 0)
        if len(self.numbers or ()) != wanted:
            raise ValueError(f"numbers has {len(self.numbers or ())} entries; expected {wanted}")
        if bool(self.text) is not (self.code in ("proof-contradicted", "names-matter")):
            raise ValueError(f"text {'is not expected' if self.text else 'is missing'} with the code {self.code!r}")


class CauseNumbers(Record):
    """Numbers of a cause. The code of the cause determines which of them are present."""

    levels: Maybe[Whole] = UNSET
    cutoff: Maybe[Whole] = UNSET
    rank: Maybe[Whole] = UNSET
    shapes: Maybe[Whole] = UNSET
    instances: Maybe[Whole] = UNSET
    fails_from: Maybe[Whole] = UNSET
    up_to: Maybe[Whole] = UNSET
    not_up_to: Maybe[Whole] = UNSET


class Cause(Record):
    """Reason for a cell's verdict, as a code with numbers and text.

    ``numbers`` and ``text`` hold facts that are not in the evidence, the witness or the certificate. The text is an
    error message, an argument, or two scores. `axiomcheck.records.sentences` turns a cause into a sentence.
    """

    code: CauseCode
    numbers: Maybe[CauseNumbers] = UNSET
    text: Maybe[Text] = UNSET
    remarks: Maybe[tuple[Remark, ...]] = UNSET

    def __post_init__(self) -> None:
        wanted, found = {*_NUMBERS.get(self.code, ())}, {*self.counts}
        if not wanted <= found <= wanted | {*_OPTIONAL.get(self.code, ())}:
            raise ValueError(
                f"numbers are {', '.join(sorted(found)) or 'none'}; expected {', '.join(sorted(wanted)) or 'none'}"
            )
        if self.code in _TEXT and not self.text:
            raise ValueError(f"text is missing; it is expected with the code {self.code!r}")
        if self.text and self.code not in (*_TEXT, *_MAY_HAVE_TEXT):
            raise ValueError(f"text is not expected with the code {self.code!r}")

    @property
    def counts(self) -> dict[str, int]:
        """Numbers that are present, by name."""
        return document_of(self.numbers) if self.numbers else {}


NOT_DECIDED = Cause("interrupted")
COUNTEREXAMPLE = Cause("counterexample")
NO_VIOLATION = Cause("no-violation")


def cause(code: CauseCode, text: str = "", **numbers: int) -> Cause:
    """Return a cause with the given numbers and text. An empty text means none."""
    return Cause(code, CauseNumbers(**numbers) if numbers else UNSET, text or UNSET)
