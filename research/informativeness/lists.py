"""Select runs and topics, and list the binary relevance of each run's first documents, with and without intents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.printable import counted
from axiomcheck.core.typing import Integers, Mask, Reals
from axiomcheck.runs.trec import Options, Qrels, Run
from axiomcheck.runs.trec.lines import shown_text, source_name, text_of
from axiomcheck.runs.trec.rankings import Ranking, ordered_documents, rankings_of


@dataclass(frozen=True)
class JudgedList:
    """Relevance of the first documents that a run retrieved for a topic.

    Args:
        relevant: Relevance, shape (n, m): 1 if the document at a rank is relevant to an intent, else 0; n >= 1.
        totals: Number of documents relevant to each intent, shape (m,), retrieved or not; 1 or more.
        weights: Weights of the intents, shape (m,), summing to 1.

    """

    relevant: Reals
    totals: Integers
    weights: Reals

    @property
    def counts(self) -> Integers:
        """Number of retrieved relevant documents of each intent, shape (m,)."""
        counts: Integers = self.relevant.sum(axis=0).astype(np.intp)
        return counts


@dataclass(frozen=True)
class TopicLists:
    """Relevance of the documents that a run retrieved for a topic, as a list with intents and one without.

    Args:
        run: Index of the run.
        by_intent: List with the intents that some document is relevant to.
        single: List with one intent; a document is relevant if it is relevant to any intent.

    """

    run: int
    topic: str
    by_intent: JudgedList
    single: JudgedList


@dataclass(frozen=True)
class Selection:
    """Selected runs and topics, with the lists of each pair.

    Args:
        runs: Names, in the order in which they were given.
        topics: Names, in the order of the judgments.
        lists: Lists of the pairs in which the run has documents for the topic.
        notes: Sentences about omitted data.

    """

    runs: tuple[str, ...]
    topics: tuple[str, ...]
    lists: tuple[TopicLists, ...]
    notes: tuple[str, ...]


def select(qrels: Qrels, runs: Sequence[Run], options: Options, depth: int, topics: int, best: int) -> Selection:
    """Select the topics with the most relevant documents, and the runs that retrieve the most of these documents.

    Ties are broken in favour of the earlier topic or run. Topics without a relevant document are ignored.

    Args:
        qrels: Judgments.
        runs: Runs.
        options: Tie-breaking rule, and treatment of unjudged documents.
        depth: Maximum number of ranks of a list. The selection of runs uses all documents that they retrieve for all
            topics.
        topics: Maximum number of topics.
        best: Maximum number of runs.

    Raises:
        InvalidInput: No topic has a relevant document, no such topic is in any run, or the weight of one of several
            intents is 0 in floats.

    """
    gains: dict[bytes, Mask] = {
        topic: qrels.of_topic(qrels.grades, place) >= options.level for topic, place in qrels.topics.items()
    }
    sizes = {topic: int(gain.any(axis=1).sum()) for topic, gain in gains.items()}
    judged = [topic for topic, size in sizes.items() if size]
    if not judged:
        raise InvalidInput(f"{source_name(qrels.source)}: no topic has a relevant document; expected at least one")
    chosen = set(sorted(judged, key=lambda topic: -sizes[topic])[:topics])
    how = options.ties, options.unjudged == "skip", options.depth
    ranked = [rankings_of(ordered_documents(run, qrels, *how), qrels) for run in runs]
    names = qrels.table.names
    returned = [
        sum(int(gains[names[place]][ranking.rows].any(axis=1).sum()) for place, ranking in rankings.items())
        for rankings in ranked
    ]
    kept = sorted(sorted(range(len(runs)), key=lambda number: -returned[number])[:best])
    lists = [
        _lists(number, topic, ranking, gains[topic], qrels.weights_of(place), depth)
        for number, one in enumerate(kept)
        for topic, place in qrels.topics.items()
        if topic in chosen and (ranking := ranked[one].get(place)) is not None and ranking.length
    ]
    if not lists:
        first = shown_text(judged[0])
        raise InvalidInput(
            f"no run retrieved documents for a topic with a relevant one; expected some for topics such as {first}"
        )
    texts = tuple(text_of(topic) for topic in names if topic in chosen)
    notes = [f"{len(texts)} of {counted(len(sizes), 'topic')}, {len(kept)} of {counted(len(runs), 'run')}"]
    for number, one in enumerate(kept):
        lacking = len(texts) - sum(found.run == number for found in lists)
        if lacking:
            count = counted(lacking, "topic")
            notes.append(f"{runs[one].name}: nothing for {count}, left out of its means")
    return Selection(tuple(runs[one].name for one in kept), texts, tuple(lists), tuple(notes))


def _lists(run: int, topic: bytes, ranking: Ranking, gains: Mask, weights: Reals, depth: int) -> TopicLists:
    known = gains.any(axis=0)
    gains, weights = gains[:, known], weights[known]
    if not weights.all():
        found = f"topic {shown_text(topic)}: a weight is 0 in floats beside the others"
        raise InvalidInput(f"{found}; expected weights that are less far apart")
    seen = int(np.searchsorted(ranking.hits, depth))
    relevant = np.zeros((min(depth, ranking.length), gains.shape[1]))
    relevant[ranking.hits[:seen]] = gains[ranking.rows[:seen]]
    by_intent = JudgedList(relevant, gains.sum(axis=0), weights / weights.sum())
    anyhow: Reals = relevant.max(axis=1, keepdims=True)
    total = np.array([gains.any(axis=1).sum()])
    return TopicLists(run, text_of(topic), by_intent, JudgedList(anyhow, total, np.ones(1)))
