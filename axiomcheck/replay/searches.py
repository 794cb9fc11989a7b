"""Repeat parts of a search: nothing smaller than a witness violates, and nothing violates where no witness is."""

from __future__ import annotations

from dataclasses import replace

from axiomcheck.axioms import PairAxiom
from axiomcheck.core.counting import counted
from axiomcheck.core.domain import Reading
from axiomcheck.core.errors import InvalidInput
from axiomcheck.decide.batch import Batch
from axiomcheck.decide.enumeration import enumeration_of, group_batches
from axiomcheck.decide.search import Search, Settings, of_few
from axiomcheck.decide.space import InstanceSpace
from axiomcheck.decide.tally import Tally
from axiomcheck.decide.witness import Witness
from axiomcheck.metrics import Metric
from axiomcheck.records.evidence import PairEvidence

_DRAWN_AGAIN = 20_000
"""The number of random instances that are scored again for a cell that held, at most one batch more."""


def check_minimal(witness: Witness) -> None:
    """Enumerate what a witness says that it is the smallest of, and looks for anything smaller that does the same.

    The grid and the number of aspects are those of ``minimal``, which `axiomcheck.decide.witness.read_witness` held
    against the axiom, the reading and the metric. Of a metric of which floats are all there is, ties count as they
    do in the search: where they recur on three shapes.

    Raises:
        InvalidInput: something is smaller: fewer documents, or aspects, or non-zero grades, or simpler values.
        MetricError, InternalDisagreement: as in the search.

    """
    if witness.minimal is None:
        return
    tally = Tally(witness.metric, witness.axiom)
    apart = witness.kind == "incomparable"
    coverage = enumeration_of(witness.metric, witness.axiom, witness.reading)
    space, shape = InstanceSpace.of(witness.metric, witness.axiom, witness.reading), witness.batch.draft.shape
    most = coverage.most_aspects(shape)
    for documents, aspects, _ in coverage.exhausted:
        if (documents, aspects) > (shape.documents, shape.aspects) or most is None or aspects > most:
            continue
        for batch in group_batches(space, documents, aspects):
            tally.look(batch, sampled=False)
    if tally.error or tally.disagreement:
        raise InvalidInput(f"minimal: smaller instances cannot be scored: {tally.error or tally.disagreement}")
    found = tally.candidates.confirm_apart() if apart else tally.candidates.confirm()
    if found is not None and _size(found) < _size(witness.batch):
        d, n, m = found.draft, found.draft.shape.documents, found.draft.shape.aspects
        raise InvalidInput(
            f"minimal: an instance of {counted(n, 'document')} and {counted(m, 'aspect')} with "
            f"{counted(int((d.grades > 0).sum()), 'non-zero grade')} does the same, and is smaller"
        )


def check_none_violates(
    evidence: PairEvidence, axiom: PairAxiom, metric: Metric, settings: Settings, reading: Reading
) -> None:
    """Score the enumerated instances of a cell that held, then the first random ones, and look for a violation.

    The random instances are drawn by the report's own seed. The search scored the same ones in the same order, so that
    an honest cell has no violation among them.

    Args:
        evidence: of the cell.
        axiom: of the cell.
        metric: of the cell.
        settings: of the report.
        reading: of the report.

    Raises:
        InvalidInput: there is one, or the metric cannot be scored there.

    """
    if evidence.few:  # a limit on time made less of the search
        settings = replace(settings, examples=min(settings.examples, evidence.few))
        metric = of_few(metric, evidence.few)
    coverage = enumeration_of(metric, axiom, reading, settings.examples)
    space = InstanceSpace.of(metric, axiom, reading)
    tally = Tally(metric, axiom)
    for documents, aspects, _ in coverage.exhausted if settings.exhaustive else ():
        for batch in group_batches(space, documents, aspects):
            tally.look(batch, sampled=False)
    _check_none(tally, "evidence.exhausted")
    if not settings.examples:
        return
    search = Search(axiom, [metric], reading, settings)
    for batch in search.patterns():
        tally.look(batch, sampled=False)
    _check_none(tally, "evidence.patterns")
    left = _DRAWN_AGAIN if metric.most_examples is None else settings.examples // 10
    for batch in search.first_round():
        if batch.size:
            tally.look(batch, sampled=True)
            left -= batch.size
        if left <= 0:
            break
    _check_none(tally, "evidence.sampled")


def _check_none(tally: Tally, where: str) -> None:
    found = None if tally.error or tally.disagreement else tally.candidates.confirm()
    if tally.error or tally.disagreement:
        raise InvalidInput(f"{where}: cannot be scored: {tally.error or tally.disagreement}")
    if found is not None:
        documents, aspects = found.draft.shape.documents, found.draft.shape.aspects
        raise InvalidInput(
            f"{where}: an instance of {counted(documents, 'document')} and {counted(aspects, 'aspect')} "
            f"violates {tally.axiom}, and the verdict is held"
        )


def _size(batch: Batch) -> tuple[int, int, int, int]:
    """Return what the search orders candidates by: documents, aspects, non-zero grades, other values than 1."""
    d = batch.draft
    odd = int(((d.grades > 0) & (d.grades < 1)).sum()) + int(d.weights.sum())
    return d.shape.documents, d.shape.aspects, int((d.grades > 0).sum()), odd
