"""Classes of metrics in a file: parameters and cutoff in their names, and what takes such a name."""

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from axiomcheck.cli.program import main
from axiomcheck.core.errors import InvalidInput
from axiomcheck.numbers.discount import Geometric, InverseLog
from axiomcheck.sources.resolve import resolve

FILE = """
from axiomcheck import Metric
from axiomcheck.metrics import Geometric, Real


class Mine(Metric):
    declared = (Real("p", 0.8), Real("e", 0.05, low_open=False, high=None))
    default_cutoff = 20
    summary = source = "mine"

    def kernel(self, a, grades, weights, pool):
        discounts = a.discounts(Geometric(self.values["p"]), grades.shape[1])
        gains = (grades * weights[:, None, :]).sum(axis=2) - a.number(self.values["e"])
        return (gains * discounts).sum(axis=1)


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


def test_a_float_in_a_discount_is_the_decimal_that_it_spells() -> None:
    assert Geometric(0.9, "1/3") == Geometric(Fraction(9, 10), Fraction(1, 3))
    assert InverseLog(2.5).base == Fraction(5, 2)
    with pytest.raises(InvalidInput, match="Geometric: ratio: expected a finite number"):
        Geometric(float("nan"))


def test_prove_and_replay_take_the_name(tmp_path: Path) -> None:
    name = "mine.py:Mine(p=0.9)@10"
    done = invoke("prove", name, "Pri", "--examples", "20", "-f", "json")
    assert done.exit_code == 0, done.output
    (tmp_path / "proof.json").write_text(done.stdout, encoding="utf-8")
    found = json.loads(done.stdout)
    assert (found["kind"], found["metric"]) == ("orthant", name)
    assert invoke("replay", "proof.json", "--metric", name).exit_code == 0
    assert invoke("replay", "proof.json", "--metric", "mine.py:Mine(p=0.8)@10").exit_code == 2
