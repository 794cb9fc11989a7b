"""The topics of real runs as they are edited: the tops of the rankings, with names and grades.

An axiom of one aspect is asked about the largest grade over aspects, an axiom of binary grades about the grades that
there are; both are told by `as_seen`, which gives a topic as one axiom sees it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from axiomcheck.axioms import PairAxiom
from axiomcheck.core.domain import Domain
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.typing import Integers, Reals
from axiomcheck.runs.trec.lines import text_of
from axiomcheck.runs.trec.qrels import UNJUDGED, Qrels
from axiomcheck.runs.trec.rankings import OrderedDocuments, gains_of, ordered_documents
from axiomcheck.runs.trec.runs import Run
from axiomcheck.runs.trec.scoring import Options, check_grades
from axiomcheck.runs.trec.table import ABSENT

_WEIGHT_BITS = 40
"""Weights are taken for multiples of 2^-40 of their sum: drafts have whole numbers for weights."""


@dataclass(frozen=True)
class Extent:
    """The edits that are looked at.

    Args:
        depth: every run is cut at this rank.
        edits: of one run, topic and axiom, at most so many different edits; of more as many are drawn.
        seed: of what is drawn.
        domain: the grades as they are, or all that are above 0 as the largest.
        lift: whether axioms of one aspect are asked about the largest grade where a topic has several aspects.

    """

    depth: int = 20
    edits: int = 5000
    seed: int = 0
    domain: Domain = Domain.GRADED
    lift: bool = True

    def __post_init__(self) -> None:
        for name in ("depth", "edits"):
            if getattr(self, name) < 1:
                raise InvalidInput(f"{name} {getattr(self, name)}: expected 1 or more")


@dataclass(frozen=True)
class Listed:
    """The documents that one run retrieved for one topic, in rank order; twice the depth, so that there is a next one.

    Args:
        codes: of each, its row of the topic's relevant documents, or that it is not relevant or not judged.

    """

    names: tuple[str, ...]
    codes: Integers


@dataclass(frozen=True)
class WildTopic:
    """One judged topic with what every run retrieved for it.

    Args:
        name: as the judgments have it.
        gains: (P, m) of the relevant documents.
        largest: the gain of the largest grade.
        judged: how many documents have a judgment.
        weights: (m,), summing to 1.
        lists: one per run, empty where the run lacks the topic.

    """

    name: str
    gains: Reals
    largest: float
    judged: int
    weights: Reals
    lists: tuple[Listed, ...]

    @cached_property
    def codes(self) -> dict[str, int]:
        """The code of every document that some run has."""
        return {
            name: code for listed in self.lists for name, code in zip(listed.names, listed.codes.tolist(), strict=True)
        }


def topics_of(qrels: Qrels, runs: Sequence[Run], options: Options, depth: int) -> list[WildTopic]:
    """Return the judged topics that some run has, in the order of the judgments.

    Raises:
        InvalidInput: options that edits have no meaning for; a grade above gmax; no topic that is judged and in a run.

    """
    if options.ties == "metric":
        raise InvalidInput("ties metric: an edit is of a ranking without ties; expected another rule")
    if options.targets:
        raise InvalidInput("targets: a metric has one T on all topics here; expected none")
    if options.level != 1 or options.depth is not None:
        raise InvalidInput("level and max results are not for edits; expected none, and --depth for where runs are cut")
    if options.highest in ("topic", "aspect"):
        raise InvalidInput(f"gmax {options.highest}: an edit needs one largest grade; expected file or a number")
    check_grades(qrels, options)
    highest = options.highest if isinstance(options.highest, int) else qrels.highest
    largest = float(gains_of(np.array([highest]), options.gain, highest)[0])
    skip = options.unjudged == "skip"
    listed = [_lists(ordered_documents(run, qrels, options.ties, skip, None), qrels, 2 * depth) for run in runs]
    nothing = Listed((), np.zeros(0, dtype=np.int64))
    out = []
    for topic, place in qrels.topics.items():
        if any(topic in run.topics for run in runs):
            gains = gains_of(qrels.of_topic(qrels.grades, place), options.gain, highest)
            lists = tuple(own.get(place, nothing) for own in listed)
            judged, weights = int(qrels.judged[place]), qrels.weights_of(place)
            out.append(WildTopic(text_of(topic), gains, largest, judged, weights, lists))
    if not out:
        raise InvalidInput("no topic of the runs is judged; expected at least one")
    return out


def _lists(ordered: OrderedDocuments, qrels: Qrels, most: int) -> dict[int, Listed]:
    """Return the first documents of a run for every judged topic that it has, by the topic's place."""
    codes = np.where(ordered.documents == ABSENT, UNJUDGED, qrels.codes[ordered.documents])
    found = {}
    for place, first, last in zip(ordered.places.tolist(), ordered.bounds[:-1], ordered.bounds[1:], strict=True):
        if place != ABSENT:
            some = slice(first, min(last, first + most))
            found[place] = Listed(tuple(map(text_of, ordered.names[some].listed())), codes[some])
    return found


@dataclass(frozen=True)
class SeenTopic:
    """A topic as one axiom and metric see it.

    Args:
        gains: (P, m) of the relevant documents.
        weights: (m,) whole numbers.
        binary: whether grades are 0 and one rc.
        top: 1; rc where grades are binary.
        whole: whether every judged document is in the pool, or the relevant ones and those that are ranked.

    """

    topic: WildTopic
    gains: Reals
    weights: Integers
    binary: bool
    top: float
    whole: bool

    @property
    def aspects(self) -> int:
        """The number of aspects."""
        return len(self.weights)


def as_seen(topic: WildTopic, axiom: PairAxiom, binary: bool, whole: bool, lift: bool) -> SeenTopic:
    """Return a topic as one axiom and metric see it.

    Args:
        topic: the topic.
        axiom: one of one aspect sees the largest grade over aspects, if ``lift``.
        binary: whether every grade above 0 counts as the largest.
        whole: see `SeenTopic`.
        lift: whether several aspects may become one.

    """
    gains, weights = topic.gains, whole_weights(topic.weights)
    if lift and axiom.max_aspects == 1 and len(weights) > 1:
        gains, weights = gains.max(axis=1, keepdims=True), np.ones(1, dtype=np.int64)
    if binary:
        gains = np.where(gains > 0, topic.largest, 0.0)
    fixed = binary or axiom.binary
    top = float(gains.max(initial=0.0)) if fixed else 1.0
    return SeenTopic(topic, gains, weights, binary, top or 1.0, whole)


def whole_weights(weights: Reals) -> Integers:
    """Return weights that sum to 1 as whole numbers, equal ones as equal numbers."""
    whole = np.rint(weights * 2.0**_WEIGHT_BITS).astype(np.int64)
    whole = np.maximum(whole, 1)
    reduced: Integers = whole // np.gcd.reduce(whole)
    return reduced
