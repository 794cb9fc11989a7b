import copy
from typing import Any

import pytest

from reports import cells_of, differences

CELL: dict[str, Any] = {
    "metric": "RBP(p=0.8)",
    "axiom": "Pri",
    "verdict": "proved",
    "evidence": {"instances": 10, "share": None},
    "certificate": {"cases": [{"x": "1/2"}]},
}


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        (("verdict",), "held", ["verdict: "]),
        (("evidence", "instances"), 10.0, ["evidence.instances: 10 / 10.0"]),
        (("evidence", "instances"), True, ["evidence.instances: 10 / true"]),
        (("evidence", "more"), None, ["evidence.more: absent / null"]),
        (("certificate", "cases", 0, "x"), "1/3", ["certificate.cases[0].x: "]),
        (("certificate", "cases"), [], ["certificate.cases: "]),
    ],
)
def test_every_difference_is_told_with_its_path(path: tuple[Any, ...], value: Any, told: list[str]) -> None:
    other = copy.deepcopy(CELL)
    at: Any = other
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = value
    found = list(differences(CELL, other))
    assert [line.startswith(start) for line, start in zip(found, told, strict=True)] == [True]


def test_the_same_is_the_same_and_another_order_of_entries_is_not() -> None:
    assert list(differences(CELL, copy.deepcopy(CELL))) == []
    assert len(list(differences(CELL, dict(reversed(CELL.items()))))) == 1


def test_announced_entries_are_left_out_and_a_cell_counts_once() -> None:
    assert "verdict" not in cells_of({"cells": [CELL]}, ["verdict"])["RBP(p=0.8)", "Pri"]
    with pytest.raises(SystemExit):
        cells_of({"cells": [CELL, CELL]}, [])
