"""A T per topic for INST: each topic scores as with that T everywhere, and unusable ones are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from axiomcheck.api.score import score
from axiomcheck.core.errors import InvalidInput
from axiomcheck.runs.trec import read_targets

QRELS = {"1": {"a": 1, "b": 0, "c": 2}, "2": {"a": 2, "d": 1}, "3": {"e": 1}}
RUN = {"1": {"a": 3.0, "b": 2.0, "x": 1.0}, "2": {"d": 3.0, "c": 2.0, "a": 1.0}, "3": {"e": 1.0}}


def test_each_topic_scores_as_with_its_t_everywhere() -> None:
    found = score("INST", QRELS, RUN, targets={"1": 1, "2": 10})
    for topic, target in (("1", 1), ("2", 10), ("3", 3)):
        alone = score(f"INST(T={target})", QRELS, RUN)
        (name,), (own,) = alone.per_topic[topic], found.per_topic[topic]
        assert found.per_topic[topic][own] == alone.per_topic[topic][name]
        assert found.residual_per_topic[topic][own] == alone.residual_per_topic[topic][name]
    assert len({score(f"INST(T={t})", QRELS, RUN).per_topic["1"][f"INST(T={t})"] for t in (1, 3, 10)}) == 3
    assert "INST with a T per topic; 1 topic with the metric's own" in found.notes


def test_targets_come_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "targets"
    path.write_text("1 1\n\n2\t10\n")
    assert read_targets(path) == {b"1": 1.0, b"2": 10.0}
    assert (
        score("INST", QRELS, RUN, targets=str(path)).mean == score("INST", QRELS, RUN, targets={"1": 1, "2": 10}).mean
    )


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("1 0.4\n", "line 1: T '0.4'; expected a number, 0.5 or more"),
        ("1 2\n2 inf\n", "line 2: T 'inf'; expected a number, 0.5 or more"),
        ("1 1_0\n", "line 1: T '1_0'"),
        ("1 2\n1 3\n", "line 2: a second T of topic '1'; expected one"),
        ("1\n", "line 1: 1 column; expected 2: topic T"),
    ],
)
def test_unusable_targets(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "targets"
    path.write_text(text)
    with pytest.raises(InvalidInput) as caught:
        read_targets(path)
    assert complaint in str(caught.value)


def test_targets_without_inst_are_refused() -> None:
    with pytest.raises(InvalidInput, match="expected INST without a cutoff"):
        score("RBP", QRELS, RUN, targets={"1": 1})
    with pytest.raises(InvalidInput, match=r"expected a number, 0\.5 or more"):
        score("INST", QRELS, RUN, targets={"1": True})
    with pytest.raises(InvalidInput, match="expected a file's name or a dict"):
        score("INST", QRELS, RUN, targets=[3])
