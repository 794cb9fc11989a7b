"""A metric under check: scored whatever it does, so that one odd answer costs one case and not the check."""

from __future__ import annotations

import contextlib
import copy
import itertools
import warnings
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from axiomcheck.core.typing import Array, Mask, Reals
from axiomcheck.metrics.base import Metric
from axiomcheck.metrics.scores import real_scores
from axiomcheck.sources.adapters.common import LibraryMetric
from axiomcheck.sources.evaluators import EvaluatedMetric, Evaluator
from axiomcheck.sources.external_metrics import rounding_of
from axiomcheck.sources.function_metrics import CallableMetric, FloatTopic, FunctionMetric, NamedMetric
from axiomcheck.sources.probes import CaseBlock, CaseRange, blocks_of
from axiomcheck.sources.provenance import origin_of

LONG = 200
"""Characters of a message that are kept; some libraries say pages."""

PATIENCE = 16
"""After this many cases of a block that all raise, the rest of the block counts as raising."""


@dataclass(frozen=True)
class BlockScores:
    """The scores of a block.

    Args:
        values: (B,); NaN where the metric raised.
        raised: row -> what it raised.

    """

    values: Reals
    raised: dict[int, str]

    @property
    def size(self) -> int:
        """Count the rankings."""
        return self.values.size

    @property
    def usable(self) -> Mask:
        """Mark (B,) where there is a finite score."""
        return np.isfinite(self.values)

    @property
    def refused(self) -> Mask:
        """(B,) where the metric raised."""
        chosen = np.zeros(self.values.shape, dtype=bool)
        chosen[list(self.raised)] = True
        return chosen

    def rows(self, rows: Sequence[int]) -> BlockScores:
        """Return the scores of some of the rankings, in the given order."""
        raised = {at: self.raised[row] for at, row in enumerate(rows) if row in self.raised}
        return BlockScores(self.values[list(rows)], raised)


def named_cases(block: CaseBlock) -> list[tuple[FloatTopic, list[str]]]:
    """A block as topics and rankings of names."""
    shares = block.weights.tolist()
    return [(FloatTopic(tuple(shares[i]), block.topic(i)), block.ranking(i)) for i in range(block.size)]


class Subject:
    """A metric under check, the cases it is tried on, and what else a check may need.

    Args:
        reference: what it is to agree with; None for nothing.
        tolerance: how far apart the two may be.

    Attributes:
        origin: whose code decides its scores.
        named: the metric, if it scores documents by their names.
        library: the metric, if it is a library's measure.

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
        """The first thing that was raised since the check at work began; empty if nothing."""
        self._untouched: Callable[..., object] | None = None
        if isinstance(metric, FunctionMetric | CallableMetric):
            with contextlib.suppress(Exception):  # not made to be copied
                self._untouched = copy.deepcopy(metric.function)

    def rng(self, purpose: str) -> np.random.Generator:
        """A source of randomness of its own for each purpose, so that checks do not depend on one another."""
        return np.random.default_rng([self.seed, zlib.crc32(purpose.encode())])

    @property
    def rounding(self) -> float:
        """Up to which difference, or share of the larger one, two scores count as one."""
        return rounding_of(self.metric)

    @cached_property
    def native(self) -> Evaluator | None:
        """The metric's entry point on judgments and runs; None where there is none."""
        return self.metric.native if isinstance(self.metric, LibraryMetric | EvaluatedMetric) else None

    @cached_property
    def blocks(self) -> list[CaseBlock]:
        """The ordinary cases, smallest first."""
        return blocks_of(self.scale, self.rng("cases"))

    @cached_property
    def base(self) -> list[BlockScores]:
        """The scores of the ordinary cases."""
        return self.score(self.blocks)

    @property
    def scores_something(self) -> bool:
        """Tell whether some ordinary case has a score."""
        return any(bool(scores.usable.any()) for scores in self.base)

    @property
    def base_message(self) -> str:
        """Return what the metric raised on the ordinary cases, if it scored none of them."""
        if self.scores_something:
            return ""
        return next((message for scores in self.base for message in scores.raised.values()), "")

    @property
    def handful(self) -> int:
        """Return how many cases to try where each costs a call."""
        return min(96, 2 * self.scale.share)

    def singles(self) -> list[CaseBlock]:
        """A handful of ordinary cases, one by one, of every shape by turns."""
        rng = self.rng("singles")
        share = -(-self.handful // len(self.blocks))
        chosen = [(block, row) for block in self.blocks for row in rng.permutation(block.size)[:share]]
        kept = sorted(rng.permutation(len(chosen))[: self.handful])
        return [chosen[k][0].rows([int(chosen[k][1])]) for k in kept]

    def score(self, blocks: Sequence[CaseBlock], metric: Metric | None = None) -> list[BlockScores]:
        """The scores of every block, in one call where the metric takes rankings of different shapes."""
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
        """Return the scores of blocks, each scored once; the ordinary cases are not scored again if they have been."""
        known = {id(block): scores for block, scores in zip(self.blocks, vars(self).get("base", ()), strict=False)}
        others = {id(block): block for block in blocks if id(block) not in known}
        known |= zip(others, self.score(list(others.values())), strict=True)
        return [known[id(block)] for block in blocks]

    def attempt(self, call: Callable[[], Array], size: int) -> tuple[Reals, str]:
        """Call the metric, and return (size,) scores and an empty message, or NaN and what went wrong."""
        values, message = self.guarded(lambda: real_scores(self.metric, call()).copy())
        if not message and values.shape != (size,):
            message = f"returned shape {values.shape}, expected {(size,)}"
            self.first_message = self.first_message or message
        return (np.full(size, np.nan), message) if message else (values, "")

    def guarded(self, call: Callable[[], Array]) -> tuple[Array, str]:
        """Return what a call returns and an empty message, or None and what it raised; warnings are dropped."""
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                return call(), ""
        except (Exception, SystemExit) as problem:  # whatever the metric raises: the checks are about that
            said = " ".join(f"{type(problem).__name__}: {problem}".split())
            message = said if len(said) <= LONG else f"{said[:LONG]}..."
        self.first_message = self.first_message or message
        return None, message

    def fresh(self) -> Metric:
        """The metric as if never called, as far as it can be made anew; else the metric itself.

        What a function keeps outside itself stays, and so does what a library keeps.
        """
        try:
            if isinstance(self.metric, FunctionMetric | CallableMetric) and self._untouched is not None:
                made = copy.copy(self.metric)
                made.function = copy.deepcopy(self._untouched)
                return made
            if not self.origin.is_class:
                return self.metric
            return type(self.metric)(self.metric.cutoff, **self.metric.values)
        except Exception:  # not made to be made anew
            return self.metric


def _called(metric: Metric, block: CaseBlock) -> Array:
    if isinstance(metric, NamedMetric):
        return metric.score_rankings(named_cases(block))
    return metric.evaluate(block.pool.copy(), block.weights.copy(), block.order.copy())
