"""Define a metric's passport: results of trials before a cell is decided, and checks that they still hold afterwards.

There are four trials. A process is forked in which the metric has scored nothing (`fresh_process`). A digest of the
metric's code and attributes is computed (`axiomcheck.sources.provenance.identity_of`). The scores must be consistent
and the declarations true, and an undeclared cutoff is found (`consistency`). The scores are tested for a dependence on
document names (`consistency`). Catalogue metrics skip the trials, because unit tests verify these properties.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from axiomcheck.axioms import Axiom
from axiomcheck.core.errors import MetricError
from axiomcheck.core.verdict import Verdict
from axiomcheck.decide.batch import Pairs
from axiomcheck.decide.numerical import resolution
from axiomcheck.decide.search import limited_to
from axiomcheck.decide.witness import Witness
from axiomcheck.metrics import Metric
from axiomcheck.metrics.derived_fold import FoldOfFunction
from axiomcheck.records.causes import Remark, cause
from axiomcheck.records.cells import Cell, failed
from axiomcheck.sources.external_metrics import NamedMetric
from axiomcheck.sources.provenance import UNREADABLE, Origin, origin_of, readable_identity
from axiomcheck.trials.consistency import (
    as_searched,
    check_metric_is_one_function,
    check_names_of_witness,
    names_that_matter,
)
from axiomcheck.trials.fresh_process import FreshProcess, first_pair, fresh_process, scores_of_pair


@dataclass(frozen=True)
class Passport:
    """Results of a metric's trials before an axiom is decided.

    Args:
        metric: The metric as it was given. Proofs are about this metric.
        scored: Metric whose scores witnesses contain: a copy with the undeclared cutoff, or the metric itself.
        searched: Metric that the search scores: the fold that was derived from a function's source, or `scored`.
        origin: Author and kind of the metric's code.
        provable: True if a proof may be attempted in this run. The digests are computed only in this case.
        identity: Digest of the metric's code and attributes before the trials; None if not ``provable``.
        identity_when_tried: Digest of the metric's code and attributes after the trials; None if not ``provable``.
        fresh: Process in which the metric has scored nothing; None for catalogue metrics.
        names_matter: Text with two scores if the metric's scores depend on document names, else empty.

    """

    metric: Metric
    scored: Metric
    searched: Metric
    origin: Origin
    provable: bool
    identity: str | None
    identity_when_tried: str | None
    fresh: FreshProcess | None
    names_matter: str

    @property
    def genuine(self) -> bool:
        """True if only axiomcheck's own code computes the scores."""
        return self.origin is Origin.CATALOGUE

    def state_remark(self) -> Remark | None:
        """Return a remark if the metric's attributes are unreadable or have changed since the trials, else None."""
        if self.identity_when_tried == UNREADABLE:
            return Remark("code-unreadable")
        now = readable_identity(self.metric) if self.provable else None
        return Remark("code-changed") if self.identity_when_tried != now else None

    def check_witness(self, witness: Witness) -> None:
        """Check that a counterexample is also a violation in a fresh process, and with the names in the report.

        Raises:
            MetricError: The counterexample is not a violation in one of these cases.

        """
        if self.fresh is not None:
            pair = replace(first_pair(witness.batch), bound=witness.bound)
            self.fresh.check_violation(self.metric, witness.kind, pair)
        if self.names_matter:
            check_names_of_witness(self.metric, witness)

    def stamped(self, cell: Cell, pairs_to_score: Callable[[], Sequence[Pairs]]) -> Cell:
        """Return a cell with remarks, or an error cell if some pairs of rankings score differently in a fresh process.

        ``pairs_to_score`` returns the pairs. A remark is added if scores depend on document names, or if they are
        coarsely spaced and the cell is undecided. If scores depend on names, a held axiom becomes undecided, because
        the search used only one set of names.
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
            scores = [score for pair in pairs for score in scores_of_pair(pair, self.metric, better_first=False)]
            coarseness = resolution(np.array(scores))
        searched = cell.searched and self._remarked(cell.searched, coarseness)
        return replace(self._remarked(cell, coarseness), searched=searched)

    def _remarked(self, cell: Cell, coarseness: Remark | None) -> Cell:
        """Return a cell with remarks on coarsely spaced scores and on scores that depend on document names."""
        if coarseness is not None and _is_coarse(cell):
            cell = cell.remarked(coarseness)
        if not self.names_matter:
            return cell
        if cell.verdict is Verdict.HELD:
            because = cause("names-matter", self.names_matter)
            return replace(cell, verdict=Verdict.UNDECIDED, cause=because, evidence=None)
        return cell.remarked(Remark("names-matter", self.names_matter))


def passport_of(
    metric: Metric, axiom: Axiom, small: bool, seed: int, proofs: bool, few: int | None = None, probed: bool = True
) -> Passport:
    """Run a metric's trials, and return its passport for an axiom.

    Args:
        metric: Metric of any kind.
        axiom: Axiom to decide.
        small: True if r << 1 is assumed for the axiom.
        seed: Seed for the search.
        proofs: True if proofs are attempted.
        few: Maximum number of instances of each kind if a time limit shortens the search; else None.
        probed: False to ignore an undeclared cutoff that only probes show.

    Raises:
        MetricError: The metric's scores are not consistent, or a declaration is false. The message says how.

    """
    provable = proofs and _is_provable(metric)
    if (origin := origin_of(metric)) is Origin.CATALOGUE:
        identity = readable_identity(metric) if provable else None
        return Passport(metric, metric, metric, origin, provable, identity, identity, None, "")
    fresh = fresh_process(metric)  # before the metric scores anything here
    found = _TRIED.get(id(metric)) or _tried(metric, fresh, small, provable)
    names_matter = names_that_matter(metric if few is None else limited_to(metric, few), seed, axiom)
    found = replace(found, origin=origin, provable=provable, fresh=fresh, names_matter=names_matter)
    if not probed and found.searched is found.scored:
        found = replace(found, scored=metric, searched=metric)  # see `as_searched_at_large_n`
    return found


_TRIED: dict[int, Passport] = {}
"""Passports with the results that are the same for every axiom, by the id of the metric. The passports refer to the
metrics, so that no id is reused."""


def _tried(metric: Metric, fresh: FreshProcess | None, small: bool, provable: bool) -> Passport:
    """Run the trials whose results are the same for every axiom, and return a passport with these results."""
    identity = readable_identity(metric) if provable else None
    check_metric_is_one_function(metric, small, fresh)
    searched = as_searched(metric)
    scored = searched.function if isinstance(searched, FoldOfFunction) else searched
    now = readable_identity(metric) if provable else None
    return Passport(metric, scored, searched, origin_of(metric), provable, identity, now, fresh, "")


def check_tried(metric: Metric, small: bool) -> None:
    """Check that a metric's scores are consistent and its declarations true, unless `try_once` has checked this.

    Raises:
        MetricError: See `passport_of`.

    """
    if id(metric) not in _TRIED:
        check_metric_is_one_function(metric, small)


def _is_provable(metric: Metric) -> bool:
    return not (isinstance(metric, NamedMetric) and metric.read_again is None)


def try_once(metric: Metric) -> Metric:
    """Run the trials of an external metric once for all cells that are decided in forks of this process.

    Returns:
        The metric that searches score; see `Passport.searched`.

    Raises:
        MetricError: See `passport_of`.

    """
    _TRIED[id(metric)] = _tried(metric, fresh_process(metric), True, _is_provable(metric))
    return _TRIED[id(metric)].searched


def _is_coarse(cell: Cell) -> bool:
    """Return True if a cell is undecided because floats could not distinguish the metric's scores."""
    return cell.verdict is Verdict.UNDECIDED and cell.cause.code in ("not-told-apart", "scores-exhausted")
