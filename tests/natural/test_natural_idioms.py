"""Idioms of users' code that derivations follow, and code just beside them that is refused.

Eleven of forty public metrics were derived when they were first counted, before any of these rules; the forty were kept
apart until then. The rules are general; none of them knows one of the forty.
"""

from __future__ import annotations

import importlib
import inspect
from pathlib import Path

import pytest

from axiomcheck.derivation.agreement import check_same_scores
from axiomcheck.derivation.derive import derive
from axiomcheck.metrics import Metric
from axiomcheck.sources.resolve import resolve
from tests.support.suites import each

FOLDER = Path(__file__).parent / "idioms"


def functions(name: str) -> list[tuple[str, str]]:
    """Return the metrics of a file and what is expected of them, which their docstrings say."""
    module = importlib.import_module(f"tests.natural.idioms.{name}")
    found = [
        (f"{FOLDER / name}.py:{key}", str(inspect.getdoc(value)))
        for key, value in vars(module).items()
        if inspect.isfunction(value) and next(iter(inspect.signature(value).parameters), "") in ("topic", "grades")
    ]
    return [(reference, expected) for reference, expected in found if expected != "None"]


def name_of(text: str) -> str:
    return text.rpartition(":")[2] if text.startswith(str(FOLDER)) else ""


def metric_of(reference: str) -> Metric:
    metric = resolve(reference)
    assert isinstance(metric, Metric)
    return metric


@pytest.mark.filterwarnings("ignore:invalid value")  # where nothing is relevant, some divide 0 by 0
@each(("reference", "text"), functions("followed"), 12, ids=name_of)
def test_an_idiom_is_followed(reference: str, text: str) -> None:
    metric = metric_of(reference)
    found = derive(metric)
    assert found.metric is not None, found.why_not
    assert " ".join(text.split()) in found.metric.text
    check_same_scores(metric, found.metric)


@each(("reference", "why"), functions("refused") + functions("misleading"), 8, ids=name_of)
def test_code_beside_an_idiom_is_refused(reference: str, why: str) -> None:
    found = derive(metric_of(reference))
    assert found.metric is None, found.metric.text
    assert " ".join(why.split()) in found.why_not
