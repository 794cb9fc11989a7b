"""Names and sets of rows: what parses back, what is refused; metrics as values in Python, ``RBU(p=0.9) @ 10``."""

import keyword
import pickle
import re
from fractions import Fraction
from math import inf
from typing import Any

import numpy as np
import pytest

import axiomcheck
from axiomcheck import metrics
from axiomcheck.core.errors import AxiomcheckError, InvalidInput, UnknownName
from axiomcheck.metrics import (
    CATALOGUE,
    RBP,
    ROW_SETS,
    ROWS,
    USER_MODEL_ROWS,
    Metric,
    in_reading_order,
    metric_names,
    nDCG,
    paper_rows,
    parse,
    row_of,
    rows_named,
    user_model_rows,
)
from axiomcheck.metrics.adhoc import RankBiasedPrecision
from axiomcheck.metrics.base import catalogued
from axiomcheck.metrics.catalogue import FAMILIES, NAMES, catalogue_family
from tests.support.metrics_topics import NEEDS_CUTOFF, variants
from tests.support.suites import each


@pytest.mark.parametrize("name", CATALOGUE)
def test_names_fold_case_and_space(name: str) -> None:
    cutoff = "20" if name in NEEDS_CUTOFF else "inf"
    assert parse(f"  {name.upper()} @ {cutoff} ") == parse(f"{name}@{cutoff}")
    assert parse(name) == CATALOGUE[name]()


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("P", "P@20"),
        ("ERR@inf", "ERR@inf"),
        ("RBP", "RBP(p=0.8)"),
        ("RBP(p=8e-1)", "RBP(p=0.8)"),
        ("RBP( p = 0.9 , )@ 5", "RBP(p=0.9)@5"),
        ("S-RR", "S-RR@100%"),
        ("p@h-rbp@10", "P@H-RBP(p=0.5, order=mean)@10"),
        ("α-nDCG", "alpha-nDCG(alpha=0.5)@20"),
        ("EU(log=e)", "EU(alpha=0.5, e=0.05, log=e)"),
        ("CT(strict=TRUE)", "CT(alpha=0.5, level=1, strict=yes)@20"),
        ("P@H-walk(loss=0,order=ratio)@10", "P@H-walk(p=0.5, q=0.25, loss=0, order=ratio)@10"),
    ],
)
def test_names_mean_their_canonical_names(text: str, canonical: str) -> None:
    assert parse(text).canonical == canonical


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("RBP(p=0)", "RBP: p=0 is out of range; expected 0 < p <= 1"),
        ("NRBP(alpha=-0.1)", "NRBP: alpha=-0.1 is out of range; expected 0 <= alpha <= 1"),
        ("EU(e=-1)", "EU: e=-1 is out of range; expected 0 <= e"),
        ("EU(log=1)", "EU: log=1 is out of range; expected log > 1, or log=e"),
        ("EU(log=x)", "EU: log='x': expected log > 1, or log=e"),
        ("CT(strict=maybe)", "CT: strict='maybe': expected strict=yes or strict=no"),
        ("nDCG(aggregate=mean)", "nDCG: aggregate='mean': expected aggregate=none or aggregate=max"),
        ("RBP(p=half)", "RBP: p='half': expected a number with 0 < p <= 1"),
        ("P@0", "P: cutoff 0 is out of range; expected an integer k >= 1"),
        ("P@H-walk(p=0.8)", "P@H-walk: p + q = 21/20; expected p + q < 1"),
    ],
)
def test_out_of_range_shows_the_range(text: str, expected: str) -> None:
    with pytest.raises(InvalidInput) as error:
        parse(text)
    assert str(error.value) == expected


REFUSED: dict[str, tuple[str, ...]] = {
    r"p=1 needs a cutoff, as in .+\(p=1\)@20; without one, p must be below 1": (
        *("RBP(p=1)", "RBP-IA(p=1)", "NRBP(p=1)", "NRBP-paper(p=1)", "RBU(p=1)@inf", "RBU-program(p=1)"),
    ),
    r"beta=1 needs a cutoff, as in .+\(beta=1\)@20; without one, beta must be below 1": (
        *("trec-NRBP(beta=1)", "trec-nNRBP(beta=1)"),
    ),
    r"needs a cutoff k >= 1, as in .+@20": tuple(f"{name}@inf" for name in sorted(NEEDS_CUTOFF)),
    "S-Recall has no parameter 'p'; it takes none": ("S-Recall(p=0.5)@20",),
    r"cannot read metric .*; expected NAME, NAME@k or NAME": (
        *("", "   ", "()", "(p=0.8)", "RBP(p=0.8", "RBP p=0.8)", "RBP(p=0.8))", "RBP((p=0.8))", "RBP(p=0.8)x", "P@20)"),
    ),
    r"cannot read .* in metric .*; expected parameter=value": ("RBP(0.8)", "RBP(p=)", "RBP(=0.8)", "RBP(p)"),
    r"cannot read cutoff .*; expected an integer k >= 1 or inf": (
        *("nDCG@", "nDCG@-1", "nDCG@ten", "nDCG@1.5", "nDCG@20%", "nDCG@∞", "nDCG@²"),
    ),
    "parameter 'p' appears twice in metric": ("NRBP(p=0.8, p=0.8)", "NRBP(p=0.8, alpha=0.5, p=0.9)"),
}


@pytest.mark.parametrize(("message", "text"), [(message, text) for message in REFUSED for text in REFUSED[message]])
def test_a_name_that_means_no_metric_is_refused_with_what_is_expected(message: str, text: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        parse(text)


@pytest.mark.parametrize(
    ("text", "kind", "hint"),
    [
        ("nDGC", "metric", "did you mean nDCG"),
        ("P@H-RPB", "metric", "did you mean P@H-RBP"),
        ("@20", "metric", "known: P, RR, AP"),
        ("NRBP(alfa=0.5)", "parameter of NRBP", "did you mean alpha?"),
        ("NRBP(qqqq=0.5)", "parameter of NRBP", "known: p, alpha, weighted"),
        ("RBP(P=0.5)", "parameter of RBP", "did you mean p?"),
    ],
)
def test_unknown_names_come_with_the_nearest(text: str, kind: str, hint: str) -> None:
    with pytest.raises(UnknownName) as error:
        parse(text)
    assert f"unknown {kind} " in str(error.value)
    assert hint in str(error.value)


def test_constructors_take_what_names_cannot_spell() -> None:
    assert CATALOGUE["D#-nDCG"](lambda_=0.25) == parse("D#-nDCG(lambda=0.25)")
    assert CATALOGUE["RBP"](p=0.1).values["p"] == Fraction(1, 10)
    assert CATALOGUE["RBP"](p=Fraction(1, 3)) == parse("RBP(p=1/3)")
    assert CATALOGUE["EU"](log=None) == parse("EU(log=e)")
    for value in (None, [0.5], "0.5.5"):
        with pytest.raises(AxiomcheckError, match="expected a number with 0 < p <= 1"):
            CATALOGUE["RBP"](p=value)


def test_the_papers_rows() -> None:
    rows = paper_rows()
    assert len(rows) == 20
    assert [row_of(m) for m in rows] == list(ROWS)
    assert set(metric_names()) == set(CATALOGUE)
    for text in ("nDCG(aggregate=max)@20", "NRBP-paper", "NRBP@5", "trec-NRBP", "alpha-nDCG-greedy"):
        assert row_of(parse(text)) is None, text
    assert row_of(parse("RBU(p=0.99, e=0)@3")) == "RBU@k"


_FAMILY_SETS = {"ad-hoc": 6, "intent-aware": 6, "diversity": 12, "trec": 9}


def test_the_rows_of_the_paper_of_the_user_models_and_of_both() -> None:
    assert rows_named("paper") == paper_rows()
    assert rows_named("user-models") == user_model_rows()
    assert rows_named("all") == [*paper_rows(), *user_model_rows()]
    assert len(rows_named("all")) == 47


@pytest.mark.parametrize(("name", "count"), _FAMILY_SETS.items())
def test_the_rows_of_a_family_are_all_of_its_metrics(name: str, count: int) -> None:
    rows = rows_named(name)
    (family,) = {catalogue_family(metric) for metric in rows}
    assert [m.name for m in rows] == [n for n in in_reading_order() if catalogue_family(parse(n)) == family]
    assert len(rows) == count
    printed = [m for m in paper_rows() if catalogue_family(m) == family]
    assert rows[: len(printed)] == printed


def test_every_metric_of_the_catalogue_is_in_a_set() -> None:
    assert {*ROW_SETS} == {"paper", "all", "user-models", *_FAMILY_SETS}
    assert {m.name for name in ROW_SETS for m in rows_named(name)} == {*CATALOGUE}
    assert {catalogue_family(m) for name in ROW_SETS for m in rows_named(name)} == {*FAMILIES}


def test_an_unknown_set_is_told_the_nearest() -> None:
    with pytest.raises(UnknownName, match="unknown rows 'intent'; did you mean intent-aware"):
        rows_named("intent")


def test_reading_order_is_by_family_with_the_printed_ones_first() -> None:
    order = in_reading_order()
    assert sorted(order) == sorted(CATALOGUE)
    assert order.index("S-RR@100%") + 1 == order.index("NRBP") < order.index("D#-nDCG") < order.index("NRBP-paper")
    families = [FAMILIES.index(catalogue_family(parse(name))) for name in order]
    assert families == sorted(families)


@pytest.mark.parametrize("text", [*USER_MODEL_ROWS, "RBU(p=0.9)@10", "nDCG@inf", "RBP(aggregate=max)"])
def test_a_spelling_without_defaults_means_the_same(text: str) -> None:
    metric = parse(text)
    assert parse(metric.spelt()) == metric
    assert len(metric.spelt()) <= len(metric.canonical)
    for parameter in metric.declared:
        assert f"{parameter.name}=" in metric.spelt([parameter.name])


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
    with pytest.raises(InvalidInput, match=r"nDCG: cutoff .* is out of range; expected an integer k >= 1"):
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
        with pytest.raises(InvalidInput, match="expected an integer"):
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
