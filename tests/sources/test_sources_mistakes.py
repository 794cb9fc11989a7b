"""The commonest mistakes in a metric: what came, what was expected, in which line, and a right example."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from axiomcheck import MetricError
from axiomcheck.cli.program import main
from axiomcheck.sources.function_metrics import EXAMPLES
from axiomcheck.sources.resolve import resolve

WRONG = """
import math
from axiomcheck.sources.evaluators import evaluator

def dcg5(grades, weights):
    total = 0.0
    for i, g in enumerate(grades[:5]):
        total += g / math.log2(i + 2)
    return total

def nothing(grades, weights):
    grades.sum()

def attribute(topic, ranking):
    return sum(topic.grades[d] for d in ranking)

def tuples(topic, ranking):
    return sum(topic.pool[d] / (i + 1) for i, d in enumerate(ranking))

def no_return(topic, ranking):
    sum(topic.pool[d][0] for d in ranking)

def only(grades):
    return grades.sum()

@evaluator(measures=["P@5"])
def by_topic(qrels, run, measures):
    return {q: {m: 0.2 for m in measures} for q in run}
"""

AXES = "grades has axes (rankings, ranks, aspects)"
PAIRS = "topic.pool[document] is a tuple of grades, one per aspect"

SAID = {
    "dcg5": ("returned shape (1, 1); expected (1,), one score per ranking (line 5 of wrong.py)", AXES),
    "nothing": ("returned None; expected (1,), one score per ranking (line 11 of wrong.py); is a return missing?", ""),
    "attribute": ("a topic has no attribute grades; it has weights and pool", PAIRS, "line 15 of wrong.py"),
    "tuples": ("unsupported operand type(s) for /: 'tuple' and 'int'; line 18 of wrong.py", PAIRS),
    "no_return": ("returned None; expected a number, such as a float; is a return missing?", ""),
    "by_topic": ("returned {'q1': {'P@5': 0.2}}; expected measure -> topic -> score, as in {'P@5': {'q1': 0.5}}", ""),
    "only": ("takes (grades); expected a function (grades, weights)", AXES),
}


@pytest.mark.parametrize("name", [name for name in SAID if name != "only"])
def test_a_mistake_is_told_with_what_came_what_was_expected_and_the_line(name: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.py"
    path.write_text(WRONG, encoding="utf-8")
    metric: Any = resolve(f"{path}:{name}")
    with pytest.raises((MetricError, AttributeError, TypeError)) as caught:
        metric.evaluate(np.ones((1, 1, 1)), np.ones((1, 1)), np.zeros((1, 1), dtype=int))
    told = "; ".join([str(caught.value), *getattr(caught.value, "__notes__", [])])
    assert all(words in told for words in SAID[name]), told


@pytest.mark.parametrize("name", ["only", "dcg5"])
def test_a_report_on_a_mistake_is_short_and_has_an_example(name: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.py"
    path.write_text(WRONG, encoding="utf-8")
    done = CliRunner().invoke(main, ["check", f"{path}:{name}", "-a", "Pri", "-j", "1", "--examples", "10"])
    assert done.exit_code == (2 if name == "only" else 4), done.output
    told = " ".join(done.output.split())
    said, given = SAID[name]
    assert (told.count(said), given in told, " ".join(EXAMPLES[given].split()) in told) == (1, True, True), told
    assert len(done.output.splitlines()) < 16


@pytest.mark.parametrize("given", [*EXAMPLES])
def test_the_examples_are_right(given: str, tmp_path: Path) -> None:
    path = tmp_path / "right.py"
    path.write_text(f"{EXAMPLES[given]}\n", encoding="utf-8")
    metric: Any = resolve(f"{path}:gain")
    pools = np.array([[[1.0], [0.0]], [[1.0], [1.0]]])
    scores = metric.evaluate(pools, np.ones((2, 1)), np.array([[0, 1], [0, 1]]))
    assert [float(score) for score in scores] == [1.0, 2.0]
