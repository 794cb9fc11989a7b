"""Define pytest hooks, kept minimal so that a run without `axiomcheck.parametrize` costs nothing.

This module must import nothing but pytest. `axiomcheck.pytest_plugin.cells` contains the implementation.
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
    """Do nothing. Tests from `axiomcheck.parametrize` request this fixture, so that they fail without the plugin."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Fail a test that never called ``cell.check()``, and store the outcomes of its cells as user properties.

    A test that passed because a violation was expected counts as an expected failure, so that pytest shows the reason.
    """
    cells = _cells_of(item)
    for cell in cells:
        cell.outcome, cell.instances = "not checked", 0
    try:
        result = yield
        if any(cell.outcome == "not checked" for cell in cells):
            pytest.fail(f"{item.name} never called cell.check(), so nothing was checked", pytrace=False)
        if excuses := [cell.excuse for cell in cells if cell.excuse]:
            pytest.xfail("; ".join(excuses))
        return result
    finally:
        if cells:
            # A test that is run again still has the properties of its last run.
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
    """Print a line with the number of cells per outcome and the total number of instances."""
    outcomes: Counter[str] = Counter()
    instances = 0
    for key, value in _properties(terminalreporter):
        if key == _OUTCOME:
            outcomes[value] += 1
        else:
            instances += value
    total = outcomes.total()
    if total:
        from axiomcheck.core.printable import counted

        ordered = dict.fromkeys([*_ORDER, *outcomes])  # other outcomes are rare, and come last
        parts = ", ".join(f"{outcomes[outcome]} {outcome}" for outcome in ordered if outcomes[outcome])
        cells = counted(total, "cell")
        terminalreporter.write_line(f"axiomcheck: {cells}, {parts}; {counted(instances, 'instance')} met the premises")


def _properties(terminalreporter: pytest.TerminalReporter) -> Iterator[tuple[str, Any]]:
    """Yield the user properties that `pytest_runtest_call` stored for every test, including tests in xdist workers."""
    for category, reports in terminalreporter.stats.items():
        for report in reports:
            # "rerun" marks a test that another plugin ran again; only its last report counts
            if category != "rerun" and getattr(report, "when", None) == "call":
                yield from (p for p in report.user_properties if p[0] in (_OUTCOME, _INSTANCES))
