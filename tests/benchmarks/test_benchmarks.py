"""Tables are what their programs find, and mutants of metrics score as they say and are killed."""

import re

import numpy as np
import pytest
import sensitivity
from libraries import MEASURES, contract_table
from mutants.building import Mutant, build, mutants_of
from mutants.judging import LAYERS, Judgement, judge_mutant, record_row
from mutants.report import report

from axiomcheck.core.domain import Reading
from axiomcheck.core.verdict import Verdict
from axiomcheck.decide.search import Settings
from axiomcheck.metrics import Metric
from tests.support.suites import exhaustive, quality
from tests.support.transcripts import ROOT

LIBRARIES = (ROOT / "research" / "output" / "libraries.md").read_text(encoding="utf-8")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.extra("cwl")
def test_the_page_has_the_row_of_a_measure(capsys: pytest.CaptureFixture[str]) -> None:
    contract_table(["ir_measures:RBP(rel=1)"], 0)
    *heading, row = capsys.readouterr().out.splitlines()
    assert "\n".join(heading) in LIBRARIES
    assert row in LIBRARIES


def test_the_page_has_every_measure_in_both_tables() -> None:
    rows = re.findall(r"^\| `([^`]+)` \|", LIBRARIES, re.M)
    assert {name: rows.count(name) for name in MEASURES} == dict.fromkeys(MEASURES, 2)


SENSITIVITY = (ROOT / "research" / "output" / "sensitivity.md").read_text(encoding="utf-8")


def test_the_page_has_a_row_for_every_planted_violation() -> None:
    rows = re.findall(r"^\| (.+?) \| (Pri|AspRel) \| ", SENSITIVITY, re.M)
    assert rows == [(f"{plant.group}: {plant.name}", plant.axiom) for plant in sensitivity.PLANTS]


def test_a_common_violation_is_found() -> None:
    plant = next(plant for plant in sensitivity.PLANTS if plant.name.startswith("0.01"))
    assert sensitivity.share_of(plant, 20_000) > 0
    assert sensitivity.decided(plant, 0, 10_000) is Verdict.REFUTED


def test_without_a_violation_nothing_is_found() -> None:
    sound = sensitivity.Plant("", "", "Pri", sensitivity.flat(1000))
    assert sensitivity.share_of(sound, 2_000) == 0
    assert sensitivity.decided(sound, 0, 500) is not Verdict.REFUTED


SETTINGS = Settings(examples=0)


def mutant(row: str, operator: str, after: str = "") -> Mutant:
    return next(m for m in mutants_of((row,)) if (m.row, m.operator) == (row, operator) and after in m.after)


def scores(metric: Metric) -> np.ndarray:
    pool = np.array([[[1.0, 0.0], [0.5, 0.5], [0.0, 0.25], [0.0, 0.0]]])
    pool = pool if metric.applies_to_aspects() else pool[..., :1]
    weights = np.array([[0.75, 0.25]]) if metric.applies_to_aspects() else np.ones((1, 1))
    return metric.evaluate(pool, weights, np.array([[2, 0, 1]]))


def judged(chosen: Mutant) -> Judgement:
    contract = record_row(chosen.row, chosen.operator, Reading(), SETTINGS)
    return judge_mutant(chosen, contract, Reading(), SETTINGS)


@quality
# Of `scores`: rankings with grades 0, 1, 1/2 on the first aspect and 1/4, 0, 1/2 on the second.
@pytest.mark.parametrize(
    ("row", "operator", "after", "score"),
    [
        ("RBP", "rank-off-by-one", "", 0.2 * (0.8**2 + 0.8**3 / 2)),
        ("nDCG@k", "ideal-of-retrieved", "", (1 / np.log2(3) + 1 / 4) / (1 + 1 / 2 / np.log2(3))),
        ("RBU@k", "effort-lost", "", 0.75 * 0.8**2 + 0.25 * (0.8 / 4 + 0.75 * 0.8**3 / 2)),
    ],
)
def test_a_mutant_scores_as_its_slip_says(row: str, operator: str, after: str, score: float) -> None:
    assert scores(build(mutant(row, operator, after))) == pytest.approx([score])


@exhaustive
@pytest.mark.parametrize(
    ("row", "operator", "layer", "said", "alone"),
    [
        ("RR", "earlier-forgotten", "axioms", "Pri better", False),
        ("RBP", "rank-off-by-one", "reference", "", True),
        ("RBP", "pool-written-to", "checks", "inputs-unmodified", False),
    ],
    ids=["a cascade without memory", "a scale that no axiom sees", "inputs that are written to"],
)
def test_a_mutant_is_killed_by_what_sees_its_slip(row: str, operator: str, layer: str, said: str, alone: bool) -> None:
    kills = judged(mutant(row, operator)).kills
    assert any(message.startswith(said) for message in kills[layer])
    assert not alone or [one for one in LAYERS if kills[one]] == [layer]


@exhaustive
def test_an_equivalent_mutant_survives_and_is_listed() -> None:
    same = judged(mutant("P@k", "comparison-relaxed", "grades.shape[-2] >= self.cutoff"))
    assert not same.killed
    assert "survivors: 1\n  P@k comparison-relaxed 1" in report([same])
