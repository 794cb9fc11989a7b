"""Violations of axioms on real runs: how often, by how much, and the systems that change order for them."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np

from axiomcheck.axioms import AXIOMS, Axiom, PairAxiom, about_pairs, about_scores
from axiomcheck.core.counting import counted
from axiomcheck.core.domain import Reading, Regime
from axiomcheck.core.errors import InternalDisagreement, InvalidInput, MetricError
from axiomcheck.core.typing import Reals
from axiomcheck.decide.batch import Batch
from axiomcheck.decide.witness import witness_of
from axiomcheck.ledger import LedgerFile, key_of
from axiomcheck.metrics import Metric
from axiomcheck.records.witnesses import PairWitness
from axiomcheck.runs.pieces import finish
from axiomcheck.runs.trec import Options, Qrels, Run
from axiomcheck.runs.trec.qrels import UNJUDGED
from axiomcheck.runs.wild.edits import WorstEdit, edit_of
from axiomcheck.runs.wild.tally import Asked, TopicTally, applies, as_tried, examine, is_binary, is_whole, scores_of
from axiomcheck.runs.wild.topics import Extent, WildTopic, as_seen, topics_of
from axiomcheck.sources.digest import digest
from axiomcheck.sources.external_metrics import rounding_of
from axiomcheck.sources.provenance import identity_of, is_genuine


@dataclass(frozen=True)
class WildWitness:
    """The worst violation of a cell.

    Args:
        topic: its name.
        run: the name of the run that was edited.
        lifted: whether several aspects were one, by their largest grade.
        worse, better: the names of the documents of both rankings.
        grades: of every document of them, one per aspect.
        scores: in floats, worse and better.
        sentence: the premises, of this edit, where d1, d2, ... are the ranked documents.
        record: the same as a document that can be scored again, in which documents are called d1, d2, ....

    """

    topic: str
    run: str
    lifted: bool
    worse: tuple[str, ...]
    better: tuple[str, ...]
    grades: dict[str, tuple[float, ...]]
    scores: tuple[float, float]
    sentence: str
    record: PairWitness


@dataclass(frozen=True)
class Moved:
    """Pairs of systems that change order when what the axiom calls an improvement is made to one of them.

    Args:
        pairs: how many pairs there are.
        all_topics: how many are moved by the worst violation on every topic.
        one_edit: how many are moved by the worst violation on one topic.

    """

    pairs: int
    all_topics: int
    one_edit: int


@dataclass(frozen=True)
class WildCell:
    """The violations of one axiom by one metric on real runs.

    Args:
        metric, axiom: their names.
        why_not: why the axiom was not asked; empty where it was, and then the rest says something.
        numerical: whether floats are all there is of the metric.
        binary: whether grades counted as 0 and one rc.
        candidates: choices of positions, aspects and incoming documents.
        looked: how many of them were looked at.
        applicable: how many of these meet the axiom's premises within the metric's cutoff.
        ties, reversals: how many of these violate it, by which.
        open: how many could not be told.
        lists: rankings, one per run and topic, with an applicable edit.
        violated: how many of them have a violation.
        largest, median: of the margins of reversals: how much lower the ranking that should be ahead scores.
        relative: the largest margin of a reversal as a share of how far apart the runs' scores are on its topic; None
            where they are all the same.
        moved: pairs of systems.
        obstacles: what about a topic rules the axiom out -> on how many topics.
        witness: the worst violation.

    """

    metric: str
    axiom: str
    why_not: str = ""
    numerical: bool = False
    binary: bool = False
    candidates: int = 0
    looked: int = 0
    applicable: int = 0
    ties: int = 0
    reversals: int = 0
    open: int = 0
    lists: int = 0
    violated: int = 0
    largest: float | None = None
    median: float | None = None
    relative: float | None = None
    moved: Moved | None = None
    obstacles: dict[str, int] = dataclasses.field(default_factory=dict)
    witness: WildWitness | None = None

    @property
    def violations(self) -> int:
        """Ties and reversals."""
        return self.ties + self.reversals

    @property
    def share(self) -> float | None:
        """Violations among applicable edits; None where there are none, and nothing was shown."""
        return self.violations / self.applicable if self.applicable else None


@dataclass(frozen=True)
class WildStudy:
    """Metrics and axioms on some runs.

    Args:
        runs: their names.
        topics: how many.
        extent: which edits were looked at.
        gain: how grades became numbers.
        lifted: topics of several aspects whose largest grades stood for one aspect.
        cells: one per metric and axiom, metrics outermost.
        notes: in words, what else the numbers depend on.

    """

    runs: tuple[str, ...]
    topics: int
    extent: Extent
    gain: str
    lifted: int
    cells: tuple[WildCell, ...]
    notes: tuple[str, ...] = ()


def wild(
    metrics: Sequence[Metric],
    qrels: Qrels,
    runs: Sequence[Run],
    options: Options | None = None,
    extent: Extent | None = None,
    axioms: Sequence[Axiom] | None = None,
    *,
    jobs: int = 1,
    kept: LedgerFile | None = None,
    listen: Callable[[int, int], None] | None = None,
) -> WildStudy:
    """Asks metrics about every edit of real runs that axioms speak of.

    Args:
        metrics: different from each other; with more than one job, such as their names lead to.
        qrels: the judgments.
        runs: the runs.
        options: how runs are read and grades become numbers.
        extent: which edits.
        axioms: different from each other; None is the ten.
        jobs: worker processes.
        kept: where finished topics are kept, and looked for.
        listen: is told how many topics of how many are done.

    Raises:
        InvalidInput: unusable input, or a metric that fails on it.

    """
    options, extent = options or Options(), extent or Extent()
    metrics = list(map(as_tried, metrics))
    asked_axioms = list(AXIOMS.values()) if axioms is None else list(axioms)
    topics = topics_of(qrels, runs, options, extent.depth)
    pairwise = [axiom for axiom in asked_axioms if about_pairs(axiom) and not about_scores(axiom)]
    asked = Asked(
        tuple(metrics) if jobs == 1 else tuple(metric.canonical for metric in metrics),
        tuple(pairwise) if jobs == 1 else tuple(axiom.name for axiom in pairwise),
        extent,
    )
    try:
        shared = [
            [(metric.canonical, identity_of(metric)) for metric in metrics],
            [(axiom.name, None if axiom.name in AXIOMS else digest(axiom)) for axiom in pairwise],
            dataclasses.asdict(extent),
        ]
        keys = [key_of(what="wild", shared=shared, topic=[*_parts(topic)]) for topic in topics]
        found = finish(examine, asked, topics, keys, kind="wild", jobs=jobs, kept=kept, listen=listen)
    except MetricError as error:
        raise InvalidInput(str(error)) from None
    asked_of = [(metric, axiom) for metric in metrics for axiom in pairwise if applies(metric, axiom)]
    tallies = [msgspec.convert(result, list[TopicTally]) for result in found]
    rows = {key: [own[number] for own in tallies] for number, key in enumerate(asked_of)}
    names = tuple(run.name for run in runs)
    cells = []
    for metric in metrics:
        for axiom in asked_axioms:
            if about_scores(axiom):
                cells.append(WildCell(metric.canonical, axiom.name, "no edit: it bounds the score of single rankings"))
            elif not about_pairs(axiom):
                cells.append(WildCell(metric.canonical, axiom.name, "no edit: it speaks of long blocks of documents"))
            elif not applies(metric, axiom):
                cells.append(WildCell(metric.canonical, axiom.name, "not applicable: the metric knows one aspect"))
            else:
                cells.append(_cell(metric, axiom, rows[metric, axiom], topics, names, extent))
    several = sum(len(topic.weights) > 1 for topic in topics)
    lifted = several if extent.lift and any(axiom.max_aspects == 1 for axiom in pairwise) else 0
    return WildStudy(
        names, len(topics), extent, options.gain, lifted, tuple(cells), tuple(_notes(topics, names, extent))
    )


def _notes(topics: Sequence[WildTopic], names: tuple[str, ...], extent: Extent) -> Iterator[str]:
    for number, name in enumerate(names):
        lacking = sum(not topic.lists[number].names for topic in topics)
        if lacking:
            yield f"{name}: {lacking} of {counted(len(topics), 'topic')} not in it, scored as empty rankings"
    tops = [listed.codes[: extent.depth] for topic in topics for listed in topic.lists]
    unjudged, retrieved = sum(int((codes == UNJUDGED).sum()) for codes in tops), sum(map(len, tops))
    if unjudged:
        yield f"{unjudged:,} of {counted(retrieved, 'document')} without a judgment, counted as not relevant"


def _parts(topic: WildTopic) -> list[Any]:
    lists = [(listed.names, listed.codes.tolist()) for listed in topic.lists]
    shape = (topic.name, topic.gains.shape, topic.largest, topic.judged, lists)
    return [shape, topic.gains.tobytes(), topic.weights.tobytes()]


def _cell(
    metric: Metric,
    axiom: PairAxiom,
    rows: list[TopicTally],
    topics: Sequence[WildTopic],
    names: tuple[str, ...],
    extent: Extent,
) -> WildCell:
    lists = [one for row in rows for one in row.runs]
    margins: Counter[float] = Counter()
    for one in lists:
        for margin, count in one.margins:
            if margin < 0:
                margins[-margin] += count
    place = _worst(rows)
    return WildCell(
        metric.canonical,
        axiom.name,
        numerical=bool(metric.numerical(False)),
        binary=is_binary(metric, extent),
        candidates=sum(sum(row.candidates) for row in rows),
        looked=sum(sum(row.looked) for row in rows),
        applicable=sum(one.applicable for one in lists),
        ties=sum(one.ties for one in lists),
        reversals=sum(one.reversals for one in lists),
        open=sum(one.open for one in lists),
        lists=sum(one.applicable > 0 for one in lists),
        violated=sum(one.worst is not None for one in lists),
        largest=max(margins, default=None),
        median=_median(margins),
        relative=_relative(rows),
        moved=_moved(metric, rows, len(names)),
        obstacles=dict(Counter(row.obstacle for row in rows if row.obstacle)),
        witness=None if place is None else _witness(metric, axiom, topics, names, extent, *place),
    )


def _median(margins: Counter[float]) -> float | None:
    """The lower of the middle ones."""
    half = (margins.total() + 1) // 2
    for margin in sorted(margins):
        half -= margins[margin]
        if half <= 0:
            return margin
    return None


def _worst(rows: list[TopicTally]) -> tuple[int, int, WorstEdit] | None:
    """Return the topic, the run and the edit of the largest margin; of ties the shortest ranking."""
    edits = [(t, r, one.worst) for t, row in enumerate(rows) for r, one in enumerate(row.runs) if one.worst is not None]
    return min(edits, key=lambda place: (place[2].margin, place[2].n), default=None)


def _relative(rows: list[TopicTally]) -> float | None:
    shares = []
    for row in rows:
        worst = min((one.worst.margin for one in row.runs if one.worst is not None), default=0.0)
        if worst < 0 and row.scores is not None:
            spread = max(row.scores) - min(row.scores)
            shares += [-worst / spread] if spread > 0 else []
    return max(shares, default=None)


def _moved(metric: Metric, rows: list[TopicTally], runs: int) -> Moved | None:
    """Return the pairs of systems that change order; docs/how-to/wild.md has the reading."""
    if any(row.scores is None for row in rows):
        return None
    means = np.array([row.scores for row in rows]).mean(axis=0)
    losses = np.array([[one.worst.margin if one.worst else 0.0 for one in row.runs] for row in rows])
    tolerance = rounding_of(metric) * max(1.0, float(np.abs(means).max()))
    summed, single = losses.sum(axis=0) / len(rows), losses.min(axis=0) / len(rows)
    return Moved(runs * (runs - 1) // 2, _pairs(means, summed, tolerance), _pairs(means, single, tolerance))


def _pairs(means: Reals, losses: Reals, tolerance: float) -> int:
    """Pairs of which one is not behind the other, and is once its own mean has changed."""
    ahead = means[:, None] >= means[None, :] - tolerance
    behind = (means + losses)[:, None] < means[None, :] - tolerance
    moved = ahead & behind
    return int(np.triu(moved | moved.T, 1).sum())


def _witness(
    metric: Metric,
    axiom: PairAxiom,
    topics: Sequence[WildTopic],
    names: tuple[str, ...],
    extent: Extent,
    t: int,
    r: int,
    worst: WorstEdit,
) -> WildWitness:
    """Return the worst violation, judged in exact arithmetic where the metric has one.

    Raises:
        InternalDisagreement: it is none there.
        InvalidInput: it is none any more, of a metric from outside.

    """
    topic = topics[t]
    seen = as_seen(topic, axiom, is_binary(metric, extent), is_whole(metric), extent.lift)
    draft = edit_of(axiom, seen, r, worst, extent.depth)
    batch = Batch(axiom, draft, False)
    try:
        found = witness_of(metric, batch, Reading(Regime.FINITE, extent.domain), None)
    except InternalDisagreement:
        if is_genuine(metric):
            raise
        where = f"an edit of {names[r]} on topic {topic.name}"
        raise InvalidInput(
            f"{metric}: {where} violated {axiom.name} at first and not again; expected one score"
        ) from None
    documents = [*topic.lists[r].names[: worst.n], *worst.incoming]
    worse, better = (tuple(documents[row] for row in side[0]) for side in axiom.rankings(draft))
    shown = {name: tuple(draft.grades[0, row].tolist()) for row, name in enumerate(documents)}
    low, high = scores_of(metric, batch)
    return WildWitness(
        topic.name,
        names[r],
        seen.aspects != len(topic.weights),
        worse,
        better,
        shown,
        (float(low[0]), float(high[0])),
        axiom.sentence(draft),
        found.record(),
    )
