"""Frequency and size of violations of axioms on real runs."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from axiomcheck.axioms import AXIOMS, Axiom, PairAxiom, about_pairs, about_scores
from axiomcheck.core.counting import counted
from axiomcheck.core.domain import Reading, Regime
from axiomcheck.core.errors import InternalDisagreement, InvalidInput, MetricError
from axiomcheck.decide.batch import Batch
from axiomcheck.decide.witness import witness_of
from axiomcheck.ledger import LedgerFile, key_of
from axiomcheck.metrics import Metric
from axiomcheck.records.witnesses import PairWitness
from axiomcheck.runs.pieces import finished, gathered
from axiomcheck.runs.trec import Options, Qrels, Run
from axiomcheck.runs.trec.qrels import UNJUDGED
from axiomcheck.runs.wild.edits import Extent, WildTopic, WorstEdit, as_seen, edit_of, topics_of
from axiomcheck.runs.wild.tally import Asked, TopicTally, applies, as_tried, examine, is_binary, is_whole, scores_of
from axiomcheck.sources.digest import digest
from axiomcheck.sources.provenance import identity_of, is_genuine


@dataclass(frozen=True)
class WildWitness:
    """Worst violation of a cell.

    Args:
        run: Name of the run that was edited.
        lifted: True if several aspects became one, by their largest grade.
        worse, better: Names of the documents of both rankings.
        grades: Grades of each of these documents, one per aspect.
        scores: Float scores of the worse and of the better ranking.
        sentence: The axiom's premises for this edit, in words; d1, d2, ... are the ranked documents.
        record: The same witness in JSON form, which can be scored again; its documents are called d1, d2, ....

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
class WildCell:
    """Violations of one axiom by one metric on real runs.

    Args:
        why_not: Reason why the axiom was not checked. It is empty if the axiom was checked; only then do the other
            fields have a meaning.
        numerical: True if the metric runs in floats only.
        binary: True if every positive grade counted as one grade rc.
        candidates: Number of choices of positions, aspects and incoming documents.
        looked: Number of examined candidates.
        applicable: Number of examined candidates that meet the axiom's premises within the metric's cutoff.
        ties, reversals: Number of applicable edits that violate the axiom, by kind of violation.
        open: Number of applicable edits that could not be decided.
        lists: Number of rankings, one per run and topic, with an applicable edit.
        violated: Number of these rankings with a violation.
        largest: Largest margin of a reversal, by which the ranking that should be ahead scores lower.

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
    witness: WildWitness | None = None

    @property
    def violations(self) -> int:
        """Number of ties and reversals."""
        return self.ties + self.reversals

    @property
    def share(self) -> float | None:
        """Share of violations among applicable edits; None if there are no applicable edits."""
        return self.violations / self.applicable if self.applicable else None


@dataclass(frozen=True)
class WildStudy:
    """Violations of axioms by metrics on some runs.

    Args:
        topics: Number of topics.
        lifted: Number of topics with several aspects whose largest grades were used as one aspect.
        cells: One cell per metric and axiom, metrics outermost.
        notes: Descriptions of further facts that the numbers depend on.

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
    """Check whether metrics satisfy axioms on every applicable edit of real runs.

    Args:
        metrics: Distinct metrics; with more than one job, they have to be resolvable by name.
        qrels: Judgments.
        runs: Runs.
        options: Options for reading runs and mapping grades to numbers.
        extent: Selection of edits.
        axioms: Distinct axioms; None for the ten.
        jobs: Number of worker processes.
        kept: Cache of finished topics.
        listen: Callback that receives the number of finished topics and the total.

    Raises:
        InvalidInput: The input is unusable, or a metric fails on it.

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
        done = finished(examine, asked, topics, keys, kind="wild", jobs=jobs, kept=kept)
        found = gathered(done, len(topics), listen)
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
    lifted = several if any(axiom.max_aspects == 1 for axiom in pairwise) else 0
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
    counted_names = ("candidates", "looked", "applicable", "ties", "reversals", "open", "lists", "violated")
    edits = [(t, row.worst) for t, row in enumerate(rows) if row.worst is not None]
    # for ties, the shortest ranking
    worst = min(edits, key=lambda place: (place[1].margin, place[1].n), default=None)
    return WildCell(
        metric.canonical,
        axiom.name,
        numerical=bool(metric.numerical(False)),
        binary=is_binary(metric, extent),
        largest=-worst[1].margin if worst is not None and worst[1].margin < 0 else None,
        witness=None if worst is None else _witness(metric, axiom, topics, names, extent, *worst),
        **{name: sum(getattr(row, name) for row in rows) for name in counted_names},
    )


def _witness(
    metric: Metric,
    axiom: PairAxiom,
    topics: Sequence[WildTopic],
    names: tuple[str, ...],
    extent: Extent,
    t: int,
    worst: WorstEdit,
) -> WildWitness:
    """Return the worst violation, checked in exact arithmetic if the metric supports it.

    Raises:
        InternalDisagreement: The exact check finds no violation.
        InvalidInput: An external metric no longer violates the axiom.

    """
    topic, r = topics[t], worst.run
    seen = as_seen(topic, axiom, is_binary(metric, extent), is_whole(metric))
    draft = edit_of(axiom, seen, worst, extent.depth)
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
