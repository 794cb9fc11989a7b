"""Define the base classes of external metrics, and the declarations that users can make about them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta

from axiomcheck.core.documents import Record
from axiomcheck.core.errors import InvalidInput, MetricError
from axiomcheck.core.limits import ROUNDING, SINGLE_ROUNDING
from axiomcheck.core.typing import Array
from axiomcheck.metrics.base import MOST_RANKS, Abilities, Claims, Metric
from axiomcheck.metrics.scores import real_scores
from axiomcheck.numbers.arithmetic import Arithmetic
from axiomcheck.sources.probes import CaseBlock

Dtype: TypeAlias = Literal["float64", "float32"]

Orientation: TypeAlias = Literal["higher", "lower"]

LOWER = "smaller scores are declared to be better, so each score here is the negated return value of the function"
"""Remark on metrics whose smaller scores are better."""


TOPICS = "topic.pool[document] is a tuple of grades, one per aspect"
"""Description of the arguments of functions that take (topic, ranking)."""


@dataclass(frozen=True)
class FloatTopic:
    """Topic as external metrics receive it: `axiomcheck.Topic` in floats.

    Args:
        weights: Positive weights, one per aspect, summing to 1.
        pool: Grades in [0, 1], one per aspect, by document name.

    """

    weights: tuple[float, ...]
    pool: Mapping[str, tuple[float, ...]]

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"a topic has no attribute {name}; it has weights and pool: {TOPICS}")


def named_cases(block: CaseBlock) -> list[tuple[FloatTopic, list[str]]]:
    """Convert a block to topics and rankings of document names."""
    names, rows = block.names, zip(block.pool.tolist(), block.weights.tolist(), block.order.tolist(), strict=True)
    return [
        (FloatTopic(tuple(weights), dict(zip(names, map(tuple, pool), strict=True))), [names[k] for k in order])
        for pool, weights, order in rows
    ]


class Declared(Record):
    """Declared properties of a function's scores. See `axiomcheck.metric` for the meaning of each field."""

    cutoff: Annotated[int, Meta(ge=1, lt=MOST_RANKS)] | None = None
    binary_only: bool = False
    single_aspect: bool = False
    weights: bool = True
    dtype: Dtype = "float64"
    orientation: Orientation = "higher"
    reference: Annotated[str, Meta(min_length=1)] | None = None
    definition: Annotated[str, Meta(min_length=1)] | None = None
    levels: Annotated[int, Meta(ge=1, le=2**20)] | None = None
    low: float | None = None
    high: float | None = None
    ideal: bool = False
    monotone: bool = False

    @property
    def abilities(self) -> Abilities:
        """Inputs that the metric accepts, with a remark if scores are negated.

        Raises:
            InvalidInput: The number of levels is not a power of two.

        """
        return Abilities(self.weights, self.levels, (LOWER,) if self.orientation == "lower" else ())

    @property
    def claims(self) -> Claims:
        """Claims about the scores as they are compared: negated if smaller scores are better.

        Raises:
            InvalidInput: The bounds are inconsistent, or the score of an ideal ranking is missing.

        """
        low, high = self.low, self.high
        if low is not None and high is not None and not low < high:
            raise InvalidInput(f"low={low!r}, high={high!r}: expected low < high")
        best, name = (low, "low") if self.orientation == "lower" else (high, "high")
        if self.ideal and best is None:
            raise InvalidInput(f"ideal needs {name}, the score of an ideal ranking")
        if self.orientation == "lower":
            low, high = (None if bound is None else -bound for bound in (high, low))
        return Claims(low, high, self.ideal, self.monotone)


class OwnMetric(Metric):
    """Base class for metrics that are not in the catalogue.

    Args:
        label: Name in reports: the name that the user typed, or the function's name.
        cutoff: Rank below which the metric ignores all documents; None if it has no cutoff.
        binary_only: True if only the sign of a grade matters.
        single_aspect: True if the metric supports only one aspect. The diversity axioms do not apply to it.
        abilities, claims: See `Abilities` and `Claims`. The claims are about the scores in comparisons, where larger is
            better.

    """

    lower: bool = False
    """True if smaller scores of the function are better. Its scores are then negated."""

    definition: str | None = None
    """Known definition that the scores are declared to follow, with departures; None if there is no declaration."""

    summary = "a user-defined metric"
    source = ""

    def __init__(
        self,
        label: str,
        *,
        cutoff: int | None = None,
        binary_only: bool = False,
        single_aspect: bool = False,
        abilities: Abilities = Abilities(),  # noqa: B008 - immutable
        claims: Claims = Claims(),  # noqa: B008 - immutable
    ) -> None:
        self.name = self.label = label  # the base names the metric in its errors
        super().__init__(cutoff)
        self.dtypes: set[Dtype] = {"float64"}  # declared or observed; shared by copies, which give the same scores
        self.binary_only = binary_only
        self.single_aspect = single_aspect
        self.abilities = abilities
        self.claims = claims

    def declare(self, said: Declared) -> None:
        """Apply declarations to the metric.

        Raises:
            InvalidInput: A declaration is out of range.

        """
        if said.cutoff is not None:
            self._check_cutoff(said.cutoff)
        self.cutoff, self.binary_only, self.single_aspect = said.cutoff, said.binary_only, said.single_aspect
        self.abilities, self.claims = said.abilities, said.claims
        self.reference, self.definition = said.reference, said.definition
        self.lower, self.dtypes = said.orientation == "lower", {said.dtype}

    @property
    def canonical(self) -> str:
        """Name of the metric in reports, which is its label."""
        assert self.label is not None
        return self.label

    # Two functions may have the same name: in two test files, or in a notebook after an edit.
    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)


class NamedMetric(OwnMetric):
    """Base class for metrics that score documents by name, such as callables and library measures.

    They have only float scores, unless their function can be recompiled (`CallableMetric`).
    """

    def numerical(self, small: bool) -> str:
        """Return the reason why the metric is evaluated only in floats."""
        return "it returns floats and cannot be run in exact arithmetic"

    def kernel(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        """Raise an error, because the metric scores documents by name."""
        raise MetricError(f"{self} scores named documents, not arrays of grades")

    @abstractmethod
    def score_rankings(self, cases: Sequence[tuple[FloatTopic, Sequence[str]]]) -> Sequence[float]:
        """Return one score per (topic, ranking) pair. Rankings include the documents below the cutoff."""

    def evaluate(self, pool: Array, weights: Array, order: Array) -> Array:
        """Score rankings as `Metric.evaluate` does. Documents are named d1, d2, ... in the pool's order."""
        return real_scores(self, self.score_rankings(named_cases(CaseBlock(pool, weights, order))))


def is_single(metric: Metric) -> bool:
    """Return True if a metric's scores are in single precision, according to its declaration or to observed scores."""
    return isinstance(metric, OwnMetric) and "float32" in metric.dtypes


def rounding_of(metric: Metric) -> float:
    """Return the tolerance within which two scores of a metric count as equal.

    Most callers multiply it by max(1, abs(score)), so that it is relative for large scores.
    """
    return SINGLE_ROUNDING if is_single(metric) else ROUNDING
