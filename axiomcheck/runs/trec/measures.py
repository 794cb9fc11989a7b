"""Measures of runs: what is asked of a ranking and of which documents were judged, and of no other ranking.

They see whole grades: a document is relevant whose grade is at least the level of relevance. One whose grade is below
0 is of the pool and was not judged, as in judgments of a sample; one that the judgments lack is not of the pool.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from axiomcheck.core.errors import InvalidInput, UnknownName
from axiomcheck.core.typing import Integers
from axiomcheck.metrics.spelling import Spelling
from axiomcheck.runs.trec.rankings import JudgedTopic, Ranking

EPSILON = 1e-5
"""What infAP adds to counts, so that none is 0; as in trec_eval."""


@dataclass(frozen=True)
class Seen:
    """One ranking as a measure of runs sees it; positions are from 0, ascending.

    Args:
        length: n.
        relevant: positions.
        nonrelevant: positions of documents judged not relevant.
        sampled_out: positions of documents of the pool that were not judged.
        unpooled: positions of documents that the judgments lack.
        all_relevant: how many documents of the topic are relevant.
        all_nonrelevant: how many of them were judged not relevant.

    """

    length: int
    relevant: Integers
    nonrelevant: Integers
    sampled_out: Integers
    unpooled: Integers
    all_relevant: int
    all_nonrelevant: int


def seen(topic: JudgedTopic, ranking: Ranking, level: int) -> Seen:
    """A ranking with the largest grade over aspects of each document.

    Args:
        topic: the judged topic.
        ranking: one of its rankings.
        level: the least grade that is relevant, 1 or more.

    """
    best = topic.grades.max(axis=1)
    relevant = ranking.hits[best[ranking.rows] >= level]
    nonrelevant = np.ones(ranking.length, dtype=bool)
    for others in (relevant, ranking.sampled_out, ranking.unjudged):
        nonrelevant[others] = False
    number = int((best >= level).sum())
    return Seen(
        ranking.length,
        relevant,
        np.flatnonzero(nonrelevant),
        ranking.sampled_out,
        ranking.unjudged,
        number,
        topic.judged - topic.sampled_out - number,
    )


def _before(positions: Integers, ranks: Integers) -> Integers:
    """How many of some positions are before each of others."""
    return np.searchsorted(positions, ranks)


def _recall(one: Seen, k: int) -> float:
    return float((one.relevant < k).sum()) / one.all_relevant if one.all_relevant else 0.0


def _r_precision(one: Seen, k: int) -> float:
    return _recall(one, one.all_relevant)


def _success(one: Seen, k: int) -> float:
    return float((one.relevant < k).any())


def _judged(one: Seen, k: int) -> float:
    """The share among the documents there are, not among k."""
    n = min(one.length, k)
    return 1 - float((one.unpooled < k).sum()) / n if n else 0.0


def _bpref(one: Seen, k: int) -> float:
    if not one.all_relevant:
        return 0.0
    above = _before(one.nonrelevant, one.relevant)
    most = min(one.all_nonrelevant, one.all_relevant)
    lost = np.minimum(above, one.all_relevant) / max(most, 1)  # where none is above, none is lost
    return float((1 - lost).sum()) / one.all_relevant


def _inferred_ap(one: Seen, k: int) -> float:
    if not one.all_relevant:
        return 0.0
    above = one.relevant.astype(np.float64)  # ranks above each relevant document
    hits = np.arange(len(above))
    misses = _before(one.nonrelevant, one.relevant)
    pooled = hits + misses + _before(one.sampled_out, one.relevant)
    precision = (hits + EPSILON) / (hits + misses + 2 * EPSILON)
    return float(((1 + pooled * precision) / (above + 1)).sum()) / one.all_relevant


def _set_precision(one: Seen, k: int) -> float:
    return len(one.relevant) / one.length if one.length else 0.0


def _set_recall(one: Seen, k: int) -> float:
    return _recall(one, one.length)


def _set_f(one: Seen, k: int) -> float:
    precision, recall = _set_precision(one, k), _set_recall(one, k)
    return 2 * precision * recall / (precision + recall) if precision else 0.0


def _set_ap(one: Seen, k: int) -> float:
    return _set_precision(one, k) * _set_recall(one, k)


@dataclass(frozen=True)
class _Kind:
    compute: Callable[[Seen, int], float]
    cut: bool = False
    """Whether it takes a cutoff."""
    graded: bool = True


_KINDS: dict[str, _Kind] = {
    "R": _Kind(_recall, cut=True),
    "Rprec": _Kind(_r_precision),
    "Success": _Kind(_success, cut=True),
    "Judged": _Kind(_judged, cut=True, graded=False),
    "Bpref": _Kind(_bpref),
    "infAP": _Kind(_inferred_ap),
    "SetP": _Kind(_set_precision),
    "SetR": _Kind(_set_recall),
    "SetF": _Kind(_set_f),
    "SetAP": _Kind(_set_ap),
}


@dataclass(frozen=True)
class RunMeasure:
    """A measure of runs.

    Args:
        name: one of `axiomcheck.metrics.run_measures.RUN_MEASURES`.
        cutoff: the ranks that it looks at; None is all.
        lifted: whether several aspects are one by their largest grade.

    """

    name: str
    cutoff: int | None = None
    lifted: bool = False

    @property
    def graded(self) -> bool:
        """Whether it asks which documents are relevant; Judged does not."""
        return _KINDS[self.name].graded

    def applies_to_aspects(self) -> bool:
        """Whether a topic may have several aspects."""
        return self.lifted or not self.graded

    def __str__(self) -> str:
        at = "" if self.cutoff is None else f"@{self.cutoff}"
        return f"{self.name}{'(aggregate=max)' if self.lifted else ''}{at}"

    def score(self, one: Seen) -> float:
        """The score of a ranking, in [0, 1]."""
        return _KINDS[self.name].compute(one, one.length if self.cutoff is None else self.cutoff)


def run_measure(said: Spelling) -> RunMeasure | None:
    """The measure of a spelling; None where it has not the name of one.

    Raises:
        InvalidInput: a cutoff that it does not take, an unknown parameter.

    """
    name = next((name for name in _KINDS if name.casefold() == said.name.casefold()), None)
    if name is None:
        return None
    graded, given, cutoff = _KINDS[name].graded, said.parameters(), said.cutoff()
    k = None if cutoff == "default" else cutoff
    if k is not None and not (_KINDS[name].cut and k >= 1):
        wanted = "a whole number k >= 1" if _KINDS[name].cut else f"{name} without one"
        raise InvalidInput(f"{name}: cutoff {k}; expected {wanted}")
    lifted = given.pop("aggregate", "none") if graded else "none"
    if given and not graded:
        raise InvalidInput(f"{name} has no parameter {next(iter(given))!r}; it takes none")
    if given:
        raise UnknownName(f"parameter of {name}", next(iter(given)), ["aggregate", "rel"])
    if lifted not in ("none", "max"):
        raise InvalidInput(f"{name}: aggregate={lifted}; expected none or max")
    return RunMeasure(name, k, lifted == "max")
