"""Small judgments and runs for edits, and their edits found again by names, one at a time."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from typing import Any

import numpy as np

from axiomcheck.metrics import Metric
from axiomcheck.numbers.arithmetic import Floats
from axiomcheck.runs.trec import Qrels, Run
from axiomcheck.runs.trec.qrels import as_qrels
from axiomcheck.runs.trec.runs import as_run

Judged = namedtuple("Judged", "query_id doc_id relevance iteration")
Topics = Mapping[str, Mapping[str, tuple[int, ...]]]
"""Topic -> judged document -> grades, 0 to 4."""
Rankings = Mapping[str, Mapping[str, Sequence[str]]]
"""Run -> topic -> documents in rank order."""
Edit = tuple[Sequence[str], Sequence[str], int]
"""The ranking that is to be behind, the one that is to be ahead, and the last rank that is spoken of."""
GRADES = 4


def made(seed: int, aspects: int = 1, *, overlap: bool = True, binary: bool = False) -> tuple[Topics, Rankings]:
    """Make three topics and runs. Not every document is judged or in a run, and the last run lacks the first topic."""
    rng = np.random.default_rng(seed)
    names = [f"d{k:02}" for k in range(16)]
    topics: dict[str, dict[str, tuple[int, ...]]] = {}
    rankings: dict[str, dict[str, list[str]]] = {run: {} for run in ("r1", "r2", "r3")}
    for topic in ("t1", "t2", "t3"):
        grades = rng.integers(0, GRADES + 1, (16, aspects)) * rng.integers(0, 2, (16, aspects))
        if not overlap:
            grades = grades * (np.arange(aspects) == rng.integers(0, aspects, 16)[:, None])
        if binary:
            grades = (grades > 0) * GRADES
        grades[0] = [GRADES] + [0] * (aspects - 1)
        topics[topic] = {name: tuple(row) for name, row in zip(names[:13], grades[:13].tolist(), strict=True)}
        for run, more in rankings.items():
            if (topic, run) != ("t1", "r3"):
                more[topic] = [names[k] for k in rng.permutation(16)[: int(rng.integers(6, 15))]]
    return topics, rankings


def read(topics: Topics, rankings: Rankings) -> tuple[Qrels, list[Run]]:
    """Return topics and rankings as axiomcheck reads them."""
    lines = [
        Judged(topic, name, grade, str(aspect))
        for topic, documents in topics.items()
        for name, grades in documents.items()
        for aspect, grade in enumerate(grades)
    ]
    runs = []
    for name, lists in rankings.items():
        run = as_run({topic: {d: float(-k) for k, d in enumerate(ranked)} for topic, ranked in lists.items()})
        runs.append(replace(run, name=name))
    several = len(next(iter(topics["t1"].values()))) > 1
    return as_qrels(lines, "diversity" if several else "adhoc"), runs


class Place:
    """A run's ranking of a topic, and what may come in."""

    def __init__(self, own: Sequence[str], others: Sequence[str], depth: int, grades: Callable[[str], Any]) -> None:
        self.ranked, self.depth, self.grades = own[:depth], depth, grades
        self.around = sorted({*own[: 2 * depth], *others})

    def prefixes(self) -> Iterator[tuple[list[str], list[str]]]:
        """Yield every beginning that leaves room for one more document, and the documents that are not in it."""
        for n in range(1, min(len(self.ranked), self.depth - 1) + 1):
            ranked = list(self.ranked[:n])
            yield ranked, [name for name in self.around if name not in ranked]


def pri(place: Place) -> Iterator[Edit]:
    for j, high in enumerate(place.ranked):
        for i, low in enumerate(place.ranked[:j]):
            if place.grades(high) > place.grades(low):
                better = list(place.ranked)
                better[i], better[j] = high, low
                yield place.ranked, better, j + 1


def conf(place: Place) -> Iterator[Edit]:
    for ranked, others in place.prefixes():
        yield from (([*ranked, x], ranked, len(ranked) + 1) for x in others if not any(place.grades(x)))


def aspdiv(place: Place) -> Iterator[Edit]:
    for i, old in enumerate(place.ranked):
        for new in place.around:
            higher = all(a > b for a, b in zip(place.grades(new), place.grades(old), strict=True))
            if new not in place.ranked and higher:
                yield place.ranked, [*place.ranked[:i], new, *place.ranked[i + 1 :]], i + 1


def red(place: Place) -> Iterator[Edit]:
    """Yield edits of topics of three aspects without overlap, with grades 0 and 1."""
    for ranked, others in place.prefixes():
        on = [sum(place.grades(d)[t] > 0 for d in ranked) for t in range(3)]
        for x, y in permutations(others, 2):
            for t, u in permutations(range(3), 2):
                if place.grades(x)[t] > 0 and place.grades(y)[u] > 0 and on[t] > on[u]:
                    yield [*ranked, x], [*ranked, y], len(ranked) + 1


def sat(place: Place) -> Iterator[Edit]:
    """Yield edits of topics without overlap."""
    for ranked, others in place.prefixes():
        for x in others:
            for last, grade in zip(place.grades(ranked[-1]), place.grades(x), strict=True):
                if last == 1 and grade > 0:
                    yield [*ranked, x], ranked, len(ranked) + 1


EDITS = {"Pri": pri, "Conf": conf, "AspDiv": aspdiv, "Red": red, "Sat": sat}


def counted(axiom: str, metric: Metric, topics: Topics, rankings: Rankings, depth: int) -> dict[str, Any]:
    """Return the numbers of a cell, one ranking scored at a time; axioms of one aspect see the largest grade."""
    found: dict[str, Any] = dict.fromkeys(("applicable", "ties", "reversals", "lists", "violated"), 0)
    margins: list[float] = []
    for topic, documents in topics.items():
        m = 1 if axiom in ("Pri", "Conf") else len(next(iter(documents.values())))

        def grades(name: str, documents: Any = documents, m: int = m) -> list[float]:
            row = [grade / GRADES for grade in documents.get(name, (0,))]
            row = [float(grade > 0) for grade in row] if metric.binary_only else row
            return [max(row)] if m == 1 else row + [0.0] * (m - len(row))

        pool = np.array([grades(name) for name in documents])

        def score(side: Sequence[str], m: int = m, grades: Any = grades, pool: Any = pool) -> float:
            ranking = np.array([grades(name) for name in side])
            return float(metric.score(Floats(), ranking, np.full(m, 1 / m), pool))

        for run, lists in rankings.items():
            others = [name for other in rankings if other != run for name in rankings[other].get(topic, [])[:depth]]
            edits = list(EDITS[axiom](Place(lists.get(topic, []), others, depth, grades)))
            edits = [edit for edit in edits if metric.cutoff is None or edit[2] <= metric.cutoff]
            low, high = (np.array([score(edit[side]) for edit in edits]) for side in (0, 1))
            gap = high - low
            gap[(axiom == "Sat") & (np.abs(gap) < 1e-12)] = 1  # which may tie
            found["applicable"] += len(edits)
            found["ties"] += int((np.abs(gap) < 1e-12).sum())
            found["reversals"] += int((gap < -1e-12).sum())
            found["lists"] += bool(edits)
            found["violated"] += bool((gap < 1e-12).any())
            margins += (-gap[gap < -1e-12]).tolist()
    return found | {"largest": max(margins, default=None)}
