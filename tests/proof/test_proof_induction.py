"""The all-lengths prover: it proves what is satisfied, nothing that is refuted, and falls for no planted fault."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from axiomcheck.axioms import PairAxiom, find_axiom
from axiomcheck.axioms.script import One
from axiomcheck.core.domain import Reading, Regime, assumes_small
from axiomcheck.decide.enumeration import group_batches
from axiomcheck.decide.space import InstanceSpace
from axiomcheck.metrics import Metric, parse
from axiomcheck.metrics.adhoc import RankBiasedPrecision
from axiomcheck.metrics.fold import Fold, State
from axiomcheck.metrics.novelty import RankBiasedUtility
from axiomcheck.numbers.arithmetic import Arithmetic, positive
from axiomcheck.numbers.discount import Geometric, Reciprocal
from tests.proof.documents import PAIRS, ROWS, check_document, pair_axiom, prove, row_proof, row_proofs
from tests.support.catalogue_rows import catalogue_rows
from tests.support.suites import each, quality

NOT_A_FOLD = "S-RR@100%"


def proof(metric: Metric | str, axiom: str, regime: Regime = Regime.STATED) -> dict[str, Any] | None:
    small = assumes_small(pair_axiom(axiom), Reading(regime))
    return prove(axiom, parse(metric) if isinstance(metric, str) else metric, small)


@each("name", ROWS, 26)
def test_satisfied_cells_are_proved_with_an_accepted_certificate_and_refuted_ones_are_not(name: str) -> None:
    """The verdicts come from the search; the prover never sees them."""
    cells = [(find_axiom(axiom), regime, holds) for (regime, axiom), holds in catalogue_rows()[name].items()]
    of_pairs = [(axiom, regime, holds) for axiom, regime, holds in cells if isinstance(axiom, PairAxiom)]
    for axiom, regime, holds in of_pairs:
        found = row_proof(name, axiom, assumes_small(axiom, Reading(Regime(regime)))) is not None
        assert found == (holds and name != NOT_A_FOLD), (regime, axiom.name)
    assert len(of_pairs) >= 9
    for document in row_proofs(name):
        check_document(document)


def paired_ranks(axiom: PairAxiom, batch: Any, b: int) -> list[tuple[Any, Any]]:
    """Return the grades of both rankings rank by rank; None where one has ended."""
    worse, better = (side[b] for side in batch.rankings)
    longest = max(len(worse), len(better))
    return [(worse[i] if i < len(worse) else None, better[i] if i < len(better) else None) for i in range(longest)]


def meets(relation: str, value: float, names: dict[str, float]) -> bool:
    if relation.startswith("above "):
        return value > names[relation.removeprefix("above ")]
    return relation != "positive" or value > 0


def follows(script: Any, ranks: list[tuple[Any, Any]], aspects: dict[str, int]) -> bool:
    """Tell whether paired ranks are an unrolling of a script, by trying every way to cut them."""

    def bind(row: Any, document: Any, names: dict[str, float], relations: Any) -> dict[str, float] | None:
        names = dict(names)
        for aspect, grade in sorted(row.items(), key=lambda entry: relations.get(entry[1], "").startswith("above")):
            value = float(document[aspects[aspect]])
            if grade in relations and grade not in names:
                if not meets(relations[grade], value, names):
                    return None
                names[grade] = value
            if value != (float(grade) if grade in ("0", "1") else names[grade]):
                return None
        return names

    def from_(segment: int, rank: int, names: dict[str, float], seen: int) -> bool:
        if segment == len(script.segments):
            return rank == len(ranks)
        now = script.segments[segment]
        if isinstance(now, One):
            if rank == len(ranks):
                return False
            order = ((now.worse, ranks[rank][0]), (now.better, ranks[rank][1]))
            for row, document in sorted(order, key=lambda pair: "b" in (pair[0] or {}).values()):
                if (row is None) != (document is None):
                    return False
                if row is not None:
                    bound = bind(row, document, names, script.grades)
                    if bound is None:
                        return False
                    names = bound
            return from_(segment + 1, rank + 1, names, 0)
        if seen >= now.least and from_(segment + 1, rank, names, 0):
            return True
        if rank == len(ranks) or ranks[rank][0] is None or ranks[rank][1] is None:
            return False
        worse, better = ranks[rank]
        same = all(worse[k] == better[k] for k in aspects.values())
        own = {**script.grades, **now.grades}
        for row in now.rows:
            bound = bind(row, worse, names, own)
            if same and bound is not None:
                kept = {name: value for name, value in bound.items() if name in script.grades}
                if from_(segment, rank + 1, kept, seen + 1):
                    return True
        return False

    return from_(0, 0, {}, 0)


@each("axiom", PAIRS, 3, ids=str)
def test_every_instance_follows_its_script(axiom: PairAxiom) -> None:
    """The scripts leave nothing out: every enumerated small instance is an unrolling of the axiom's script."""
    script = axiom.script()
    assert script is not None
    looked = 0
    for documents, m in ((2, 1), (3, 1), (4, 1), (5, 1), (6, 1), (3, 2), (4, 2)):
        if not axiom.min_aspects <= m <= (axiom.max_aspects or m):
            continue
        for batch in group_batches(InstanceSpace(axiom, max_rank=20), documents, m):
            for b in range(0, batch.size, max(1, batch.size // 200)):
                d = batch.draft
                ranks = paired_ranks(axiom, batch, b)
                for t in range(m) if script.every else [int(d.t[b])]:
                    aspects = {"t": t, "u": int(d.u[b])} if "u" in script.aspects else {"t": t}
                    if script.leaves_out:
                        ranks = paired_off(ranks, aspects)
                    assert follows(script, ranks, aspects), (documents, m, b)
                    looked += 1
    assert looked > 25


def paired_off(ranks: list[tuple[Any, Any]], aspects: dict[str, int]) -> list[tuple[Any, Any]]:
    """Return the ranks but the last, reordered as the script of Red has them: pairs, then what is left over on t."""
    *common, last = ranks
    counts = {a: [row[k] for row, _ in common if row[k] > 0] for a, k in aspects.items()}
    rows = []
    for position, grade in enumerate(counts["t"]):
        row = np.zeros(len(last[0]))
        row[aspects["t"]] = grade
        row[aspects["u"]] = counts["u"][position] if position < len(counts["u"]) else 0
        rows.append((row, row))
    return [*rows, last]


Step = Callable[[Arithmetic, State, Any], tuple[Any, State]]
FAULTS: dict[str, Step] = {
    "": lambda a, s, r: (s[0] * r, (s[0] * (1 - r),)),
    "takes": lambda a, s, r: (-(s[0] * r), (s[0] * (1 - r),)),
    "forgets": lambda a, s, r: (r, s),
    "any": lambda a, s, r: (s[0] * r, (s[0] * (1 - a.integers(positive(r))),)),
    "grows": lambda a, s, r: (s[0] * r, (s[0] * (1 + r),)),
    "nonrelevant": lambda a, s, r: (s[0] * r, (s[0] * a.number(4) / 5,)),
    "counts": lambda a, s, r: (s[0] * r - s[1] * r, (s[0], s[1] + 1)),
}
"""What a document earns, and the state after it, in a cascade that one fault goes into."""


@dataclass(frozen=True)
class Faulty(Fold):
    """A cascade that one fault goes into."""

    discount: Any
    fault: str

    def start(self, a: Arithmetic) -> State:
        return (a.number(1), a.number(0))[: 2 if self.fault == "counts" else 1]

    def step(self, a: Arithmetic, state: State, r: Any) -> tuple[Any, State]:
        return FAULTS[self.fault](a, state, r)


def planted(fault: str, discount: Any = None) -> Metric:
    """Return RBU with another fold."""
    fold = Faulty(discount or Reciprocal(), fault)
    made = type("Planted", (RankBiasedUtility,), {"name": "planted", "fold": lambda self: fold})()
    assert isinstance(made, Metric)
    return made


@each(
    ("fault", "axiom", "regime"),
    [
        ("takes", "Pri", Regime.STATED),
        ("forgets", "Sat", Regime.FINITE),
        ("grows", "MRed", Regime.STATED),
        ("any", "MRed", Regime.FINITE),
        ("nonrelevant", "Red", Regime.FINITE),
        ("counts", "Pri", Regime.STATED),
    ],
    2,
)
def test_a_faulty_fold_is_not_proved(fault: str, axiom: str, regime: Regime) -> None:
    assert proof(planted(fault), axiom, regime) is None


@each(("axiom", "regime"), [("Pri", Regime.STATED), ("MRed", Regime.STATED), ("Red", Regime.LIMIT)], 3)
def test_the_fold_without_a_fault_is_proved(axiom: str, regime: Regime) -> None:
    assert proof(planted(""), axiom, regime) is not None


def test_discounts_that_do_not_fall_are_not_taken_for_such_that_do() -> None:
    assert proof("RBP(p=1)@20", "Pri") is None
    assert proof("RBU(p=1)@20", "Pri") is None
    assert proof("RBU(p=1)@20", "AspDiv") is not None
    assert proof(planted("", Geometric(parse("RBP").values["p"], scale=-parse("RBP").values["p"])), "Pri") is None


def test_a_metric_with_a_kernel_of_its_own_has_no_proof_by_its_fold() -> None:
    class Upside(RankBiasedPrecision):
        name = "Upside"

        def kernel(self, a: Any, grades: Any, weights: Any, pool: Any) -> Any:
            return -super().kernel(a, grades, weights, pool)

    assert proof("RBP", "Pri") is not None
    assert proof(Upside(), "Pri") is None
    assert proof("alpha-nDCG-greedy@20", "Deep") is None


def test_parameters_are_symbols_where_the_verdict_does_not_depend_on_them() -> None:
    for name, axiom, symbols in (("RBP", "Pri", ["p"]), ("RBU", "Conf", ["p", "e"]), ("CT", "Sat", ["alpha"])):
        found = proof(name, axiom, Regime.STATED)
        assert found["parameters"] == symbols
    assert proof("RBU(e=0)", "Conf") is None
    at_the_end = proof("RBU(e=0)", "AspDiv")
    assert at_the_end["parameters"] == ["p"]
    assert proof("NRBP(alpha=1)", "Red") is None  # nothing is left for any second document
    assert proof("NRBP(alpha=0)", "Red") is None


@quality
def test_proofs_assume_as_little_of_the_discounts_as_will_do() -> None:
    modes = {axiom: (proof("RBU", axiom, Regime.LIMIT) or {})["discount"] for axiom in ("AspDiv", "Pri", "Deep")}
    assert modes == {"AspDiv": "positive", "Pri": "decreasing", "Deep": "convex"}
    assert (proof("AP", "Pri") or {})["discount"] == "reciprocal"


def test_a_mixture_needs_a_part_that_wins() -> None:
    found = proof("D#-nDCG", "AspDiv")
    assert [part["strict"] for part in found["parts"]] == [False, True]
    assert proof("D#-nDCG(lambda=1)", "Pri") is None
    assert proof("D#-nDCG(lambda=0)", "Pri") is not None
