"""Build witnesses (counterexamples with scores), write them as documents, and confirm them when they are read."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from fractions import Fraction
from os import PathLike
from typing import Literal, TypeVar

import numpy as np
from flint import fmpq
from msgspec import structs

from axiomcheck.axioms import Axiom, Draft, PairAxiom, Shape, ThresholdAxiom, about_blocks, about_pairs, find_axiom
from axiomcheck.axioms.drafts import exact_draft
from axiomcheck.core.documents import UNSET, difference, read
from axiomcheck.core.domain import Domain, Instance, Reading, Topic, assumes_small
from axiomcheck.core.errors import InternalDisagreement, InvalidInput
from axiomcheck.core.printable import shown
from axiomcheck.decide.batch import Batch, Bound, Judgement
from axiomcheck.decide.comparison import at_eps, judge
from axiomcheck.decide.dominance import APART
from axiomcheck.decide.enumeration import enumeration_of
from axiomcheck.decide.numerical import LADDER
from axiomcheck.decide.thresholds import ThresholdCase, Tried, examine
from axiomcheck.metrics import Metric
from axiomcheck.numbers.arithmetic import to_fraction
from axiomcheck.records.values import ReadingRecord
from axiomcheck.records.witnesses import (
    SCHEMA,
    VERSION,
    PairWitness,
    Roles,
    ThresholdWitness,
    TopicRecord,
    WitnessScores,
)
from axiomcheck.sources.resolve import resolve_named

Kind = Literal["reversal", "tie", "incomparable"]
Ahead = Literal["top", "block", "tie", "incomparable"]

_SIGNS: dict[int, Ahead] = {1: "top", -1: "block", 0: "tie", APART: "incomparable"}
_MOST_UNRETRIEVED = 100
_LONGEST = 800
"""Largest number of characters of a grade."""
_DECIMALS = re.compile(r"-?[0-9]{1,400}(\.[0-9]{1,400})?(e[+-]?[0-9]{1,3})?")


@dataclass(frozen=True)
class Witness:
    """Counterexample: an instance that violates the axiom, with its scores.

    Args:
        metric: Metric that violates the axiom.
        batch: The instance (B = 1, exact).
        reading: Reading in which the instance was found.
        kind: ``"reversal"``, ``"tie"`` or ``"incomparable"``.
        judgement: Both scores, or tail probabilities of the score distributions, with the sign of their difference.
        eps: If r << 1 is assumed, a value of eps that is small enough to show the violation; else None.
        minimal: Grid, in words, on which no smaller instance is a violation; None if not all smaller instances were
            enumerated.

    """

    metric: Metric
    batch: Batch
    reading: Reading
    kind: Kind
    judgement: Judgement
    eps: Fraction | None
    minimal: str | None

    @property
    def axiom(self) -> PairAxiom:
        """Axiom that the instance violates."""
        return self.batch.axiom

    @property
    def instance(self) -> Instance:
        """The instance as a topic with two rankings."""
        return instance_of(self.batch)

    @property
    def bound(self) -> Bound | None:
        """Bound that the score violates; None for an axiom about two rankings."""
        side = self.judgement.bound
        return next((part.bound for part in self.batch.comparisons if part.bound and part.bound.side == side), None)

    def record(self) -> PairWitness:
        """Return the witness as a document."""
        topic, d, judged = self.instance.topic, self.batch.draft, self.judgement
        return PairWitness(
            schema=SCHEMA,
            version=VERSION,
            axiom=self.axiom.name,
            metric=self.metric.canonical,
            reading=ReadingRecord.of(self.reading),
            small=self.batch.small,
            kind=self.kind,
            topic=TopicRecord(
                tuple(map(str, topic.weights)),
                {name: tuple(map(str, grades)) for name, grades in topic.pool.items()},
            ),
            worse=self.instance.worse,
            better=self.instance.better,
            roles=Roles(d.n, **{choice: int(getattr(d, choice)[0]) + 1 for choice in self.axiom.choices}),
            scores=WitnessScores(
                judged.worse,
                judged.better,
                judged.arithmetic,
                judged.order,
                UNSET if judged.of == "score" else judged.of,
                judged.bound or UNSET,
            ),
            minimal=self.minimal,
            eps=UNSET if self.eps is None else str(self.eps),
        )


@dataclass(frozen=True)
class RefutedThreshold:
    """Counterexample to DeepTh or CloseTh: a case with its sign at every tested n, and an argument for larger n.

    Args:
        axiom, metric, reading: Axiom, metric and reading of the refuted cell.
        small: True if r << 1 is assumed.
        tried: Signs and argument of the refuting case.

    """

    axiom: ThresholdAxiom
    metric: Metric
    reading: Reading
    small: bool
    tried: Tried

    def record(self) -> ThresholdWitness:
        """Return the witness as a document."""
        assert self.tried.tail is not None  # a refutation needs an argument for the n that were not tested
        return ThresholdWitness(
            schema=SCHEMA,
            version=VERSION,
            axiom=self.axiom.name,
            metric=self.metric.canonical,
            reading=ReadingRecord.of(self.reading),
            small=self.small,
            kind="threshold",
            rc="eps" if self.small else str(self.tried.case.rc),
            unretrieved_relevant=self.tried.case.extras,
            ahead=tuple("not tried" if s is None else _SIGNS[s] for s in self.tried.signs),
            ahead_beyond=_SIGNS[self.tried.tail],
            argument=self.tried.argument,
        )


def instance_of(batch: Batch) -> Instance:
    """Convert an exact batch of one instance to a topic and two rankings."""
    d = batch.draft
    names = d.shape.names(batch.axiom.incoming)
    total = int(d.weights.sum())
    topic = Topic(
        [Fraction(int(w), total) for w in d.weights[0]],
        {name: [to_fraction(g) for g in row] for name, row in zip(names, d.grades[0], strict=True)},
    )
    worse, better = ([names[k] for k in ranking[0]] for ranking in batch.axiom.rankings(d))
    return Instance(topic, worse, better, batch.small)


def witness_of(metric: Metric, batch: Batch, reading: Reading, minimal: str | None) -> Witness:
    """Return the witness for one violating instance, after judging it in exact arithmetic.

    Raises:
        InternalDisagreement: The instance does not violate the axiom in exact arithmetic.

    """
    batch = Batch(batch.axiom, exact_draft(batch.draft), batch.small)
    judgement = judge(metric, batch)
    kind = _kind(batch.axiom, judgement)
    if kind is None:
        raise InternalDisagreement(
            f"{metric} on {batch.axiom}: a witness does not violate the axiom (sign {judgement.sign})"
        )
    eps = _showing_eps(metric, batch, judgement) if batch.small else None
    return Witness(metric, batch, reading, kind, judgement, eps, minimal)


def _kind(axiom: PairAxiom, judgement: Judgement) -> Kind | None:
    if judgement.sign == APART:
        return "incomparable"
    if judgement.sign == -1:
        return "reversal"
    return "tie" if judgement.sign == 0 and axiom.strict else None


def _showing_eps(metric: Metric, batch: Batch, judgement: Judgement) -> Fraction:
    """Return the largest eps = 1/10^k at which the score difference has the same sign as in the limit eps -> 0.

    The sign must also be the same at eps/1000 and eps/1000000. For a metric that has only float scores, return the
    smallest eps of `LADDER`.

    Raises:
        InternalDisagreement: No tested eps gives the same sign as the limit.

    """
    if judgement.arithmetic == "numerical":
        return LADDER[-1]
    for exponent in range(1, 40):
        eps = [Fraction(1, 10 ** (exponent + more)) for more in (0, 3, 6)]
        if all(judge(metric, at_eps(batch, fmpq(1, e.denominator))).sign == judgement.sign for e in eps):
            return eps[0]
    raise InternalDisagreement(
        f"{metric} on {batch.axiom}: no tested eps down to 1e-39 gives the same sign as the limit eps -> 0"
    )


def _about(text: str, score: str) -> bool:
    """Return True if two strings denote the same float up to rounding, which may differ between machines."""
    if _DECIMALS.fullmatch(text) is None or text != repr(float(text)):
        return False
    return text == score if not float(text) else math.isclose(float(text), float(score), rel_tol=1e-9, abs_tol=1e-12)


_Record = TypeVar("_Record", PairWitness, ThresholdWitness)


def read_any_witness(document: object, metric: Metric | None = None) -> Witness | RefutedThreshold:
    """Read a witness of any kind and confirm it by scoring it again; see `read_witness` and `read_threshold_witness`.

    Raises:
        InvalidInput: The document is malformed, or the witness is not confirmed.

    """
    kind = document.get("kind") if isinstance(document, dict) else getattr(document, "kind", None)
    return read_threshold_witness(document, metric) if kind == "threshold" else read_witness(document, metric)


def read_witness(document: object, metric: Metric | None = None) -> Witness:
    """Read a witness from a document, and confirm it by rebuilding and scoring its instance.

    Args:
        document: A `PairWitness`, or a JSON object of that form.
        metric: Metric to score with. Default: the metric that the document names, which must come from the catalogue,
            an adapter or an installed plugin, because a document must not load code that the user did not name.

    Raises:
        InvalidInput: The document is malformed, or differs from the recomputed witness; the message says where.

    """
    if isinstance(document, str | PathLike):
        raise InvalidInput(
            f"witness: {document} is text or a path; expected a document, such as json.loads(Path(...).read_text())"
        )
    record = document if isinstance(document, PairWitness) else read(PairWitness, document, "witness")
    named, reading = find_axiom(record.axiom), record.reading.reading
    metric = metric or resolve_named(record.metric)
    batch = rebuilt_for(metric, record, named)
    axiom, judgement = batch.axiom, judge(metric, batch)
    kind = _kind(axiom, judgement)
    if kind is None:
        what = "ranking does" if judgement.bound else "rankings do"
        scored = judgement.better if judgement.bound == "worse" else judgement.worse
        scores = scored if judgement.bound else f"{judgement.better} against {judgement.worse}"
        raise InvalidInput(f"witness: the {what} not violate {axiom.name} for {metric}, scored again as {scores}")
    eps = _showing_eps(metric, batch, judgement) if record.small else None
    settled = enumeration_of(metric, axiom, reading).minimal(batch)
    if record.minimal not in (None, settled):
        one_of = "null" if settled is None else f"null or {settled!r}, the grid that was enumerated"
        raise InvalidInput(f"witness: minimal is {shown(record.minimal)}; expected {one_of}")
    witness = Witness(metric, batch, reading, kind, judgement, eps, record.minimal)
    _check_same(record, _rounded_as_in(record, witness.record()), "scored again")
    return witness


def read_threshold_witness(document: object, metric: Metric | None = None) -> RefutedThreshold:
    """Read a threshold witness from a document, and confirm its sign at every n and its argument for larger n.

    Args:
        document: A `ThresholdWitness`, or a JSON object of that form.
        metric: Metric to score with, as for `read_witness`.

    Raises:
        InvalidInput: The document is malformed, or differs from the recomputed witness; the message says where.

    """
    record = document if isinstance(document, ThresholdWitness) else read(ThresholdWitness, document, "witness")
    axiom = find_axiom(record.axiom)
    if not about_blocks(axiom):
        raise InvalidInput(
            f"witness: axiom is {axiom.name}, which is not a threshold axiom; expected DeepTh or CloseTh"
        )
    metric = metric or resolve_named(record.metric)
    _check_small(record, axiom)
    extras = record.unretrieved_relevant
    if extras > _MOST_UNRETRIEVED:
        raise InvalidInput(f"witness: unretrieved_relevant is {extras}; expected at most {_MOST_UNRETRIEVED}")
    rc = Fraction(1) if record.small else _grade(record.rc)
    tried = examine(metric, ThresholdCase(rc, extras), record.small, axiom.winner)
    if tried.outcome(axiom) is not False:
        raise InvalidInput(f"witness: {metric} does not violate {axiom.name} for the given rc and unretrieved_relevant")
    witness = RefutedThreshold(axiom, metric, record.reading.reading, record.small, tried)
    _check_same(record, witness.record(), "decided again")
    return witness


def _grade(text: str) -> Fraction:
    stated = Fraction(text) if len(text) <= _LONGEST else Fraction(0)
    if not 0 < stated <= 1 or str(stated) != text:
        raise InvalidInput(f"witness: rc is {shown(text)}; expected a fraction in (0, 1], in lowest terms")
    return stated


def _check_small(record: PairWitness | ThresholdWitness, axiom: Axiom) -> None:
    """Check that a witness assumes r << 1 if and only if its reading assumes r << 1 for the axiom.

    Raises:
        InvalidInput: The witness and its reading differ on r << 1.

    """
    reading = record.reading.reading
    if record.small != assumes_small(axiom, reading):
        raise InvalidInput(
            f"witness: small is {record.small}; expected {not record.small} for {axiom.name} in the regime "
            f"{reading.regime.value}"
        )


def _check_same(record: _Record, again: _Record, how: str) -> None:
    """Check that a witness is equal to the recomputed one, apart from the name of the metric.

    Raises:
        InvalidInput: The witnesses differ; the message says where.

    """
    apart = difference(record, structs.replace(again, metric=record.metric))
    if apart is not None:
        raise InvalidInput(f"witness: {apart}, the result when the witness is {how}")


def _rounded_as_in(record: PairWitness, again: PairWitness) -> PairWitness:
    """Return the recomputed witness with the float scores of ``record`` where they differ only by rounding."""
    if again.scores.arithmetic != "numerical":
        return again
    close = {
        side: said
        for side in ("worse", "better")
        if _about(said := getattr(record.scores, side), getattr(again.scores, side))
    }
    return structs.replace(again, scores=structs.replace(again.scores, **close))


def rebuilt_for(metric: Metric, record: PairWitness, axiom: Axiom) -> Batch:
    """Rebuild the instance of a witness, and check that it fits the axiom, the reading and the metric.

    The scores are not checked.

    Raises:
        InvalidInput: The witness does not contain an instance of the axiom in its reading, or refers to a rank below
            the metric's cutoff.

    """
    if not about_pairs(axiom):
        raise InvalidInput(f"witness: axiom is {axiom.name}; expected an axiom that compares two rankings")
    _check_small(record, axiom)
    batch = rebuilt(record, axiom, axiom.binary or metric.binary_only or record.reading.domain is Domain.BINARY)
    last = axiom.last_rank(batch.draft)[0]
    if metric.cutoff is not None and last > metric.cutoff:
        raise InvalidInput(f"witness: roles refer to rank {last}, which is past the metric's cutoff")
    return batch


def rebuilt(record: PairWitness, axiom: PairAxiom, binary: bool) -> Batch:
    """Rebuild the instance of a witness without its scores; see `batch_of` for ``binary``.

    Raises:
        InvalidInput: The witness does not contain an instance of the axiom; the message says why.

    """
    try:
        topic = Topic(record.topic.weights, record.topic.pool)
        instance = Instance(topic, record.worse, record.better, record.small)
    except InvalidInput as error:
        raise InvalidInput(f"witness: {error}") from None
    roles = record.roles.chosen
    for choice in axiom.choices:
        if choice not in roles:
            raise InvalidInput(f"witness: roles.{choice} is missing; {axiom.name} needs {', '.join(axiom.choices)}")
    most = len(topic.pool) - len(axiom.incoming)
    ranked = record.roles.ranked
    for name, role, high in (
        ("ranked", ranked, most),
        *((choice, roles[choice], len(topic.weights) if choice in "tu" else ranked) for choice in axiom.choices),
    ):
        if role > high:
            raise InvalidInput(f"witness: roles.{name} is {role}; expected an integer from 1 to {high}")
    return batch_of(axiom, instance, {"ranked": ranked} | roles, binary)


def batch_of(axiom: PairAxiom, instance: Instance, roles: dict[str, int], binary: bool) -> Batch:
    """Convert one instance to an exact batch.

    Args:
        axiom: Axiom that the instance belongs to.
        instance: Instance whose documents are named and ordered as in `Shape.names`.
        roles: Number of ``ranked`` documents, and the axiom's choices, counted from 1.
        binary: True if every grade must be either 0 or a common value rc.

    Raises:
        InvalidInput: The names, rankings or premises do not fit the axiom.

    """
    topic = instance.topic
    m = len(topic.weights)
    shape = Shape(len(topic.pool), m, roles["ranked"])
    names = shape.names(axiom.incoming)
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
                f"witness: {what} is {', '.join(stated)}, but the premises and roles imply {', '.join(expected)}"
            )
    return Batch(axiom, draft, instance.small)
