"""The passport of a metric: what was tried of it before a cell is decided, and is asked again when it is.

The trials: a process is forked in which the metric has scored nothing (`fresh_process`); its code and attributes are
read (`axiomcheck.sources.provenance.identity_of`); it is one function, and what it declares, and has no cutoff that it
does not declare (`consistency`); its scores do not depend on names (`document_names`). The catalogue's metrics pass
without a trial, as tests show this of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from axiomcheck.axioms import Axiom
from axiomcheck.core.errors import MetricError
from axiomcheck.core.verdict import Verdict
from axiomcheck.decide.numerical import resolution
from axiomcheck.decide.witness import Witness
from axiomcheck.metrics import Metric
from axiomcheck.records.causes import Remark, cause
from axiomcheck.records.cells import Cell, failed
from axiomcheck.sources.function_metrics import NamedMetric
from axiomcheck.sources.provenance import UNREADABLE, Origin, origin_of, readable_identity
from axiomcheck.trials.consistency import (
    as_probed,
    check_metric_is_one_function,
    check_names_of_witness,
    names_that_matter,
)
from axiomcheck.trials.fresh_process import FreshProcess, PairToScore, fresh_process, pair_of


@dataclass(frozen=True)
class Passport:
    """A metric that may be asked about an axiom.

    Args:
        metric: as it was given, which is what something is proved of.
        searched: the metric as the search takes it: with the cutoff that it has and does not declare.
        provable: whether something may be proved of it in this run, so that its identity counts.
        identity: what tells it from every other metric, read before it had scored anything; None of the catalogue's,
            and where nothing is to be proved.
        identity_when_tried: the same, read after the trials.
        fresh: a process in which it has scored nothing; None of the catalogue's.
        names_matter: two scores, for a metric whose scores depend on the names of documents; empty for others.

    """

    metric: Metric
    searched: Metric
    origin: Origin
    provable: bool
    identity: str | None
    identity_when_tried: str | None
    fresh: FreshProcess | None
    names_matter: str

    @property
    def genuine(self) -> bool:
        """Tell whether nothing but axiomcheck's own code decides its scores."""
        return self.origin.is_catalogue_code

    def state_remark(self) -> Remark | None:
        """Return what is the matter with the code or the memory of the metric by now; None where nothing is."""
        if self.identity_when_tried == UNREADABLE:
            return Remark("code-unreadable")
        now = readable_identity(self.metric) if self.provable else None
        return Remark("code-changed") if self.identity_when_tried != now else None

    def check_witness(self, witness: Witness) -> None:
        """Check that a counterexample is one where nothing was scored before, and under the names that are printed.

        Raises:
            MetricError: it is none.

        """
        if self.fresh is not None:
            batch = witness.batch
            self.fresh.check_violation(self.metric, witness.kind, pair_of(batch), batch.small, witness.bound)
        if self.names_matter:
            check_names_of_witness(self.metric, witness)

    def stamped(self, cell: Cell, pairs_to_score: Callable[[], Sequence[PairToScore]]) -> Cell:
        """Return a decided cell, or an error where the metric scores otherwise in a process that has scored nothing.

        Where scores depend on the names of documents, or are too coarse to be told apart, the cell says so. A search
        under one naming does not show that an axiom holds under every naming.
        """
        if self.fresh is None or cell.verdict in (Verdict.ERROR, Verdict.NOT_APPLICABLE):
            return cell
        try:
            pairs = pairs_to_score()
            self.fresh.check_scores_depend_on_nothing_earlier(self.metric, pairs)
        except MetricError as error:
            return failed(replace(cell, witness=None, certificate=None, evidence=None), error)
        coarseness = None
        if _is_coarse(cell) or (cell.searched is not None and _is_coarse(cell.searched)):
            scores = [score for pair in pairs for score in pair.scores(self.metric, better_first=False)]
            coarseness = resolution(np.array(scores))
        searched = cell.searched and self._remarked(cell.searched, coarseness)
        return replace(self._remarked(cell, coarseness), searched=searched)

    def _remarked(self, cell: Cell, coarseness: Remark | None) -> Cell:
        """Return a cell that says how coarse its scores are, or that they depend on the names of documents."""
        if coarseness is not None and _is_coarse(cell):
            cell = cell.remarked(coarseness)
        if not self.names_matter:
            return cell
        if cell.verdict is Verdict.HELD:
            because = cause("names-matter", self.names_matter)
            return replace(cell, verdict=Verdict.UNDECIDED, cause=because, evidence=None)
        return cell.remarked(Remark("names-matter", self.names_matter))


def passport_of(metric: Metric, axiom: Axiom, small: bool, seed: int, proofs: bool, probed: bool = True) -> Passport:
    """Try a metric, and return its passport for an axiom.

    Args:
        metric: of any kind.
        axiom: that is asked.
        small: whether r << 1 is assumed of it.
        seed: of the search.
        proofs: whether something is to be proved.
        probed: whether the search takes it with a cutoff that it has and does not declare.

    Raises:
        MetricError: it is not one function, or not what it declares; the message says what broke.

    """
    provable = proofs and not (isinstance(metric, NamedMetric) and metric.read_again is None)
    if (origin := origin_of(metric)).is_catalogue_code:
        identity = readable_identity(metric) if provable else None
        return Passport(metric, metric, origin, provable, identity, identity, None, "")
    fresh = fresh_process(metric)  # before the metric scores anything here
    identity = readable_identity(metric) if provable else None
    check_metric_is_one_function(metric, small)
    names_matter = names_that_matter(metric, seed, axiom)
    searched = as_probed(metric) if probed else metric
    tried = readable_identity(metric) if provable else None
    return Passport(metric, searched, origin, provable, identity, tried, fresh, names_matter)


def _is_coarse(cell: Cell) -> bool:
    """Return true for a cell that is undecided because floats did not tell its scores apart."""
    return cell.verdict is Verdict.UNDECIDED and cell.cause.code in ("not-told-apart", "scores-exhausted")
