"""Wrong rules of a derivation that a traced run of the function finds, whatever the scores of the compared rankings."""

import sys
from pathlib import Path
from typing import Any

import pytest

from axiomcheck import as_metric
from axiomcheck.derivation import agreement, loops
from axiomcheck.derivation.agreement import agreeing_fold
from axiomcheck.derivation.derive import derive
from axiomcheck.derivation.expressions import Expressions
from axiomcheck.derivation.traced_run import Executed, contradiction
from tests.natural.planted import rows_of
from tests.natural.test_natural_derivation import written_metric
from tests.support.suites import each


def test_a_loop_that_counts_wrongly_is_found_by_its_variables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (row,) = [row for row in rows_of("REFUSED") if row.name == "while_loop_that_adds_two"]
    metric = row.metric(tmp_path)
    monkeypatch.setattr(loops, "adds_one", lambda *_: True)
    assert derive(metric).metric is not None
    found = agreeing_fold(metric)
    assert found.metric is None
    assert "its variable i has a different value than in the derivation" in found.why_not


def _same(topic: Any, ranking: Any) -> Any:
    return sum(topic.pool[d][0] for d in ranking)


def chooses(topic: Any, ranking: Any) -> Any:
    """Choose a cut by a constant condition."""
    numbers = [2, 1]
    return _same(topic, ranking) if min(numbers) == 2 else sum(topic.pool[d][0] for d in ranking)


def branches(topic: Any, ranking: Any) -> Any:
    """Choose a cut by a statement."""
    if min([2, 1]) == 2:
        return _same(topic, ranking)
    return sum(topic.pool[d][0] for d in ranking)


def either(topic: Any, ranking: Any) -> Any:
    """Choose a cut by an operand."""
    return (min([2, 1]) == 1 and sum(topic.pool[d][0] for d in ranking)) or _same(topic, ranking)


SKIPPED = {
    chooses: "evaluates an expression that the derivation skips",
    branches: "executes a statement that the derivation skips",
    either: "evaluates an expression that the derivation skips",
}


@pytest.mark.parametrize("function", SKIPPED)
def test_a_wrong_constant_condition_is_found_by_the_code_that_it_skips(
    function: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert agreeing_fold(as_metric(function, "mine")).metric is not None
    right = Expressions.call

    def first(run: Any, callee: Any, arguments: Any, keywords: Any) -> Any:
        return arguments[0][0] if callee is min else right(run, callee, arguments, keywords)

    monkeypatch.setattr(Expressions, "call", first)
    monkeypatch.setattr(agreement, "_AGREED", set())  # the right derivation has the same fold
    assert derive(as_metric(function, "mine")).metric is not None
    assert SKIPPED[function] in agreeing_fold(as_metric(function, "mine")).why_not


def test_a_traced_run_keeps_the_tracer_of_a_debugger() -> None:
    def debugger(frame: Any, event: str, argument: object) -> None: ...

    visits = derive(as_metric(branches, "mine")).metric.visits  # type: ignore[union-attr]
    before = sys.gettrace()
    sys.settrace(debugger)
    try:
        with pytest.raises(ZeroDivisionError):
            contradiction(visits, lambda: 1 / 0, (1, 1, 1), Executed())
        assert sys.gettrace() is debugger
    finally:
        sys.settrace(before)


RARE = {
    "statement": "if ok and i == 38:\n            x = int(h[i])",
    "statement on the line of its condition": "if ok and i == 38: x = int(h[i])",
    "conditional expression": "x = int(h[i]) if ok and i == 38 else 0",
    "operand": "x = ok and i == 38 and h[i]",
    "element of a list": "x = [w for w in topic.weights if ok and i == 38]",
    "body of a lambda": "x = sum(map(lambda w: w * 2, [w for w in topic.weights if ok and i == 38]))",
}
"""Code in a loop over ranks that no compared ranking executes."""


@each("case", list(RARE), 2)
def test_code_that_no_compared_ranking_executes_is_not_followed(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first 39 documents must be relevant and irrelevant in turn."""
    code = "import numpy as np\ndef metric(topic, ranking):\n    total, ok, wanted = 0.0, True, True\n"
    code += "    h = np.array([topic.pool[d][0] > 0 for d in ranking])\n    for i, d in enumerate(ranking):\n"
    code += "        g = topic.pool[d][0]\n        if wanted:\n            ok = ok and g > 0\n        else:\n"
    code += f"            ok = ok and not g > 0\n        wanted = not wanted\n        {RARE[case]}\n"
    code += "        total += g * 0.8**i\n    return total\n"
    metric = written_metric(tmp_path, code)
    assert derive(metric).metric is not None
    monkeypatch.setattr(agreement, "_MOST_TRACED", 20_000)
    monkeypatch.setattr(agreement, "_LATE", ())  # longer rankings would be traced for seconds
    assert "none of the test rankings executes this code" in agreeing_fold(metric).why_not


COMPILED_TO_NOTHING = """
def metric(topic, ranking):
    total: float
    total = 0.0
    for i, d in enumerate(ranking, 1):
        if topic.pool[d][0] > 0 and True:
            total += 1 / i
    return total
"""


def test_code_without_instructions_need_not_be_executed(tmp_path: Path) -> None:
    """A declaration and a constant operand."""
    assert agreeing_fold(written_metric(tmp_path, COMPILED_TO_NOTHING)).metric is not None


LATE = """
def metric(topic, ranking):
    total, late = 0.0, 0
    for i, d in enumerate(ranking):
        if i < 600:
            total += topic.pool[d][0] / (i + 1)
        else:
            late += 1
    return total
"""


def test_code_for_late_ranks_is_reached_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit allows one further ranking, so the longest one must come first."""
    monkeypatch.setattr(agreement, "_MOST_TRACED", 1)
    assert agreeing_fold(written_metric(tmp_path, LATE)).metric is not None
