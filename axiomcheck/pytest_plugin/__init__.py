"""Give pytest its hooks, and nothing else, so that a run without `axiomcheck.parametrize` costs nothing.

Nothing here may import more than pytest; the work is in `axiomcheck.pytest_plugin.cells`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from axiomcheck.pytest_plugin.cells import AxiomCell

__all__: list[str] = []

_OUTCOME = "axiomcheck"
_INSTANCES = "axiomcheck-instances"
_ORDER = (
    "held",
    "refuted as expected",
    "refuted",
    "expected violation gone",
    "not applicable",
    "undecided",
    "error",
    "not checked",
)


@pytest.fixture
def axiomcheck_plugin() -> None:
    """Asked for by every `axiomcheck.parametrize`: without this plugin its tests are errors and not green."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Fails a test that passed without having called ``cell.check()``, and keeps what its cells came to."""
    cells = _cells_of(item)
    for cell in cells:
        cell.outcome, cell.instances = "not checked", 0
    try:
        result = yield
        if any(cell.outcome == "not checked" for cell in cells):
            pytest.fail(f"{item.name} never called cell.check(), so nothing was checked", pytrace=False)
        return result
    finally:
        if cells:
            # A test that is run again has its properties of before.
            item.user_properties[:] = [p for p in item.user_properties if p[0] not in (_OUTCOME, _INSTANCES)]
        for cell in cells:
            item.user_properties += [(_OUTCOME, cell.outcome), (_INSTANCES, cell.instances)]


def _cells_of(item: pytest.Item) -> list[AxiomCell]:
    if "axiomcheck_plugin" not in getattr(item, "fixturenames", ()):
        return []
    from axiomcheck.pytest_plugin.cells import AxiomCell

    parameters: dict[str, Any] = item.callspec.params  # type: ignore[attr-defined]
    return [value for value in parameters.values() if isinstance(value, AxiomCell)]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """One line on how many cells were decided how, and on how many instances."""
    outcomes: Counter[str] = Counter()
    instances = 0
    for key, value in _properties(terminalreporter):
        if key == _OUTCOME:
            outcomes[value] += 1
        else:
            instances += value
    total = outcomes.total()
    if total:
        from axiomcheck.core.counting import counted

        parts = ", ".join(f"{outcomes[outcome]} {outcome}" for outcome in _ORDER if outcomes[outcome])
        cells = counted(total, "cell")
        terminalreporter.write_line(f"axiomcheck: {cells}, {parts}; {counted(instances, 'instance')} met the premises")


def _properties(terminalreporter: pytest.TerminalReporter) -> Iterator[tuple[str, Any]]:
    """Yield what `pytest_runtest_call` kept, of every test once, from this process or from the workers of xdist."""
    for category, reports in terminalreporter.stats.items():
        for report in reports:
            # "rerun": a test that another plugin ran again, whose last report counts
            if category != "rerun" and getattr(report, "when", None) == "call":
                yield from (p for p in report.user_properties if p[0] in (_OUTCOME, _INSTANCES))
