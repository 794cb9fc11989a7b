"""Find certificates for the threshold axioms DeepTh and CloseTh, for folds and other metrics.

The prover only guesses a lemma from ``docs/lemmas/thresholds.md`` or ``docs/lemmas/blocks.md``, its numbers and the
open parameters. `axiomcheck.proof.check` then accepts or rejects the guess.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from itertools import combinations, count, product
from typing import Any

from flint import arb, ctx, fmpq

from axiomcheck.axioms import ThresholdAxiom
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.limits import PRECISION, TRIED
from axiomcheck.decide.comparison import signs
from axiomcheck.decide.thresholds import TRIED_ALONE, ThresholdCase, block_pairs, examine
from axiomcheck.metrics import Metric
from axiomcheck.metrics.derived_fold import DerivedMetric
from axiomcheck.metrics.inst import Inst
from axiomcheck.metrics.parameters import Base, Real
from axiomcheck.metrics.stopping import StoppingMetric
from axiomcheck.metrics.tails import first_number
from axiomcheck.numbers.arithmetic import to_fmpq
from axiomcheck.numbers.discount import Constant, Geometric, InverseLog, Reciprocal
from axiomcheck.proof.check import check_claim
from axiomcheck.proof.check.header import certificate
from axiomcheck.proof.check.quotients import settled
from axiomcheck.proof.check.threshold_parts import ThresholdPart, parts_of
from axiomcheck.proof.check.thresholds import difference_at, growth_excess, vanishing_excess
from axiomcheck.records.certificates import read_certificate

Document = dict[str, Any]

_MOST_TRIED = 4
"""Maximum number of values of n to try for external code. If a proof for every grade fails at one n, a larger n may
work."""

_FARTHEST_BLOCK = 64
_FARTHEST_START = 2**1000
_FARTHEST_POWER = 2**16


def prove_threshold(axiom: ThresholdAxiom, metric: Metric, small: bool) -> Document | None:
    """Return a certificate that a threshold axiom holds or fails for a metric that is a sum of folds.

    Args:
        axiom: DeepTh or CloseTh.
        metric: Metric in the catalogue, or a metric whose fold was derived from a function.
        small: True if r << 1 is assumed. Otherwise, a certificate that the axiom holds covers every grade rc in (0, 1],
            and a certificate that it fails names one grade.

    Returns:
        The certificate (JSON), with as many of the metric's parameters left open as possible, or None if no
        certificate was found.

    """
    try:
        with settled("metric"), ctx.workprec(PRECISION):
            parts = parts_of(metric, {}, small, Fraction(1))
    except InvalidInput:
        return None
    names = [p.name for p in metric.declared if isinstance(p, Real | Base)]
    for size in range(len(names), -1, -1):
        for open_ in combinations(names, size):
            for guess in _guesses(axiom, metric, parts, small, list(open_)):
                if _is_accepted(guess, metric):
                    return guess
    return None


def _is_accepted(guess: Document, metric: Metric) -> bool:
    """Return True if the checker accepts a certificate."""
    try:
        check_claim(read_certificate(guess), metric)
    except InvalidInput:
        return False
    return True


def _guesses(
    axiom: ThresholdAxiom, metric: Metric, parts: Sequence[ThresholdPart], small: bool, open_: list[str]
) -> Iterator[Document]:
    """Yield certificates to check, simplest first."""

    def document(holds: bool, lemma: str, data: Document) -> Document:
        claim, scope = "holds" if holds else "fails", {"n": "all n", "parameters": open_}
        rc = None if small or holds else "1"
        return certificate("tail", metric, axiom, small=small, claim=claim, scope=scope, rc=rc, lemma=lemma, data=data)

    if axiom.winner == "block":
        witness = _witness(metric, parts, small)
        if witness is not None:
            yield document(True, "witness", witness)
            return
    per_fold = [list(_lemmas(part, metric, open_, axiom.winner)) for part in parts]
    for chosen in product(*per_fold):
        lemma, data = chosen[0]
        if len(chosen) > 1:
            mixed = {str(i): {"lemma": name} | numbers for i, (name, numbers) in enumerate(chosen, start=1)}
            lemma, data = "mixture", {"parts": mixed}
        downward = all(name in ("growth", "equal") for name, _ in chosen)
        if axiom.winner == "top":
            yield document(not downward, lemma, data)
            continue
        starts = [numbers["n0"] for _, numbers in chosen]
        if None not in starts and max(starts) <= _FARTHEST_BLOCK:
            signs = [_sign(metric, n, Fraction(1), 0, small) for n in range(1, max(starts))]
            yield document(False, lemma, {**data, "signs": signs})


def _lemmas(part: ThresholdPart, metric: Metric, open_: list[str], winner: str) -> Iterator[tuple[str, Document]]:
    """Yield the lemmas that may apply to one fold, with their numbers, in the order in which they are tried."""
    discount, cut = part.fold.discount, part.cutoff
    if cut is not None and winner == "top":
        yield "cutoff", {"n0": cut}
    if isinstance(discount, Reciprocal):
        yield "harmonic", {"keep": {"1": "1"}, "n0": 1}
    for keep, value in _keeps(metric, open_):
        if isinstance(discount, Geometric) and discount.ratio * value < 1:
            start = _start(partial(_geometric_past, discount.ratio, value), _FARTHEST_POWER)
            yield from _with_and_without_start("geometric", keep, start)
        if isinstance(discount, Reciprocal | InverseLog) and value < 1:
            start = _start(partial(_exceeds, vanishing_excess, discount, to_fmpq(value)), _FARTHEST_START)
            yield from _with_and_without_start("vanishing", keep, start)
    if cut is not None:
        yield "cutoff", {"n0": cut}
        return
    if isinstance(discount, Constant):
        yield "equal", {"n0": 1}
    for rising in (True, False) if not isinstance(discount, Geometric) else ():
        start = _start(partial(_exceeds, growth_excess, discount, rising), _FARTHEST_POWER)
        if start is not None:
            yield "growth", {"rising": rising, "n0": start}


def _with_and_without_start(lemma: str, keep: dict[str, str], start: int | None) -> Iterator[tuple[str, Document]]:
    """Yield a lemma with n0 = ``start`` (unless that is None), and then the same lemma with n0 = None."""
    if start is not None:
        yield lemma, {"keep": keep, "n0": start}
    yield lemma, {"keep": keep, "n0": None}


def _keeps(metric: Metric, open_: list[str]) -> list[tuple[dict[str, str], Fraction]]:
    """Return keep factors for which g_j <= keep**(j - 1) g_1 may hold for every j, smallest first.

    Each factor is a pair: its form in a certificate, and its value for the metric's own parameters.
    """
    keeps = [({"1": "0"}, Fraction(0)), ({"1": "1"}, Fraction(1))]
    for parameter in metric.declared:
        value = metric.values[parameter.name]
        if isinstance(parameter, Real) and 0 <= value <= 1:
            form = {"1": "1", parameter.name: "-1"} if parameter.name in open_ else {"1": str(1 - value)}
            keeps.append((form, 1 - value))
    if isinstance(metric, DerivedMetric):
        keeps += [({"1": str(share)}, share) for share in metric.shares_kept()]
    return sorted(keeps, key=lambda pair: pair[1])


def _geometric_past(ratio: Fraction, keep: Fraction, n: int) -> bool:
    return ratio**n < 1 - ratio * keep


def _exceeds(excess: Callable[..., Any], *asked: Any) -> bool:
    return bool(excess(*asked) > 0)


def _start(past: Callable[[int], bool], farthest: int) -> int | None:
    """Return the first n at which a lemma's bound is sufficient, or None if it is above ``farthest``."""
    with ctx.workprec(PRECISION):
        return first_number(past, most=farthest)


@lru_cache(maxsize=4096)
def _sign(metric: Metric, n: int, rc: Fraction, extras: int, small: bool) -> int | None:
    return signs(metric, block_pairs(ThresholdCase(rc, extras), n, small))[0]


def _witness(metric: Metric, parts: Sequence[ThresholdPart], small: bool) -> Document | None:
    """Return the data of a witness: the smallest m at which the block is ahead, and the difference in each fold there.

    The result is None if no such m was found.
    """
    tail = metric.tail()
    last = metric.cutoff or (min(tail.start, TRIED) if tail and tail.side == "below" else TRIED)
    m = next((n for n in range(1, last + 1) if _sign(metric, n, Fraction(1), 0, small) == -1), None)
    if m is None:
        return None
    with ctx.workprec(PRECISION):
        return {"m": m, "difference": [_written(*difference_at(part, m)) for part in parts]}


def _written(order: int, value: fmpq | arb) -> Document:
    """Write a score difference in the notation of certificates: its order in r, and its value if rational.

    For an irrational difference, a lower bound is written instead of the value.
    """
    if not isinstance(value, arb):
        return {"order": order, "value": str(value)}
    return {"order": order, "above": str(Fraction(math.floor(float(value) * 10**6) - 1, 10**6))}


# Metrics that are not folds


def prove_blocks(axiom: ThresholdAxiom, metric: Metric, own_code: bool, small: bool) -> Document | None:
    """Return a certificate that a threshold axiom holds or fails for a metric that is not a fold.

    Args:
        axiom: DeepTh or CloseTh.
        metric: INST or P@H from the catalogue, or an external metric. For external metrics, only CloseTh can be proved.
        own_code: True if external code computes the metric's scores.
        small: True if r << 1 is assumed.

    Returns:
        The certificate (JSON), or None if none was found.

    """
    if own_code:
        return _prove_ahead(axiom, metric, small) if axiom.winner == "block" else None
    if not isinstance(metric, Inst | StoppingMetric):
        return None
    tail = metric.tail() if metric.cutoff is None else None
    signs = list(examine(metric, ThresholdCase(Fraction(1), 0), True).signs) if small else []

    def document(holds: bool, lemma: str, data: Document) -> Document:
        claim, scope = "holds" if holds else "fails", {"n": "all n", "parameters": []}
        return certificate("blocks", metric, axiom, small=small, claim=claim, scope=scope, lemma=lemma, data=data)

    if axiom.winner == "block" and -1 in signs:
        m = signs.index(-1) + 1
        guess = document(True, "witness", {"m": m, "signs": signs[:m]})
    elif metric.cutoff is not None and signs and len(signs) >= metric.cutoff:
        last = signs[metric.cutoff - 1]
        guess = document(axiom.winner == "top" and last == 1, "cutoff", {"signs": signs[: metric.cutoff]})
    elif isinstance(metric, Inst) and tail is not None:
        start = max(tail.start, _monotone_from(metric))
        data: Document = {"n0": start}
        if axiom.winner == "block":
            if not 0 < start <= len(signs) + 1:
                return None
            data["signs"] = signs[: start - 1]
        guess = document(axiom.winner == "top", "inst", data)
    else:
        return None
    return guess if _is_accepted(guess, metric) else None


def _prove_ahead(axiom: ThresholdAxiom, metric: Metric, small: bool) -> Document | None:
    """Return a certificate that the block is ahead at some small n for every grade, or None if none was found."""
    signs = examine(metric, ThresholdCase(Fraction(1), 0), small, few=TRIED_ALONE).signs
    for m in [n for n, sign in enumerate(signs, start=1) if sign == -1][:_MOST_TRIED]:
        scope = {"n": "all n", "parameters": []}
        head = {"small": small, "claim": "holds", "scope": scope, "lemma": "ahead", "data": {"m": m}}
        guess = certificate("blocks", metric, axiom, **head)
        if _is_accepted(guess, metric):
            return guess
    return None


def _monotone_from(metric: Metric) -> int:
    """Return the smallest n >= (2T - 1/2) / sqrt(2). The bound of the ``inst`` lemma decreases from there on."""
    c = 2 * Fraction(metric.values["T"]) - Fraction(1, 2)
    return next(n for n in count(1) if 2 * n * n >= c * c)
