"""Witnesses: counterexamples as small JSON documents that can be checked again from scratch."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from flint import fmpq

from axiomcheck.axioms import Draft, PairAxiom, Shape, find_axiom
from axiomcheck.axioms.drafts import exact_draft
from axiomcheck.core.documents import difference, shortened
from axiomcheck.core.domain import Domain, Instance, Reading, Topic, assumes_small
from axiomcheck.core.errors import InternalDisagreement, InvalidInput
from axiomcheck.decide.batch import Batch
from axiomcheck.decide.dominance import APART
from axiomcheck.decide.exact import Judgement, at_eps, judge
from axiomcheck.decide.floats_only import LADDER
from axiomcheck.decide.search import enumeration_of
from axiomcheck.metrics import Metric
from axiomcheck.proof.check.entries import Reader, between, is_text, read_header, read_reading
from axiomcheck.sources.resolve import resolve_named

__all__ = [
    "SCHEMA",
    "Witness",
    "batch_of",
    "contributions",
    "document_names",
    "instance_of",
    "read_witness",
    "witness_of",
]

Array = Any

SCHEMA = "axiomcheck/witness"
VERSION = 1

_EPS = re.compile(r"1/10{1,45}")
_DECIMALS = re.compile(r"-?[0-9]{1,400}(\.[0-9]{1,400})?(e[+-]?[0-9]{1,3})?")

_ROUNDING = 1e-14
"""Of the largest score of a prefix: smaller differences of scores in floats are shown as 0."""


@dataclass(frozen=True)
class Witness:
    """One violating instance, with what is needed to confirm it again.

    Args:
        metric: that it refutes the constraint for.
        batch: the instance (B = 1, exact).
        reading: the reading it was found in.
        kind: ``"reversal"``, ``"tie"`` or ``"incomparable"``.
        judgement: the exact or certified scores, or probabilities of scores.
        eps: where r << 1 is assumed, one value at which (and below which) the violation shows.
        minimal: the grid on which every smaller instance was enumerated, in words; None without such a fact.

    """

    metric: Metric
    batch: Batch
    reading: Reading
    kind: str
    judgement: Judgement
    eps: Fraction | None
    minimal: str | None

    @property
    def axiom(self) -> PairAxiom:
        """The violated constraint."""
        return self.batch.axiom

    @property
    def instance(self) -> Instance:
        """The instance as domain objects."""
        return instance_of(self.batch)

    def to_json(self) -> dict[str, Any]:
        """The witness as a JSON document."""
        instance, d = self.instance, self.batch.draft
        roles: dict[str, int] = {"ranked": d.n}
        for choice in self.axiom.choices:
            roles[choice] = int(getattr(d, choice)[0]) + 1
        document: dict[str, Any] = {
            "schema": SCHEMA,
            "version": VERSION,
            "axiom": self.axiom.name,
            "metric": self.metric.canonical,
            "reading": {"regime": self.reading.regime.value, "domain": self.reading.domain.value},
            "small": self.batch.small,
            "kind": self.kind,
            "topic": {
                "weights": [str(w) for w in instance.topic.weights],
                "pool": {name: [str(g) for g in grades] for name, grades in instance.topic.pool.items()},
            },
            "worse": list(instance.worse),
            "better": list(instance.better),
            "roles": roles,
            "scores": {
                "worse": self.judgement.worse,
                "better": self.judgement.better,
                "arithmetic": self.judgement.arithmetic,
                "order": self.judgement.order,
            }
            | ({} if self.judgement.of == "score" else {"of": self.judgement.of}),
            "minimal": self.minimal,
        }
        if self.eps is not None:
            document["eps"] = str(self.eps)
        return document


def _fraction(value: Any) -> Fraction:
    return Fraction(int(value.p), int(value.q))


def instance_of(batch: Batch) -> Instance:
    """An exact batch of one, as domain objects."""
    d = batch.draft
    names = document_names(batch.axiom, d.shape)
    total = int(d.weights.sum())
    topic = Topic(
        [Fraction(int(w), total) for w in d.weights[0]],
        {name: [_fraction(g) for g in row] for name, row in zip(names, d.grades[0], strict=True)},
    )
    worse, better = ([names[k] for k in ranking[0]] for ranking in batch.axiom.rankings(d))
    return Instance(topic, worse, better, batch.small)


def document_names(axiom: PairAxiom, shape: Shape) -> list[str]:
    """d1..dn, then the constraint's incoming documents, then e1, e2, ... for those in no ranking."""
    extras = shape.documents - shape.ranked - len(axiom.incoming)
    return [
        *(f"d{k}" for k in range(1, shape.ranked + 1)),
        *axiom.incoming,
        *(f"e{k}" for k in range(1, extras + 1)),
    ]


def witness_of(metric: Metric, batch: Batch, reading: Reading, minimal: str | None) -> Witness:
    """The witness of one exact violating instance.

    Raises:
        InternalDisagreement: exact arithmetic does not find it violating.

    """
    batch = Batch(batch.axiom, exact_draft(batch.draft), batch.small)
    judgement = judge(metric, batch)
    kind = _kind(batch.axiom, judgement)
    if kind is None:
        raise InternalDisagreement(f"{metric} on {batch.axiom}: a witness is not violating (sign {judgement.sign})")
    eps = _showing_eps(metric, batch, judgement) if batch.small else None
    return Witness(metric, batch, reading, kind, judgement, eps, minimal)


def _kind(axiom: PairAxiom, judgement: Judgement) -> str | None:
    if judgement.sign == APART:
        return "incomparable"
    if judgement.sign == -1:
        return "reversal"
    return "tie" if judgement.sign == 0 and axiom.strict else None


def _showing_eps(metric: Metric, batch: Batch, judgement: Judgement) -> Fraction:
    """The largest power of ten at which, and at a thousandth and a millionth of which, the sign is the limit's.

    Of a black box, the smallest of the ladder down which the sign persisted.
    """
    if judgement.arithmetic == "numerical":
        return LADDER[-1]
    for exponent in range(1, 40):
        eps = [Fraction(1, 10 ** (exponent + more)) for more in (0, 3, 6)]
        if all(judge(metric, at_eps(batch, fmpq(1, e.denominator))).sign == judgement.sign for e in eps):
            return eps[0]
    raise InternalDisagreement(f"{metric} on {batch.axiom}: the sign of the limit shows at no eps down to 1e-39")


def contributions(metric: Metric, witness: Witness) -> tuple[list[float], list[float]] | None:
    """(worse, better): what each rank adds to the score, as differences between scores of prefixes.

    None of a metric that compares distributions, of which there is no single score.

    Where r << 1 is assumed, at the witness's eps. Ranks past the cutoff add 0, and so does what is only rounding.
    """
    if metric.partial:
        return None
    batch = at_eps(witness.batch, fmpq(1, witness.eps.denominator)) if witness.eps else witness.batch
    grades = _floats(batch.draft.grades)
    weights = batch.draft.unit_weights().astype(float)
    rows = []
    for ranking in batch.axiom.rankings(batch.draft):
        lengths = range(1, ranking.shape[1] + 1)
        scores = [0.0, *(float(metric.evaluate(grades, weights, ranking[:, :length])[0]) for length in lengths)]
        rounding = _ROUNDING * max(map(abs, scores))
        rows.append([b - a if abs(b - a) > rounding else 0.0 for a, b in pairwise(scores)])
    return rows[0], rows[1]


def _floats(values: Array) -> Array:
    return np.vectorize(lambda g: int(g.p) / int(g.q), otypes=[float])(values)


def _about(score: str) -> Callable[[Any], bool]:
    """Whether a text is the same float, but for what another build of a library may round otherwise."""

    def same(value: Any) -> bool:
        if not isinstance(value, str) or _DECIMALS.fullmatch(value) is None:
            return False
        return math.isclose(float(value), float(score), rel_tol=1e-9, abs_tol=1e-12)

    return same


def _is_names(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(v, str) for v in value)


def read_witness(document: Any, metric: Metric | None = None) -> Witness:
    """The witness in a JSON document, its instance rebuilt, checked against the premises and scored again.

    Args:
        document: as `Witness.to_json` makes it.
        metric: what to score with; None for the metric that the document names, which has to be of the catalogue, an
            adapter or an installed plugin, since a document may not make code run that the user did not name.

    Raises:
        InvalidInput: malformed, or altered since it was written; the message says where.

    """
    read = Reader(document)
    read_header(read, SCHEMA, VERSION)
    axiom = find_axiom(read.get("axiom", is_text, "the name of a constraint"))
    if not isinstance(axiom, PairAxiom):
        raise InvalidInput(f"witness: axiom {axiom.name} is about long blocks; its witness has no rankings")
    metric = metric or resolve_named(read.get("metric", is_text, "the canonical name of a metric"))
    reading = read_reading(read)
    small = read.get("small", lambda v: isinstance(v, bool), "true or false")
    if small != assumes_small(axiom, reading):
        raise InvalidInput(
            f"witness: small is {small}; expected {not small} for {axiom.name} in {reading.regime.value}"
        )
    weights = read.get("topic.weights", lambda v: isinstance(v, list), "a list of fractions")
    pool = read.get("topic.pool", lambda v: isinstance(v, dict), "an object of document name: grades")
    for name, grades in pool.items():
        if not isinstance(grades, list):
            raise InvalidInput(f"witness: topic.pool.{name} is {grades!r}; expected a list of fractions")
    try:
        worse, better = (read.get(side, _is_names, "a list of document names") for side in ("worse", "better"))
        instance = Instance(Topic(weights, pool), worse, better, small)
    except InvalidInput as error:
        raise InvalidInput(f"witness: {error}") from None
    binary = axiom.binary or metric.binary_only or reading.domain is Domain.BINARY
    batch = batch_of(axiom, instance, _roles(read, axiom, instance), binary)
    if metric.cutoff is not None and axiom.last_rank(batch.draft)[0] > metric.cutoff:
        raise InvalidInput(f"witness: roles speak of rank {axiom.last_rank(batch.draft)[0]}, past the metric's cutoff")
    judgement = judge(metric, batch)
    for side in ("worse", "better"):
        again = getattr(judgement, side)
        same = _about(again) if judgement.arithmetic == "numerical" else again.__eq__
        read.get(f"scores.{side}", same, f"{again!r} (as scored again)")
    read.get("scores.arithmetic", judgement.arithmetic.__eq__, f"{judgement.arithmetic!r} (as scored again)")
    if judgement.of != "score":
        read.get("scores.of", judgement.of.__eq__, f"{judgement.of!r} (as scored again)")
    read.get("scores.order", between(judgement.order, judgement.order), f"{judgement.order} (as scored again)")
    kind = _kind(axiom, judgement)
    if kind is None:
        raise InvalidInput(
            f"witness: the rankings do not violate {axiom.name} for {metric}; scored again, the sign is +"
        )
    read.get("kind", kind.__eq__, f"{kind!r} (as scored again)")
    eps = None
    if small:
        text = read.get("eps", is_text, "a fraction such as '1/1000'")
        if not _EPS.fullmatch(text):
            raise InvalidInput(f"witness: eps is {shortened(text)}; expected 1 over a power of ten, down to 1e-45")
        eps = _showing_eps(metric, batch, judgement)
        if str(eps) != text:
            raise InvalidInput(f"witness: eps is {text!r}; expected {str(eps)!r} (as scored again)")
    settled = enumeration_of(metric, axiom, reading).minimal(batch)
    one_of = "null" if settled is None else f"null or {settled!r}, the grid of what was enumerated"
    minimal = read.get("minimal", lambda v: v is None or v == settled, one_of)
    witness = Witness(metric, batch, reading, kind, judgement, eps, minimal)
    _check_written(document, witness)
    return witness


def _check_written(document: dict[str, Any], witness: Witness) -> None:
    """Checks that a document is how its witness is written, entry by entry.

    But for the metric, which may go by another name where the caller gave it, and for scores in floats, which were
    compared already.

    Raises:
        InvalidInput: it is not; the message says where.

    """
    expected = witness.to_json() | {"metric": document["metric"]}
    if witness.judgement.arithmetic == "numerical":
        expected["scores"] |= {side: document["scores"][side] for side in ("worse", "better")}
    found = difference(document, expected)
    if found is not None:
        raise InvalidInput(f"witness: {found}")


def _roles(read: Reader, axiom: PairAxiom, instance: Instance) -> dict[str, int]:
    m = len(instance.topic.weights)
    most = len(instance.topic.pool) - len(axiom.incoming)
    roles = {"ranked": read.get("roles.ranked", between(1, most), f"a whole number from 1 to {most}")}
    for choice in axiom.choices:
        high = m if choice in "tu" else roles["ranked"]
        roles[choice] = read.get(f"roles.{choice}", between(1, high), f"a whole number from 1 to {high}")
    return roles


def batch_of(axiom: PairAxiom, instance: Instance, roles: dict[str, int], binary: bool) -> Batch:
    """One instance as an exact batch.

    Args:
        axiom: the constraint.
        instance: with documents named and ordered as `document_names` does.
        roles: ``ranked`` (n) and the constraint's choices, counted from 1.
        binary: whether grades have to be 0 or one rc.

    Raises:
        InvalidInput: names, rankings or premises are not the constraint's.

    """
    topic = instance.topic
    m = len(topic.weights)
    shape = Shape(len(topic.pool), m, roles["ranked"])
    names = document_names(axiom, shape)
    if list(topic.pool) != names:
        raise InvalidInput(f"witness: topic.pool has documents {', '.join(topic.pool)}; expected {', '.join(names)}")
    inner = np.empty((len(names), m, 1), dtype=object)
    for row, name in enumerate(names):
        inner[row, :, 0] = [fmpq(g.numerator, g.denominator) for g in topic.pool[name]]
    common = math.lcm(*(w.denominator for w in topic.weights))
    if common >= 2**62:
        raise InvalidInput("witness: topic.weights have a common denominator above 2**62")
    positive = [g for g in inner.reshape(-1) if g > 0]
    top = np.empty(1, dtype=object)
    top[0] = max(positive, default=fmpq(1)) if binary else fmpq(1)
    chosen = {c: np.array([roles.get(c, 1) - 1]) for c in ("i", "j", "t", "u")}
    draft = Draft(
        shape=shape,
        grades=inner.transpose(2, 0, 1),
        weights=np.array([[int(w * common) for w in topic.weights]], dtype=np.int64),
        top=top,
        binary=binary,
        **chosen,
    )
    if not axiom.premises(draft)[0]:
        raise InvalidInput(f"witness: the instance does not meet the premises of {axiom.name}: {axiom.symbols}")
    for what, stated, rows in zip(
        ("worse", "better"), (instance.worse, instance.better), axiom.rankings(draft), strict=True
    ):
        expected = tuple(names[k] for k in rows[0])
        if stated != expected:
            raise InvalidInput(
                f"witness: {what} is {', '.join(stated)}; the premises and roles make it {', '.join(expected)}"
            )
    return Batch(axiom, draft, instance.small)
