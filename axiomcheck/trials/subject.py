"""Score cases with the metric under check. An exception affects only the case that raised it."""

from __future__ import annotations

import contextlib
import copy
import itertools
import math
import warnings
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np

from axiomcheck.core.errors import raised
from axiomcheck.core.limits import ROUNDING
from axiomcheck.core.typing import Array, Mask, Reals
from axiomcheck.metrics.base import Metric
from axiomcheck.metrics.scores import real_scores
from axiomcheck.sources.adapters.common import LibraryMetric
from axiomcheck.sources.evaluators import EvaluatedMetric, Evaluator
from axiomcheck.sources.external_metrics import NamedMetric, named_cases, rounding_of
from axiomcheck.sources.function_metrics import CallableMetric, FunctionMetric
from axiomcheck.sources.natural.running import note_mistake
from axiomcheck.sources.probes import CaseBlock, CaseRange, blocks_of
from axiomcheck.sources.provenance import origin_of

LONG = 200
"""Largest number of characters of an error message that is shown in full; some libraries write pages."""

PATIENCE = 16
"""If this many cases at the start of a block fail, the rest of the block counts as failing too."""


class Score(NamedTuple):
    """Score of one case, or the reason why there is none.

    Args:
        value: Score; None or NaN if there is none.
        raised: Message of the exception that the metric raised; empty if it raised none.

    """

    value: float | None
    raised: str = ""

    @property
    def is_number(self) -> bool:
        """True if the score is finite."""
        return self.value is not None and math.isfinite(self.value)

    @property
    def text(self) -> str:
        """Score or error in words, as part of a sentence."""
        if self.raised:
            return f"an error ({self.raised})"
        return "no score" if self.value is None else f"{self.value:.6g}"

    def is_unlike(self, other: Score, rounding: float = ROUNDING) -> bool:
        """Return True if this score is finite, and the other score is not finite or differs by more than rounding."""
        if not self.is_number:
            return False
        return not other.is_number or bool(apart(np.array(self.value), np.array(other.value), rounding))


def apart(one: Reals, other: Reals, rounding: float = ROUNDING) -> Mask:
    """Return a mask of the scores that differ by more than ``rounding * max(1, abs(one), abs(other))``."""
    scale = np.maximum(1.0, np.maximum(np.abs(one), np.abs(other)))
    with np.errstate(invalid="ignore"):  # infinity minus infinity
        return np.abs(one - other) > rounding * scale


@dataclass(frozen=True)
class BlockScores:
    """Scores of a block of B rankings.

    Args:
        values: (B,) scores; NaN where the metric raised an exception.
        raised: Error messages of the rankings for which the metric raised an exception, by row.

    """

    values: Reals
    raised: dict[int, str]

    @property
    def size(self) -> int:
        """Number of rankings."""
        return self.values.size

    @property
    def usable(self) -> Mask:
        """Boolean mask (B,) of the finite scores."""
        return np.isfinite(self.values)

    @property
    def refused(self) -> Mask:
        """Boolean mask (B,) of the rankings for which the metric raised an exception."""
        chosen = np.zeros(self.values.shape, dtype=bool)
        chosen[list(self.raised)] = True
        return chosen

    def score(self, row: int) -> Score:
        """Return the score of one ranking."""
        return Score(float(self.values[row]), self.raised.get(row, ""))

    def rows(self, rows: Sequence[int]) -> BlockScores:
        """Return the scores of the given rankings, in the same order."""
        raised = {at: self.raised[row] for at, row in enumerate(rows) if row in self.raised}
        return BlockScores(self.values[list(rows)], raised)


class Subject:
    """Metric under check, with the cases on which it is checked and their scores.

    Args:
        metric: Metric under check.
        reference: Metric with which the metric under check should agree, or None.
        tolerance: Largest allowed difference from the reference.
        seed: Seed for the random cases.

    Attributes:
        origin: Author and kind of the metric's code.
        named: The metric if it scores documents by name, otherwise None.
        library: The metric if it is a library measure, otherwise None.

    """

    def __init__(self, metric: Metric, reference: Metric | None = None, tolerance: float = 1e-9, seed: int = 0) -> None:
        self.metric = metric
        self.origin = origin_of(metric)
        self.named = metric if isinstance(metric, NamedMetric) else None
        self.library = metric if isinstance(metric, LibraryMetric) else None
        self.reference = reference
        self.tolerance = tolerance
        self.seed = seed
        self.scale = CaseRange.of(metric)
        self.first_message = ""
        """First error message since the current check began; empty if there is none."""
        self._untouched: Callable[..., object] | None = None
        if isinstance(metric, FunctionMetric | CallableMetric):
            with contextlib.suppress(Exception):  # the function cannot be copied
                self._untouched = copy.deepcopy(metric.function)

    def rng(self, purpose: str) -> np.random.Generator:
        """Return a random generator for a purpose. Generators for different purposes are independent."""
        return np.random.default_rng([self.seed, zlib.crc32(purpose.encode())])

    @property
    def rounding(self) -> float:
        """Largest difference, absolute or relative to the larger score, at which two scores count as equal."""
        return rounding_of(self.metric)

    @cached_property
    def native(self) -> Evaluator | None:
        """Entry point that scores judgments and runs, or None if the metric has none."""
        return self.metric.native if isinstance(self.metric, LibraryMetric | EvaluatedMetric) else None

    @cached_property
    def blocks(self) -> list[CaseBlock]:
        """Ordinary cases, which most checks score, in blocks, smallest first."""
        return blocks_of(self.scale, self.rng("cases"))

    @cached_property
    def base(self) -> list[BlockScores]:
        """Scores of the ordinary cases."""
        return self.score(self.blocks)

    @property
    def scores_something(self) -> bool:
        """True if an ordinary case has a finite score."""
        return any(bool(scores.usable.any()) for scores in self.base)

    @property
    def base_message(self) -> str:
        """First error message for the ordinary cases if none has a finite score, or an empty string."""
        if self.scores_something:
            return ""
        return next((message for scores in self.base for message in scores.raised.values()), "")

    @property
    def handful(self) -> int:
        """Maximum number of cases in checks that call the metric once per case."""
        return min(96, 2 * self.scale.share)

    def singles(self) -> list[CaseBlock]:
        """Return at most `handful` ordinary cases of all shapes, in blocks of one ranking each."""
        rng = self.rng("singles")
        share = -(-self.handful // len(self.blocks))
        chosen = [(block, row) for block in self.blocks for row in rng.permutation(block.size)[:share]]
        kept = sorted(rng.permutation(len(chosen))[: self.handful])
        return [chosen[k][0].rows([int(chosen[k][1])]) for k in kept]

    def score(self, blocks: Sequence[CaseBlock], metric: Metric | None = None) -> list[BlockScores]:
        """Score blocks with a metric, by default the metric under check.

        All blocks are scored in one call if the metric accepts rankings of different shapes. If a call fails, its
        rankings are scored in smaller calls.
        """
        metric = metric or self.metric
        if isinstance(metric, NamedMetric) and blocks:
            values, message = self.attempt(
                lambda: metric.score_rankings([case for block in blocks for case in named_cases(block)]),
                sum(block.size for block in blocks),
            )
            if not message:
                ends = list(itertools.accumulate(block.size for block in blocks))
                return [BlockScores(part, {}) for part in np.split(values, ends[:-1])]
        return [self._of_block(metric, block) for block in blocks]

    def _of_block(self, metric: Metric, block: CaseBlock) -> BlockScores:
        values, message = self.attempt(lambda: _called(metric, block), block.size)
        if not message:
            return BlockScores(values, {})
        if block.size == 1:
            return BlockScores(values, {0: message})
        raised: dict[int, str] = {}
        for row in range(block.size):
            if row >= PATIENCE and len(raised) == row:
                raised |= dict.fromkeys(range(row, block.size), raised[row - 1])
                break
            one = block.rows([row])
            values[row : row + 1], message = self.attempt(partial(_called, metric, one), 1)
            if message:
                raised[row] = message
        return BlockScores(values, raised)

    def known_scores(self, blocks: Sequence[CaseBlock]) -> list[BlockScores]:
        """Return the scores of blocks. Each block is scored once, and the scores of ordinary cases are reused."""
        known = {id(block): scores for block, scores in zip(self.blocks, vars(self).get("base", ()), strict=False)}
        others = {id(block): block for block in blocks if id(block) not in known}
        known |= zip(others, self.score(list(others.values())), strict=True)
        return [known[id(block)] for block in blocks]

    def attempt(self, call: Callable[[], Array], size: int) -> tuple[Reals, str]:
        """Call the metric; return (size,) scores and an empty message, or (size,) NaN and an error message."""
        values, message = self.guarded(lambda: real_scores(self.metric, call()).copy())
        if not message and values.shape != (size,):
            message = f"returned shape {values.shape}; expected {(size,)}"
            self.first_message = self.first_message or message
        return (np.full(size, np.nan), message) if message else (values, "")

    def guarded(self, call: Callable[[], Array]) -> tuple[Array, str]:
        """Call a function, ignoring warnings; return its result and an empty message, or None and an error message."""
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                return call(), ""
        except (Exception, SystemExit) as problem:  # the checks report any exception of the metric
            note_mistake(problem)
            said = " ".join(raised(problem).split())
            message = said if len(said) <= LONG else f"{said[:LONG]}..."
        self.first_message = self.first_message or message
        return None, message

    def fresh(self) -> Metric:
        """Return a copy of the metric in its initial state, or the metric itself if no such copy can be made.

        State outside the function or object, such as that of a library, is not reset.
        """
        try:
            if isinstance(self.metric, FunctionMetric | CallableMetric) and self._untouched is not None:
                made = copy.copy(self.metric)
                made.function = copy.deepcopy(self._untouched)
                return made
            if not self.origin.is_class:
                return self.metric
            return type(self.metric)(self.metric.cutoff, **self.metric.values)
        except Exception:  # the metric cannot be created again
            return self.metric


def _called(metric: Metric, block: CaseBlock) -> Array:
    if isinstance(metric, NamedMetric):
        return metric.score_rankings(named_cases(block))
    return metric.evaluate(block.pool.copy(), block.weights.copy(), block.order.copy())
