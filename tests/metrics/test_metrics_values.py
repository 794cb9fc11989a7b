"""Metrics as values in Python: ``RBU(p=0.9) @ 10``."""

import keyword
import pickle
import re
from math import inf
from typing import Any

import numpy as np
import pytest

import axiomcheck
from axiomcheck import InvalidInput, metrics
from axiomcheck.metrics import CATALOGUE, RBP, Metric, nDCG, parse
from axiomcheck.metrics.adhoc import RankBiasedPrecision
from axiomcheck.metrics.base import catalogued
from axiomcheck.metrics.catalogue import NAMES
from tests.support.metrics_topics import variants
from tests.support.suites import each

QRELS = {"q1": {"d1": 1, "d2": 0, "d3": 1}}
RUN = {"q1": {"d3": 2.0, "d2": 1.0, "d1": 0.5}}


def typed(metric: Metric) -> str:
    """A metric's name as Python spells it."""
    attribute = next(key for key, name in NAMES.items() if name == metric.name)
    found = re.fullmatch(r"(\(.*\))?@?(\w+)?", repr(metric).removeprefix(metric.name))
    quoted = re.sub(r"(\w+)=([^,)]+)", r"\1_='\2'", found[1] or "")
    # the cutoff first: it may be what makes the parameters possible
    return (f"({attribute} @ {found[2]})" if found[2] else attribute) + quoted


@each("name", list(CATALOGUE), 3)
def test_a_typed_metric_is_that_metric_and_its_repr(name: str) -> None:
    for metric in variants(name, ("default", None, 1, 7)):
        values = {key: getattr(metrics, key) for key in NAMES}
        made = eval(typed(metric), {"inf": inf} | values)
        assert made == metric == parse(repr(made))
        assert (type(made), hash(made), repr(made)) == (type(metric), hash(metric), repr(metric))


def test_every_name_and_alias_is_an_attribute_of_its_own() -> None:
    assert {parse(name) for name in NAMES.values()} == {cls() for cls in CATALOGUE.values()}
    assert all(key.isidentifier() and not keyword.iskeyword(key) for key in NAMES)
    assert set(NAMES) <= set(dir(metrics))
    assert not set(NAMES) & set(metrics.__all__)
    with pytest.raises(ImportError, match="nDGC"):
        exec("from axiomcheck.metrics import nDGC")


def test_values_are_alike_equal_and_travel() -> None:
    from axiomcheck.metrics import RBU, P_at_H_RBP, nDCG

    assert {nDCG @ 20, nDCG @ 20, parse("nDCG@20")} == {nDCG @ 20}
    assert nDCG @ 20 != nDCG @ 10 != nDCG
    assert (nDCG @ 20) @ inf == nDCG
    assert RBU(p=0.9) @ 10 == (RBU @ 10)(p=0.9) == RBU(e=0.5)(p="9/10", e=0.05) @ 10
    assert pickle.loads(pickle.dumps(P_at_H_RBP @ 3)) == parse("P@H-RBP@3")


@pytest.mark.parametrize("cutoff", [0, -1, 2.5, -inf, None, True, "10", RankBiasedPrecision])
def test_a_cutoff_is_a_positive_whole_number(cutoff: Any) -> None:
    with pytest.raises(InvalidInput, match=r"nDCG: cutoff .* is out of range; expected a whole number k >= 1"):
        metrics.nDCG @ cutoff


class Steep(RankBiasedPrecision):
    """Somebody's own, made as the catalogue's are."""


class Scaled(RankBiasedPrecision):
    """Somebody's own, made in a way of its own, which a copy with another cutoff would lose."""

    def __init__(self, factor: int = 2, cutoff: int | None = None) -> None:
        super().__init__(cutoff)
        self.factor = factor


def test_a_derived_class_is_remade_only_as_it_was_made() -> None:
    assert repr((Steep() @ 5)(p=0.5)) == "Steep(p=0.5)@5"
    for made in (Scaled(3), axiomcheck.metric()(lambda grades, weights: grades.sum(axis=(1, 2)))):
        with pytest.raises(InvalidInput, match=r"not with @ or a call|which @ cannot set"):
            made @ 5


def test_verbs_that_take_metrics_take_values() -> None:
    from axiomcheck.metrics import RBP, nDCG

    decided = axiomcheck.matrix([RBP(p=0.5), nDCG @ 2], "Pri", examples=30, jobs=1)
    assert [cell.metric for cell in decided.cells] == ["RBP(p=0.5)", "nDCG@2"]
    assert list(axiomcheck.score([RBP, nDCG @ 2], QRELS, RUN).mean) == ["RBP(p=0.8)", "nDCG@2"]
    assert axiomcheck.score(nDCG, QRELS, RUN).mean == axiomcheck.score("nDCG", QRELS, RUN).mean

    @axiomcheck.parametrize([RBP @ 3], ["Pri"], examples=200)
    def cells(cell: Any) -> None:
        """One test per cell."""

    assert "RBP(p=0.8)@3" in str(cells.pytestmark)


def test_two_classes_of_one_name_are_not_both_entered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(CATALOGUE, "RBP", RankBiasedPrecision)
    with pytest.raises(ValueError, match="Other: 'RBP' is already the name of RankBiasedPrecision"):
        catalogued(type("Other", (RankBiasedPrecision,), {"name": "RBP"}))


@pytest.mark.parametrize("text", ["1e-99999999", "1e99999999", "0." + "9" * 500, "1e-0001", "٠.٥", "0_5"])
def test_a_number_of_any_length_or_in_other_digits_is_refused_at_once(text: str) -> None:
    with pytest.raises(InvalidInput, match="expected a number with 0 < p <= 1"):
        parse(f"RBP(p={text})")


def test_numbers_of_numpy_are_numbers() -> None:
    assert RBP(p=np.float64(0.5)) == RBP(p=0.5)
    assert [RBP(p=p).canonical for p in np.linspace(0.25, 0.5, 2)] == ["RBP(p=0.25)", "RBP(p=0.5)"]
    assert nDCG @ np.int64(10) == nDCG @ 10
    for wrong in (True, np.True_, 10.0, np.float64(10), "10", 10**9):
        with pytest.raises(InvalidInput, match="expected a whole number"):
            nDCG @ wrong
    with pytest.raises(InvalidInput, match="expected a number"):
        RBP(p=True)


def test_a_change_of_one_value_is_no_others() -> None:
    import axiomcheck.metrics

    axiomcheck.metrics.nDCG.cutoff = 3
    axiomcheck.metrics.RBP.values["p"] = None
    assert axiomcheck.metrics.nDCG == parse("nDCG")
    assert parse("RBP") == axiomcheck.metrics.RBP


@pytest.mark.parametrize("text", [None, 5, b"RBP", "RBU@١٠"])
def test_objects_that_are_no_name_are_refused(text: Any) -> None:
    with pytest.raises(InvalidInput, match="cannot read"):
        parse(text)
