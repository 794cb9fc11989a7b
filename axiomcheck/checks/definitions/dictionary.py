"""Dictionary of known definitions for one aspect.

Every definition is the sum of the contributions of the first k ranks, divided by a normaliser. A standard definition is
a pair of a contribution per rank and a normaliser. AP, for example, sums the precision at each relevant document and
divides by the number of relevant documents. Other normalisers, and a few other contributions, are departures from the
standard definition.

Sources: Jarvelin and Kekalainen 2002 (DCG), Burges et al. 2005 (gain 2^g - 1), Chapelle et al. 2009 (ERR), Moffat and
Zobel 2008 (RBP), Buckley and Voorhees 2004 (bpref), Manning et al. 2008 (the rest).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from axiomcheck.checks.definitions.scored import Contribution, Rankings
from axiomcheck.core.typing import Array, Reals

# --------------------------------------------------------------------------------------------- contributions


def _hits(found: Rankings) -> Array:
    return (found.grades > 0).astype(np.float64)


def _grades(found: Rankings) -> Array:
    return found.grades


def _precisions(found: Rankings) -> Array:
    hits = _hits(found)
    return hits * np.cumsum(hits, axis=1) / found.ranks


def _first(hits: Array) -> Array:
    return hits * (np.cumsum(hits, axis=1) == 1)


def _first_hit(found: Rankings) -> Array:
    return _first(_hits(found))


def _reciprocal_first_best(found: Rankings) -> Array:
    best = (found.grades > 0) & (found.grades == found.pool.max(axis=1, keepdims=True))
    return _first(best.astype(np.float64)) / found.ranks


def _irrelevant_above(found: Rankings, most: Array) -> Array:
    """Return 1 - min(1, min(n, R) / most) for each relevant document with n irrelevant ones above it; 0 for others."""
    hits, most = _hits(found), most[:, None]
    above = np.minimum(np.cumsum(1 - hits, axis=1), found.relevant[:, None])
    share = np.divide(above, most, out=np.zeros_like(above), where=most > 0)
    return hits * (1 - np.minimum(share, 1))


def _linear(found: Rankings) -> Array:
    return found.grades * found.levels


def _exponential(found: Rankings) -> Array:
    return np.exp2(found.grades * found.levels) - 1


def _discounted(gain: Contribution, discount: Callable[[Reals], Array]) -> Contribution:
    return lambda found: gain(found) * discount(found.ranks)


def _cascade(stop: Contribution, shift: int = 0) -> Contribution:
    def contributions(found: Rankings) -> Array:
        stops = stop(found)
        left = np.cumprod(1 - stops, axis=1)
        return stops / (found.ranks + shift) * np.concatenate([np.ones((len(left), 1)), left[:, :-1]], axis=1)

    return contributions


def _exponential_stops(found: Rankings) -> Array:
    return _exponential(found) / 2.0**found.levels


def _shares_of_best(found: Rankings) -> Array:
    best = found.pool.max(axis=1, keepdims=True)
    return np.divide(found.grades, best, out=np.zeros_like(found.grades), where=best > 0)


def _exponential_stops_of_best(found: Rankings) -> Array:
    return _exponential(found) / np.exp2(found.pool.max(axis=1, keepdims=True) * found.levels)


def _persistent(p: float, gain: Contribution) -> Contribution:
    return lambda found: gain(found) * p ** (found.ranks - 1)


# ----------------------------------------------------------------------------------------------- normalisers

Normaliser: TypeAlias = Callable[[Rankings, int | None, Contribution], Array]
"""Function of rankings, a cutoff and a contribution that returns the (B,) numbers by which the sums are divided."""


def _constant(value: float) -> Normaliser:
    return lambda found, cutoff, amounts: np.full(len(found.grades), value)


_one = _constant(1.0)


def _depth(found: Rankings, cutoff: int | None, amounts: Contribution) -> Array:
    return found.lengths if cutoff is None else np.full(len(found.grades), cutoff)


def _retrieved(found: Rankings, cutoff: int | None, amounts: Contribution) -> Array:
    return found.lengths if cutoff is None else np.minimum(found.lengths, cutoff)


def _relevant(found: Rankings, cutoff: int | None, amounts: Contribution) -> Array:
    return found.relevant


def _relevant_up_to_depth(found: Rankings, cutoff: int | None, amounts: Contribution) -> Array:
    return np.minimum(found.relevant, _depth(found, cutoff, amounts))


def _hits_found(found: Rankings, cutoff: int | None, amounts: Contribution) -> Array:
    return found.totals(_hits, cutoff)


def _ideal(found: Rankings, cutoff: int | None, amounts: Contribution) -> Array:
    return found.ideal.totals(amounts, cutoff)


def _of_best_documents(found: Rankings, ends: Array, amounts: Contribution) -> Array:
    """Return the (B,) sums of contributions for rankings of the given lengths with the highest grade at every rank."""
    longest = int(ends.max(initial=1))
    best = Rankings(
        np.ones((1, longest)), np.array([longest]), np.ones((1, longest)), np.array([longest]), found.levels
    )
    return np.concatenate([[0.0], np.cumsum(amounts(best)[0])])[ends]


# ----------------------------------------------------------------------------------------------- definitions

DEPARTURES = {
    "ideal-retrieved": "the ideal ranking consists of the retrieved documents only",
    "ideal-first-k": "the ideal ranking consists of the first k retrieved documents only",
    "ideal-cut-to-list": "the ideal ranking is cut to the number of retrieved documents",
    "ideal-all-relevant": "the ideal ranking has k documents of the highest grade, regardless of the judgments",
    "ideal-list-relevant": "the ideal ranking has as many documents of the highest grade as were retrieved",
    "ideal-relevant-at-best": "the ideal ranking has the topic's relevant documents, each of the highest grade",
    "ideal-not-cut": "the ideal ranking is not cut at k",
    "ideal-static": "the ideal ranking orders documents by their own gains, regardless of the documents above them",
    "normalised-by-hits": "the sum is divided by the number of relevant documents that were retrieved",
    "normalised-by-all-hits": "the sum is divided by the number of relevant documents in the whole list, including "
    "those below rank k",
    "normalised-by-last-hit": "the sum is divided by the rank of the last relevant document retrieved",
    "normalised-by-min": "the sum is divided by min(R, k)",
    "normalised-by-min-retrieved": "the sum is divided by min(R, the number of retrieved documents up to k)",
    "normalised-by-k": "the sum is divided by k",
    "normalised-by-retrieved": "the sum is divided by the number of retrieved documents up to k",
    "normalised-by-list": "the sum is divided by the length of the whole list",
    "not-normalised": "the sum is not divided by anything",
    "ideal": "the sum is divided by the sum for the ideal ranking",
    "discount-from-2": "ranks 1 and 2 have discount 1, and rank i has 1 / log2(i)",
    "discount-shifted": "rank i has the discount 1 / log2(i + 2)",
    "discount-reciprocal": "rank i has the discount 1 / i",
    "discount-natural-log": "rank i has the discount 1 / ln(i + 1)",
    "rank-shifted": "rank i counts as rank i + 1",
    "gain-of-shares": "the gain is 2^r - 1 for a grade r in [0, 1]",
    "averaged-over-hits": "the reciprocal ranks of all relevant documents retrieved are averaged",
    "averaged-over-relevant": "the reciprocal ranks of all relevant documents retrieved are summed and divided by R",
    "summed-over-hits": "the reciprocal ranks of all relevant documents retrieved are summed",
    "best-grade-only": "only documents of the topic's highest grade are relevant",
    "scaled-by-topic": "grades are divided by the topic's highest grade, not by that of the scale",
    "rounded": "scores are rounded",
    "judgments-unscaled": "the gain is the judgment itself, not the judgment divided by the highest one",
    "preferences-by-relevant": "the number of irrelevant documents above is divided by R, not by min(R, N)",
    "top-grade-only": "only documents of the highest grade are relevant",
    "grades-summed": "grades are summed, but the definition counts relevant documents",
    "list-completed": "documents of the topic that are not retrieved are ranked last, as the topic lists them",
    "unjudged-left-out": "documents without a judgment are left out of the list",
    "unjudged-irrelevant": "documents without a judgment count as irrelevant",
    "weights-ignored": "all aspects count equally, regardless of their weights",
    "one-without-relevant": "a topic without relevant documents scores 1",
}
"""Departures from a standard definition by name. Each has a section in `docs/reference/definitions.md`."""


@dataclass(frozen=True)
class Family:
    """Definitions that share the contributions of the ranks, and differ in the normaliser and the cutoff.

    Args:
        name: Name of the standard definition, with ``{k}`` in place of the cutoff.
        amounts: Function that returns the contribution of each rank in B rankings, shape (B, n).
        normalisers: (name, normaliser) pairs. The standard normaliser comes first, with an empty name. The others have
            the name of the departure.
        departure: Name of the departure that the contribution makes; empty for the standard contribution.
        note: Remark that is appended to the name in parentheses, such as the gain.

    """

    name: str
    amounts: Contribution
    normalisers: tuple[tuple[str, Normaliser], ...]
    departure: str = ""
    note: str = ""


@dataclass(frozen=True)
class Definition:
    """Definition of a metric for a single aspect: a normalised sum of contributions down to a cutoff.

    Args:
        family: Family that gives the contribution of a rank and the name.
        normaliser: Normaliser of the sum.
        cutoff: Number of ranks that count; None for all.
        empty: Score if the normaliser is 0.
        departures: Names of the departures from the standard definition; see `DEPARTURES`.
        families: All families in the dictionary.

    """

    family: Family
    normaliser: Normaliser
    cutoff: int | None
    empty: float
    departures: tuple[str, ...] = field(compare=False)
    families: tuple[Family, ...] = field(compare=False, repr=False)

    @property
    def name(self) -> str:
        """Name of the standard definition with its cutoff, such as nDCG@10."""
        at = "" if self.cutoff is None else f"@{self.cutoff}"
        return self.family.name.format(k=at) + (f" ({self.family.note})" if self.family.note else "")

    def without(self, departure: str) -> Definition:
        """Return the definition with one departure replaced by the standard behaviour."""
        family, normaliser = self.family, self.normaliser
        empty = 0.0 if departure == "one-without-relevant" else self.empty
        if departure in family.departure.split():
            left = " ".join(name for name in family.departure.split() if name != departure)
            family = next(f for f in self.families if (f.name, f.note, f.departure) == (family.name, family.note, left))
        elif departure != "one-without-relevant":
            normaliser = family.normalisers[0][1]
        if departure in self.family.departure.split() and normaliser is self.family.normalisers[0][1]:
            normaliser = family.normalisers[0][1]
        kept = tuple(name for name in self.departures if name != departure)
        return Definition(family, normaliser, self.cutoff, empty, kept, self.families)

    def divisor(self, found: Rankings) -> Reals:
        """Return the (B,) normalisers by which the sums are divided."""
        return np.asarray(self.normaliser(found, self.cutoff, self.family.amounts), dtype=np.float64)

    def scores(self, found: Rankings) -> Array:
        """Return the (B,) scores that the definition gives to rankings."""
        total, divisor = found.totals(self.family.amounts, self.cutoff), self.divisor(found)
        return np.divide(total, divisor, out=np.full(len(total), self.empty), where=divisor != 0)

    def written_out(self, found: Rankings) -> str:
        """Write out, as text, how the score of the first ranking is computed, rank by rank."""
        ends = int(found.lengths[0]) if self.cutoff is None else min(self.cutoff, int(found.lengths[0]))
        amounts = self.family.amounts(found)[0, :ends]
        return sum_written_out(amounts, float(self.divisor(found)[0]), float(self.scores(found)[0]))


def sum_written_out(amounts: Array, divisor: float, score: float) -> str:
    """Write out, as text, how a score is computed from the contributions of the ranks."""
    sum_of = " + ".join(f"{x:.4g}" for x in amounts)
    if divisor == 0:
        return f"({sum_of}) / 0, counted as {score:g}"
    if divisor == 1:
        return sum_of if len(amounts) == 1 else f"{sum_of} = {score:.4g}"
    return f"({sum_of}) / {divisor:.4g} = {score:.4g}"


_IDEALS: tuple[tuple[str, Normaliser], ...] = (
    ("", _ideal),
    (
        "ideal-cut-to-list",
        lambda found, cutoff, amounts: found.ideal.totals(amounts, _retrieved(found, cutoff, amounts)),
    ),
    ("ideal-retrieved", lambda found, cutoff, amounts: found.reordered.totals(amounts, cutoff)),
    (
        "ideal-first-k",
        lambda found, cutoff, amounts: (found if cutoff is None else found.first(cutoff)).reordered.totals(
            amounts, None
        ),
    ),
    (
        "ideal-relevant-at-best",
        lambda found, cutoff, amounts: _of_best_documents(
            found, _relevant_up_to_depth(found, cutoff, amounts).astype(np.int64), amounts
        ),
    ),
    ("ideal-not-cut", lambda found, cutoff, amounts: found.ideal.totals(amounts, None)),
    (
        "ideal-all-relevant",
        lambda found, cutoff, amounts: _of_best_documents(found, _depth(found, cutoff, amounts), amounts),
    ),
    (
        "ideal-list-relevant",
        lambda found, cutoff, amounts: _of_best_documents(found, _retrieved(found, cutoff, amounts), amounts),
    ),
)
_DISCOUNTS: tuple[tuple[str, Callable[[Reals], Array]], ...] = (
    ("", lambda i: 1 / np.log2(i + 1)),
    ("discount-from-2", lambda i: 1 / np.maximum(1, np.log2(i))),
    ("discount-shifted", lambda i: 1 / np.log2(i + 2)),
    ("discount-reciprocal", lambda i: 1 / i),
)
_GAINS: tuple[tuple[str, str, Contribution], ...] = (
    ("", "", _linear),
    ("gain 2^g - 1", "", _exponential),
    ("", "gain-of-shares", lambda found: np.exp2(found.grades) - 1),
)


def _cumulated() -> Iterator[Family]:
    """Yield a family of nDCG and one of DCG for every gain and discount."""
    for note, unusual, gain in _GAINS:
        for discount_departure, discount in _DISCOUNTS:
            departure = " ".join(filter(None, (unusual, discount_departure)))
            amounts = _discounted(gain, discount)
            yield Family("nDCG{k}", amounts, _IDEALS, departure, note)
            yield Family("DCG{k}", amounts, (("", _one),), departure, note)
            if gain is _linear:
                yield Family("DCG{k}", _discounted(_grades, discount), (("", _one),), departure)
        natural = _discounted(gain, lambda i: 1 / np.log(i + 1))
        departure = " ".join(filter(None, (unusual, "discount-natural-log")))
        yield Family("DCG{k}", natural, (("", _one),), departure, note)


_AVERAGE: tuple[tuple[str, Normaliser], ...] = (
    ("", _relevant),
    ("normalised-by-min", _relevant_up_to_depth),
    (
        "normalised-by-min-retrieved",
        lambda found, cutoff, amounts: np.minimum(found.relevant, _retrieved(found, cutoff, amounts)),
    ),
    ("normalised-by-hits", _hits_found),
    ("normalised-by-all-hits", lambda found, cutoff, amounts: found.totals(_hits, None)),
    ("normalised-by-k", _depth),
    ("normalised-by-retrieved", _retrieved),
    ("normalised-by-list", lambda found, cutoff, amounts: found.lengths),
    ("not-normalised", _one),
)
_PRECISION: tuple[tuple[str, Normaliser], ...] = (
    ("", _depth),
    ("normalised-by-retrieved", _retrieved),
    ("normalised-by-list", lambda found, cutoff, amounts: found.lengths),
    ("normalised-by-last-hit", lambda found, cutoff, amounts: ((found.grades > 0) * found.ranks).max(axis=1)),
)
_RECALL: tuple[tuple[str, Normaliser], ...] = _AVERAGE[:3]
_PERSISTENT_IDEALS = (
    ("ideal", _ideal),
    *(one for one in _IDEALS if one[0] in ("ideal-all-relevant", "ideal-list-relevant")),
)


def _f_measure(beta: float) -> Family:
    """Return the family of the F-measure of precision P and recall R: (1 + beta^2) P R / (beta^2 P + R)."""

    def over(by: Normaliser) -> Normaliser:
        return lambda found, cutoff, amounts: by(found, cutoff, amounts) + beta**2 * found.relevant

    normalisers = (("", over(_depth)), ("normalised-by-retrieved", over(_retrieved)))
    return Family(f"F{beta:g}{{k}}", lambda found: (1 + beta**2) * _hits(found), normalisers)


_STOPS = "stops (2^g - 1) / 2^gmax"
_PERSISTENCES = (0.5, 0.8, 0.9, 0.95)


def _persistent_families(p: float) -> Iterator[Family]:
    """Yield the families of RBP for one persistence p: the standard one, and its departures."""
    name, usual = f"RBP(p={p:g}){{k}}", (("", _constant(1 / (1 - p))), ("not-normalised", _one))
    yield Family(name, _persistent(p, _grades), (*usual, *_PERSISTENT_IDEALS))
    yield Family(name, lambda found: p * _persistent(p, _grades)(found), usual[:1], "rank-shifted")
    yield Family(name, _persistent(p, _linear), usual, "judgments-unscaled")
    yield Family(name, _persistent(p, _shares_of_best), usual, "scaled-by-topic")


FAMILIES: tuple[Family, ...] = (
    Family("P{k}", _hits, _PRECISION),
    Family("Recall{k}", _hits, _RECALL),
    Family("Success{k}", _first_hit, (("", _one),)),
    Family("RR{k}", lambda found: _first_hit(found) / found.ranks, (("", _one),)),
    Family("RR{k}", lambda found: _first_hit(found) / (found.ranks + 1), (("", _one),), "rank-shifted"),
    Family("RR{k}", lambda found: _hits(found) / found.ranks, (("", _hits_found),), "averaged-over-hits"),
    Family("RR{k}", lambda found: _hits(found) / found.ranks, (("", _relevant),), "averaged-over-relevant"),
    Family("RR{k}", lambda found: _hits(found) / found.ranks, (("", _one),), "summed-over-hits"),
    Family("RR{k}", _reciprocal_first_best, (("", _one),), "best-grade-only"),
    Family("Rprec", lambda found: _hits(found) * (found.ranks <= found.relevant[:, None]), (("", _relevant),)),
    Family("AP{k}", _precisions, _AVERAGE),
    Family("AP{k}", _discounted(_precisions, lambda i: i / (i + 1)), _AVERAGE, "rank-shifted"),
    *(_f_measure(beta) for beta in (1, 0.5, 2)),
    Family(
        "bpref",
        lambda found: _irrelevant_above(found, np.minimum(found.relevant, found.judged - found.relevant)),
        (("", _relevant),),
    ),
    Family(
        "bpref", lambda found: _irrelevant_above(found, found.relevant), (("", _relevant),), "preferences-by-relevant"
    ),
    *_cumulated(),
    Family("ERR{k}", _cascade(_grades), (("", _one), ("ideal", _ideal))),
    Family("ERR{k}", _cascade(_grades, 1), (("", _one),), "rank-shifted"),
    Family("ERR{k}", _cascade(_exponential_stops, 1), (("", _one),), "rank-shifted", _STOPS),
    Family("ERR{k}", _cascade(_shares_of_best), (("", _one),), "scaled-by-topic"),
    Family("ERR{k}", _cascade(_exponential_stops), (("", _one), ("ideal", _ideal)), note=_STOPS),
    Family("ERR{k}", _cascade(_exponential_stops_of_best), (("", _one),), "scaled-by-topic", _STOPS),
    *(family for p in _PERSISTENCES for family in _persistent_families(p)),
    Family("P{k}", lambda found: (found.grades >= 1).astype(np.float64), _PRECISION[:2], "top-grade-only"),
    Family("P{k}", _grades, _PRECISION[:2], "grades-summed"),
    Family("Recall{k}", _grades, (("", lambda found, cutoff, amounts: found.pool.sum(axis=1)),), "grades-summed"),
)
"""All families. If two have the same scores, the more usual one comes first."""


_BARREN = Rankings(np.zeros((1, 1)), np.ones(1, np.int64), np.zeros((1, 1)), np.ones(1, np.int64), 1)
"""Ranking without a relevant document, which shows whether a normaliser can be 0."""

_WITH_CUTOFF = (
    *("ideal-not-cut", "ideal-first-k", "ideal-all-relevant"),
    *("normalised-by-retrieved", "normalised-by-k", "normalised-by-all-hits", "normalised-by-min-retrieved"),
)
"""Departures that, without a cutoff, are not departures, or are the same as another departure."""


def definitions(cutoffs: Iterable[int | None], p: float | None = None) -> Iterator[Definition]:
    """Yield every definition for every cutoff, in the order of the families.

    No two definitions have the same scores if the cutoff is above 1.

    Args:
        cutoffs: Cutoffs; None for no cutoff.
        p: Persistence p of RBP to include in addition to the usual ones, or None.

    """
    families = FAMILIES if p in (None, *_PERSISTENCES) else (*FAMILIES, *_persistent_families(p))
    for family in families:
        by_depth = family.normalisers[0][1] is _depth
        never_zero = {name for name, divisor in family.normalisers if divisor(_BARREN, None, family.amounts)[0]}
        for cutoff in cutoffs if "{k}" in family.name else (None,):
            for name, normaliser in family.normalisers:
                if cutoff is None and (name in _WITH_CUTOFF or (by_depth and name == "normalised-by-list")):
                    continue
                for empty in (0.0,) if name in never_zero else (0.0, 1.0):
                    parts = [*family.departure.split(), name, "one-without-relevant" if empty else ""]
                    yield Definition(family, normaliser, cutoff, empty, tuple(filter(None, parts)), families)
