"""Real reports that the tests of replay alter: every kind of certificate and witness, and every verdict."""

import copy
import json
import math
from functools import cache

from axiomcheck import Domain, Metric, Reading, Regime, find_axiom, parse
from axiomcheck.decide.search import Settings
from axiomcheck.engine.run import run_matrix
from axiomcheck.records.matrix import TABLES, shared, to_json, whole
from axiomcheck.sources.external_metrics import FloatTopic
from axiomcheck.sources.function_metrics import CallableMetric
from tests.support.tampering import Document
from tests.support.unread import unread


def dcg(topic: FloatTopic, ranking: list[str]) -> float:
    """DCG of the first aspect, uncut: floats are all there is of it."""
    return sum(topic.pool[name][0] / math.log2(rank + 1) for rank, name in enumerate(ranking, start=1))


def broken(topic: FloatTopic, ranking: list[str]) -> float:
    raise ValueError("no score today")


OWN: dict[str, Metric] = {
    "mine.py:dcg": CallableMetric(unread(dcg), "mine.py:dcg", single_aspect=True),
    "mine.py:broken": CallableMetric(broken, "mine.py:broken", single_aspect=True),
}
"""Metrics that a report does not get to load, by the names that cells have for them."""

_PLANS: dict[str, tuple[tuple[str, ...], tuple[str, ...], Reading, Settings]] = {
    "folds": (
        ("NRBP", "D#-nDCG@2", "RBP"),
        ("Pri", "DeepTh", "CloseTh", "Conf"),
        Reading(),
        Settings(examples=20),
    ),
    "bounded": (("S-RR@100%",), ("Red", "MRed"), Reading(), Settings(examples=20)),
    "blocks": (("INST(T=1)@3",), ("DeepTh", "CloseTh"), Reading(Regime.LIMIT), Settings(seed=3)),
    "finite": (
        ("alpha-nDCG@2", "P@2"),
        ("CloseTh", "Pri", "Sat", "AspRel"),
        Reading(Regime.FINITE, Domain.BINARY),
        Settings(seed=5, examples=50, exhaustive=False, proofs=False),
    ),
    "apart": (("P@H-ERR(order=dominance)@6",), ("CloseTh", "Deep"), Reading(), Settings(examples=200, proofs=False)),
    "floats": (
        ("mine.py:dcg", "mine.py:broken"),
        ("Conf", "DeepTh", "Pri"),
        Reading(Regime.FINITE),
        Settings(seed=1, examples=200),
    ),
    "tails": (("INST", "INST(T=1)@3"), ("DeepTh", "CloseTh"), Reading(Regime.LIMIT), Settings(seed=3)),
}
"""A name -> the metrics, axioms, reading and settings of a report; the last one takes as long as all others."""


@cache
def text_of(plan: str) -> str:
    metrics, axioms, reading, settings = _PLANS[plan]
    chosen = [OWN[name] if name in OWN else parse(name) for name in metrics]
    return to_json(run_matrix(chosen, [find_axiom(name) for name in axioms], reading, settings))


def report(plan: str) -> Document:
    """A fresh copy of a real report."""
    return copy.deepcopy(json.loads(text_of(plan)))


def spread(document: Document) -> Document:
    """A report with whole certificates in its cells, so that each can be altered on its own."""
    cells = whole(document["cells"], document)
    return {key: value for key, value in document.items() if key not in TABLES} | {"cells": copy.deepcopy(cells)}


def gathered(document: Document) -> Document:
    """A report as it is written again, of one with whole certificates in its cells."""
    cells, tables = shared(document["cells"])
    return {**document, "cells": cells, **tables}


PLANS = tuple(_PLANS)
SOON = PLANS[:-1]
"""The plans of the everyday suite and the quality suite."""
