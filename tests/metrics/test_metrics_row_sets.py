import pytest

from axiomcheck.core.errors import UnknownName
from axiomcheck.metrics import (
    CATALOGUE,
    ROW_SETS,
    USER_MODEL_ROWS,
    in_reading_order,
    paper_rows,
    parse,
    rows_named,
    user_model_rows,
)
from axiomcheck.metrics.catalogue import FAMILIES, catalogue_family

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
