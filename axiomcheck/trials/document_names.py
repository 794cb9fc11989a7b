"""Rename the documents of random topics, and compare the scores of an external metric before and after."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from string import ascii_letters
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from axiomcheck.axioms import Axiom
from axiomcheck.core.errors import MetricError
from axiomcheck.core.printable import printable
from axiomcheck.decide.sampling import generator
from axiomcheck.decide.witness import Witness
from axiomcheck.metrics import Metric
from axiomcheck.sources.external_metrics import rounding_of
from axiomcheck.sources.function_metrics import CallableMetric, FloatTopic
from axiomcheck.sources.probes import CaseRange, random_block
from axiomcheck.trials.subject import named_cases

_USUAL = (
    *ascii_letters,
    *("0", "1", "2", "10", "007", "doc1", "doc10", "D2", "FT911-3", "clueweb12-0000tw-00-00000"),
    *("http://a.b/c?d=e", "été"),
)
_DOCUMENTS = 4
_TURNS = 3
_MOST_CALLS, _CALLS_PER_CASE = 10_000, 20
_MOST_CONSTANTS, _LONGEST_CONSTANT = 200, 60


def names_that_matter(metric: Metric, seed: int, axiom: Axiom) -> str:
    """Return a remark with two scores, where renaming the documents of a topic changes one; else an empty text.

    Names are drawn from usual identifiers and from the texts in the metric's own code.

    Args:
        metric: of any kind; only a callable on rankings of names can depend on names.
        seed: of the search.
        axiom: that is searched; each has names of its own.

    """
    if not isinstance(metric, CallableMetric):
        return ""
    rng = generator(seed, axiom.name, "names of documents")
    constants = list(dict.fromkeys(islice(constants_of(metric.function), _MOST_CONSTANTS)))
    usual = [name for name in _USUAL if name not in constants]
    # Each name has its turns, those of the metric's own code first.
    turns = [*constants, *(name for _ in range(_TURNS) for name in rng.permutation([*constants, *usual]).tolist())]
    scale = CaseRange.of(metric)
    for number in range(min(len(turns) // _DOCUMENTS, (metric.most_examples or _MOST_CALLS) // _CALLS_PER_CASE)):
        drawn = turns[number * _DOCUMENTS : (number + 1) * _DOCUMENTS]
        if len({*drawn}) < _DOCUMENTS:  # where one turn ends and the next begins
            continue
        aspects = 2 if number % 2 and scale.aspects else 1
        block = random_block(scale, rng, 1, _DOCUMENTS, _DOCUMENTS - number % 2, aspects)
        block = replace(block, pool=np.where(block.pool > 0, block.pool, 1.0))  # each document counts
        cases = [named_cases(block)[0], named_cases(replace(block, names=tuple(drawn)))[0]]
        with contextlib.suppress(Exception):  # what it refuses, or raises, the search meets as well
            one, other = metric.score_rankings(cases)
            if abs(one - other) > rounding_of(metric) * max(1.0, abs(one)):
                ranked = [", ".join(ranking) for _, ranking in cases]
                return (
                    f"{one:.6g} for {ranked[0]}, and {other:.6g} for the same documents called {printable(ranked[1])}"
                )
    return ""


def check_names_of_witness(metric: Metric, witness: Witness) -> None:
    """Check that a counterexample is one under the names that it is printed with, which the search has others for.

    Raises:
        MetricError: it is none.

    """
    assert isinstance(metric, CallableMetric)
    topic, instance = witness.instance.topic, witness.instance
    eps = float(witness.eps or 1)
    pool = {name: tuple(eps * float(grade) for grade in grades) for name, grades in topic.pool.items()}
    shown = FloatTopic(tuple(map(float, topic.weights)), pool)
    worse, better = metric.score_rankings([(shown, list(instance.worse)), (shown, list(instance.better))])
    if witness.bound is not None:
        worse, better = witness.bound.beside(worse, float(witness.bound.number))
    near = rounding_of(metric) * max(1.0, abs(worse), abs(better))
    if better - worse > near or (witness.kind == "tie" and worse - better > near):
        raise MetricError(
            f"{metric}: its scores depend on the names of documents; a {witness.kind} that was found is none where "
            f"they are called {', '.join(pool)}"
        )


def constants_of(function: Callable[..., Any]) -> Iterator[str]:
    """Give the short texts in a function's code, and in that of the functions of its module that it calls by name."""
    seen: set[int] = set()
    left: list[Any] = [function, vars(type(function)).get("__call__")]
    while left:
        found = left.pop()
        if id(found) in seen:
            continue
        seen.add(id(found))
        if isinstance(found, str) and 0 < len(found) <= _LONGEST_CONSTANT:
            yield found
        elif isinstance(found, tuple | frozenset):
            left += found
        elif isinstance(found, CodeType):
            left += found.co_consts
        elif isinstance(found, FunctionType):
            left.append(found.__code__)
            named = [found.__globals__.get(name) for name in found.__code__.co_names]
            left += [one for one in named if isinstance(one, str | tuple | frozenset)]
            left += [one for one in named if isinstance(one, FunctionType) and one.__module__ == found.__module__]
