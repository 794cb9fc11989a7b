"""Axioms that bound the score of one ranking are searched, witnessed, replayed, reported and gated as others are."""

import json
import math
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

import axiomcheck
from axiomcheck import InvalidInput, Reading, Verdict, as_metric, parse, read_witness
from axiomcheck.axioms import ScoreAxiom, find_axiom
from axiomcheck.axioms.validation import checked
from axiomcheck.cli.program import main
from axiomcheck.core.documents import document_of
from axiomcheck.proof.check import check_certificate
from axiomcheck.proof.proving import prove
from axiomcheck.sources.external_metrics import is_single
from axiomcheck.trials.consistency import as_probed
from tests.gating.gate_projects import leave_checks_out
from tests.support.suites import each, quality
from tests.support.tampering import put, tampered

MODULE = '''
"""One axiom on the score of a ranking."""

from axiomcheck.axioms import ScoreAxiom, find_axiom


class UnitInterval(ScoreAxiom):
    """Asks for scores that can be averaged over topics."""

    name = "UnitInterval"
    title = "Unit interval"
    group = "relevance"
    words = "A score lies between 0 and 1."
    symbols = "0 <= Q(d) <= 1"
    source = "a common norm"
    assumptions = ("one aspect",)
    reading = ("of every ranking that is not empty",)
    max_aspects = 1
    least = 0
    most = 1
'''

METRICS = """
def tall(topic, ranking):
    return sum(topic.pool[d][0] / 2**k for k, d in enumerate(ranking))


def low(topic, ranking):
    return tall(topic, ranking) / 2 - 0.125


def fits(topic, ranking):
    return tall(topic, ranking) / 2
"""

NAME = "unit.py:UnitInterval"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "unit.py").write_text(MODULE, encoding="utf-8")
    (tmp_path / "own.py").write_text(METRICS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def invoke(*words: str) -> Result:
    return CliRunner().invoke(main, words)


def made(**changed: Any) -> ScoreAxiom:
    """Return the axiom of the module with other attributes."""
    names: dict[str, Any] = {"__name__": "unit"}
    exec(MODULE, names)
    found = checked(type("Changed", (names["UnitInterval"],), changed), changed.get("name", "UnitInterval"), "axiom")
    assert isinstance(found, ScoreAxiom)
    return found


def decided(metric: Any, axiom: ScoreAxiom, **options: Any) -> Any:
    found = axiomcheck.matrix([metric], [axiom], **({"examples": 100, "exhaustive": False, "jobs": 1} | options))
    return found.cells[0]


@pytest.mark.parametrize(
    ("name", "verdict", "bound"),
    [
        ("nDCG@5", Verdict.HELD, None),  # logarithms: ties with 1 are identities
        ("EU@5", Verdict.REFUTED, "worse"),  # effort is subtracted
        ("alpha-nDCG@20", Verdict.REFUTED, "better"),  # the greedy ideal is not the best ranking
    ],
)
def test_catalogue_metrics_are_held_against_both_bounds(name: str, verdict: Verdict, bound: str | None) -> None:
    axiom = made(group="diversity", max_aspects=None, assumptions=()) if name.startswith("alpha") else made()
    cell = decided(name, axiom, exhaustive=True)
    assert cell.verdict is verdict, cell.reason
    assert cell.instances >= 100
    if bound is None:
        assert cell.witness is None
        return
    assert cell.witness.scores.bound == bound
    assert cell.witness.worse == cell.witness.better
    score = Fraction(cell.witness.scores.better if bound == "worse" else cell.witness.scores.worse)
    assert score < 0 if bound == "worse" else score > 1
    assert read_witness(cell.witness, parse(name)).record() == cell.witness


def test_a_bound_itself_is_allowed_and_nothing_beyond_it() -> None:
    assert decided("P@1", made()).verdict is Verdict.HELD  # scores 0 and 1
    refuted = decided("P@1", made(most=Fraction(99, 100)))
    assert refuted.verdict is Verdict.REFUTED
    assert (refuted.witness.scores.worse, refuted.witness.scores.better) == ("1", "99/100")
    assert decided("P@1", made(least=0, most=None)).verdict is Verdict.HELD
    assert decided("P@1", made(least=Fraction(1, 100), most=None)).witness.scores.bound == "worse"


def test_what_no_float_shows_is_decided_in_rationals() -> None:
    beyond = Fraction(1, 10**30)  # 1 less that is 1 in floats
    found = decided("P@1", made(most=1 - beyond))
    assert found.verdict is Verdict.REFUTED, found.reason
    assert Fraction(found.witness.scores.better) == 1 - beyond
    assert decided("P@1", made(most=1 + beyond)).verdict is Verdict.HELD


def test_rounding_of_floats_around_a_bound_is_no_violation() -> None:
    """A metric of which floats are all there is may score 0 as a tiny negative number."""

    def noisy(amount: float) -> Any:
        def score(topic: Any, ranking: Any) -> float:
            return math.fsum(float(topic.pool[d][0]) for d in ranking) / 99 - amount

        return score

    assert decided(noisy(1e-17), made(), examples=30).verdict is not Verdict.REFUTED
    found = decided(noisy(1e-3), made(), examples=30)
    assert found.verdict is Verdict.REFUTED
    assert found.witness.scores.arithmetic == "numerical"


def test_nothing_is_proved_of_scores() -> None:
    """Both rankings of an instance are the same, so that an argument about pairs would prove anything."""
    axiom, metric = made(), parse("EU@5")
    assert prove(axiom, metric, Reading()) is None
    for name, known in (("RBP", "Pri"), ("AP", "Deep")):
        proof = prove(find_axiom(known), parse(name), Reading())
        assert proof is not None
        with pytest.raises(InvalidInput, match="expected the name of an axiom on pairs"):
            check_certificate(document_of(proof.certificate) | {"axiom": axiom.name}, parse(name), axiom)


def test_metrics_that_compare_distributions_have_no_score_to_bound() -> None:
    cell = decided("P@H-RBP(order=dominance)@3", made())
    assert cell.verdict is Verdict.NOT_APPLICABLE
    assert "compares distributions, but UnitInterval is about scores" in cell.reason


def test_an_altered_witness_is_refused() -> None:
    document = json.loads(json.dumps(document_of(decided("EU@5", made(), exhaustive=True).witness)))

    def check(changed: Any) -> None:
        read_witness(changed, parse("EU@5"))

    for change in (
        put("scores.bound", "better"),
        put("scores.worse", "1/100"),
        put("scores.better", "-1/10"),
        put("better", []),
        put("kind", "tie"),
        put("topic.pool.d1", ["1"]),
    ):
        assert tampered(check, document, change)


@quality
def test_a_report_a_page_and_a_replay_show_one_ranking(folder: Path) -> None:
    metrics = [f"own.py:{name}" for name in ("tall", "low")]
    done = invoke("matrix", *metrics, "-a", NAME, "--examples", "40", "-f", "json", "-o", "r.json")
    assert done.exit_code == 0, done.output
    cells = json.loads((folder / "r.json").read_text())["cells"]
    assert [(cell["verdict"], cell["cause"]) for cell in cells] == [("refuted", {"code": "counterexample"})] * 2
    table = invoke("report", "r.json", "-a", NAME, "-f", "csv").output
    assert "scores above the bound in " in table
    assert "scores below the bound in " in table
    assert "2 witnesses confirmed" in invoke("replay", "r.json", *(f"-m{name}" for name in metrics), "-a", NAME).output
    (folder / "w.json").write_text(json.dumps(cells[0]["witness"]))
    told = " ".join(invoke("replay", "w.json", "-m", "own.py:tall", "-a", NAME).output.split())
    assert "a score above the bound" in told
    assert "d1, d2 must score at least 0 and at most 1. It does not: the score is 3/2" in told
    assert "worse" not in told
    assert invoke("report", "r.json", "-a", NAME, "-f", "html", "-o", "r.html").exit_code == 0
    page = (folder / "r.html").read_text()
    assert "<caption>ranking</caption>" in page
    assert "<caption>worse</caption>" not in page
    assert invoke("weakest", "own.py:tall", NAME).exit_code == 2


@each(
    ("changed", "message"),
    [
        ({"least": None, "most": None}, "least and most are None"),
        ({"least": 0.5}, "least is 0.5; expected an integer, a fractions.Fraction or None"),
        ({"least": 2}, "least is 2, but most is 1; expected least <= most"),
        ({"strict": True}, "strict is True"),
        ({"kind": "pairs"}, "kind is 'pairs'; expected 'scores'"),
        ({"can_be_small": True}, "can_be_small is True"),
        ({"most": 10**400}, "most is out of the range of scores"),
        ({"rankings": lambda self, d: (self.plain(d)[0], self.plain(d)[1][:, ::-1])}, "worse and better differ"),
    ],
    1,
)
def test_an_axiom_that_makes_no_sense_is_refused(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        made(**changed)
    assert message in str(raised.value)


def test_an_object_of_a_file_keeps_what_it_holds(folder: Path) -> None:
    within = MODULE + (
        "\n\nclass Within(UnitInterval):\n    def __init__(self, most=1):\n        self.most = most\n\n\n"
        "from fractions import Fraction\n\ntenth = Within(Fraction(1, 10))\n"
    )
    (folder / "within.py").write_text(within, encoding="utf-8")
    found = axiomcheck.matrix(["RBP"], ["within.py:Within", "within.py:tenth"], examples=20, jobs=1)
    assert [cell.verdict for cell in found.cells] == [Verdict.HELD, Verdict.REFUTED]
    words = ["own.py:fits", "-a", "within.py:tenth", "--examples", "20", "-f", "csv"]
    assert invoke("matrix", *words).output.count("refuted")


def test_two_axioms_of_one_name_are_refused() -> None:
    with pytest.raises(InvalidInput, match="two axioms are called UnitInterval"):
        axiomcheck.matrix(["RBP"], [made(most=Fraction(1, 10)), made(most=2)], examples=20, jobs=1)
    assert axiomcheck.matrix(["RBP"], type(made()), examples=20, jobs=1).cells[0].verdict is Verdict.HELD


def test_rankings_longer_than_the_cutoff_have_bounded_scores_too() -> None:
    assert decided("P@3", made(min_ranked=4, most=Fraction(1, 2))).verdict is Verdict.REFUTED


def test_scores_that_were_rounded_to_single_precision_are_no_violation_by_their_rounding() -> None:
    def rounded(topic: Any, ranking: Any) -> float:
        total = sum((np.float32(topic.pool[d][0]) for d in ranking[:3]), np.float32(0))
        return float(total / np.float32(3) * np.float32(1.0000001))

    def beyond(topic: Any, ranking: Any) -> float:
        return 1.01 * rounded(topic, ranking)

    topic = SimpleNamespace(pool={f"d{k}": (1.0,) for k in range(3)})
    assert rounded(topic, ["d0", "d1", "d2"]) > 1
    assert decided(rounded, made()).verdict is not Verdict.REFUTED
    assert decided(beyond, made(), examples=30).verdict is Verdict.REFUTED


def test_a_changed_bound_is_told_as_a_change_of_the_axiom(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    leave_checks_out(monkeypatch)
    (folder / "axiomcheck.toml").write_text(f'examples = 20\n[metrics.RBP.axioms]\n"{NAME}" = "holds"\n', "utf-8")
    assert invoke("gate", "--update").exit_code == 0
    (folder / "unit.py").write_text(MODULE.replace("most = 1", "most = 0"), encoding="utf-8")
    monkeypatch.setattr("axiomcheck.sources.resolve._LOADED", {})  # as in a new process
    done = invoke("gate")
    assert done.exit_code == 1, done.output
    assert f"the axiom {NAME} changed, the contract was edited by hand" in " ".join(done.output.split())


def halves(topic: Any, ranking: Any) -> float:
    return sum(float(topic.pool[d][0] > 0) / 2 ** (k + 1) for k, d in enumerate(ranking))


def grades(topic: Any, ranking: Any) -> float:
    return max(float(topic.pool[d][0]) for d in ranking)


@each("function", [halves, grades], 2)
def test_scores_of_halves_and_counts_are_not_taken_for_single_precision(function: Any) -> None:
    assert not is_single(as_probed(as_metric(function, function.__name__)))
