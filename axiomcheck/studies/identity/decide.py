"""Decide whether two metrics have equal or proportional scores, or order some rankings differently.

Equality and proportionality are proved by induction over ranks (`axiomcheck.studies.identity.proof`). A search on small
topics looks for two rankings that the metrics order differently, and confirms each candidate in exact arithmetic. If
r << 1 is assumed, grades are eps * rho, and the leading coefficients of the scores are compared. A proof for all grades
is tried first, since it implies one for leading coefficients.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations_with_replacement, permutations, product
from math import gcd
from typing import Any

import numpy as np
from flint import arb, ctx, fmpq

from axiomcheck.core.errors import AxiomcheckError, InternalDisagreement, InvalidInput, NotRational
from axiomcheck.core.limits import ROUNDING
from axiomcheck.core.typing import Array, Integers, Mask
from axiomcheck.decide.batch import Pairs
from axiomcheck.decide.comparison import judge
from axiomcheck.metrics import Metric
from axiomcheck.metrics.derived_fold import DerivedMetric
from axiomcheck.numbers.arithmetic import Arithmetic, Balls, Floats, Rationals, float_of, to_fmpq
from axiomcheck.numbers.series import Series
from axiomcheck.numbers.zeta import elementwise
from axiomcheck.proof.check.fold_conditions import check_origin
from axiomcheck.proof.check.quotients import SignUnknown
from axiomcheck.sources.external_metrics import OwnMetric
from axiomcheck.studies.identity.proof import IdentityProof, Relation, Scope, open_parameters, proved


@dataclass(frozen=True)
class Identity:
    """Relation between the scores of two metrics, with its proof or witness.

    Args:
        first: Metric A.
        second: Metric B.
        small: Whether the grades are eps * rho, so that leading coefficients are compared.
        scope: Topics on which both metrics are defined.
        ranks: Maximum length of the rankings, which is the smallest cutoff; None if neither metric has one.
        relation: Relation of the scores, or of their leading coefficients if the proof is about leading coefficients.
        proof: Proof that the scores are equal or proportional, or None.
        order: JSON witness with two rankings of a topic that the metrics order differently, or None. It can exist
            despite a proof about leading coefficients, since coefficients of higher orders break ties.
        tried: Number of topics that were enumerated.
        reasons: Reasons why there is no proof.

    """

    first: Metric
    second: Metric
    small: bool
    scope: Scope
    ranks: int | None
    relation: Relation
    proof: IdentityProof | None
    order: dict[str, Any] | None
    tried: int
    reasons: tuple[str, ...] = field(default=())

    @property
    def decided(self) -> bool:
        """True if the relation is not `Relation.UNDECIDED`."""
        return self.relation is not Relation.UNDECIDED

    @property
    def one_order(self) -> bool | None:
        """True if both metrics provably order rankings alike, False if `order` shows that they differ, else None."""
        if self.order is not None:
            return False
        return True if self.proof is not None and self.proof.leading is None else None


FAILURES = (AxiomcheckError, ArithmeticError, TypeError, ValueError, NotImplementedError, AttributeError)
"""Errors that a metric's code may raise when it runs on symbols. They only mean that there is no proof."""


def prove_identity(
    first: Metric, second: Metric, scope: Scope, small: bool
) -> tuple[IdentityProof | None, tuple[str, ...]]:
    """Try to prove that the scores of two metrics are proportional; return (proof or None, reasons why there is none).

    If possible, the proof covers all values of the parameters that have the same value in both metrics.

    Args:
        first: Metric A.
        second: Metric B.
        scope: Topics that the proof has to cover.
        small: Whether a proof about leading coefficients is sufficient.

    """
    for metric in (first, second):
        try:
            check_origin(metric)
        except InvalidInput as error:
            return None, (str(error),)
    reasons: list[str] = []
    for leading in (False, True) if small else (False,):
        names = open_parameters(first, second)
        for symbolic in (names, ()) if names else ((),):
            try:
                return proved(first, second, scope, leading, symbolic), ()
            except (SignUnknown, *FAILURES) as error:
                reasons.append(str(error) or type(error).__name__)
    return None, tuple(dict.fromkeys(reasons))


def _for_proofs(metric: Metric, scope: Scope) -> Metric:
    """Return the fold derived from a user's function if both have equal scores on the scope; else the metric itself."""
    if isinstance(metric, OwnMetric):
        from axiomcheck.derivation.agreement import agreeing_fold  # lazy: metrics of the catalogue do not need it

        found = agreeing_fold(metric).metric
        if isinstance(found, DerivedMetric) and not found.has_other_scores:
            return metric if found.reads_one_aspect and not scope.one_aspect else found
    return metric


def decide_identity(first: Metric, second: Metric, small: bool) -> Identity:
    """Decide how the scores of two metrics are related.

    Args:
        first: Metric A, which must run in exact arithmetic.
        second: Metric B, which must also run in exact arithmetic.
        small: Whether grades are eps * rho, eps -> 0, and leading coefficients are compared.

    Raises:
        InvalidInput: One of the metrics runs only in floats, or is a function without a derived fold although ``small``
            is True.
        InternalDisagreement: A proof and exact arithmetic contradict each other.

    """
    for metric in (first, second):
        if why := metric.numerical(small):
            raise InvalidInput(f"{metric}: expected a metric that runs in exact arithmetic; {why}")
    one_aspect = not (first.applies_to_aspects() and second.applies_to_aspects())
    scope = Scope(one_aspect, "binary" if first.binary_only or second.binary_only else "graded")
    folds = _for_proofs(first, scope), _for_proofs(second, scope)
    cutoffs = [m.cutoff for m in (first, second, *folds) if m.cutoff is not None]
    ranks = min(cutoffs, default=None)
    for metric in folds:
        if small and isinstance(metric, OwnMetric):
            raise InvalidInput(f"{metric}: no fold was derived from its source, which --regime limit needs")
    proof, reasons = prove_identity(*folds, scope, small)
    if proof is not None:
        derived = [f"{m} has the scores of the fold derived from its source: {m.text}" for m in folds
                   if isinstance(m, DerivedMetric)]  # fmt: skip
        proof = replace(proof, steps=(*derived, *proof.steps))
    searched, factor = folds if small else (first, second), None if proof is None else proof.value
    order, unlike, tried = _search(*searched, scope, small, ranks, factor)
    if proof is not None:
        relation = proof.relation
        if witness := (order if proof.leading is None else None) or unlike:
            raise InternalDisagreement(
                f"{first} and {second} are proved {relation}, but a counterexample refutes this: {witness}"
            )
    else:
        relation = Relation.DIFFERENT if order is not None else Relation.UNDECIDED
    return Identity(first, second, small, scope, ranks, relation, proof, order, tried, reasons)


_GROUPS = ((1, 1), (2, 1), (1, 2), (2, 2), (3, 1), (3, 2), (2, 3), (4, 1), (3, 3), (4, 2), (5, 1))
"""Sizes of the enumerated topics as pairs (number of documents, number of aspects), smallest first."""

_MOST_CONFIRMED = 40
"""Maximum number of candidates of one kind that exact arithmetic checks for each size of topic."""


@dataclass(frozen=True)
class _Topics:
    """Enumerated topics of one size, with every ranking of their documents up to the smaller cutoff.

    Args:
        pools: Grades of the T topics, each with P documents and m aspects, shape (T, P, m).
        weights: Integers proportional to the weights, shape (T, m).
        rankings: Rankings as tuples of row indices into the pool; they are the same for all topics.

    """

    pools: Array
    weights: Integers
    rankings: tuple[tuple[int, ...], ...]

    def pair(self, topic: int, one: int, other: int, small: bool) -> Pairs:
        """Return rankings ``one`` and ``other`` of a topic as a batch of one pair, with rational numbers."""
        pool = elementwise(to_fmpq, self.pools[topic])
        total = int(self.weights[topic].sum())
        weights = elementwise(lambda w: fmpq(w, total), self.weights[topic])[None]
        worse, better = (np.array([self.rankings[k]], dtype=np.int64) for k in (one, other))
        return Pairs(pool[None], weights, worse, better, small)


def _topics(scope: Scope, small: bool, ranks: int | None, weights: bool) -> Iterator[_Topics]:
    """Yield the topics of each size in `_GROUPS`.

    The grades are 0, 1/2 and 1 for up to two aspects, and 0 and 1 for three. If the scope is binary, they are 0 and 1,
    or 0 and 1/2. With ``weights``, the weights of two aspects may have the ratio 1:2.
    """
    for documents, aspects in _GROUPS:
        if aspects > 1 and scope.one_aspect:
            continue
        grids: list[tuple[float, ...]] = [(0.0, 0.5, 1.0)]
        if scope.grades != "graded" or aspects == 3:
            grids = [(0.0, 1.0)]
            if scope.grades == "binary" and not small:
                grids.append((0.0, 0.5))
        rows = [pool for grid in grids for pool in
                combinations_with_replacement(list(product(grid, repeat=aspects)), documents)]  # fmt: skip
        heavy = (1, 2) if weights else (1,)
        scales = [w for w in product(heavy, repeat=aspects) if gcd(*w) == 1 or (aspects == 1 and w == (1,))]
        pools = np.array([pool for pool in rows for _ in scales])
        lengths = range(1, min(documents, ranks or documents) + 1)
        rankings = tuple(r for n in lengths for r in permutations(range(documents), n))
        yield _Topics(pools, np.array([w for _ in rows for w in scales]), rankings)


Scores = dict[int, Array]
"""Float scores, shape (T, R), by order of eps."""


def _floats(metric: Metric, topics: _Topics, small: bool) -> Scores:
    """Score every ranking of every topic in floats."""
    weights = (topics.weights / topics.weights.sum(axis=1, keepdims=True))[:, None, :]
    found: Scores = {}
    done = 0
    for n in sorted({len(r) for r in topics.rankings}):
        order = np.array([r for r in topics.rankings if len(r) == n])
        grades, pool = topics.pools[:, order, :], topics.pools[:, None, :, :]
        shape = (len(topics.pools), len(order))
        grades, pool = (Series({1: x}) if small else x for x in (grades, pool))
        score = metric.score(Floats(), grades, np.broadcast_to(weights, (*shape, weights.shape[-1])), pool)
        for k, c in (score.terms if isinstance(score, Series) else {0: score}).items():
            whole = found.setdefault(k, np.zeros((shape[0], len(topics.rankings))))
            whole[:, done : done + len(order)] = np.broadcast_to(np.asarray(c, dtype=float), shape)
        done += len(order)
    return dict(sorted(found.items()))


def _signs(scores: Scores) -> Array:
    """Compare the scores of all pairs of rankings per topic; return the signs of the differences, shape (T, R, R)."""
    sign: Array = 0
    for c in scores.values():
        difference = c[:, :, None] - c[:, None, :]
        now = np.where(np.abs(difference) < ROUNDING, 0, np.sign(difference)).astype(np.int8)
        sign = np.where(sign == 0, now, sign)
    return sign


def _leads(scores: Scores) -> tuple[Array, Array]:
    """Return the order of eps and the coefficient of each score's leading term, shape (T, R); -1 and 0 for score 0."""
    order: Array = -1
    lead: Array = 0.0
    for k, c in scores.items():
        now = (np.asarray(order) < 0) & (np.abs(c) >= ROUNDING)
        order, lead = np.where(now, k, order), np.where(now, c, lead)
    return np.broadcast_to(order, c.shape), np.broadcast_to(lead, c.shape)


_Shown = dict[str, Any] | None
"""Rankings of a topic with their scores, as JSON; None if none were found."""


def _search(
    first: Metric,
    second: Metric,
    scope: Scope,
    small: bool,
    ranks: int | None,
    factor: fmpq | None,
) -> tuple[_Shown, _Shown, int]:
    """Search for two rankings that the metrics order differently, and for a ranking that contradicts a claimed factor.

    Args:
        first: Metric A.
        second: Metric B.
        scope: Topics to enumerate.
        small: Whether leading coefficients are compared.
        ranks: Maximum length of the rankings; None for any length.
        factor: Claimed ratio of the scores, or of their leading coefficients; None if nothing is claimed.

    Returns:
        Two rankings that the metrics order differently, or None; a ranking that contradicts the factor, or None; and
        the number of enumerated topics.

    """
    found: _Shown = None
    unlike: _Shown = None
    tried = 0
    weights = first.abilities.weights and second.abilities.weights
    disagreeing = partial(_disagreeing, first, second)
    for topics in _topics(scope, small, ranks, weights):
        tried += len(topics.pools)
        a, b = _floats(first, topics, small), _floats(second, topics, small)
        size = len(topics.rankings)
        allowed = np.triu(np.ones((size, size), dtype=bool), 1)
        if found is None or found["kind"] == "tie":
            sign_a, sign_b = _signs(a), _signs(b)
            reversed_ = (sign_a.astype(int) * sign_b == -1) & allowed
            order = _first_confirmed(reversed_, topics, small, disagreeing)
            if order is None and found is None:
                tied = ((sign_a == 0) != (sign_b == 0)) & allowed
                order = _first_confirmed(tied, topics, small, disagreeing)
            found = order or found
        if factor is not None and unlike is None:
            c = float_of(factor)
            (order_a, lead_a), (order_b, lead_b) = _leads(a), _leads(b)
            off = (order_a != order_b) | (np.abs(lead_a - c * lead_b) > ROUNDING * (1 + np.abs(lead_a)))
            diagonal = off[:, :, None] & np.eye(size, dtype=bool)
            unlike = _first_confirmed(diagonal, topics, small, partial(_unlike, factor, first, second))
        if factor is None and found is not None and found["kind"] == "reversal":
            break
    return found, unlike, tried


def _first_confirmed(mask: Mask, topics: _Topics, small: bool, confirm: Callable[[Pairs], _Shown]) -> _Shown:
    """Return a JSON witness for the first (topic, ranking, ranking) in a mask that ``confirm`` accepts, else None.

    At most `_MOST_CONFIRMED` entries of the mask are tried.
    """
    for topic, one, other in np.argwhere(mask)[:_MOST_CONFIRMED]:
        pair = topics.pair(topic, one, other, small)
        evidence = confirm(pair)
        if evidence is not None:
            names = [f"d{k}" for k in range(1, pair.pool.shape[1] + 1)]
            shown = {
                "weights": [str(w) for w in pair.weights[0]],
                "pool": {name: [str(g) for g in row] for name, row in zip(names, pair.pool[0], strict=True)},
            }
            rankings = [topics.rankings[k] for k in dict.fromkeys((int(one), int(other)))]
            return {"topic": shown, "rankings": [[names[k] for k in ranking] for ranking in rankings]} | evidence
    return None


def _disagreeing(first: Metric, second: Metric, pair: Pairs) -> _Shown:
    """Return the scores and preferences of both metrics as JSON if they order a pair differently, else None."""
    judged = [judge(metric, pair) for metric in (first, second)]
    signs = [j.sign for j in judged]
    if None in signs or signs[0] == signs[1]:
        return None
    return {
        "kind": "tie" if 0 in signs else "reversal",
        "scores": [[j.worse, j.better] for j in judged],
        "prefers": [{1: 2, -1: 1, 0: None}[sign] for sign in signs if sign is not None],
        "orders": [j.order for j in judged],
        "arithmetic": [j.arithmetic for j in judged],
    }


Lead = tuple[int, Any] | None
"""Order of eps and exact or certified coefficient of a leading term; None for a score of 0."""


def _lead(metric: Metric, pair: Pairs, ranking: Array) -> Lead:
    """Return the leading term in eps of a metric's score for one ranking.

    Raises:
        NotRational: Neither rational numbers nor certified balls determine the leading term.

    """
    arithmetics: tuple[Arithmetic, ...] = (Rationals(), Balls())
    for arithmetic in arithmetics:
        grades, pool = (Series({1: x}) if pair.small else x for x in (ranking, pair.pool))
        try:
            with ctx.workprec(256):
                score = metric.score(arithmetic, grades, pair.weights, pool)
        except NotRational:
            continue
        for order, c in sorted((score.terms if isinstance(score, Series) else {0: score}).items()):
            value = np.broadcast_to(np.asarray(c, dtype=object), (1,))[0]
            if value != 0:
                return order, value
            if not value == 0:  # a ball around zero
                raise NotRational(f"{metric}: a leading term is too close to 0")
        return None
    raise NotRational(f"{metric} has irrational scores")


def _unlike(factor: fmpq, first: Metric, second: Metric, pair: Pairs) -> _Shown:
    """Return the leading terms of both scores of a pair's first ranking if they contradict A = factor * B, else None.

    Also return None if a leading term cannot be determined.
    """
    try:
        a, b = (_lead(m, pair, pair.rankings[0]) for m in (first, second))
    except NotRational:
        return None
    same = a is b if a is None or b is None else a[0] == b[0] and not bool(a[1] != factor * b[1])
    return None if same else {"scores": [[_score(a)], [_score(b)]]}


def _score(lead: Lead) -> str:
    if lead is None:
        return "0"
    value = lead[1].str(20, radius=False) if isinstance(lead[1], arb) else str(lead[1])
    return value if lead[0] == 0 else f"{value} eps^{lead[0]}"
