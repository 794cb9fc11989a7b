"""Declared folds in a file: parameters and cutoff in their names, and what takes such a name."""

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from axiomcheck.cli.program import main
from axiomcheck.core.errors import InvalidInput
from axiomcheck.metrics import DeclaredFold, Real
from axiomcheck.numbers.discount import Geometric, InverseLog
from axiomcheck.sources.resolve import resolve
from tests.support.suites import each

FILE = """
from axiomcheck.metrics import DeclaredFold, Geometric, Real


class Mine(DeclaredFold):
    declared = (Real("p", 0.8), Real("e", 0.05, low_open=False, high=None))
    default_cutoff = 20

    def discount(self):
        return Geometric(self.values["p"], self.values["p"])

    def cost(self):
        return self.values["e"]

    def start(self):
        return (1,)

    def step(self, state, r):
        (left,) = state
        return left * r, (left * (1 - r),)


class Made(Mine):
    def __init__(self, factor=2):
        super().__init__()


def gain(grades, weights):
    return grades.sum(axis=(1, 2))
"""


@pytest.fixture(autouse=True)
def _file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.py").write_text(FILE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)


def invoke(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


def test_a_name_has_parameters_and_cutoff() -> None:
    metric = resolve("mine.py:Mine(p=0.9)@10")
    assert metric.canonical == "mine.py:Mine(p=0.9)@10"
    assert (metric.cutoff, {name: str(x) for name, x in metric.values.items()}) == (10, {"p": "9/10", "e": "1/20"})
    assert resolve("mine.py:Mine@inf").cutoff is None
    assert resolve("mine.py:Mine").canonical == "mine.py:Mine"


def test_a_metric_made_of_a_named_one_can_be_named() -> None:
    other = resolve("mine.py:Mine(p=0.9)@10")(e=0.1) @ 5
    assert other.canonical == "mine.py:Mine(p=0.9, e=0.1)@5"
    again = resolve(other.canonical)
    assert (again.cutoff, again.values) == (other.cutoff, other.values)
    pool = np.random.default_rng(1).random((4, 9, 2))
    weights, order = np.full((4, 2), 0.5), np.tile(np.arange(7), (4, 1))
    assert np.array_equal(other.evaluate(pool, weights, order), again.evaluate(pool, weights, order))


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("mine.py:Mine(q=2)", "unknown parameter of Mine 'q'; known: p, e"),
        ("mine.py:Mnie(p=0.5)", "unknown name in mine.py 'Mnie'; did you mean Mine"),
        ("mine.py:gain(p=2)", "mine.py:gain has no parameter 'p'; it takes none"),
        ("mine.py:gain@2", "a function applies its own cutoff, which @ cannot set"),
        ("mine.py:Made@3", "set the cutoff and parameters where Made is created"),
    ],
)
def test_names_that_cannot_be_read(name: str, why: str) -> None:
    with pytest.raises(InvalidInput, match=why):
        resolve(name)


@pytest.mark.parametrize("declared", [Real("p", 0.8), (Real("k", 0.8),), (Real("a b", 0.8),), (Real("p", 0.8),) * 2])
def test_parameters_that_no_name_could_have(declared: object) -> None:
    with pytest.raises(InvalidInput, match=r"Wrong: (declared is|a parameter is called)"):
        type("Wrong", (DeclaredFold,), {"declared": declared})


MALFORMED = {
    "a float": ("()", "return 0.5 * r, state", "in a declared fold, a non-integer number must be a parameter"),
    "the gain alone": ("()", "return r", "did not return (gain, state)"),
    "a state that grows": ("()", "return r, (r,)", "a state of 1 number; expected 0"),
    "a state that doubles in length": (
        "('1/3',)",
        "return r * (1 + state[0]), (state[0] * state[0],)",
        "longer than 50,000 binary digits, which is too long for exact arithmetic",
    ),
}


@each("kind", list(MALFORMED), 2)
def test_a_fold_of_another_form_is_told_which(kind: str, tmp_path: Path) -> None:
    start, step, said = MALFORMED[kind]
    (tmp_path / "bad.py").write_text(
        "from axiomcheck.metrics import DeclaredFold, Constant\n"
        "class Bad(DeclaredFold):\n"
        "    def discount(self): return Constant()\n"
        f"    def start(self): return {start}\n"
        f"    def step(self, state, r): {step}\n"
    )
    result = invoke("matrix", f"{tmp_path}/bad.py:Bad", "-a", "Pri", "--examples", "10")
    told = " ".join(result.output.split())
    assert result.exit_code != 0
    assert said in told
    assert "a number that is not whole is a parameter" not in told


def test_a_float_in_a_discount_is_the_decimal_that_it_spells() -> None:
    assert Geometric(0.9, "1/3") == Geometric(Fraction(9, 10), Fraction(1, 3))
    assert InverseLog(2.5).base == Fraction(5, 2)
    with pytest.raises(InvalidInput, match="Geometric: ratio: expected a finite number"):
        Geometric(float("nan"))


def test_prove_and_replay_take_the_name(tmp_path: Path) -> None:
    name = "mine.py:Mine(p=0.9)@10"
    done = invoke("prove", name, "MRed", "--examples", "20", "-f", "json")
    assert done.exit_code == 0, done.output
    (tmp_path / "proof.json").write_text(done.stdout, encoding="utf-8")
    found = json.loads(done.stdout)
    assert (found["kind"], found["metric"], found["parameters"]) == ("induction", name, ["p", "e"])
    assert invoke("replay", "proof.json", "--metric", name).exit_code == 0
    assert invoke("replay", "proof.json", "--metric", "mine.py:Mine(p=0.8)@10").exit_code == 2
