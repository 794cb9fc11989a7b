"""Whose code a metric is, what it is called, and the digest that tells one metric from outside from another."""

import itertools
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from axiomcheck import InvalidInput, as_metric, metric
from axiomcheck.core.own_code import is_own_class, is_own_value, is_patched
from axiomcheck.metrics import CATALOGUE, Metric, parse
from axiomcheck.metrics.adhoc import RankBiasedPrecision
from axiomcheck.metrics.derived_fold import KINDS, FoldOfFunction
from axiomcheck.numbers.discount import Geometric
from axiomcheck.sources.digest import digest
from axiomcheck.sources.names import family_of
from axiomcheck.sources.provenance import (
    Origin,
    check_name,
    identity_of,
    is_genuine,
    origin_of,
)

Array = Any


class Steep(RankBiasedPrecision):
    """Another kernel."""

    def kernel(self, a: Any, grades: Array, weights: Array, pool: Array) -> Array:
        return grades[..., 0, 0]


class Renamed(RankBiasedPrecision):
    """What it is derived from, in other words."""

    name = "renamed"
    summary = "the same"


class EqualToAnother(Fraction):
    """Equal to a fraction, and another number where it is raised to a power."""

    def __pow__(self, exponent: Any) -> Any:
        return Fraction(5, 4) ** exponent


def test_the_catalogue_is_its_own() -> None:
    for name in CATALOGUE:
        found = parse(f"{name}@5" if name == "P" else name)
        assert (is_own_class(type(found)), is_genuine(found), identity_of(found)) == (True, True, None), name


@pytest.mark.parametrize("kind", [*KINDS.values(), FoldOfFunction])
def test_the_classes_of_derived_folds_are_their_own_until_one_is_patched(
    kind: type[Metric], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not is_patched(kind)
    monkeypatch.setattr(kind, "normaliser", lambda self, a, pool: pool, raising=False)
    assert is_patched(kind)


def test_a_derived_class_is_called_what_it_is_called() -> None:
    assert (Steep().canonical, Renamed().canonical) == ("Steep(p=0.8)", "renamed(p=0.8)")
    assert not is_genuine(Renamed())
    assert not is_genuine(Steep())


@pytest.mark.parametrize("name", ["rbp", "RBP(p=0.8)", "α-nDCG"])
def test_a_name_of_the_catalogue_is_refused(name: str) -> None:
    other = type("Other", (Steep,), {"name": name, "declared": (), "validate": lambda self: None})
    with pytest.raises(InvalidInput, match="which is a metric in the catalogue; rename it"):
        check_name(other())


def test_a_changed_object_of_the_catalogue_is_refused() -> None:
    changes: list[Callable[[Metric], object]] = [
        lambda m: setattr(m, "kernel", len),
        lambda m: setattr(m, "bonus", 1),
        lambda m: m.values.update(p=0.8),
        lambda m: m.values.update(p=EqualToAnother(4, 5)),
    ]
    for change in changes:
        found = parse("RBP")
        change(found)
        with pytest.raises(InvalidInput, match="was changed after it was created"):
            identity_of(found)


def test_a_patched_class_of_the_catalogue_is_not_genuine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RankBiasedPrecision, "tail", lambda self: None)
    assert not is_genuine(parse("RBP"))
    assert is_genuine(parse("ERR"))
    assert is_patched(RankBiasedPrecision)


def test_discounts_with_methods_of_their_own_are_told_apart() -> None:
    plain, odd = Geometric(parse("RBP").values["p"]), Geometric(parse("RBP").values["p"])
    object.__setattr__(odd, "real", float)
    assert plain == odd
    assert (is_own_value(plain), is_own_value(odd)) == (True, False)


def test_a_class_that_says_that_it_equals_a_derived_one_is_told_apart() -> None:
    class Equal(type(RankBiasedPrecision)):  # type: ignore[misc]
        def __eq__(cls, other: object) -> bool:
            return True

        __hash__ = type.__hash__

    assert origin_of(Equal("Lying", (RankBiasedPrecision,), {})()) is Origin.CLASS


def test_a_metric_that_is_named_stays_as_it_is() -> None:
    def mine(grades: Array, weights: Array) -> Array:
        return grades[..., 0].sum(axis=1)

    class Uncopied(Steep):
        def __copy__(self) -> Metric:
            return self

    own, derived = metric(name="mine")(mine), Steep()
    for found in (own, derived, parse("RBP"), Uncopied()):
        before = dict(vars(found))
        named = as_metric(found, "file.py:mine")
        assert named.canonical == "file.py:mine"
        assert named is not found
        assert vars(found) == before
        assert (type(named), named.values, named.cutoff) == (type(found), found.values, found.cutoff)


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("RBP(p=0.612)", "Ad hoc"),
        ("D#-nDCG(lambda=0.5)@20", "Diversity"),
        ("ir_measures:nDCG@10", "Libraries"),
        ("mine.py:RBP", "Your own"),
        ("x" * 5000, "Your own"),
    ],
)
def test_a_metric_is_of_the_family_that_its_class_is_of(name: str, family: str) -> None:
    assert family_of(name) == family


# Digests


def total(grades: Array, weights: Array) -> Array:
    return grades.sum(axis=(1, 2)) * FACTOR


FACTOR = 2


def made(power: int) -> Callable[[Array, Array], Array]:
    return lambda grades, weights: grades.sum(axis=(1, 2)) ** power


def counting(counter: Any) -> Callable[[Array, Array], Array]:
    return lambda grades, weights: next(counter) * grades


def with_default(grades: Array, weights: Array, factor: int = 1) -> Array:
    return grades * factor


def test_digests_see_code_constants_closures_defaults_globals_and_attributes(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = [digest(total), digest(made(1)), digest(made(2)), digest(with_default), digest(Steep()), digest(Renamed())]
    monkeypatch.setitem(globals(), "FACTOR", 3)
    seen.append(digest(total))
    monkeypatch.setattr(with_default, "__defaults__", (2,))
    seen.append(digest(with_default))
    bonus = Steep()
    bonus.bonus = np.arange(3)  # type: ignore[attr-defined]
    seen.append(digest(bonus))
    bonus.bonus = np.arange(4)  # type: ignore[attr-defined]
    seen.append(digest(bonus))
    monkeypatch.setattr(Steep, "kernel", lambda self, *arrays: 0)
    seen.append(digest(Steep()))
    assert len(set(seen)) == len(seen)


@pytest.mark.parametrize(
    "value",
    [total, made(3), Steep(), {"a": {1, 2, 3}, "b": [np.float64(1), None]}, [[]], itertools.count(), Path("x"), int],
    ids=lambda value: type(value).__name__,
)
def test_digests_are_the_same_again(value: Any) -> None:
    assert digest(value) == digest(value)


def test_a_counter_that_was_asked_is_another() -> None:
    counter = itertools.count()
    function = counting(counter)
    before = digest(function)
    assert digest(function) == before
    next(counter)
    assert digest(function) != before


def test_digests_are_the_same_in_other_processes_with_other_hash_seeds(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "import math\nNAMES = {'a', 'b', 'c'}\n\ndef helper(x):\n    return math.log2(x)\n\n"
        "def mine(grades, weights):\n    return grades.sum(axis=(1, 2)) * len(NAMES) * helper(2)\n"
    )
    program = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import mine; "
        "from axiomcheck.sources.digest import digest; print(digest(mine.mine))"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", program], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1


def test_an_object_without_end_is_no_traceback() -> None:
    deep: list[Any] = []
    for _ in range(10_000):
        deep = [deep]
    endless = Steep()
    endless.deep = deep  # type: ignore[attr-defined]
    with pytest.raises(Exception, match="cannot be distinguished from other metrics"):
        identity_of(endless)
