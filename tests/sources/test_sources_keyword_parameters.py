"""Keyword arguments of functions and of classes' constructors as parameters of metrics."""

import functools
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from msgspec import structs

import axiomcheck
from axiomcheck import InvalidInput, Metric, Reading
from axiomcheck.axioms import find_axiom
from axiomcheck.cli.program import main
from axiomcheck.metrics.parameters import Numeric
from axiomcheck.numbers.arithmetic import Rationals, to_fmpq
from axiomcheck.numbers.natural import Number
from axiomcheck.processes.isolation import Limits, Workers
from axiomcheck.proof.check import check_certificate
from axiomcheck.proof.check.quotients import variable
from axiomcheck.proof.proving import prove
from axiomcheck.sources import exactness
from axiomcheck.sources.fingerprint import Fingerprint, fingerprints
from axiomcheck.sources.provenance import identity_of
from axiomcheck.sources.resolve import resolve

FILE = """
import numpy as np


def patient(grades, weights, p=0.8):
    gain = (weights[:, None] * grades).sum(axis=2)
    return (gain * p ** np.arange(gain.shape[1])).sum(axis=1)


def precision(grades, weights, k=10, lambda_=1.0, mode="plain", whole=True, endless=np.inf):
    return (grades[:, :k, 0] > 0).sum(axis=1) / k * lambda_


def third(topic, ranking, p=1 / 3):
    return sum(topic.pool[d][0] * p**i for i, d in enumerate(ranking))


class Patient:
    calls = 0

    def __init__(self, p=0.8, cost=0.0):
        if not 0 < p <= 1:
            raise ValueError("p is above 0, and at most 1")
        self.p, self.cost, self.calls = p, cost, 0

    def __call__(self, topic, ranking):
        self.calls += 1
        assert self.calls == 1, "an object of its own for each call"
        return sum((topic.pool[d][0] - self.cost) * self.p**i for i, d in enumerate(ranking))


class Liar:
    def __init__(self, p=0.8):
        self.p = p
        self.gain = (lambda g: g) if isinstance(p, float) and not hasattr(p, "raw") else (lambda g: g * 1)

    def __call__(self, grades, weights):
        return self.gain(grades)[..., 0].sum(axis=1) * self.p


class Needs:
    def __init__(self, p):
        self.p = p

    def __call__(self, grades, weights):
        return grades[:, 0, 0]
"""


@pytest.fixture(autouse=True)
def _there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(FILE)


def exact_score(metric: Metric, *grades: str) -> Any:
    """Return the exact score of a ranking of documents with these grades."""
    ranked = np.array([[[to_fmpq(Fraction(g))] for g in grades]], dtype=object)
    ones = np.array([[to_fmpq(Fraction(1))]], dtype=object)
    return metric.score(Rationals(), ranked, ones, ranked)[0]


@pytest.mark.parametrize(
    ("name", "score"),
    [
        ("patient(p=0.1)", "11/10"),
        ("patient(p=1/3)", "4/3"),
        ("third(p=0.3333333333333333)", "13333333333333333/10000000000000000"),
        ("Patient(p=0.5, cost=0.1)", "27/20"),
        ("precision(k=1, lambda=0.1)", "1/10"),
    ],
)
def test_values_are_exact_decimals_and_whole_numbers(name: str, score: str) -> None:
    metric = resolve(f"mine.py:{name}")
    assert (metric.canonical, metric.numerical(small=False)) == (f"mine.py:{name}", "")
    assert str(exact_score(metric, "1", "1")) == score
    pool = np.ones((1, 2, 1))
    assert metric.evaluate(pool, np.ones((1, 1)), np.array([[0, 1]])) == pytest.approx(float(Fraction(score)))


def test_only_numeric_defaults_are_parameters() -> None:
    found = {p.name: (type(p).__name__, p.default) for p in resolve("mine.py:precision").declared}
    assert found == {"k": ("Numeric", 10), "lambda": ("Numeric", 1.0), "whole": ("Flag", True)}
    whole = [p.whole for p in resolve("mine.py:precision").declared if isinstance(p, Numeric)]
    assert whole == [True, False]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("patient(q=0.5)", "unknown parameter of mine.py:patient 'q'; known: p"),
        ("patient(p=much)", "mine.py:patient: p='much': expected a number"),
        ("precision(k=2.5)", "k=2.5: expected an integer, like its default"),
        ("precision(mode=plain)", "the default mode='plain' is not a number"),
        ("Patient(p=2)", "mine.py:Patient(p=2, cost=0): ValueError: p is above 0, and at most 1"),
        ("Needs", "Needs cannot be created without arguments"),
    ],
)
def test_what_cannot_be_read_says_what_is_expected(name: str, said: str) -> None:
    with pytest.raises(InvalidInput, match=re.escape(said)):
        resolve(f"mine.py:{name}")


def test_worker_processes_are_given_the_values() -> None:
    names = ["mine.py:patient(p=0.5)", "mine.py:Patient(p=1)"]
    done = CliRunner().invoke(main, ["matrix", *names, "-a", "Pri", "--examples", "20", "-j", "2", "--format", "csv"])
    found = [line.split(",")[:4:3] for line in done.output.splitlines()[1:]]
    assert found == [[names[0], "proved"], [names[1], "refuted"]]


def test_python_names_the_same_metrics() -> None:
    space: dict[str, Any] = {"__name__": "own"}
    exec(FILE, space)
    patient = space["patient"]
    made = axiomcheck.as_metric(patient)
    assert [str(made), str(made(p=0.5)), str(made(p=0.5)(p="1/3"))] == ["patient", "patient(p=0.5)", "patient(p=1/3)"]
    declared = axiomcheck.metric(single_aspect=True)(patient)
    assert (str(declared(p=0.5)), declared(p=0.5).single_aspect) == ("patient(p=0.5)", True)
    arrays = np.ones((1, 2, 1)), np.ones((1, 1))
    assert (declared(*arrays)[0], declared(*arrays, p=0.5)[0], declared(p=0.5)(*arrays)[0]) == (1.8, 1.5, 1.5)
    assert str(axiomcheck.as_metric(patient, "__main__.RBP")(p=0.5)) == "__main__.RBP(p=0.5)"
    assert str(axiomcheck.as_metric(functools.partial(patient, p=0.25))) == "patient(p=0.25)"


def test_a_declaration_of_a_function_counts_for_its_values() -> None:
    Path("axiomcheck.toml").write_text('[declared."mine.py:patient"]\nsingle_aspect = true\n')
    assert resolve("mine.py:patient(p=0.5)").single_aspect
    with Path("axiomcheck.toml").open("a") as file:
        file.write('[declared."mine.py:patient(p=0.5)"]\ncutoff = 3\n')
    found = [resolve(f"mine.py:{name}") for name in ("patient(p=0.5)", "patient(p=0.6)", "patient")]
    assert [(metric.single_aspect, metric.cutoff) for metric in found] == [(False, 3), (True, None), (True, None)]


def test_identities_and_fingerprints_change_with_the_values() -> None:
    names = ["mine.py:patient(p=0.5)", "mine.py:patient(p=0.6)"]
    identities = [identity_of(resolve(name)) for name in names]
    assert len({*identities}) == len(names)
    assert identity_of(resolve(names[0])) == identities[0]
    with Workers(1, Limits()) as workers:
        found = fingerprints(names, workers)
    assert [one.identity for one in found.values() if isinstance(one, Fingerprint)] == identities


def test_a_proof_is_of_the_values_in_the_name() -> None:
    """Pri holds below p = 1, and not at it."""
    below, at_one = resolve("mine.py:Patient(p=0.5)"), resolve("mine.py:Patient(p=1)")
    proof = prove(find_axiom("Pri"), below, Reading())
    assert proof is not None
    assert prove(find_axiom("Pri"), at_one, Reading()) is None
    check_certificate(proof.certificate, below)
    for other in (at_one, resolve("mine.py:Patient(p=0.4)")):
        forged = structs.replace(proof.certificate, metric=other.canonical)
        with pytest.raises(InvalidInput):
            check_certificate(forged, other)
        with pytest.raises(InvalidInput):
            check_certificate(structs.replace(forged, identity=identity_of(other)), at_one)


def test_exact_numbers_at_other_values_than_the_floats_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault is planted: the recompiled function keeps its defaults."""
    monkeypatch.setattr(exactness, "Number", lambda value: Number("0.8"))
    said = resolve("mine.py:patient(p=0.5)").numerical(small=False)
    assert "in exact rationals, but" in said
    assert prove(find_axiom("Pri"), resolve("mine.py:patient(p=0.5)"), Reading()) is None


def test_a_constructor_that_tells_floats_from_exact_numbers_is_noticed() -> None:
    assert "differently for exact numbers than for floats" in resolve("mine.py:Liar").numerical(small=False)
    assert prove(find_axiom("Pri"), resolve("mine.py:Liar(p=0.5)"), Reading()) is None


def test_a_value_that_no_float_spells_needs_the_source() -> None:
    """Without it, the function would be given 0.3333333333333333 for 1/3."""
    space: dict[str, Any] = {"__name__": "own", "exactly": axiomcheck.exactly}
    exec("def f(grades, weights, p=0.5):\n    return exactly(p, like=grades) * grades[:, 0, 0]\n", space)
    metric = axiomcheck.as_metric(space["f"])
    said = [metric(p=p).numerical(small=False) for p in ("0.1", "1/3")]
    assert (said[0], "its p=1/3 is not a decimal number with as many digits as a float" in said[1]) == ("", True)


def test_a_value_that_floats_round_to_a_shorter_number_is_not_exact() -> None:
    """The function would be given 1.0 for 0.9999999999999999999."""
    metric = resolve("mine.py:patient")
    said = [metric(p=p).numerical(small=False) for p in ("1/3", "0.9999999999999999999", "1/2000000000000000000000001")]
    assert [bool(why) for why in said] == [False, True, True]
    assert said[1].endswith(" becomes 1.0 in floats")


def test_an_argument_is_not_a_symbol() -> None:
    """Or a proof for every p would be of the value in the name."""
    with pytest.raises(InvalidInput, match="cannot be symbols"):
        resolve("mine.py:patient").at({"p": variable("p", "(0, 1)")})
