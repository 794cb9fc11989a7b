"""Two rankings of one topic as data: what stands at each rank and what it is worth, whatever they are drawn with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from axiomcheck.core.counting import counted
from axiomcheck.core.domain import Instance
from axiomcheck.decide.working import Working


@dataclass(frozen=True)
class RankedDocument:
    """A document at a rank.

    Args:
        rank: from 1.
        name: of the document.
        grades: one per aspect.
        edited: whether the other ranking has another document there, or none.
        gains: of a fold, what the document earns before the discount, per aspect or once; None past the cutoff too.
        discount: of a fold, what gains at the rank are multiplied by; None past the cutoff too.
        adds: what the rank adds to the score; None where that is not known.
        total: the score down to the rank; None where it is not known.

    """

    rank: int
    name: str
    grades: tuple[Fraction, ...]
    edited: bool
    gains: tuple[float, ...] | None = None
    discount: float | None = None
    adds: float | None = None
    total: float | None = None


@dataclass(frozen=True)
class RankingPair:
    """Both rankings.

    Args:
        setting: aspects and weights, in words.
        aspects: how many there are.
        small: whether grades stand for eps times what they are, eps -> 0.
        worse, better: from rank 1 down.
        others: what is judged and in neither ranking, with its grades.
        worked: whether what ranks add is known.
        folded: whether gains and discounts are.

    """

    setting: str
    aspects: int
    small: bool
    worse: tuple[RankedDocument, ...]
    better: tuple[RankedDocument, ...]
    others: tuple[tuple[str, tuple[Fraction, ...]], ...]
    worked: bool
    folded: bool

    @property
    def single(self) -> bool:
        """True of an axiom on the score of one ranking, which is on both sides."""
        return self.worse == self.better


def ranking_pair(instance: Instance, worked: tuple[Working, Working] | None = None) -> RankingPair:
    """The rankings of an instance, with the workings of (worse, better) where there are some."""
    worse, better = (_ranked(instance, side, worked) for side in (0, 1))
    folded = worked is not None and worked[0].gains is not None
    return RankingPair(
        aspects_and_weights(instance),
        len(instance.topic.weights),
        instance.small,
        worse,
        better,
        unretrieved(instance),
        worked is not None,
        folded,
    )


def _ranked(instance: Instance, side: int, worked: tuple[Working, Working] | None) -> tuple[RankedDocument, ...]:
    ranking, working = (instance.worse, instance.better)[side], worked and worked[side]
    found = []
    for k, name in enumerate(ranking):
        adds = total = gains = discount = None
        if working:
            adds, total = working.adds[k], working.totals[k]
            if working.gains is not None and working.discounts is not None and k < len(working.gains):
                gains, discount = working.gains[k], working.discounts[k]
        grades = tuple(instance.topic.pool[name])
        found.append(RankedDocument(k + 1, name, grades, is_edited(instance, k + 1), gains, discount, adds, total))
    return tuple(found)


def is_edited(instance: Instance, rank: int) -> bool:
    """Whether the rankings have different documents at a rank."""
    return instance.worse[rank - 1 : rank] != instance.better[rank - 1 : rank]


def unretrieved(instance: Instance) -> tuple[tuple[str, tuple[Fraction, ...]], ...]:
    """The documents, with their grades, that are judged and in neither ranking."""
    retrieved = {*instance.worse, *instance.better}
    return tuple((name, tuple(grades)) for name, grades in instance.topic.pool.items() if name not in retrieved)


def aspects_and_weights(instance: Instance) -> str:
    """The topic's aspects in one line."""
    weights: Sequence[Fraction] = instance.topic.weights
    if len(weights) == 1:
        return "One aspect"
    kind = "balanced weights" if len(set(weights)) == 1 else "weights"
    names = ", ".join(f"t{t}" for t in range(1, len(weights) + 1))
    return f"{counted(len(weights), 'aspect')} ({names}), {kind} {', '.join(map(str, weights))}"
