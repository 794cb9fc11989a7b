"""The all-lengths prover: it proves what is satisfied, nothing that is refuted, and falls for no planted fault."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from axiomcheck.axioms import PairAxiom, find_axiom
from axiomcheck.core.domain import Reading, Regime, assumes_small
from axiomcheck.metrics import Metric, parse
from axiomcheck.metrics.fold import Fold, State
from axiomcheck.metrics.novelty import RankBiasedUtility
from axiomcheck.numbers.arithmetic import Arithmetic, positive
from axiomcheck.numbers.discount import Geometric, Reciprocal
from tests.proof.documents import ROWS, check_document, pair_axiom, prove, row_proof, row_proofs
from tests.support.catalogue_rows import catalogue_rows
from tests.support.suites import each

NOT_A_FOLD = "S-RR@100%"


def proof(metric: Metric | str, axiom: str, regime: Regime = Regime.STATED) -> dict[str, Any] | None:
    small = assumes_small(pair_axiom(axiom), Reading(regime))
    return prove(axiom, parse(metric) if isinstance(metric, str) else metric, small)


@each("name", ROWS, 26, share=20)
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


@pytest.mark.usefixtures("origin_unchecked")
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
    3,
)
def test_a_faulty_fold_is_not_proved(fault: str, axiom: str, regime: Regime) -> None:
    assert proof(planted(fault), axiom, regime) is None


@pytest.mark.usefixtures("origin_unchecked")
@each(("axiom", "regime"), [("Pri", Regime.STATED), ("MRed", Regime.STATED), ("Red", Regime.LIMIT)], 3)
def test_the_fold_without_a_fault_is_proved(axiom: str, regime: Regime) -> None:
    assert proof(planted(""), axiom, regime) is not None


@pytest.mark.usefixtures("origin_unchecked")
def test_discounts_that_do_not_fall_are_not_taken_for_such_that_do() -> None:
    assert proof("RBP(p=1)@20", "Pri") is None
    assert proof("RBU(p=1)@20", "Pri") is None
    assert proof("RBU(p=1)@20", "AspDiv") is not None
    assert proof(planted("", Geometric(parse("RBP").values["p"], scale=-parse("RBP").values["p"])), "Pri") is None


def test_parameters_are_symbols_where_the_verdict_does_not_depend_on_them() -> None:
    for name, axiom, symbols in (("RBP", "Pri", ["p"]), ("RBU", "Conf", ["p", "e"]), ("CT", "Sat", ["alpha"])):
        found = proof(name, axiom, Regime.STATED)
        assert found["parameters"] == symbols
    assert proof("RBU(e=0)", "Conf") is None
    at_the_end = proof("RBU(e=0)", "AspDiv")
    assert at_the_end["parameters"] == ["p"]
    assert proof("NRBP(alpha=1)", "Red") is None  # nothing is left for any second document
    assert proof("NRBP(alpha=0)", "Red") is None


def test_a_mixture_needs_a_part_that_wins() -> None:
    found = proof("D#-nDCG", "AspDiv")
    assert [part["strict"] for part in found["parts"]] == [False, True]
    assert proof("D#-nDCG(lambda=1)", "Pri") is None
    assert proof("D#-nDCG(lambda=0)", "Pri") is not None
