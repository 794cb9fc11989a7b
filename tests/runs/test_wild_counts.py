"""Edits of real runs: what is counted, against edits made by names one at a time; planted faults; what is vacuous."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from axiomcheck.axioms import Draft, PairAxiom, Shape, find_axiom
from axiomcheck.axioms.pri import Priority
from axiomcheck.core.domain import Domain, Reading, Regime
from axiomcheck.core.errors import InvalidInput
from axiomcheck.decide.batch import Batch
from axiomcheck.decide.witness import read_witness
from axiomcheck.ledger import LedgerFile
from axiomcheck.metrics import Metric, parse
from axiomcheck.records.witnesses import PairWitness
from axiomcheck.runs.trec import Options
from axiomcheck.runs.wild import Extent, WildCell, wild
from axiomcheck.runs.wild.tally import EditOutcome, as_tried, outcomes
from tests.runs.wild_data import counted, made, read
from tests.support.suites import each


def cells(metrics: list[Any], axioms: list[Any], data: Any, **extent: Any) -> dict[tuple[str, str], WildCell]:
    chosen = [parse(metric) if isinstance(metric, str) else metric for metric in metrics]
    asked = [find_axiom(axiom) if isinstance(axiom, str) else axiom for axiom in axioms]
    study = wild(chosen, *read(*data), extent=Extent(**{"depth": 6} | extent), axioms=asked)
    return {(cell.metric, cell.axiom): cell for cell in study.cells}


class Never(Priority):
    """An axiom of nothing that any topic here has."""

    name = "Never"

    def relate(self, g: Any, shape: Any, i: Any, j: Any, t: Any, u: Any) -> None:
        super().relate(g, shape, i, j, t, u)
        g.zero((j, 0))


CASES: list[tuple[str, str, int, dict[str, bool]]] = [
    *(("Pri", name, 1, {}) for name in ("P@4", "ERR@5", "nDCG", "RR", "AP")),
    *(("Pri", name, 3, {}) for name in ("alpha-nDCG@6", "NRBP")),
    *(("Conf", name, 1, {}) for name in ("RBU@5", "ERR", "P@4")),
    *(("AspDiv", name, 2, {}) for name in ("NRBP", "S-Recall@4", "EU@6", "alpha-nDCG")),
    *(("Red", name, 3, {"overlap": False, "binary": True}) for name in ("RBU@5", "NRBP", "S-Recall")),
    *(("Sat", name, 3, {"overlap": False}) for name in ("nDCG-IA@6", "ERR-IA@5", "EU")),
]
"""Axiom, metric, aspects, and how the data are made: Red and Sat speak of topics without overlap alone."""


@each(("axiom", "name", "aspects", "how"), CASES, 3)
def test_counts_are_those_of_single_edits_by_name(axiom: str, name: str, aspects: int, how: dict[str, bool]) -> None:
    data = made(3 if how else len(name), aspects, **how)
    cell = cells([name], [axiom], data)[parse(name).canonical, axiom]
    expected = counted(axiom, parse(name), *data, depth=6)
    assert expected["applicable"] > {"Red": 20, "Sat": 2}.get(axiom, 0)
    for number, value in expected.items():
        assert getattr(cell, number) == (pytest.approx(value, abs=1e-12) if isinstance(value, float) else value), number
    assert cell.looked == cell.candidates or how


def test_differences_below_rounding_are_decided_exactly() -> None:
    """ERR after fifteen documents of grade 15/16, and the same with one of grade 1 among them."""
    grades = np.full((2, 18, 1), 15 / 16)
    grades[1, 3] = 1
    grades[:, 16] = 0
    one, n = np.ones(2, dtype=np.int64), 18
    draft = Draft(Shape(n, 1, n), grades, one[:, None], one * 1.0, 16 * one, 17 * one, 0 * one, 0 * one)
    found = outcomes(parse("ERR"), Batch(Priority(), draft, False))
    assert found.tolist() == [EditOutcome.IN_ORDER, EditOutcome.TIE]


class Rank3(Metric):
    """Discounted gain, but rank 3 is worth no more than rank 4: Pri fails on swaps of these two alone."""

    name, summary, source, single_aspect, blanks = "rank3", "", "", True, "nothing"

    def kernel(self, a: Any, grades: Any, weights: Any, pool: Any) -> Any:
        ranks = np.arange(grades.shape[-2])
        return (grades[..., 0] * a.integers(1000 - np.where(ranks == 2, 3, ranks))).sum(axis=-1)


class AsIs(Rank3):
    """The same with a discount that falls, called ranking by ranking; it notes the sizes of pools."""

    name, blanks = "as-is", "any"
    pools: ClassVar[set[int]] = set()

    def kernel(self, a: Any, grades: Any, weights: Any, pool: Any) -> Any:
        self.pools.add(pool.shape[-2])
        return (grades[..., 0] * a.integers(1000 - np.arange(grades.shape[-2]))).sum(axis=-1)


def test_a_fault_at_one_rank_is_found_there_and_nowhere_else() -> None:
    topics, rankings = data = made(2)
    found = cells([Rank3(), AsIs()], ["Pri", Never()], data)
    cell, right, vacuous = found["rank3", "Pri"], found["as-is", "Pri"], found["as-is", "Never"]
    lists = [(topics[topic], ranked) for some in rankings.values() for topic, ranked in some.items()]
    expected = sum(judged.get(ranked[3], (0,))[0] > judged.get(ranked[2], (0,))[0] for judged, ranked in lists)
    assert expected > 0
    assert (cell.ties, cell.reversals) == (expected, 0)
    assert cell.witness is not None
    assert cell.witness.worse[2:4] == cell.witness.better[3:1:-1]
    assert cell.witness.scores[0] == cell.witness.scores[1]
    assert (right.applicable, right.violations, right.witness) == (cell.applicable, 0, None)
    assert (vacuous.looked, vacuous.applicable, vacuous.share) == (vacuous.candidates, 0, None)
    assert vacuous.candidates > 0
    # What reads the whole pool is shown it, and the documents without a judgment that are ranked.
    unjudged = {sum(name not in judged for name in ranked[:6]) for judged, ranked in lists}
    assert {size for size in AsIs.pools if 12 < size < 20} == {13 + count for count in unjudged}  # others are trials


class Appended(PairAxiom):
    """As a plugin has it, with premises of its own and no relations: a relevant document at the end does no harm."""

    name, group, strict, overlap = "Appended", "relevance", False, True
    max_aspects, incoming, appends = 1, ("x",), True

    def holds(self, d: Any) -> Any:
        return d.incoming(0)[:, 0] > 0

    def rankings(self, d: Any) -> Any:
        better = np.broadcast_to(np.arange(d.n + 1), (d.size, d.n + 1))
        return better[:, : d.n], better

    def last_rank(self, d: Any) -> Any:
        return np.full(d.size, d.n + 1)

    def sentence(self, d: Any) -> str:
        return "x is relevant"


def test_an_axiom_of_a_plugin() -> None:
    topics, rankings = made(5)
    found = cells(["EU(e=0.5)", "nDCG@4"], [Appended()], (topics, rankings))
    right, cut = found[parse("EU(e=0.5)").canonical, "Appended"], found["nDCG@4", "Appended"]
    sizes = []  # of the rankings that are appended to, once for each relevant document
    for topic, judged in topics.items():
        for run, lists in rankings.items():
            seen = [rankings[other].get(topic, [])[: 12 if other == run else 6] for other in rankings]
            others = {name for names in seen for name in names if judged.get(name, (0,))[0] > 0}
            ranked = lists.get(topic, [])
            sizes += [n for n in range(1, min(len(ranked), 5) + 1) for _ in others - set(ranked[:n])]
    assert (right.applicable, cut.applicable) == (len(sizes), sum(n < 4 for n in sizes))
    assert (right.violations > 0, cut.violations) == (True, 0)  # a relevant document may cost more than it gains


def test_axioms_that_say_nothing_of_a_topic_are_vacuous_or_not_asked() -> None:
    found = cells(["RBU", "nDCG"], ["Red", "MRed", "AspRel", "Sat", "DeepTh"], made(1, 3))
    rbu = parse("RBU").canonical
    assert [found[rbu, name].share for name in ("Red", "MRed", "AspRel")] == [None] * 3
    assert found[rbu, "Red"].looked == found[rbu, "Red"].candidates > 0
    assert found[rbu, "DeepTh"].why_not.startswith("no edit")
    assert found["nDCG", "Red"].why_not.startswith("not applicable")


def test_no_topic_is_ruled_out_that_the_premises_admit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the shortcut every draft is put to the axiom, and none is an instance."""
    data, names = [made(1, 3), made(2, 2), made(3, 3, overlap=False)], ["Red", "MRed", "Sat", "AspRel"]
    before = [cell for one in data for cell in cells(["RBU"], names, one, depth=3).values()]
    ruled_out: list[bool] = []
    monkeypatch.setattr("axiomcheck.runs.wild.edits.admits", lambda axiom, seen: not ruled_out.append(True))
    after = [cell for one in data for cell in cells(["RBU"], names, one, depth=3, edits=10**6).values()]
    assert ruled_out
    assert {cell.applicable > 0 for cell in before} == {True, False}
    assert [cell.applicable for cell in before] == [cell.applicable for cell in after]


def test_topics_and_judgments_that_are_not_there_are_said() -> None:
    topics, rankings = made(1)
    judged = [name in topics[topic] for lists in rankings.values() for topic in lists for name in lists[topic][:6]]
    study = wild([parse("RR")], *read(topics, rankings), extent=Extent(6), axioms=[find_axiom("Pri")])
    assert study.notes == (
        "r3: 1 of 3 topics not in it, scored as empty rankings",
        f"{judged.count(False)} of {len(judged)} documents without a judgment, counted as not relevant",
    )


def test_a_metric_that_sees_no_grades_is_asked_about_binary_ones() -> None:
    cell = cells(["P@4"], ["Pri"], made(1))["P@4", "Pri"]
    assert cell.binary
    assert cell.witness is not None
    assert {grade for grades in cell.witness.grades.values() for grade in grades} == {0.0, 1.0}
    graded, binary = (cells(["nDCG"], ["Pri"], made(1), domain=d)["nDCG", "Pri"] for d in Domain)
    assert binary.applicable < graded.applicable


def test_a_sample_is_part_of_the_whole_and_said() -> None:
    data = made(4)
    whole, part, again, other = (
        cells(["nDCG"], ["Pri"], data, edits=edits, seed=seed)["nDCG", "Pri"]
        for edits, seed in ((5000, 0), (20, 0), (20, 0), (20, 1))
    )
    assert part.looked == 20 * 8
    assert part.candidates == whole.candidates == whole.looked
    assert 0 < part.applicable < whole.applicable
    assert part == again
    assert part != other


def test_witnesses_can_be_scored_again_and_are_the_named_documents() -> None:
    topics, rankings = made(6, 2)
    for cell in cells(["NRBP", "RR(aggregate=max)"], ["Pri", "AspDiv", "Conf"], (topics, rankings)).values():
        if cell.violations == 0:
            continue
        witness = cell.witness
        assert witness is not None
        assert isinstance(witness.record, PairWitness)
        again = read_witness(witness.record)
        assert again.reading == Reading(Regime.FINITE, Domain.GRADED)
        assert again.kind == ("reversal" if cell.reversals else "tie")
        own = rankings[witness.run][witness.topic]
        assert any(list(side) == own[: len(side)] for side in (witness.worse, witness.better))
        for name, grades in witness.grades.items():
            judged = [grade / 4 for grade in topics[witness.topic].get(name, (0, 0))]
            judged = [float(grade > 0) for grade in judged] if cell.binary else judged
            assert list(grades) == ([max(judged)] if witness.lifted else judged)
        if cell.largest is not None:
            assert witness.scores[0] - witness.scores[1] == pytest.approx(cell.largest)


@each("jobs", [1, 2], 2)
def test_kept_topics_and_worker_processes_give_the_same(tmp_path: Path, jobs: int) -> None:
    heard: list[tuple[int, int]] = []

    def study(depth: int, **how: Any) -> Any:
        axioms = [find_axiom("Pri"), find_axiom("Conf")]
        return wild([parse("ERR@5")], *read(*made(5)), extent=Extent(depth), axioms=axioms, **how)

    plain, path = study(6), tmp_path / "kept"
    assert study(6, kept=LedgerFile(path), jobs=jobs) == plain
    assert study(6, kept=LedgerFile(path), listen=lambda *done: heard.append(done)) == plain
    assert heard == [(3, 3)]  # nothing was left to do
    assert study(5, kept=LedgerFile(path)) != plain


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"ties": "metric"}, "ties metric: an edit is of a ranking without ties"),
        ({"targets": {b"t1": 2.0}}, "targets: a metric has one T"),
        ({"highest": 2}, "expected none above gmax 2"),
    ],
)
def test_options_without_a_meaning_here(options: Any, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        wild([parse("ERR")], *read(*made(1)), Options(**options))


def test_a_metric_that_fails_or_is_no_function_is_refused() -> None:
    class Flaky(AsIs):
        name = "flaky"

        def __init__(self, fine: int) -> None:
            self.left = fine
            super().__init__()

        def kernel(self, a: Any, grades: Any, weights: Any, pool: Any) -> Any:
            self.left -= 1
            if self.left < -(10**6):
                raise ValueError("no idea")
            return super().kernel(a, grades, weights, pool) * (1 if self.left > 0 else 1 + (self.left % 7) / 8)

    steady = Flaky(10**6)
    as_tried(steady)
    for fine in (0, 10**6 - steady.left + 1):  # at first, and only after all that is tried beforehand
        with pytest.raises(InvalidInput, match="scores the same rankings differently when asked again"):
            cells([Flaky(fine)], ["Pri"], made(1))
    with pytest.raises(InvalidInput, match="flaky raised ValueError"):
        cells([Flaky(-(10**6))], ["Pri"], made(1))


def test_ranks_below_a_cutoff_that_is_not_declared_are_not_spoken_of() -> None:
    class First(Rank3):
        name = "first"

        def kernel(self, a: Any, grades: Any, weights: Any, pool: Any) -> Any:
            return super().kernel(a, grades[..., :2, :], weights, pool)

    found = cells([First(), parse("P@2")], ["Pri"], made(2), domain=Domain.BINARY)
    assert found["first", "Pri"].applicable == found["P@2", "Pri"].applicable > 0
    assert found["first", "Pri"].violations == 0


PROVED = [("RBP", "Pri"), ("nDCG@20", "Pri"), ("RBU@20", "Conf"), ("EU@20", "Conf"), ("nDCG@20", "Deep")]
"""Cells that are proved where r << 1 is assumed of nothing."""


@each(("name", "axiom"), PROVED, 2)
def test_proved_cells_are_never_violated(name: str, axiom: str) -> None:
    (cell,) = cells([name], [axiom], made(0), depth=10).values()
    assert cell.applicable > 0
    assert cell.violations == cell.open == 0
