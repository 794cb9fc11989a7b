"""The corpus: how many functions run exactly, that they score as their twins, and that no verdict is wrong."""

import re
from collections.abc import Sequence
from functools import cache

import numpy as np

from axiomcheck import Cell, Metric, Reading, Regime, Verdict, find_axiom
from axiomcheck.decide.search import Settings
from axiomcheck.engine.run import run_matrix
from axiomcheck.numbers.arithmetic import Balls, Floats
from tests.natural.corpus import CORPUS, WRITTEN, Written
from tests.support.metrics_topics import batch
from tests.support.suites import each

TWINS = [written for written in CORPUS if written.twin]
BY_NAME = {written.name: written for written in CORPUS}


def named(written: Written) -> str:
    return written.name


def test_the_corpus_is_large_and_every_function_is_in_it() -> None:
    texts = {file.name: file.read_text() for file in WRITTEN.glob("*.py")}
    found = {f"{file}:{name}" for file, text in texts.items() for name in re.findall(r"^def ([a-z]\w*)\(", text, re.M)}
    shared = {name for name in found if name.split(":")[0] in ("discounts.py", "libraries.py")}
    assert {written.name for written in CORPUS} == (found - shared) | {"arrays.py:patient_rbp"}
    assert len(CORPUS) >= 60
    others = (text.replace("of axiomcheck's", "") for file, text in texts.items() if file != "arrays.py")
    assert "axiomcheck" not in "".join(others)


@each("written", sorted(CORPUS, key=lambda written: written.exact), 24, ids=named)
def test_a_function_runs_exactly_or_names_line_and_reason(written: Written) -> None:
    """Agree with what the corpus says of a function."""
    why, small = (written.metric().numerical(s) for s in (False, True))
    assert (why == "") == written.exact, (written.name, why)
    assert not why or re.search(rf"line \d+ of {written.name.split(':')[0]}: .{{10}}", why)
    assert small == why


def apart(one: Metric, other: Metric, aspects: int) -> float:
    """Return the largest difference of two metrics' scores in floats; 1 where balls around them do not meet."""
    rng = np.random.default_rng(7)
    worst = 0.0
    for n in (1, 2, 3, 7):
        grades, weights, pool = batch(rng, 3, n, n + 2, aspects)
        if one.binary_only:
            pool = np.where(pool > 0, pool[:, :1, :1] * 0 + 1, pool * 0)
            grades = pool[:, :n]
        mine, others = (np.ravel(m.score(Balls(), grades, weights, pool)) for m in (one, other))
        if not all(abs(float(x) - float(y)) <= 1e-12 for x, y in zip(_floats(mine), _floats(others), strict=True)):
            worst = 1.0
        x, w, p = (np.vectorize(lambda v: int(v.p) / int(v.q), otypes=[float])(v) for v in (grades, weights, pool))
        worst = max(worst, float(np.abs(one.score(Floats(), x, w, p) - other.score(Floats(), x, w, p)).max()))
    return worst


def _floats(values: np.ndarray) -> list[float]:  # type: ignore[type-arg]
    return [float(v) if type(v).__name__ == "arb" else int(v.p) / int(v.q) for v in values]


@each("written", TWINS, 15, ids=named)
def test_a_function_scores_as_its_twin(written: Written) -> None:
    assert apart(written.metric(), written.twin_metric(), 3 if written.several else 1) < 1e-12


def test_the_comparison_with_twins_sees_faults() -> None:
    for name, twin in (("dcg_starting_at_one", "dcg"), ("err_no_cascade", "err")):
        one, other = BY_NAME[f"arrays.py:{name}"], BY_NAME[f"arrays.py:{twin}"]
        assert apart(one.metric(), other.twin_metric(), 1) > 1e-3


Cells = dict[tuple[str, Regime], Cell]


def cells_of(
    metric: Metric, written: Written, examples: int, axioms: Sequence[str] = (), proofs: bool = False
) -> Cells:
    """Return (axiom, regime) -> cell, by default of the axioms of which something is known.

    Proofs are tried where r << 1 is assumed.
    """
    found: Cells = {}
    for regime in (Regime.STATED, Regime.FINITE):
        known = written.keeps if regime is Regime.STATED else written.breaks
        if written.twin:
            known = ("Pri", "Conf", *(("Red",) if written.several else ()))
        asked = [find_axiom(name) for name in axioms or known or ("Pri",)]
        settings = Settings(examples=examples, proofs=proofs and regime is Regime.STATED)
        cells = run_matrix([metric], asked, Reading(regime, written.domain), settings).cells
        found |= {(cell.axiom, regime): cell for cell in cells}
    return found


@cache
def cells_of_twin(twin: str, binary: bool, several: bool, axioms: tuple[str, ...]) -> Cells:
    written = Written("", twin, binary=binary, several=several)
    return cells_of(written.twin_metric(), written, 300, axioms)


def wrong(written: Written, cells: Cells, axioms: Sequence[str] = ()) -> list[str]:
    """Return every verdict that contradicts what is known of a function, or a verdict of its twin."""
    twin = cells_of_twin(written.twin, written.binary, written.several, tuple(axioms)) if written.twin else cells
    found = []
    for (axiom, regime), cell in cells.items():
        holds, refuted = cell.verdict.satisfied, cell.verdict is Verdict.REFUTED
        other = twin[axiom, regime].verdict
        broken = axiom in written.breaks and regime is Regime.FINITE and not cell.undeclared_cutoff
        said = {
            "an error": cell.verdict is Verdict.ERROR,
            "it is violated": holds and broken,
            "it is satisfied": refuted and axiom in written.keeps and regime is Regime.STATED,
            f"the twin is {other}": (holds and other is Verdict.REFUTED) or (refuted and other.satisfied),
        }
        found += [f"{axiom} ({regime}): {cell.verdict}, and {why}" for why, false in said.items() if false]
    return found


PROVED = ["rankings.py:root_discount", "arrays.py:saturating"]
"""Two that no derivation follows, of which Pri gets a bounded proof where r << 1 is assumed."""

ONE_WAY = {written.twin: written.name for written in reversed(TWINS)}
"""The first function that scores as its twin does; those after it have the same fold, which is what is searched."""

UNPROVED = [w for w in CORPUS if w.name not in PROVED and (not w.twin or w.name in ONE_WAY.values())]
"""The functions that are searched without proofs; other ways to write them have the same proofs."""


@each("written", UNPROVED, 0, ids=named, share=16)
def test_no_verdict_is_wrong(written: Written) -> None:
    # of this one, which is asked one by one, Red is refuted after some 300 instances
    examples = 400 if written.name == "rankings.py:err_ia" else 100
    assert wrong(written, cells_of(written.metric(), written, examples)) == []


@each("name", PROVED, 2)
def test_natural_code_gets_bounded_proofs(name: str) -> None:
    written = BY_NAME[name]
    cells = cells_of(written.metric(), written, 20, ("Pri",), proofs=True)
    assert wrong(written, cells, ("Pri",)) == []
    assert cells["Pri", Regime.STATED].verdict is Verdict.BOUNDED


def test_a_function_that_is_taken_for_another_is_wrong() -> None:
    claimed = Written("arrays.py:dcg_unranked", twin="RBP(p=0.8)", keeps=("Pri",))
    assert len(wrong(claimed, cells_of(claimed.metric(), claimed, 20, ("Pri",)), ("Pri",))) >= 3
    broken = Written("arrays.py:rbp", breaks=("Pri",))
    assert wrong(broken, cells_of(broken.metric(), broken, 20, ("Pri",)))
