"""Give external metrics what they have in common: a label, declarations, the digits of scores."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from axiomcheck.core.documents import Record
from axiomcheck.core.errors import InvalidInput, MetricError
from axiomcheck.core.limits import ROUNDING, SINGLE_ROUNDING
from axiomcheck.core.typing import Array
from axiomcheck.metrics.base import MOST_RANKS, Abilities, Claims, Metric
from axiomcheck.metrics.scores import real_scores
from axiomcheck.numbers.arithmetic import Arithmetic

Dtype: TypeAlias = Literal["float64", "float32"]

Orientation: TypeAlias = Literal["higher", "lower"]

LOWER = "smaller scores are better, as declared: every score here is the negative of what the function returns"
"""Said with verdicts on a metric of that orientation."""


@dataclass(frozen=True)
class FloatTopic:
    """A topic as a black box sees it: `axiomcheck.Topic` in floats.

    Args:
        weights: one per aspect, above 0, summing to 1.
        pool: document name -> one grade in [0, 1] per aspect.

    """

    weights: tuple[float, ...]
    pool: Mapping[str, tuple[float, ...]]


class Declared(Record):
    """Declare what is true of a function's scores; `axiomcheck.metric` says what each entry means."""

    cutoff: Annotated[int, Meta(ge=1, lt=MOST_RANKS)] | None = None
    binary_only: bool = False
    single_aspect: bool = False
    weights: bool = True
    dtype: Dtype = "float64"
    orientation: Orientation = "higher"
    reference: Annotated[str, Meta(min_length=1)] | None = None
    levels: Annotated[int, Meta(ge=1, le=2**20)] | None = None
    low: float | None = None
    high: float | None = None
    ideal: bool = False
    monotone: bool = False

    @property
    def abilities(self) -> Abilities:
        """Return what the metric can be asked about, and the remark on negated scores.

        Raises:
            InvalidInput: levels are no power of two.

        """
        return Abilities(self.weights, self.levels, (LOWER,) if self.orientation == "lower" else ())

    @property
    def claims(self) -> Claims:
        """Return what is claimed of scores as they are compared, the larger the better.

        Raises:
            InvalidInput: the bounds do not go together, or an ideal ranking has no score.

        """
        low, high = self.low, self.high
        if low is not None and high is not None and not low < high:
            raise InvalidInput(f"low={low!r}, high={high!r}: expected low < high")
        best, name = (low, "low") if self.orientation == "lower" else (high, "high")
        if self.ideal and best is None:
            raise InvalidInput(f"ideal: needs {name}, the score of an ideal ranking")
        if self.orientation == "lower":
            low, high = (None if bound is None else -bound for bound in (high, low))
        return Claims(low, high, self.ideal, self.monotone)


class OwnMetric(Metric):
    """Base of the metrics that are not in the catalogue.

    Args:
        label: the name in reports: what the user typed to name it, or the function's name.
        cutoff: the metric ignores everything below this rank; None if it looks at all.
        binary_only: it only sees whether a grade is positive.
        single_aspect: it knows one aspect; the diversity axioms do not apply.
        abilities, claims: see those; of the scores as they are compared, the larger the better.

    """

    lower: bool = False
    """True where the function's scores are the better the smaller they are, and are negated here."""

    summary = "brought by the user"
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
        self.dtypes: set[Dtype] = {"float64"}  # declared and seen; copies, which score as it does, share it
        self.binary_only = binary_only
        self.single_aspect = single_aspect
        self.abilities = abilities
        self.claims = claims

    def declare(self, said: Declared) -> None:
        """Take over what is declared of the metric.

        Raises:
            InvalidInput: a declaration is out of range.

        """
        if said.cutoff is not None:
            self._check_cutoff(said.cutoff)
        self.cutoff, self.binary_only, self.single_aspect = said.cutoff, said.binary_only, said.single_aspect
        self.abilities, self.claims, self.reference = said.abilities, said.claims, said.reference
        self.lower, self.dtypes = said.orientation == "lower", {said.dtype}

    @property
    def canonical(self) -> str:
        """The label."""
        assert self.label is not None
        return self.label

    # Two functions may have one name: in a notebook, where one is edited and run again, or in two test files.
    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)


class NamedMetric(OwnMetric):
    """Base of the metrics that score named documents, callables and libraries; floats are all there is of them."""

    def numerical(self, small: bool) -> str:
        """Always: nothing but floats comes out of it."""
        return "it returns floats and cannot be run in exact arithmetic"

    def kernel(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        """Raise an error: it scores documents by name."""
        raise MetricError(f"{self} scores named documents, not arrays of grades")

    @abstractmethod
    def score_rankings(self, cases: Sequence[tuple[FloatTopic, Sequence[str]]]) -> Sequence[float]:
        """One score per (topic, ranking); documents below the cutoff included in the rankings."""

    def evaluate(self, pool: Array, weights: Array, order: Array) -> Array:
        """Score as `Metric.evaluate` does; documents are called d1, d2, ... in the pool's order."""
        names = [f"d{k}" for k in range(1, pool.shape[1] + 1)]
        grades, shares, rows = pool.tolist(), weights.tolist(), order.tolist()
        cases = [
            (FloatTopic(tuple(w), dict(zip(names, map(tuple, g), strict=True))), [names[k] for k in row])
            for g, w, row in zip(grades, shares, rows, strict=True)
        ]
        return real_scores(self, self.score_rankings(cases))


def is_single(metric: Metric) -> bool:
    """Tell whether scores have been seen in single precision, or are declared to be; of a metric that is a function."""
    return isinstance(metric, OwnMetric) and "float32" in metric.dtypes


def rounding_of(metric: Metric) -> float:
    """Up to which difference, or share of the larger one, two scores of a metric count as one."""
    return SINGLE_ROUNDING if is_single(metric) else ROUNDING
