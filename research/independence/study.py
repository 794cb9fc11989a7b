"""Decide the independence of the axioms in a regime, and find the sets of axioms that no metric satisfies together.

An axiom is independent if a metric satisfies the other nine and violates it. A set is impossible if its axioms
contradict each other on one topic (`research.independence.cycles`), and possible if one metric satisfies all of it. The
evidence that a metric satisfies an axiom is the verdict of its cell in the matrix.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from axiomcheck.axioms import AXIOMS, about_pairs
from axiomcheck.core.domain import Reading, Regime, assumes_small
from axiomcheck.core.errors import InternalDisagreement
from axiomcheck.core.verdict import Verdict
from axiomcheck.decide.search import Settings
from axiomcheck.engine.places import Machine
from axiomcheck.engine.run import run_matrix
from axiomcheck.records.cells import Cell, Ledger
from axiomcheck.records.witnesses import AnyWitness
from research.independence.candidates import Contender, candidates
from research.independence.conditions import Appending, AtEqualWeights
from research.independence.cycles import Contradiction, Graph, contradictions, maximal_without
from research.independence.graph import Family, GradeMeaning, Label, labels_of, speaks_of
from research.independence.recheck import faults

CONDITIONS: dict[str, str] = {
    "monotone": "appending a relevant document never lowers the score",
    "continuous": "the score of a ranking is continuous in the aspect weights",
}
"""Conditions besides the axioms, which are assumed one at a time and together."""

FAMILIES: tuple[Family, ...] = (
    *(Family(documents, 1, True) for documents in (2, 3, 4, 5)),
    Family(2, 2, True),
    Family(3, 2, True),
    Family(4, 2, True),
    Family(3, 3, False),
    Family(4, 3, False),
    Family(5, 2, False),
    Family(5, 3, False, (1.0,)),
)
"""Families of topics that are searched for contradictions, simplest first."""

Names = frozenset[str]


@dataclass(frozen=True)
class Row:
    """Verdicts of one metric on the ten axioms.

    Args:
        metric: Canonical name of the metric.
        verdicts: Verdicts, keyed by the name of the axiom.
        monotone: Verdict on monotonicity at every grade.
        continuous: True if the formula of the metric is continuous in the weights.

    """

    metric: str
    verdicts: dict[str, Verdict]
    monotone: Verdict
    continuous: bool

    def satisfied(self) -> Names:
        """Return the names of the axioms and conditions that are satisfied as far as is known."""
        found = {name for name, verdict in self.verdicts.items() if verdict.satisfied}
        if self.monotone.satisfied:
            found.add("monotone")
        if self.continuous:
            found.add("continuous")
        return frozenset(found)

    def separates(self, axiom: str) -> bool:
        """Return True if the metric violates this axiom and satisfies all others."""
        return self.verdicts[axiom] is Verdict.REFUTED and all(
            verdict.satisfied for name, verdict in self.verdicts.items() if name != axiom
        )


@dataclass(frozen=True)
class Separation:
    """Evidence that an axiom does not follow from the other nine.

    Args:
        axiom: Name of the axiom.
        metric: Metric that satisfies the other nine and violates this one; None if no candidate does.
        reason: Reason for the metric's verdict on this axiom; empty without a metric.
        witness: Counterexample to this axiom for the metric; None if there is none.

    """

    axiom: str
    metric: str | None
    reason: str
    witness: AnyWitness | None


@dataclass(frozen=True)
class Joint:
    """A maximal set of axioms without a known contradiction, under some conditions.

    Args:
        conditions: Assumed conditions, from `CONDITIONS`.
        axioms: Names of the axioms.
        metric: Metric that satisfies these axioms and conditions; None if no candidate does (an open question).

    """

    conditions: tuple[str, ...]
    axioms: tuple[str, ...]
    metric: str | None


@dataclass(frozen=True)
class Looked:
    """Family of topics that was searched for contradictions.

    Args:
        family: Description of the family.
        grades: Meaning of the topics' grades.
        topics, instances: Number of topics, and of instances on them.

    """

    family: str
    grades: GradeMeaning
    topics: int
    instances: int


@dataclass(frozen=True)
class Study:
    """Results about the axioms in one regime.

    Args:
        regime: Regime, which determines the axioms for which r << 1 is assumed.
        settings: Settings of the search that decided the candidate metrics.
        rows: Verdicts of the candidate metrics.
        separations: Separation of each axiom.
        impossible: Minimal contradictory sets, each checked again.
        joint: Maximal sets without a contradiction, under no condition, under each one, and under both.
        counts: (conditions, impossible, satisfied, open): numbers of the 1,023 sets of axioms for each choice of
            conditions.
        looked: Families that were searched for contradictions.

    """

    regime: Regime
    settings: Settings
    rows: tuple[Row, ...]
    separations: tuple[Separation, ...]
    impossible: tuple[Contradiction, ...]
    joint: tuple[Joint, ...]
    counts: tuple[tuple[tuple[str, ...], int, int, int], ...]
    looked: tuple[Looked, ...]


def regime_labels(regime: Regime) -> tuple[Label, ...]:
    """Return the labels of a regime: one for each axiom on pairs, and those for consequences of the conditions.

    DeepTh and CloseTh are left out, since they are about infinitely many topics and require nothing of a single one.
    """
    labels = list(labels_of([axiom for axiom in AXIOMS.values() if about_pairs(axiom)]))
    labels.append(Label(Appending(), ("monotone",), always=True))
    if regime is not Regime.LIMIT:
        # If AspRel applies to small grades only, the bound may depend on the weights, so the limit implies nothing.
        labels.append(Label(AtEqualWeights(), ("AspRel", "continuous"), always=True))
    return tuple(labels)


def _contradictions(regime: Regime) -> tuple[list[Contradiction], list[Looked]]:
    reading, labels = Reading(regime), regime_labels(regime)
    looked: list[Looked] = []

    def graphs() -> Iterator[Graph]:
        for grades in GradeMeaning:
            speaking = [label for label in labels if speaks_of(label, reading, grades)]
            for family in FAMILIES:
                yield Graph(speaking, family, grades)

    def note(graph: Graph) -> None:
        looked.append(Looked(graph.family.text(), graph.grades, graph.topics.size, graph.size))

    found = contradictions(graphs(), [*AXIOMS, *CONDITIONS], note)
    for each in found:
        wrong = faults(each, regime)
        if wrong:
            raise InternalDisagreement(
                f"the second check rejects the contradiction of {', '.join(sorted(each.names))}: {wrong[0]}"
            )
    return found, looked


def _rows(tried: Sequence[Contender], cells: Mapping[tuple[str, str], Cell], monotone: Ledger) -> tuple[Row, ...]:
    steady = {cell.metric: cell.verdict for cell in monotone.cells}
    return tuple(
        Row(name, {axiom: cells[name, axiom].verdict for axiom in AXIOMS}, steady[name], candidate.continuous)
        for candidate in tried
        for name in [candidate.metric.canonical]
    )


def _separation(axiom: str, rows: Sequence[Row], cells: dict[tuple[str, str], Cell]) -> Separation:
    fitting = [row for row in rows if row.separates(axiom)]
    if not fitting:
        return Separation(axiom, None, "", None)
    best = max(fitting, key=lambda row: sum(v is Verdict.PROVED for v in row.verdicts.values()))  # the first of ties
    cell = cells[best.metric, axiom]
    return Separation(axiom, best.metric, cell.reason, cell.witness)


def _joint(
    rows: Sequence[Row], impossible: Sequence[Contradiction]
) -> tuple[list[Joint], list[tuple[tuple[str, ...], int, int, int]]]:
    joint: list[Joint] = []
    counts: list[tuple[tuple[str, ...], int, int, int]] = []
    order = list(AXIOMS)
    for size in range(len(CONDITIONS) + 1):
        for conditions in combinations(CONDITIONS, size):
            asked = frozenset(conditions)
            bad = [c.names - asked for c in impossible if c.names & frozenset(CONDITIONS) <= asked]
            fitting = [row for row in rows if asked <= row.satisfied()]
            for largest in maximal_without(order, bad):
                known = next((row.metric for row in fitting if largest <= row.satisfied()), None)
                joint.append(Joint(conditions, tuple(sorted(largest, key=order.index)), known))
            tally = [0, 0, 0]
            for count in range(1, len(order) + 1):
                for chosen in map(frozenset, combinations(order, count)):
                    if any(b <= chosen for b in bad):
                        tally[0] += 1
                    elif any(chosen <= row.satisfied() for row in fitting):
                        tally[1] += 1
                    else:
                        tally[2] += 1
            counts.append((conditions, tally[0], tally[1], tally[2]))
    return joint, counts


def _cross_examine(rows: Sequence[Row], impossible: Sequence[Contradiction]) -> None:
    """Check that no metric satisfies a set of axioms that was shown to be contradictory.

    Raises:
        InternalDisagreement: A metric appears to satisfy such a set.

    """
    for each in impossible:
        for row in rows:
            if each.names <= row.satisfied():
                raise InternalDisagreement(
                    f"{row.metric} appears to satisfy {', '.join(sorted(each.names))}, which contradict each other"
                )


def study(
    regimes: Sequence[Regime],
    settings: Settings = Settings(proofs=False),  # noqa: B008 - immutable
    jobs: int = 1,
) -> list[Study]:
    """Decide the candidate metrics on all axioms, and search for contradictions.

    Args:
        regimes: Regimes, each with a study of its own.
        settings: Settings of the search on the metrics.
        jobs: Number of worker processes; the result does not depend on it.

    Raises:
        InternalDisagreement: A contradiction fails its second check, or a metric satisfies a contradictory set.
        Interrupted: A KeyboardInterrupt occurred during the search.

    """
    chosen = candidates()
    metrics = [candidate.metric for candidate in chosen]
    monotone = run_matrix(metrics, [Appending()], Reading(Regime.FINITE), settings, Machine(jobs))
    decided: dict[tuple[str, bool], tuple[Cell, ...]] = {}
    studies = []
    for regime in regimes:
        # A regime determines the axioms for which r << 1 is assumed: each is decided once with it and once without.
        columns = {name: (name, assumes_small(axiom, Reading(regime))) for name, axiom in AXIOMS.items()}
        new = [AXIOMS[name] for name, column in columns.items() if column not in decided]
        if new:
            ledger = run_matrix(metrics, new, Reading(regime), settings, Machine(jobs))
            for axiom in new:
                decided[columns[axiom.name]] = tuple(cell for cell in ledger.cells if cell.axiom == axiom.name)
        cells = {(cell.metric, cell.axiom): cell for column in columns.values() for cell in decided[column]}
        rows = _rows(chosen, cells, monotone)
        impossible, looked = _contradictions(regime)
        _cross_examine(rows, impossible)
        joint, counts = _joint(rows, impossible)
        studies.append(
            Study(
                regime,
                settings,
                rows,
                tuple(_separation(axiom, rows, cells) for axiom in AXIOMS),
                tuple(impossible),
                tuple(joint),
                tuple(counts),
                tuple(looked),
            )
        )
    return studies
