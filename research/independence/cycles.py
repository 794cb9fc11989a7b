"""Find the sets of axioms that no metric satisfies together on some small topic, each with a cycle as a proof."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations

import numpy as np

from axiomcheck.core.typing import Integers
from research.independence.graph import (
    Edges,
    Family,
    GradeMeaning,
    Label,
    Topics,
    family_topics,
    instances_of,
)

Names = frozenset[str]


@dataclass(frozen=True)
class Step:
    """Instance of an axiom, which requires Q(better) > Q(worse) or Q(better) >= Q(worse).

    Args:
        axiom: Name of the axiom, or of the consequence of axioms.
        strict: True for Q(better) > Q(worse), and False for >=.
        worse, better: Documents of the pool in rank order, numbered from 0.

    """

    axiom: str
    strict: bool
    worse: tuple[int, ...]
    better: tuple[int, ...]


@dataclass(frozen=True)
class Contradiction:
    """A minimal set of axioms and conditions that no metric satisfies together.

    Args:
        names: Names of the axioms and conditions.
        grades: Meaning of the topic's grades: as given, or multiplied by a small eps.
        weights: Weights of the topic's aspects, summing to 1.
        pool: One row of grades per document.
        cycle: Steps in which the better ranking of each step has the same grades as the worse ranking of the next one,
            and the last leads back to the first. At least one is strict, so Q would have to be greater than itself.

    """

    names: Names
    grades: GradeMeaning
    weights: tuple[Fraction, ...]
    pool: tuple[tuple[Fraction, ...], ...]
    cycle: tuple[Step, ...]


class Graph:
    """Graph of rankings on all topics of one family, with an edge from worse to better per instance of an axiom.

    Args:
        labels: Axioms and conditions that apply to these grades.
        family: Family of topics.
        grades: Meaning of the topics' grades.

    """

    def __init__(self, labels: Sequence[Label], family: Family, grades: GradeMeaning) -> None:
        self.labels, self.family, self.grades = tuple(labels), family, grades
        self.topics: Topics = family_topics(family)
        self.parts: list[Edges] = [instances_of(label.axiom, self.topics) for label in self.labels]

    @property
    def size(self) -> int:
        """Number of edges."""
        return sum(len(part.topic) for part in self.parts)

    @cached_property
    def _ends(self) -> tuple[Integers, Integers, Integers, int]:
        """Source, target and label of every edge as arrays, with nodes numbered from 0, and the number of nodes."""
        letters = self.family.documents + 1
        unit = letters**self.family.documents
        source = np.concatenate([p.topic * unit + p.worse for p in self.parts])
        target = np.concatenate([p.topic * unit + p.better for p in self.parts])
        nodes, numbers = np.unique(np.concatenate([source, target]), return_inverse=True)
        label = np.repeat(np.arange(len(self.parts)), [len(p.topic) for p in self.parts])
        return numbers[: len(source)], numbers[len(source) :], label, len(nodes)

    def _active(self, names: Names) -> Integers:
        """Return the indices of the edges that are implied if the axioms and conditions with these names hold."""
        on = np.array([set(label.needs) <= names for label in self.labels], dtype=bool)
        return np.flatnonzero(on[self._ends[2]])

    def offending(self, names: Names) -> Integers:
        """Return the indices of the strict edges that lie on a cycle if the axioms with these names hold."""
        source, target, label, count = self._ends
        left = _peeled(source, target, self._active(names), count)
        strict = np.array([each.axiom.strict for each in self.labels], dtype=bool)
        if not strict[label[left]].any():
            return left[:0]
        component = _components(source[left], target[left])
        ends = zip(source[left].tolist(), target[left].tolist(), strict=True)
        inside = np.array([component[a] == component[b] for a, b in ends])
        found: Integers = left[inside & strict[label[left]]]
        return found

    def consistent(self, names: Names) -> bool:
        """Return True if the axioms with these names do not contradict each other on any topic of the family."""
        return not self.offending(names).size

    def shortest_cycle(self, names: Names) -> Contradiction:
        """Return a shortest cycle on the simplest topic that has one; the names must be contradictory."""
        source, target, _, count = self._ends
        strict_edges = self.offending(names)
        topic_of = np.concatenate([p.topic for p in self.parts])
        topic = int(topic_of[strict_edges].min())
        active = _peeled(source, target, self._active(names), count)
        active = active[topic_of[active] == topic]
        leaving: dict[int, list[int]] = {}
        for edge in active.tolist():
            leaving.setdefault(int(source[edge]), []).append(edge)
        found = [
            [edge, *way]
            for edge in strict_edges[topic_of[strict_edges] == topic].tolist()
            if (way := _way(leaving, target, int(target[edge]), int(source[edge]))) is not None
        ]
        best = min(found, key=len)
        rows = [self._step(edge) for edge in best]
        weights = [int(w) for w in self.topics.weights[topic]]
        return Contradiction(
            names,
            self.grades,
            tuple(Fraction(w, sum(weights)) for w in weights),
            tuple(tuple(Fraction(float(g)) for g in row) for row in self.topics.grades[topic]),
            tuple(rows),
        )

    def _step(self, edge: int) -> Step:
        at = int(self._ends[2][edge])
        before = sum(len(part.topic) for part in self.parts[:at])
        worse, better = (tuple(int(d) for d in side if d >= 0) for side in self.parts[at].documents[edge - before])
        axiom = self.labels[at].axiom
        return Step(axiom.name, axiom.strict, worse, better)


def _peeled(source: Integers, target: Integers, edges: Integers, count: int) -> Integers:
    """Return the edges that can lie on a cycle, by repeatedly removing those from a source or into a sink."""
    while edges.size:
        reached = np.zeros(count, dtype=bool)
        left = np.zeros(count, dtype=bool)
        reached[target[edges]] = True
        left[source[edges]] = True
        keep = reached[source[edges]] & left[target[edges]]
        if keep.all():
            break
        edges = edges[keep]
    return edges


def _components(source: Integers, target: Integers) -> dict[int, int]:
    """Return the strongly connected component of every node, by Tarjan's algorithm without recursion."""
    leaving: dict[int, list[int]] = {}
    for a, b in zip(source.tolist(), target.tolist(), strict=True):
        leaving.setdefault(a, []).append(b)
        leaving.setdefault(b, [])
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    component: dict[int, int] = {}
    stack: list[int] = []
    for root in leaving:
        if root in index:
            continue
        index[root] = low[root] = len(index)
        stack.append(root)
        work = [(root, iter(leaving[root]))]
        while work:
            node, rest = work[-1]
            for after in rest:
                if after not in index:
                    index[after] = low[after] = len(index)
                    stack.append(after)
                    work.append((after, iter(leaving[after])))
                    break
                if after not in component:
                    low[node] = min(low[node], index[after])
            else:
                work.pop()
                if work:
                    above = work[-1][0]
                    low[above] = min(low[above], low[node])
                if low[node] == index[node]:
                    while node not in component:
                        component[stack.pop()] = node
    return component


def _way(leaving: dict[int, list[int]], target: Integers, start: int, goal: int) -> list[int] | None:
    """Return the edges of a shortest path from ``start`` to ``goal``, by breadth-first search; None without a path."""
    came: dict[int, int | None] = {start: None}
    before: dict[int, int] = {}
    queue = deque([start])
    while queue and goal not in came:
        node = queue.popleft()
        for edge in leaving.get(node, ()):
            after = int(target[edge])
            if after not in came:
                came[after], before[after] = edge, node
                queue.append(after)
    if goal not in came:
        return None
    way: list[int] = []
    node = goal
    while (edge_in := came[node]) is not None:
        way.append(edge_in)
        node = before[node]
    return way[::-1]


def maximal_without(names: Iterable[str], forbidden: Iterable[Names]) -> list[Names]:
    """Return the maximal subsets of the names that contain none of the forbidden sets, in a fixed order."""
    everything, sets = sorted(names), list(forbidden)
    found: list[Names] = []
    for size in range(len(everything), -1, -1):
        for chosen in combinations(everything, size):
            candidate = frozenset(chosen)
            if not any(bad <= candidate for bad in sets) and not any(candidate <= larger for larger in found):
                found.append(candidate)
    return found


def contradictions(
    graphs: Iterable[Graph], names: Iterable[str], progress: Callable[[Graph], None] = lambda graph: None
) -> list[Contradiction]:
    """Return all minimal sets of names that are contradictory on some topic of the graphs.

    For each graph, every maximal set of names without a known contradiction is tested. A contradictory set is reduced
    to a minimal one, and the tests are repeated until no new set is found.

    Args:
        graphs: Graphs, simplest first; they are processed one at a time.
        names: Names of axioms and conditions.
        progress: Callback for each finished graph.

    """
    everything = sorted(names)
    found: list[Contradiction] = []
    for graph in graphs:
        looking = True
        while looking:
            looking = False
            for candidate in maximal_without(everything, [c.names for c in found]):
                if graph.consistent(candidate):
                    continue
                found.append(graph.shortest_cycle(_reduced(graph, candidate)))
                looking = True
                break
        progress(graph)
    smallest = [c for c in found if not any(other.names < c.names for other in found)]
    return sorted(smallest, key=lambda c: (len(c.names), sorted(c.names)))


def _reduced(graph: Graph, names: Names) -> Names:
    """Remove names from a contradictory set as long as the rest is contradictory, and return the rest."""
    for name in sorted(names):
        fewer = names - {name}
        if not graph.consistent(fewer):
            names = fewer
    return names
