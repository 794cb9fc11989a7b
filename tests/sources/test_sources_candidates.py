import ast
from pathlib import Path

import pytest
from click.testing import CliRunner

from axiomcheck.cli.program import main
from axiomcheck.core.errors import InvalidInput
from axiomcheck.sources.function_metrics import SIGNATURES, as_metric
from axiomcheck.sources.resolve import candidates, resolve

SOURCE = """
raise SystemExit("whoever runs this file is told")
import axiomcheck


def gain(grades, weights): ...
def pooled(grades, weights, pool, base=2): ...
def scored(topic, ranking): ...
def helper(grades): ...
def swapped(weights, grades): ...
def _private(grades, weights): ...
class Fold(axiomcheck.metrics.FoldMetric): ...
class Deeper(Fold): ...
class Other(axiomcheck.metrics.SingleAspectMetric): ...
class Topic: ...
class Called:
    def __init__(self, p=0.8): ...
    def __call__(self, topic, ranking, k=3): ...
class CalledOtherwise:
    def __call__(self, topic): ...
    def scored(self, topic, ranking): ...
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(SOURCE, encoding="utf-8")
    return path


def test_functions_with_the_parameters_of_a_metric_and_classes_of_metrics(file: Path) -> None:
    assert candidates(file) == ["gain", "pooled", "scored", "Fold", "Deeper", "Other", "Called"]


TAKEN = [*SIGNATURES, ("topic", "docs"), ("grades", "weights", "judged")]
OTHERS = [
    ("grades",),
    ("weights", "grades"),
    ("docs", "topic"),
    ("qrels", "ranking"),
    ("grades", "weights", "ranking"),
    (),
]


@pytest.mark.parametrize("names", [*TAKEN, *OTHERS])
def test_the_parameters_are_those_of_what_is_taken_for_a_metric(names: tuple[str, ...]) -> None:
    function = eval(compile(ast.parse(f"lambda {', '.join(names)}: 0", mode="eval"), "f", "eval"))
    try:
        as_metric(function, "f")
    except InvalidInput:
        assert names in OTHERS
    else:
        assert names in TAKEN


def test_a_file_alone_is_told_what_to_type(file: Path) -> None:
    done = CliRunner().invoke(main, ["check", str(file)])
    assert done.exit_code == 2
    assert f"{file} is a file, and it has 7 metrics; type:\n  axiomcheck check {file}:gain\n" in done.stderr
    assert "SystemExit" not in done.stderr


NO_METRIC_CLASS = ":Mine is a class, but not a metric class; expected a class derived"
FIFTEEN = "".join(f"def m{k}(topic, ranking): ...\n" for k in range(15)).encode()


@pytest.mark.parametrize(
    ("content", "name", "said"),
    [
        (b"x = 1\n", "", "is a file without a metric"),
        (b"\ndef f(:\n", "", r"cannot be read as Python: .*\(my metrics.py, line 2\)"),
        (b"x = 1\nname = '\xff'\n", "", r"cannot be read as Python: .*'utf-8'.*\(my metrics.py"),
        (b"def rr(topic, ranking): ...\n", "", r"rr is the only metric in it; type:\n  \w+ check '.*my metrics.py:rr'"),
        (FIFTEEN, "", r":m11'\n  and 3 more$"),
        (b"class Mine:\n    def __call__(self, output, topic): ...\n", ":Mine", r"takes \(output, topic\) when called"),
        (b"class Mine: ...\n", ":Mine", NO_METRIC_CLASS),
        (b"class Mine:\n    def __init__(self, grades): ...\n", ":Mine()@10", NO_METRIC_CLASS),
    ],
)
def test_what_is_no_metric_is_told_with_what_is_one(content: bytes, name: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "my metrics.py"
    path.write_bytes(content)
    with pytest.raises(InvalidInput, match=said):
        resolve(f"{path}{name}")
    path.unlink()
    with pytest.raises(InvalidInput, match="there is no file"):
        resolve(f"{path}{name}")
