"""The first documents of runs as lists of zeros and ones, with intents and without, and which runs and topics count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.typing import Integers, Mask, Reals
from axiomcheck.runs.trec import Options, Qrels, Run
from axiomcheck.runs.trec.lines import shown_text, source_name
from axiomcheck.runs.trec.qrels import Judgments
from axiomcheck.runs.trec.rankings import Ranking, make_ranking
from axiomcheck.runs.trec.runs import compared, order


@dataclass(frozen=True)
class JudgedList:
    """The first documents that a run retrieved for a topic.

    Args:
        relevant: (n, m), 1 where the document at a rank is relevant to an intent, else 0; n >= 1.
        totals: (m,), how many documents are relevant to each intent, retrieved or not; 1 or more.
        weights: (m,), of the intents, summing to 1.

    """

    relevant: Reals
    totals: Integers
    weights: Reals

    @property
    def counts(self) -> Integers:
        """How many relevant documents were retrieved, of each intent: (m,)."""
        return self.relevant.sum(axis=0).astype(np.intp)


@dataclass(frozen=True)
class TopicLists:
    """What a run retrieved for a topic.

    Args:
        run: the run's number.
        topic: its name.
        by_intent: with the intents that some document is relevant to.
        single: with one intent, a document being relevant that is relevant to any.

    """

    run: int
    topic: str
    by_intent: JudgedList
    single: JudgedList


@dataclass(frozen=True)
class Selection:
    """Runs and topics, and the lists of each pair.

    Args:
        runs: names, in the order they were given in.
        topics: names, in the order of the judgments.
        lists: of the pairs where a run has something for a topic.
        notes: in words, what was left out.

    """

    runs: tuple[str, ...]
    topics: tuple[str, ...]
    lists: tuple[TopicLists, ...]
    notes: tuple[str, ...]


def select(qrels: Qrels, runs: Sequence[Run], options: Options, depth: int, topics: int, best: int) -> Selection:
    """The topics with the most relevant documents, and the runs that return the most of them.

    Of equal ones, those that come first. Topics without a relevant document do not count.

    Args:
        qrels: the judgments.
        runs: the runs.
        options: how documents are ordered, and what those without a judgment are.
        depth: the most ranks that are looked at; runs are chosen by all that they return for all topics.
        topics: the most topics.
        best: the most runs.

    Raises:
        InvalidInput: no topic has a relevant document, or none of them is in any run.

    """
    sizes = {topic: len(qrels.judgments(topic).relevant) for topic in qrels.store}
    judged = [topic for topic, size in sizes.items() if size]
    if not judged:
        raise InvalidInput(f"{source_name(qrels.source)}: no topic has a relevant document; expected at least one")
    chosen = set(sorted(judged, key=lambda topic: -sizes[topic])[:topics])
    returned = [0] * len(runs)
    found: dict[tuple[int, bytes], tuple[Ranking, Judgments]] = {}
    for topic in judged:
        judgments = qrels.judgments(topic)
        for number, run in enumerate(runs):
            if topic in run.store:
                ranking = _ranking(run, topic, judgments, options)
                returned[number] += len(ranking.hits)
                if ranking.length and topic in chosen:
                    found[number, topic] = ranking, judgments
    kept = sorted(sorted(range(len(runs)), key=lambda number: -returned[number])[:best])
    lists = [
        _lists(place, topic, *found[number, topic], depth)
        for place, number in enumerate(kept)
        for topic in judged
        if (number, topic) in found
    ]
    if not lists:
        first = shown_text(next(iter(judged)))
        raise InvalidInput(f"no run retrieved anything for a topic with a relevant document, such as {first}")
    names = tuple(_text(topic) for topic in judged if topic in chosen)
    notes = [f"{len(names)} of {len(sizes)} topics, {len(kept)} of {len(runs)} runs"]
    for place, number in enumerate(kept):
        lacking = len(names) - sum(lists_.run == place for lists_ in lists)
        if lacking:
            notes.append(
                f"{runs[number].name}: nothing for {lacking} topic{'s' * (lacking != 1)}, left out of its means"
            )
    return Selection(tuple(runs[number].name for number in kept), names, tuple(lists), tuple(notes))


def _ranking(run: Run, topic: bytes, judgments: Judgments, options: Options) -> Ranking:
    retrieved = compared(run.retrieved(topic), options.ties)
    placed = order(retrieved, options.ties, run, topic)
    return make_ranking(retrieved, placed, judgments, options.unjudged == "skip")


def _lists(run: int, topic: bytes, ranking: Ranking, judgments: Judgments, depth: int) -> TopicLists:
    positive: Mask = judgments.relevant > 0
    positive, weights = positive[:, positive.any(axis=0)], judgments.weights[positive.any(axis=0)]
    seen = int(np.searchsorted(ranking.hits, depth))
    relevant = np.zeros((min(depth, ranking.length), positive.shape[1]))
    relevant[ranking.hits[:seen]] = positive[ranking.rows[:seen]]
    by_intent = JudgedList(relevant, positive.sum(axis=0), weights / weights.sum())
    anyhow = relevant.any(axis=1, keepdims=True).astype(np.float64)
    return TopicLists(run, _text(topic), by_intent, JudgedList(anyhow, np.array([len(positive)]), np.ones(1)))


def _text(name: bytes) -> str:
    return name.decode("utf-8", errors="replace")
