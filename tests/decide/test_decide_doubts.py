"""Exact comparisons of a cell end early if none of them has an answer."""

import pytest

from axiomcheck import Verdict, find_axiom, parse
from axiomcheck.decide import doubts
from axiomcheck.decide.search import Settings
from axiomcheck.engine.run import run_matrix


@pytest.mark.parametrize(("answer", "asked"), [(None, 600), (1, 2_000)])
def test_comparisons_without_an_answer_are_given_up(
    answer: int | None, asked: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []

    def signs(metric: object, batch: doubts.Batch) -> list[int | None]:
        sizes.append(batch.draft.size)
        return [answer] * sizes[-1]

    monkeypatch.setattr(doubts, "signs", signs)
    (cell,) = run_matrix([parse("P@2")], [find_axiom("Pri")], settings=Settings(proofs=False, examples=4_000)).cells
    if answer is None:
        assert sum(sizes) == asked
        assert cell.verdict is Verdict.UNDECIDED
    else:
        assert sum(sizes) >= asked
