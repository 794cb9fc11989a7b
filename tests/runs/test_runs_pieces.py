"""Long work: finished results are kept, and neither lost, nor done twice, nor mistaken for others."""

from __future__ import annotations

import operator
from pathlib import Path
from typing import Any

import pytest

from axiomcheck.core.errors import OverLimit
from axiomcheck.ledger import LedgerFile, key_of
from axiomcheck.runs.pieces import finished, gathered
from tests.support.suites import quality


def _square(common: list[int], piece: int) -> int:
    common.append(piece)
    return piece * piece


def _stopped(common: Any, piece: int) -> int:
    if piece == common:
        raise KeyboardInterrupt
    return piece * piece


def _keys(count: int) -> list[str]:
    return [key_of(what="square", number=number) for number in range(count)]


def test_kept_results_are_not_computed_again(tmp_path: Path) -> None:
    kept, asked, heard = tmp_path / "kept", list[int](), list[tuple[int, int]]()
    with pytest.raises(KeyboardInterrupt):
        list(finished(_stopped, 3, range(5), _keys(5), kind="test", kept=LedgerFile(kept)))
    found = finished(_square, asked, range(5), _keys(5), kind="test", kept=LedgerFile(kept))
    assert gathered(found, 5, lambda *done: heard.append(done)) == [0, 1, 4, 9, 16]
    assert asked == [3, 4]
    assert heard == [(3, 5), (4, 5), (5, 5)]


@quality
def test_processes_give_results_in_their_order_unless_one_is_killed() -> None:
    assert gathered(finished(operator.call, eval, list("0123456"), _keys(7), kind="test", jobs=2), 7) == [*range(7)]
    suicide = "__import__('os').kill(__import__('os').getpid(), 9)"
    with pytest.raises(OverLimit, match="a worker process was killed"):
        list(finished(operator.call, eval, [suicide, "1", "2"], _keys(3), kind="test", jobs=2))
