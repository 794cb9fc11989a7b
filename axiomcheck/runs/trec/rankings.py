"""Score the rankings of many topics and runs in batches, as padded arrays.

For most metrics, documents of grade 0 at the end of the ranking or in the pool change nothing. Rankings are then cut
after the last relevant document, padded with grade 0 to the same length, and scored together: all runs and all topics
with the same number of aspects in one array. If a metric does not accept padding, rankings of equal length are scored
together, or every ranking alone. Each metric declares how its rankings are scored (`axiomcheck.metrics.Metric.blanks`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal, get_args

import numpy as np

from axiomcheck.core.errors import InvalidInput, MetricError
from axiomcheck.core.limits import CELLS
from axiomcheck.core.typing import Integers, Reals
from axiomcheck.metrics.base import Metric
from axiomcheck.metrics.scores import real_scores
from axiomcheck.numbers.arithmetic import Floats
from axiomcheck.runs.trec.lines import shown_text
from axiomcheck.runs.trec.qrels import UNJUDGED, Qrels
from axiomcheck.runs.trec.runs import Run, Ties, ranked_lines
from axiomcheck.runs.trec.table import ABSENT
from axiomcheck.sources.provenance import states

Gain = Literal["linear", "exponential"]

Highest = int | Literal["file", "topic", "aspect"]
"""gmax as a number, or as the largest grade in all judgments, in a topic, or in an aspect of a topic."""

MOST_HIGHEST = 2**53
"""Maximum gmax. Grades up to this number are exact in floats."""

MOST_EXPONENTIAL = 1000
"""Maximum gmax with exponential gains. For slightly larger numbers, 2^-gmax underflows."""


@dataclass(frozen=True)
class Ranking:
    """Documents that one run retrieved for one topic, in rank order.

    Args:
        length: Number of documents n.
        hits: Positions of relevant documents, counted from 0, ascending.
        rows: Row of each hit among the topic's relevant documents.
        unjudged: Positions of documents without a judgment.

    """

    length: int
    hits: Integers
    rows: Integers
    unjudged: Integers

    @property
    def depth(self) -> int:
        """Last rank with a relevant document; 0 if there is none."""
        return int(self.hits[-1]) + 1 if len(self.hits) else 0


@dataclass(frozen=True)
class JudgedTopic:
    """Judged topic and its rankings, one per run.

    Args:
        name: Name, as in the qrels.
        gains: Gains of the relevant documents, shape (P, m).
        judged: Number of judged documents.
        weights: Weights of the aspects, shape (m,).
        rankings: Ranking of each run; None if the run is not scored on the topic.

    """

    name: bytes
    gains: Reals
    judged: int
    weights: Reals
    rankings: Sequence[Ranking | None]


def gains_of(grades: Integers, gain: Gain, highest: int | Integers, level: int | None = None) -> Reals:
    """Map integer grades to numbers in [0, 1]: g / gmax, or (2^g - 1) / 2^gmax.

    Args:
        grades: Nonnegative grades, shape (R, m).
        gain: Name of the mapping.
        highest: gmax, or an array with a gmax for each grade. No grade may exceed its gmax.
        level: Minimum grade that is mapped to 1, if lower grades are mapped to 0; None to use ``gain``.

    Raises:
        InvalidInput: There is no such mapping, or gains of the exponential mapping underflow to 0 in floats.

    """
    if level is not None:
        return (grades >= level).astype(np.float64)
    if gain == "linear":
        return np.asarray(grades / np.where(highest, highest, 1), dtype=np.float64)
    if gain == "exponential":
        if np.max(highest, initial=0) > MOST_EXPONENTIAL:
            most = f"expected at most {MOST_EXPONENTIAL}"
            raise InvalidInput(f"gmax {np.max(highest)} is too large for exponential gains; {most}")
        top = np.asarray(highest, dtype=np.float64)
        return np.asarray(np.exp2(grades - top) - np.exp2(-top), dtype=np.float64)
    raise InvalidInput(f"gain {gain!r}: expected {' or '.join(get_args(Gain))}")


@dataclass(frozen=True)
class OrderedDocuments:
    """Documents that a run retrieved for the judged topics, in rank order, topic by topic.

    Args:
        places: Index of each of the run's topics among the judged topics, or `ABSENT`.
        topics: Index of each document's topic in the run, shape (L,).
        documents: Index of each document among the judged documents, shape (L,), or `ABSENT`.
        retrieved: Number of retrieved documents, including omitted unjudged ones.
        unjudged: Number of retrieved documents without a judgment.

    """

    places: Integers
    topics: Integers
    documents: Integers
    retrieved: int
    unjudged: int

    @property
    def bounds(self) -> Integers:
        """Index at which each topic's documents begin, shape (topics + 1,)."""
        return np.searchsorted(self.topics, np.arange(len(self.places) + 1))

    @property
    def positions(self) -> Integers:
        """Position of each document in its ranking, counted from 0, shape (L,)."""
        return np.arange(len(self.topics)) - self.bounds[self.topics]


def ordered_documents(run: Run, qrels: Qrels, ties: Ties, skip: bool, depth: int | None) -> OrderedDocuments:
    """Return the documents that a run retrieved for the judged topics, in rank order.

    Args:
        run: Run whose documents are ordered.
        qrels: Judgments, which name the topics.
        ties: Tie-breaking rule.
        skip: True to omit unjudged documents; documents below them move up.
        depth: Maximum number of documents per ranking; None for all.

    Raises:
        InvalidInput: A document was retrieved twice, or the ranks do not fit the tie-breaking rule. The message names
            the line.

    """
    wanted = {topic for topic in run.topics if topic in qrels.topics}
    places = np.array([qrels.topics[topic] if topic in wanted else ABSENT for topic in run.topics])
    table, placed = ranked_lines(run, wanted, ties)
    documents = qrels.documents.find(table, places)
    if depth is not None:
        placed = placed[np.arange(len(placed)) - table.starts[table.codes] < depth]
    judged = documents[placed] != ABSENT
    retrieved, unjudged = len(judged), int((~judged).sum())
    if skip:
        placed = placed[judged]
    return OrderedDocuments(places, table.codes[placed], documents[placed], retrieved, unjudged)


def rankings_of(ordered: OrderedDocuments, qrels: Qrels) -> dict[int, Ranking]:
    """Map the index of each judged topic that a run contains to the run's ranking for that topic."""
    codes = np.where(ordered.documents == ABSENT, UNJUDGED, qrels.codes[ordered.documents])
    bounds, positions = ordered.bounds, ordered.positions
    hits, blank = np.flatnonzero(codes >= 0), np.flatnonzero(codes == UNJUDGED)
    cut_hits, cut_blank = np.searchsorted(hits, bounds[1:-1]), np.searchsorted(blank, bounds[1:-1])
    parts = zip(
        ordered.places.tolist(),
        np.diff(bounds).tolist(),
        np.split(positions[hits], cut_hits),
        np.split(codes[hits], cut_hits),
        np.split(positions[blank], cut_blank),
        strict=True,
    )
    return {place: Ranking(*rest) for place, *rest in parts if place != ABSENT}


def score_all(metrics: Sequence[Metric], topics: Sequence[JudgedTopic], runs: int) -> list[Reals]:
    """Score every run on every topic with every metric.

    Args:
        metrics: Metrics that accept every topic. A metric for one aspect needs topics with one aspect, or has to be
            lifted.
        topics: Topics with their rankings.
        runs: Number of runs.

    Returns:
        Scores for each metric, shape (runs, topics), NaN where a run has no ranking.

    """
    out = [np.full((runs, len(topics)), np.nan) for _ in metrics]
    padded = [number for number, metric in enumerate(metrics) if way_of(metric) == "padded"]
    if padded:
        _padded([metrics[number] for number in padded], [out[number] for number in padded], topics, runs)
    for metric, target in zip(metrics, out, strict=True):
        if way_of(metric) == "by length":
            _by_length(metric, target, topics)
        elif way_of(metric) == "alone":
            _one_by_one(metric, target, topics)
    return out


def way_of(metric: Metric) -> Literal["padded", "by length", "alone"]:
    """Choose how to batch rankings for a metric, based on what it declares about grade 0 (`Metric.blanks`)."""
    if metric.blanks == "any" or not states(metric, "blanks"):
        return "alone"
    return "by length" if metric.blanks == "length" else "padded"


def _padded(metrics: list[Metric], out: list[Reals], topics: Sequence[JudgedTopic], runs: int) -> None:
    """Score topics with the same number of aspects together, padded with grade 0 in ranks and in the pool."""
    cutoffs = [metric.cutoff for metric in metrics]
    deepest = None if None in cutoffs else max(k for k in cutoffs if k is not None)
    groups: dict[int, list[int]] = {}
    for number, topic in enumerate(topics):
        groups.setdefault(len(topic.weights), []).append(number)
    for some in (portion for group in groups.values() for portion in _portions(topics, group, runs, deepest)):
        chosen = [topics[number] for number in some]
        n = max(_depth(topic, deepest) for topic in chosen)
        pool, weights = _pools(chosen)
        grades = np.zeros((runs, len(chosen), n, pool.shape[-1]))
        for run in range(runs):
            which, positions, rows = _hits([topic.rankings[run] for topic in chosen], n)
            grades[run, which, positions] = pool[which, rows]
        absent = np.array([[topic.rankings[run] is None for topic in chosen] for run in range(runs)])
        for metric, target in zip(metrics, out, strict=True):
            target[:, some] = np.where(absent, np.nan, _scored(metric, grades, weights, pool))


def _depth(topic: JudgedTopic, deepest: int | None) -> int:
    """Return the last rank with a relevant document in any ranking of a topic, at most ``deepest``."""
    depth = max((ranking.depth for ranking in topic.rankings if ranking is not None), default=0)
    return depth if deepest is None else min(depth, deepest)


def _pools(topics: Sequence[JudgedTopic]) -> tuple[Reals, Reals]:
    """Return the gains of relevant documents, (topics, P, m), padded with 0, and the weights, (topics, m)."""
    sizes = np.array([len(topic.gains) for topic in topics])
    weights = np.array([topic.weights for topic in topics])
    pool = np.zeros((len(topics), max(1, sizes.max()), weights.shape[1]))
    which = np.repeat(np.arange(len(topics)), sizes)
    pool[which, np.arange(len(which)) - np.repeat(np.cumsum(sizes) - sizes, sizes)] = np.concatenate(
        [topic.gains for topic in topics]
    )
    return pool, weights


def _hits(rankings: Sequence[Ranking | None], n: int) -> tuple[Integers, Integers, Integers]:
    """Return the ranking index, position and pool row of each relevant document in the first n ranks, as arrays."""
    found = [(number, ranking) for number, ranking in enumerate(rankings) if ranking is not None]
    if not found:
        nothing = np.zeros(0, dtype=np.intp)
        return nothing, nothing, nothing
    which = np.repeat([number for number, _ in found], [len(ranking.hits) for _, ranking in found])
    positions = np.concatenate([ranking.hits for _, ranking in found])
    rows = np.concatenate([ranking.rows for _, ranking in found])
    seen = positions < n
    return which[seen], positions[seen], rows[seen]


def _portions(
    topics: Sequence[JudgedTopic], numbers: Iterable[int], runs: int, deepest: int | None
) -> Iterator[list[int]]:
    """Yield groups of topics, as indices, that fit into one array. All topics have the same number of aspects."""
    portion: list[int] = []
    longest = 1
    for number in numbers:
        topic = topics[number]
        long = max(1, runs * _depth(topic, deepest), len(topic.gains))
        if portion and len(topic.weights) * max(longest, long) * (len(portion) + 1) > CELLS:
            yield portion
            portion, longest = [], 1
        portion.append(number)
        longest = max(longest, long)
    if portion:
        yield portion


def _by_length(metric: Metric, target: Reals, topics: Sequence[JudgedTopic]) -> None:
    """Score rankings of equal length together, for a metric whose score depends on the ranking's length."""
    groups: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for t, topic in enumerate(topics):
        for run, ranking in enumerate(topic.rankings):
            if ranking is not None:
                length = ranking.length if metric.cutoff is None else min(ranking.length, metric.cutoff)
                groups.setdefault((length, len(topic.weights)), []).append((run, t))
    for (n, m), cells in groups.items():
        step = max(1, CELLS // max(1, n * m))
        for start in range(0, len(cells), step):
            _equally_long(metric, target, topics, cells[start : start + step], n, m)


def _equally_long(
    metric: Metric, target: Reals, topics: Sequence[JudgedTopic], cells: list[tuple[int, int]], n: int, m: int
) -> None:
    different = list(dict.fromkeys(t for _, t in cells))
    place = dict(zip(different, range(len(different)), strict=True))
    of = np.array([place[t] for _, t in cells])
    pools, weights = _pools([topics[t] for t in different])
    grades = np.zeros((len(cells), n, m))
    which, positions, rows = _hits([topics[t].rankings[run] for run, t in cells], n)
    grades[which, positions] = pools[of[which], rows]
    target[tuple(zip(*cells, strict=True))] = _scored(metric, grades, weights[of], pools[of])


def _scored(metric: Metric, grades: Reals, weights: Reals, pool: Reals) -> Reals:
    """Return a metric's scores for a batch of rankings."""
    call = partial(metric.score, Floats(), grades, weights, pool)
    return _checked(metric, call, grades.shape[:-2], "on many rankings at once")


def _checked(metric: Metric, score: Callable[[], object], shape: tuple[int, ...], where: str) -> Reals:
    """Return the scores that a call of the metric's code returns, and convert any exception to a MetricError.

    Args:
        metric: Metric that is called.
        score: Call that scores rankings.
        shape: Expected shape, with one score per ranking.
        where: Rankings that are scored, for messages.

    Raises:
        MetricError: The metric raised an error, or did not return one number per ranking.

    """
    try:
        scores = real_scores(metric, score())
    except MetricError as error:
        raise MetricError(f"{error} ({where})") from None
    except (Exception, SystemExit) as error:
        raise MetricError(f"{metric} raised {type(error).__name__} {where}: {error}") from error
    if scores.shape != shape:
        raise MetricError(f"{metric} returned shape {scores.shape} {where}; expected {shape}, one score per ranking")
    return scores


def _one_by_one(metric: Metric, target: Reals, topics: Sequence[JudgedTopic]) -> None:
    """Score rankings one by one, each with all its documents and the whole pool, which every metric accepts."""
    for t, topic in enumerate(topics):
        for run, ranking in enumerate(topic.rankings):
            if ranking is None:
                continue
            relevant, m = topic.gains.shape
            blank = topic.judged - relevant + len(ranking.unjudged)
            pool = np.concatenate([topic.gains, np.zeros((blank, m))])
            order = np.empty(ranking.length, dtype=np.intp)
            others = np.ones(ranking.length, dtype=bool)
            others[ranking.hits] = False
            order[ranking.hits] = ranking.rows
            order[others] = relevant + np.arange(ranking.length - len(ranking.hits))
            call = partial(metric.evaluate, pool[None], topic.weights[None], order[None])
            target[run, t] = _checked(metric, call, (1,), f"on topic {shown_text(topic.name)}")[0]
