"""Decide DeepTh and CloseTh by exact arithmetic for n = 1, 2, ..., and by an argument for all larger n.

If the metric has a cutoff k, the argument is that the first k ranks of both rankings are the same for all n >= k.
Otherwise, it is the metric's own bound on the ratio of the block's gain to the top's gain (`axiomcheck.metrics.Tail`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Literal, TypeAlias

import numpy as np
from flint import fmpq

from axiomcheck.axioms import ThresholdAxiom
from axiomcheck.core.documents import UNSET, Maybe
from axiomcheck.core.errors import InternalDisagreement, MetricError
from axiomcheck.core.limits import FARTHEST, TRIED
from axiomcheck.core.verdict import Verdict
from axiomcheck.decide.batch import Pairs
from axiomcheck.decide.comparison import judge, signs
from axiomcheck.decide.dominance import APART
from axiomcheck.decide.sampling import generator
from axiomcheck.metrics import Metric
from axiomcheck.records.causes import COUNTEREXAMPLE, Cause, cause
from axiomcheck.records.evidence import Example, ThresholdEvidence
from axiomcheck.sources.provenance import is_genuine

Winner: TypeAlias = Literal["top", "block"]
Signs: TypeAlias = list[int | None]

TRIED_ALONE = 24
"""Largest tested n if there is no argument for large n. Testing a larger n would not decide the axiom."""

_CASES_OF_FEW = 4
"""Number of instances for each case after the first if a time limit shortens the search."""

_FAR = 128
"""Largest n that is tested to reach the start of the argument if the block is ahead at a smaller n, which proves
CloseTh."""

_FARTHEST_EXAMPLE = 1024
"""Largest m that is tested to find an example for CloseTh if the block is not ahead at any small m."""

_FARTHEST_CUTOFF = 1024
"""Largest cutoff for which every n up to the cutoff is tested. If the block is ahead at no such n, CloseTh is refuted.
For a larger cutoff, a refutation needs a proof."""

_BEYOND = (100, 300)
"""Larger values of n that are also tested for two kinds of metrics. For an external metric with a declared cutoff, the
signs must equal the sign at the cutoff. A metric without an argument for large n may be slow on long rankings, so the
last n is tested for `_PLAIN` only."""

_EXTRAS = (0, 1, 3)


@dataclass(frozen=True)
class ThresholdCase:
    """Family of pairs of rankings, one pair for each n = 1, 2, ...; see `block_pairs`.

    Args:
        rc: Grade of every relevant document. If r << 1 is assumed, any positive grade gives the same result.
        extras: Number of relevant documents in the pool that neither ranking retrieves.

    """

    rc: Fraction
    extras: int


def block_pairs(case: ThresholdCase, n: int, small: bool) -> Pairs:
    """Return the two rankings of a case for one n: the top as the better one, and the block as the worse one.

    The top has one relevant document at rank 1, followed by 2n - 1 non-relevant documents. The block has n non-relevant
    documents followed by n relevant documents.
    """
    relevant = n + case.extras
    pool = np.full((1, relevant + 2 * n - 1, 1), fmpq(0), dtype=object)
    pool[0, :relevant] = fmpq(case.rc.numerator, case.rc.denominator)
    others = np.arange(relevant, relevant + 2 * n - 1)
    top, block = np.r_[0, others], np.r_[others[:n], 0:n]
    return Pairs(pool, np.full((1, 1), fmpq(1), dtype=object), block[None], top[None], small)


_PLAIN = ThresholdCase(Fraction(1), 0)
"""The first case, with rc = 1 and without unretrieved relevant documents."""


@dataclass(frozen=True)
class Tried:
    """Result for one `ThresholdCase`: the exact sign at every tested n, and an argument for larger n.

    Args:
        case: Tested case.
        signs: Exact signs of Q(top) - Q(block) for n = 1, 2, ...
        tail: Sign for every n above the tested values, if an argument proves it; else None.
        argument: Argument in words; empty if there is none.
        beyond: Larger n that were also tested, with the same sign as the last of ``signs``.

    """

    case: ThresholdCase
    signs: tuple[int | None, ...]
    tail: int | None
    argument: str
    beyond: tuple[int, ...] = ()

    def outcome(self, axiom: ThresholdAxiom) -> bool | None:
        """Return True if the axiom holds in this case, False if it fails, and None if neither is proved."""
        if axiom.winner == "block":
            if -1 in self.signs or self.tail == -1:
                return True
            return False if self.tail is not None and None not in self.signs else None
        return None if self.tail is None else self.tail == 1

    @property
    def last(self) -> int:
        """Largest tested n. A final None does not count as tested if there is an argument."""
        return len(self.signs) - (self.signs[-1] is None and self.tail is not None)

    def leaves_apart(self, axiom: ThresholdAxiom) -> bool:
        """Return True if neither distribution dominates at all larger n or, for CloseTh, at some tested n."""
        return self.tail == APART or (axiom.winner == "block" and APART in self.signs)

    def first_block_win(self) -> int | None:
        """Return the smallest tested n at which the block is ahead; None if there is none."""
        return self.signs.index(-1) + 1 if -1 in self.signs else None

    def from_where_top_wins(self) -> int | None:
        """Return the smallest n from which the top is ahead at all tested n; None if it is not at the last one."""
        if self.signs[-1] != 1:
            return None
        lost = [n for n, sign in enumerate(self.signs, start=1) if sign != 1]
        return lost[-1] + 1 if lost else 1

    def from_where_it_fails(self, wins: int) -> int:
        """Return the first n with a known sign after the last n that has the sign ``wins``.

        If no later sign is known, return the n that follows the last n with the sign ``wins``.
        """
        numbered = list(enumerate(self.signs, start=1))
        last = max((n for n, sign in numbered if sign == wins), default=0)
        return next((n for n, sign in numbered[last:] if sign is not None), last + 1)


def same_from(k: int) -> str:
    """Return a clause that explains why every n above a cutoff k gives the same result as n = k."""
    ranks = "rank of both rankings is that" if k == 1 else f"{k} ranks of both rankings are those"
    return f"for n >= {k} the first {ranks} of n = {k}"


def examine(
    metric: Metric, case: ThresholdCase, small: bool, winner: Winner = "block", few: int | None = None
) -> Tried:
    """Compute the signs of one case for n = 1, 2, ..., and find an argument for large n if there is one.

    The bound `Metric.tail` is used only for catalogue metrics, because the claim of an external metric proves nothing.

    Args:
        metric: Metric in the catalogue, or an external one.
        case: Family of pairs.
        small: True if r << 1 is assumed.
        winner: Side that the axiom requires to be ahead. For the top, only large n matter, so a metric with a cutoff
            above `FARTHEST` is tested at few small n.
        few: Largest n for an external metric without a cutoff if a time limit shortens the search; else None.

    Raises:
        InternalDisagreement: The bound for large n contradicts exact arithmetic at some n.

    """
    if metric.cutoff is None or metric.cutoff <= FARTHEST:
        winner = "block"  # both axioms test the same n and share the cache entry
    # The result for an external metric is not cached, since its next scores may differ.
    if not is_genuine(metric):
        return _examine(metric, case, small, winner, own_code=True, few=few)
    return _examined(metric, case, small, winner, own_code=False)


def _examine(
    metric: Metric, case: ThresholdCase, small: bool, winner: Winner, own_code: bool, few: int | None = None
) -> Tried:
    def tried(numbers: Iterable[int]) -> Signs:
        return [signs(metric, block_pairs(case, n, small))[0] for n in numbers]

    if metric.cutoff is not None:
        return _examine_to_cutoff(metric, case, small, winner, own_code, tried)
    tail = None if own_code else metric.tail()
    last = TRIED if tail is not None else min(few or TRIED_ALONE, TRIED_ALONE)
    found = tried(range(1, last + 1))
    if tail is not None and last < tail.start <= (_FAR if -1 in found else FARTHEST):
        found += tried(range(last + 1, tail.start + 1))
        last = tail.start
    if tail is None:
        beyond: dict[int, int] = {}
        # A metric may raise on long rankings, for example if its discounts are a table; such n remain untested.
        with suppress(MetricError):
            for n in () if few is not None else _BEYOND if case == _PLAIN else _BEYOND[:-1]:
                if (sign := tried([n])[0]) is not None:
                    beyond[n] = sign
        if any(sign != found[-1] for sign in beyond.values()):
            return Tried(case, (*found, *map(beyond.get, range(last + 1, max(beyond) + 1))), None, "")
        return Tried(case, tuple(found), None, "", tuple(beyond))
    side = {"below": 1, "above": -1, "equal": 0}[tail.side]
    for n in range(tail.start, last + 1):
        if found[n - 1] != side:
            raise InternalDisagreement(
                f"{metric}: at n = {n}, the bound for large n gives sign {side}, but exact arithmetic gives sign "
                f"{found[n - 1]}"
            )
    if tail.start > last:
        # The argument covers n >= start only. The n in between stay untested, which is enough for "from some n on".
        gap = f" (n = {last + 1} to {tail.start - 1} not tried)"
        return Tried(case, (*found, None), side, tail.statement + gap)
    return Tried(case, tuple(found), side, tail.statement)


_examined = lru_cache(maxsize=256)(_examine)


def _examine_to_cutoff(
    metric: Metric,
    case: ThresholdCase,
    small: bool,
    winner: Winner,
    own_code: bool,
    tried: Callable[[Iterable[int]], Signs],
) -> Tried:
    """Compute the signs for n = 1 to the cutoff k. If k is large, test only the first few n, and n = k.

    The argument is that the sign at k holds for all larger n. There is no argument if a test contradicts this.
    """
    k = metric.cutoff
    assert k is not None
    if own_code:
        _check_cutoff(metric, case, small)
    found = tried(range(1, min(k, TRIED if k > FARTHEST else k) + 1))
    if winner == "block" and -1 not in found:
        found += tried(range(len(found) + 1, (k if k <= _FARTHEST_CUTOFF else FARTHEST) + 1))
    last = len(found)
    if last < k:
        found += [None] * (k - last - 1) + tried([k])
    below = [k + 1, 2 * k + 1, *(n for n in (_BEYOND if own_code else ()) if n > k)]
    if any(sign != found[-1] for sign in tried(below)):
        return Tried(case, tuple(found), None, "")
    said = f"it declares that it ignores ranks below {k}, which was true in every test: " if own_code else ""
    gap = f" (n = {last + 1} to {k - 1} not tried)" if last + 1 < k else ""
    return Tried(case, tuple(found), found[-1], f"{said}{same_from(k)}{gap}")


def _check_cutoff(metric: Metric, case: ThresholdCase, small: bool) -> None:
    """Check that ranks below a declared cutoff do not affect the score, because the argument relies on the cutoff.

    Raises:
        MetricError: A rank below the cutoff affects the score.

    """
    k = metric.cutoff
    assert k is not None
    for n in (k + 1, 2 * k + 1):
        pairs = block_pairs(case, n, small)
        for ranking in (pairs.worse, pairs.better):
            cut = replace(pairs, worse=ranking[:, :k], better=ranking)
            if signs(metric, cut)[0] not in (0, None):
                raise MetricError(f"{metric} uses ranks below its declared cutoff {k}")


def _cases(small: bool, seed: int, levels: int | None) -> list[ThresholdCase]:
    if small:
        return [ThresholdCase(Fraction(1), extras) for extras in _EXTRAS]
    if levels is not None:
        return [ThresholdCase(Fraction(k, levels), extras) for k in range(levels, 0, -1) for extras in _EXTRAS]
    rng = generator(seed, "rc")
    grades = list(map(Fraction, ("1", "1/2", "9/10", "1/10", "1023/1024", "1/1024")))
    grades += [Fraction(int(rng.integers(1, 1000)), 1000) for _ in range(3)]
    return [ThresholdCase(rc, extras) for rc in grades for extras in (_EXTRAS if rc == 1 else (0,))]


@dataclass(frozen=True)
class ThresholdOutcome:
    """Result of `decide_threshold`.

    Args:
        verdict, cause, evidence: See `axiomcheck.records.cells.Cell`.
        refuting: Case that refutes the axiom or whose sides are incomparable; None if there is no such case.
        tried: All tested cases.

    """

    verdict: Verdict
    cause: Cause
    evidence: ThresholdEvidence
    refuting: Tried | None
    tried: tuple[Tried, ...]


def settle(axiom: ThresholdAxiom, tried: Sequence[Tried]) -> tuple[Verdict, Tried]:
    """Return the verdict that follows from a metric's cases, and the case that determines the verdict."""
    outcomes = [t.outcome(axiom) for t in tried]
    failing = [t for t, outcome in zip(tried, outcomes, strict=True) if outcome is False]
    if failing:
        plain = next((t for t in failing if not t.leaves_apart(axiom)), None)
        return (Verdict.REFUTED, plain) if plain else (Verdict.INCOMPARABLE, failing[0])
    if None not in outcomes:
        return Verdict.HELD, tried[0]
    open_ = tried[outcomes.index(None)]
    up_to_n = axiom.winner == "top" and all(t.from_where_top_wins() is not None for t in tried)
    return (Verdict.HELD if up_to_n else Verdict.UNDECIDED), open_


def _check_again(metric: Metric, tried: Sequence[Tried], small: bool) -> None:
    """Check that an external metric gives the same signs when a few n are tested again, in descending order.

    Raises:
        MetricError: The metric gives a different sign.

    """
    for one in reversed(tried):
        for n in sorted({len(one.signs), len(one.signs) // 2 + 1, 2, 1}, reverse=True):
            sign = one.signs[n - 1] if n <= len(one.signs) else None
            if sign is not None and signs(metric, block_pairs(one.case, n, small))[0] != sign:
                raise MetricError(f"{metric} scores the same rankings differently when it is called again")


def decide_threshold(
    axiom: ThresholdAxiom, metric: Metric, small: bool, seed: int, own_code: bool, few: int | None = None
) -> ThresholdOutcome:
    """Decide whether a metric satisfies DeepTh or CloseTh.

    Args:
        axiom: DeepTh or CloseTh.
        metric: Catalogue metric, or an external one. Without a cutoff or a `Tail`, there is no argument for large n.
        small: True if r << 1 is assumed. Otherwise several values of rc are tested, since the axiom covers every rc.
        seed: Seed of the random values of rc.
        own_code: True if external code computes the metric's scores. A few signs are then computed twice.
        few: Number of instances to test if a time limit shortens the search; else None.

    Raises:
        MetricError: The metric failed, or scores the same rankings inconsistently.

    """
    cases = _cases(small, seed, metric.abilities.levels)
    if few is not None:
        cases = cases[: 1 + few // _CASES_OF_FEW]
    tried = [examine(metric, case, small, axiom.winner, few) for case in cases]
    if own_code:
        _check_again(metric, tried, small)
    verdict, speaking = settle(axiom, tried)
    last = max(t.last for t in tried)
    settled_against = verdict in (Verdict.REFUTED, Verdict.INCOMPARABLE)
    rcs = sorted({t.case.rc for t in tried})
    n0: Maybe[int | None] = UNSET
    m: Maybe[int] = UNSET
    example: Maybe[Example] = UNSET
    if settled_against:
        why = COUNTEREXAMPLE
    elif verdict is Verdict.HELD and axiom.winner == "block":
        why, m, example = _block_ahead(metric, tried, small)
    elif verdict is Verdict.HELD:
        firsts = [t.from_where_top_wins() for t in tried]
        n0 = max(n for n in firsts if n is not None) if all(firsts) else None
        why = cause("top-ahead")
    else:
        known = any(s is not None for t in tried for s in t.signs)
        wins = 1 if axiom.winner == "top" else -1
        open_ = [t for t in tried if t.outcome(axiom) is None]
        # In an undecided case, the axiom fails at every tested n from ``first`` on.
        failing = [(n, max(t.last, *t.beyond, 0)) for t in open_ if (n := t.from_where_it_fails(wins)) <= t.last]
        first, end = min(failing, default=(last + 1, last))
        why = cause("open-beyond", fails_from=first, up_to=end) if known else cause("no-n-decided", up_to=last)
    evidence = ThresholdEvidence(
        instances=sum(sum(s is not None for s in t.signs) for t in tried),
        exact=not metric.numerical(small),
        up_to_n=last,
        beyond=tuple(sorted(set[int]().union(*(t.beyond for t in tried)))) or UNSET,
        argument=speaking.argument or None,
        unretrieved_relevant=tuple(sorted({t.case.extras for t in tried})),
        rc=UNSET if small else tuple(map(str, rcs)),
        n0=n0,
        m=m,
        example=example,
        seed=seed,
        few=UNSET if few is None else few,
    )
    return ThresholdOutcome(verdict, why, evidence, speaking if settled_against else None, tuple(tried))


def _block_ahead(metric: Metric, tried: Sequence[Tried], small: bool) -> tuple[Cause, Maybe[int], Maybe[Example]]:
    """Return the cause, m and an example for a cell in which CloseTh holds.

    m is the largest of the cases' smallest n at which the block is ahead, or `UNSET` if the block is ahead in some case
    by the argument only. The example is `UNSET` if the block is ahead at no tested n of that case.
    """
    unseen = next((t for t in tried if t.first_block_win() is None), None)
    if unseen is None:
        m, example = max(((t.first_block_win() or 0, t) for t in tried), key=lambda pair: pair[0])
    else:
        # The block is ahead at no small m. Test the m from which the argument shows that it is ahead.
        tail, example = metric.tail(), unseen
        m = tail.start if tail is not None and tail.start <= _FARTHEST_EXAMPLE else 0
        if not m or signs(metric, block_pairs(example.case, m, small))[0] != -1:
            return cause("block-ahead", unseen.argument, not_up_to=unseen.last), UNSET, UNSET
    judged = judge(metric, block_pairs(example.case, m, small))
    shown = Example(
        n=m,
        rc="eps" if small else str(example.case.rc),
        unretrieved_relevant=example.case.extras,
        block=judged.worse,
        top=judged.better,
        order=judged.order,
        arithmetic=judged.arithmetic,
    )
    if unseen is not None:
        return cause("block-ahead", not_up_to=unseen.last), UNSET, shown
    return cause("block-ahead"), m, shown
