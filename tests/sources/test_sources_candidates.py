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
from axiomcheck.metrics import DeclaredFold


def gain(grades, weights): ...
def pooled(grades, weights, pool, base=2): ...
def scored(topic, ranking): ...
def helper(grades): ...
def swapped(weights, grades): ...
def _private(grades, weights): ...
class Fold(DeclaredFold): ...
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
    *(("grades",), ("weights", "grades"), ("topic",), ("docs", "topic"), ("qrels", "ranking")),
    *(("topic", "pool"), ("grades", "pool"), ("grades", "weights", "ranking"), ()),
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


def test_a_class_that_is_called_with_something_else_is_told_what_with(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("class Mine:\n    def __call__(self, output, topic): ...\n", encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"takes \(output, topic\) when called; expected a function"):
        resolve(f"{path}:Mine")


def test_a_file_alone_is_told_what_to_type(file: Path) -> None:
    done = CliRunner().invoke(main, ["check", str(file)])
    assert done.exit_code == 2
    assert f"{file} is a file, and it has 7 metrics; type:\n  axiomcheck check {file}:gain\n" in done.stderr
    assert "SystemExit" not in done.stderr


def test_the_only_metric_of_a_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "my metrics.py"
    path.write_text("def rr(topic, ranking):\n    return 0.0\n", encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"rr is the only metric in it; type:\n  \w+ check '.*my metrics.py:rr'"):
        resolve(str(path))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"x = 1\n", "is a file without a metric"),
        (b"\ndef f(:\n", r"cannot be read as Python: .*\(mine.py, line 2\)"),
        (b"x = 1\nname = '\xff'\n", r"cannot be read as Python: .*'utf-8'.*\(mine.py"),
    ],
)
def test_files_without_a_metric(content: bytes, said: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_bytes(content)
    with pytest.raises(InvalidInput, match=said):
        resolve(str(path))
    path.unlink()
    with pytest.raises(InvalidInput, match="there is no file"):
        resolve(str(path))


@pytest.mark.parametrize("body", ["pass", "def __init__(self, grades): pass"])
def test_a_class_that_is_no_metric_is_told_what_it_has_to_be(body: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(f"class Mine:\n    {body}\n", encoding="utf-8")
    for name in ("Mine", "Mine()@10"):
        with pytest.raises(InvalidInput, match=r":Mine is a class, but not a metric class; expected a class derived"):
            resolve(f"{path}:{name}")


def test_a_long_list_is_cut(tmp_path: Path) -> None:
    path = tmp_path / "many.py"
    path.write_text("".join(f"def m{k}(topic, ranking): ...\n" for k in range(15)), encoding="utf-8")
    with pytest.raises(InvalidInput, match=r":m11\n  and 3 more$"):
        resolve(str(path))
