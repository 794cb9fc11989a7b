"""Idioms of users' code that derivations follow, and code just beside them that is refused.

Eleven of forty public metrics were derived when they were first counted, before any of these rules; the forty were kept
apart until then. The rules are general; none of them knows one of the forty.
"""

import inspect
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from axiomcheck import as_metric
from axiomcheck.derivation.agreement import agreeing_fold, check_same_scores
from axiomcheck.derivation.derive import derive
from axiomcheck.sources.resolve import resolve
from tests.natural.idioms import (
    arrays_followed,
    arrays_misleading,
    followed,
    misleading,
    overridden,
    refused,
    sums_followed,
    sums_misleading,
)
from tests.support.suites import each

Function = Callable[..., Any]


def functions(module: ModuleType) -> list[tuple[Function, str]]:
    """Return the metrics of a file and what is expected of them, which their docstrings say."""
    found = [
        (value, str(inspect.getdoc(value)))
        for value in vars(module).values()
        if inspect.isfunction(value) and next(iter(inspect.signature(value).parameters), "") in ("topic", "grades")
    ]
    return [(function, expected) for function, expected in found if expected != "None"]


def name_of(value: object) -> str:
    return getattr(value, "__name__", "")


FOLLOWED = functions(followed) + functions(arrays_followed) + functions(sums_followed)
NOT_FOLLOWED = [
    pair
    for module in (refused, misleading, arrays_misleading, sums_misleading, overridden)
    for pair in functions(module)
]


@each(("function", "text"), FOLLOWED, 1, ids=name_of)
def test_an_idiom_is_followed(function: Function, text: str) -> None:
    found = derive(as_metric(function))
    assert found.metric is not None, found.why_not
    assert " ".join(text.split()) in found.metric.text


ALONE = (
    followed.clamped_between,
    followed.documents_by_isin,
    followed.sums_by_reduce,
    followed.none_without_relevant,
    sums_followed.breadth_and_depth,
)
"""Idioms whose scores run code that the scores of others do not."""


@pytest.mark.filterwarnings("ignore:invalid value")  # where nothing is relevant, some divide 0 by 0
@each("function", [function for function, _ in FOLLOWED], 96, ids=name_of, besides=ALONE, share=15)
def test_what_is_followed_has_the_scores_of_the_code(function: Function) -> None:
    metric = as_metric(function)
    found = derive(metric).metric
    assert found is not None
    check_same_scores(metric, found)


@each(("function", "why"), NOT_FOLLOWED, 1, ids=name_of)
def test_code_beside_an_idiom_is_refused(function: Function, why: str) -> None:
    found = derive(as_metric(function))
    assert found.metric is None or found.metric.one_aspect_topics, found.metric.text
    assert " ".join(why.split()) in found.why_not
    agreeing_fold(as_metric(function))  # raises an exception if the scores for one aspect differ


SETTINGS = (
    "np.seterr(under='raise')",
    "np.seterrcall(print)",
    "warnings.simplefilter(action='error')",
    "warnings.simplefilter(mode)",
    "from warnings import simplefilter as quiet",
)


@pytest.mark.parametrize("setting", SETTINGS)
def test_a_file_that_lets_numpy_raise_where_floats_underflow_has_no_fold(setting: str, tmp_path: Path) -> None:
    """Only rankings of some thousand documents underflow, and no comparison of scores has them."""
    text = "def far(grades, weights):\n    return (grades[:, :, 0] * 0.9 ** np.arange(grades.shape[1])).sum(axis=1)\n"
    file, imports = tmp_path / "far.py", "import warnings\nimport numpy as np\n"
    file.write_text(f"{imports}def unused():\n    {setting}\n{text}", encoding="utf-8")
    assert "makes numpy or warnings raise" in derive(resolve(f"{file}:far")).why_not
    file.write_text(f"{imports}warnings.filterwarnings('ignore', 'x')\n{text}", encoding="utf-8")
    assert derive(resolve(f"{file}:far")).metric is not None
