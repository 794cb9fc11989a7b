"""Define certificates: proofs as documents. Each kind has its own record type, which docs/lemmas describes.

`axiomcheck.proof.check` decides whether a certificate is valid.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from msgspec import Meta

from axiomcheck.core.documents import UNSET, Maybe, Record, path_text, read, schema_of
from axiomcheck.core.domain import Domain
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.printable import counted, shown
from axiomcheck.core.verdict import Verdict
from axiomcheck.records.values import Count, FractionText, Number, ReadingRecord, Text, Whole

SCHEMA: Literal["axiomcheck/certificate"] = "axiomcheck/certificate"
VERSION: Literal[1] = 1

Names = tuple[Text, ...]
Polynomial = dict[Text, Number]
Linear = Annotated[Polynomial, Meta(min_length=1)]
Range = Literal["(0, oo)", "[0, oo)", "(0, 1)", "[0, 1]", "(0, 1]", "[0, 1)", "(-oo, oo)"]
Sign = Annotated[
    int,
    Meta(
        ge=-1,
        le=2,
        description="Which ranking is ahead: 1 for the top, -1 for the block, 0 for a tie, 2 if neither dominates.",
    ),
]
Signs = tuple[Sign, ...]
Split = Annotated[
    str,
    Meta(
        pattern=r"^[1-9][0-9]*\.[1-9][0-9]*(=0|=1|<=>[1-9][0-9]*\.[1-9][0-9]*)$(?!\n)",
        description="Question about a grade (document.aspect): is it 0, is it 1, or how does it compare with another?",
    ),
]
Claim = Literal["holds", "fails"]
Identity = Annotated[str, Meta(min_length=1, description="Digest of the code and attributes of an external metric.")]
Derived = Annotated[
    str,
    Meta(min_length=1, description="Fold that was derived from the source of a function, and that the proof is about."),
]
FoldName = Literal["cutoff", "harmonic", "geometric", "vanishing", "growth", "equal"]


class Numbered:
    """Table of distinct JSON values, built entry by entry. Certificates refer to its entries by index."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, entry: object) -> int:
        """Return the index of an entry. A new entry is added at the end of the table."""
        return self._numbers.setdefault(json.dumps(entry), len(self._numbers))

    def entries(self) -> list[Any]:
        """Return the entries in the order of their indices."""
        return [json.loads(text) for text in self._numbers]


class _Headed(Record):
    verdict: ClassVar[Verdict] = Verdict.PROVED

    schema: Literal["axiomcheck/certificate"]
    version: Literal[1]
    kind: str
    metric: Text
    axiom: Text


# Proofs for every large n


class EveryN(Record):
    """Scope of a proof for every n, and for every value of the named parameters inside their ranges."""

    n: Literal["all n"]
    parameters: Names


class FoldPart(Record, kw_only=True):
    """Lemma about one fold of a mixture, with its numbers; see docs/lemmas/thresholds.md."""

    lemma: FoldName
    keep: Maybe[Linear] = UNSET
    rising: Maybe[bool] = UNSET
    n0: Count | None

    def __post_init__(self) -> None:
        _check_entries(self.lemma, self, *_OF_FOLDS[self.lemma])


class Difference(Record):
    """Coefficient of L(m) - T of a fold at one order of eps: either its value, or a lower bound (``above``)."""

    order: Whole
    value: Maybe[Number] = UNSET
    above: Maybe[Number] = UNSET

    def __post_init__(self) -> None:
        if (self.value is UNSET) is (self.above is UNSET):
            raise ValueError("expected exactly one of the entries value and above")


class Numbers(Record, kw_only=True):
    """Numbers with which a proof applies a lemma. The lemma determines which of them are present."""

    parts: Maybe[
        Annotated[dict[Annotated[str, Meta(pattern=r"^[1-9][0-9]*$(?!\n)")], FoldPart], Meta(min_length=1)]
    ] = UNSET
    m: Maybe[Count] = UNSET
    keep: Maybe[Linear] = UNSET
    rising: Maybe[bool] = UNSET
    n0: Maybe[Count | None] = UNSET
    signs: Maybe[Signs] = UNSET
    difference: Maybe[Annotated[tuple[Difference, ...], Meta(min_length=1)]] = UNSET


_Entries: TypeAlias = tuple[set[str], set[str]]
"""Names of the numbers that a lemma requires, and of those that it allows."""

_KEEPING: _Entries = ({"keep", "n0"}, {"signs"})
_OF_FOLDS: dict[str, _Entries] = {
    "cutoff": ({"n0"}, {"signs"}),
    "equal": ({"n0"}, {"signs"}),
    "growth": ({"rising", "n0"}, {"signs"}),
    "harmonic": _KEEPING,
    "geometric": _KEEPING,
    "vanishing": _KEEPING,
}
_OF_TAILS: dict[str, _Entries] = _OF_FOLDS | {
    "mixture": ({"parts"}, {"signs"}),
    "witness": ({"m", "difference"}, set()),
}
_OF_BLOCKS: dict[str, _Entries] = {
    "cutoff": ({"signs"}, set()),
    "inst": ({"n0"}, {"signs"}),
    "witness": ({"m", "signs"}, set()),
    "ahead": ({"m"}, set()),
}


def _check_entries(lemma: str, numbers: Record, needed: set[str], allowed: set[str], where: str = "") -> None:
    for name in numbers.__struct_fields__:
        there = getattr(numbers, name) is not UNSET
        if name in needed and not there:
            raise ValueError(f"{where}{name} is missing; expected with the {lemma!r} lemma")
        if there and name not in {*needed, *allowed, "lemma"}:
            raise ValueError(f"{where}{name} is not expected with the {lemma!r} lemma")


class TailCertificate(_Headed):
    """Proof that a threshold axiom holds or fails for a sum of folds; see docs/lemmas/thresholds.md."""

    kind: Literal["tail"]
    small: bool
    claim: Claim
    scope: EveryN
    rc: FractionText | None
    lemma: Literal["cutoff", "harmonic", "geometric", "vanishing", "growth", "equal", "mixture", "witness"]
    data: Numbers
    identity: Maybe[Identity] = UNSET
    derived: Maybe[Derived] = UNSET

    def __post_init__(self) -> None:
        _check_entries(self.lemma, self.data, *_OF_TAILS[self.lemma], "data.")


class BlocksCertificate(_Headed):
    """Proof that a threshold axiom holds or fails for a metric that is not a fold; see docs/lemmas/blocks.md."""

    kind: Literal["blocks"]
    small: bool
    claim: Claim
    scope: EveryN
    lemma: Literal["cutoff", "inst", "witness", "ahead"]
    data: Numbers
    identity: Maybe[Identity] = UNSET

    def __post_init__(self) -> None:
        _check_entries(self.lemma, self.data, *_OF_BLOCKS[self.lemma], "data.")
        if self.data.n0 is None:
            raise ValueError("data.n0 is None; expected an integer >= 1")


# Proofs for rankings of every length


class EveryLength(Record):
    """Scope of a proof for rankings of every length with any number of aspects."""

    ranked: Literal["all"]
    aspects: Literal["all"]
    cutoff: Literal["any", "none"]


class Obligation(Record):
    """Condition of a proof: a polynomial is positive, nonnegative or zero for all values of its variables."""

    where: Text
    what: Text
    relation: Literal[">", ">=", "="]
    ranges: dict[str, Range]
    coefficients: Polynomial


class InductionCase(Record):
    """Part of a proof for one combination of grade kinds: the invariants of the script's loops, and the obligations."""

    grades: dict[Text, Literal["0", "rc", "free", "positive", "above"]]
    invariants: dict[
        Annotated[str, Meta(pattern=r"^(0|[1-9][0-9]*)$(?!\n)")],
        tuple[tuple[Text, Annotated[tuple[Text, ...], Meta(min_length=1, max_length=3)]], ...],
    ]
    obligations: tuple[Obligation, ...]


class InductionCertificate(_Headed):
    """Proof for rankings of every length; see docs/lemmas/induction.md."""

    kind: Literal["induction"]
    small: bool
    domain: Domain
    strict: bool
    discount: Literal["constant", "positive", "decreasing", "convex", "reciprocal"]
    support: bool
    parameters: Names
    scope: EveryLength
    cases: Annotated[tuple[InductionCase, ...], Meta(min_length=1)]
    identity: Maybe[Identity] = UNSET
    derived: Maybe[Derived] = UNSET


class MixtureCertificate(_Headed):
    """Proof for a mixture of metrics, with one proof by induction for each part; see docs/lemmas/induction.md."""

    kind: Literal["mixture"]
    small: bool
    domain: Domain
    strict: bool
    parameters: Names
    parts: Annotated[tuple[InductionCertificate, ...], Meta(min_length=1)]
    identity: Maybe[Identity] = UNSET
    derived: Maybe[Derived] = UNSET

    def __post_init__(self) -> None:
        for number, part in enumerate(self.parts):
            if part.identity or part.derived:
                raise ValueError(f"parts[{number}].identity is not expected; the mixture as a whole has one")


# Proofs up to a length


class Bounds(Record):
    """Scope of a proof up to given sizes.

    ``ranked``, ``aspects`` and ``unretrieved`` are the largest numbers of ranked documents, aspects and unretrieved
    documents. ``parameters`` names the open parameters. ``discount`` is the assumption about the discounts.
    """

    ranked: Count
    aspects: Count
    unretrieved: Whole | Literal["any"]
    parameters: Names
    discount: Literal["decreasing", "convex", "own"]


class Positions(Record):
    """Ranks i, j and aspects t, u that the axiom refers to, counted from 1."""

    i: Maybe[Count] = UNSET
    j: Maybe[Count] = UNSET
    t: Maybe[Count] = UNSET
    u: Maybe[Count] = UNSET


class OrthantSetting(Record):
    """Setting of a proof: shape (documents, aspects, ranked documents), positions, and index of the tree of cases."""

    shape: tuple[Count, Count, Count]
    positions: Positions
    tree: Whole


_Name = Annotated[str, Meta(pattern=r"^([^\d.]|[0-9])+(\.[0-9]+)*$(?!\n)")]
_Weights = Annotated[str, Meta(pattern=r"^(1|w[^*^]*(\^[0-9]+)?(\*w[^*^]*(\^[0-9]+)?)*)$(?!\n)")]
"""Product of powers of weights."""

OrthantVariables = tuple[tuple[_Name, Range], ...]


class OrthantDifference(Record, kw_only=True):
    """Numerator of a score difference, as a sum of products of weights and polynomials.

    ``variables`` is the index of the list of variables. ``terms`` maps each product of weights to the index of the
    polynomial that it is multiplied by. ``zeta`` maps variables for zeta values to their arguments.
    """

    variables: Whole
    zeta: Maybe[Annotated[dict[str, tuple[Count, Polynomial]], Meta(min_length=1)]] = UNSET
    order: Whole
    terms: dict[_Weights, Whole]


Node = Split | Whole | None
"""Node of a tree: a split, which the trees of its sides follow; the index of the difference of a case; or None if no
instance remains."""

Tree = Annotated[tuple[Node, ...], Meta(min_length=1)]
"""Tree of the cases of a setting, as a list of nodes. The sides of a split are =0 and >0, =1 and <1, or <, = and >, in
this order."""


class OrthantCertificate(_Headed):
    """Proof up to a given length and number of aspects; see docs/lemmas/bounded.md.

    Each tree, difference, list of variables and polynomial is stored once. Other entries refer to it by its index,
    counted from 0.
    """

    verdict: ClassVar[Verdict] = Verdict.BOUNDED

    kind: Literal["orthant"]
    reading: ReadingRecord
    small: bool
    scope: Bounds
    settings: Annotated[tuple[OrthantSetting, ...], Meta(min_length=1)]
    trees: Annotated[tuple[Tree, ...], Meta(min_length=1)]
    differences: Annotated[tuple[OrthantDifference, ...], Meta(min_length=1)]
    variables: Annotated[tuple[OrthantVariables, ...], Meta(min_length=1)]
    polynomials: tuple[Polynomial, ...]
    identity: Maybe[Identity] = UNSET
    derived: Maybe[Derived] = UNSET

    def __post_init__(self) -> None:
        for steps, index, table in self._indices():
            most = len(getattr(self, table))
            if index >= most:
                raise ValueError(f"{path_text(steps)} is {index}; expected an index of {table}, below {most}")

    def _indices(self) -> Iterator[tuple[list[str | int], int, str]]:
        """Yield (path, index, table) for every index in the certificate that refers to an entry of a table."""
        for number, setting in enumerate(self.settings):
            yield ["settings", number, "tree"], setting.tree, "trees"
        for number, tree in enumerate(self.trees):
            for place, node in enumerate(tree):
                if isinstance(node, int):
                    yield ["trees", number, place], node, "differences"
        for number, each in enumerate(self.differences):
            yield ["differences", number, "variables"], each.variables, "variables"
            for weights, polynomial in each.terms.items():
                yield ["differences", number, "terms", weights], polynomial, "polynomials"

    def cases(self) -> Iterator[OrthantCase]:
        """Yield every case of every setting, in the order of the certificate."""
        for setting in self.settings:
            waiting: list[tuple[str, ...]] = [()]
            for node in self.trees[setting.tree]:
                if not waiting:
                    return  # the checker rejects trees with further nodes
                taken = waiting.pop()
                if isinstance(node, str):
                    waiting += [(*taken, side) for side in reversed(_sides(node))]
                elif node is not None:
                    yield self._case(setting, taken, self.differences[node])

    def _case(self, setting: OrthantSetting, taken: tuple[str, ...], shown: OrthantDifference) -> OrthantCase:
        coefficients = {
            times(weights, monomial): c
            for weights, number in shown.terms.items()
            for monomial, c in self.polynomials[number].items()
        }
        return OrthantCase(setting, taken, self.variables[shown.variables], shown, coefficients)


@dataclass(frozen=True)
class OrthantCase:
    """Case of a setting: the sides taken at each split, such as ``1.1>0`` and ``1.1<2.1``, and the score difference.

    ``coefficients`` maps each monomial of the difference, including the weights, to its coefficient.
    """

    setting: OrthantSetting
    splits: tuple[str, ...]
    variables: OrthantVariables
    difference: OrthantDifference
    coefficients: Polynomial


def times(weights: str, monomial: str) -> str:
    """Return the product of two monomials, written as text, that have no variable in common."""
    return "*".join(part for part in (weights, monomial) if part != "1") or "1"


def _sides(split: str) -> list[str]:
    """Return the conditions on the sides of a split: ``1.1=0`` gives ``1.1=0`` and ``1.1>0``."""
    grade, compared, other = split.partition("<=>")
    if compared:
        return [f"{grade}{sign}{other}" for sign in "<=>"]
    grade, value = split.split("=")
    return [split, f"{grade}>0" if value == "0" else f"{grade}<1"]


Certificate: TypeAlias = (
    TailCertificate | BlocksCertificate | InductionCertificate | MixtureCertificate | OrthantCertificate
)

KINDS: Mapping[str, type[Certificate]] = {
    "blocks": BlocksCertificate,
    "induction": InductionCertificate,
    "mixture": MixtureCertificate,
    "orthant": OrthantCertificate,
    "tail": TailCertificate,
}
"""Certificate types, keyed by the value of their ``kind`` entry."""


def read_certificate(document: object, what: str = "certificate", steps: tuple[str | int, ...] = ()) -> Certificate:
    """Read a certificate of any kind and check its form, but not its validity.

    Args:
        document: Document as returned by `axiomcheck.core.documents.parse_json`.
        what: Name of the enclosing document, for messages.
        steps: Path of the certificate in that document.

    Raises:
        InvalidInput: The kind is unknown, or an entry does not have the expected form. The message gives its path.

    """
    kind = document.get("kind") if isinstance(document, dict) else None
    if isinstance(document, dict) and not (isinstance(kind, str) and kind in KINDS):
        where = path_text([*steps, "kind"])
        raise InvalidInput(f"{what}: {where} is {shown(kind)}; expected one of {', '.join(map(repr, KINDS))}")
    return read(KINDS[str(kind)] if kind else TailCertificate, document, what, steps)


def certified_verdict(certificate: Certificate) -> Verdict:
    """Return the verdict that a valid certificate proves: proved, bounded or refuted."""
    return Verdict.REFUTED if _claim(certificate) == "fails" else certificate.verdict


def _claim(certificate: Certificate) -> Claim:
    return certificate.claim if isinstance(certificate, TailCertificate | BlocksCertificate) else "holds"


def scope_text(certificate: Certificate) -> str:
    """Describe the lengths, numbers of aspects and parameter values that a certificate covers."""
    if isinstance(certificate, BlocksCertificate) and certificate.lemma == "ahead":
        return f"every grade at n = {certificate.data.m}"
    if isinstance(certificate, TailCertificate | BlocksCertificate):
        return "every n" + _over(certificate, certificate.scope.parameters)
    if not isinstance(certificate, OrthantCertificate):
        return "rankings of every length" + _over(certificate, certificate.parameters)
    scope = certificate.scope
    more = "" if scope.unretrieved == "any" else f", at most {scope.unretrieved} unretrieved"
    sizes = f"at most {counted(scope.ranked, 'ranked document')} and {counted(scope.aspects, 'aspect')}"
    return f"{sizes}{more}" + _over(certificate, scope.parameters)


def every(parameters: Sequence[str]) -> str:
    """Return words for all values of the parameters inside their ranges, excluding the endpoints."""
    return f"every {', '.join(parameters)} inside {'its range' if len(parameters) == 1 else 'their ranges'}"


def _over(certificate: Certificate, parameters: Names) -> str:
    if not parameters:
        return ""
    of_function = getattr(certificate, "derived", "")  # its parameters declare no ranges
    return f" and every {', '.join(parameters)} between 0 and 1" if of_function else f" and {every(parameters)}"


def proof_sentence(certificate: Certificate) -> str:
    """Return a clause with the claim, the scope and the kind of proof of a certificate."""
    how = "by induction"
    if isinstance(certificate, TailCertificate | BlocksCertificate):
        how = f"by the {certificate.lemma} lemma"
    elif isinstance(certificate, OrthantCertificate):
        how = "by positive coefficients"
    verb = "refuted" if _claim(certificate) == "fails" else "proved"
    return f"{verb} for {scope_text(certificate)}, {how}"


def schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of certificates."""
    return schema_of(tuple(KINDS.values()), SCHEMA, VERSION)
