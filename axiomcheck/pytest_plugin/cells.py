"""Implement `axiomcheck.parametrize`, which makes one test per metric and axiom."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar, Unpack

from axiomcheck.api.asked import MetricLike, axioms_of, loaded_metric_of
from axiomcheck.api.options import CellOptions, checked, reading_of, with_options
from axiomcheck.axioms import AXIOMS, Axiom
from axiomcheck.core.domain import Reading
from axiomcheck.core.errors import InternalDisagreement, InvalidInput, MetricError, UnknownName, check_flags
from axiomcheck.core.verdict import Verdict
from axiomcheck.decide.budgets import Settings
from axiomcheck.engine.memory import Remembered
from axiomcheck.engine.run import Stopped
from axiomcheck.gating.config import Expectation, load_contract
from axiomcheck.gating.judge import Judged, judge_cell
from axiomcheck.ledger.file import ledger_of_user
from axiomcheck.metrics import Metric
from axiomcheck.records.cells import Cell, violation_sentence
from axiomcheck.records.witnesses import AnyWitness
from axiomcheck.reports.replay_report import witness_report
from axiomcheck.reports.table import report_text
from axiomcheck.sources.provenance import each_once
from axiomcheck.sources.resolve import axiom_of
from axiomcheck.trials.consistency import read_own_witness

_AS_EXPECTED = {
    "holds": "held",
    "violated": "refuted as expected",
    "incomparable": "incomparable as expected",
    "not-applicable": "not applicable",
    "undecided": "undecided",
}
"""Outcomes, keyed by the expectation that was met. The last two skip the test, because they give no result."""

Test = TypeVar("Test", bound=Callable[..., Any])


@dataclass
class AxiomCell:
    """Argument ``cell`` of a test that is decorated with `parametrize`: one metric and one axiom to check.

    Args:
        label: Name of the metric in the test's id and messages.
        reading: Regime and domain.
        settings: Seed and budgets.
        expected: Expected verdict; None if the axiom has to hold.

    """

    label: str
    metric: Metric
    axiom: Axiom
    reading: Reading
    settings: Settings
    expected: Expectation | None = None
    outcome: str = field(default="not checked", init=False)
    """Outcome of `check`, in the words of the summary line."""
    instances: int = field(default=0, init=False)
    """Number of instances that met the premises."""

    def __repr__(self) -> str:
        return f"{self.label}-{self.axiom}"

    def check(self) -> Judged:
        """Decide the cell, and fail the test if the cell has no verdict or an unexpected one.

        The test is skipped if the axiom does not apply, or if the cell is undecided as expected.

        Returns:
            The judged cell, for tests that need its details.

        """
        __tracebackhide__ = True
        import pytest

        try:
            with warnings.catch_warnings():
                # A test suite may turn the warning about a metric's 0/0 into an error, which must not change a verdict.
                warnings.simplefilter("ignore")
                judged = self._judged()
        except Stopped:
            raise KeyboardInterrupt from None
        except (MetricError, InvalidInput, InternalDisagreement) as error:
            self.outcome = "error"
            pytest.fail(f"{self.label}, {self.axiom}: {error}")
        self.instances = judged.instances
        self.outcome, complaint = self._outcome_of(judged)
        if complaint:
            pytest.fail(complaint)
        if self.outcome in ("not applicable", "undecided"):
            reason = judged.cell.reason if judged.cell is not None else judged.message
            pytest.skip(f"{self.label}, {self.axiom} is {self.outcome}: {reason}")
        return judged

    def _judged(self) -> Judged:
        """Decide the cell, or read it from the user's ledger if the metric is in the catalogue."""
        asked = (self.metric, self.axiom, self.expected or Expectation("holds"), self.reading, self.settings)
        ledger = ledger_of_user()
        if ledger is None:
            return judge_cell(*asked)
        with closing(ledger):
            return judge_cell(*asked, memory=Remembered(ledger, at_least=True))

    def _outcome_of(self, judged: Judged) -> tuple[str, str]:
        """Return the outcome of a decided cell, and the message if the test fails, else ''."""
        expect = self.expected.expect if self.expected else "holds"
        if judged.status == "as-expected":
            return _AS_EXPECTED[expect], ""
        if judged.status == "disagreement" or judged.cell is None:
            return "error", f"{self.label}, {self.axiom}: {judged.message}"
        cell = judged.cell
        if cell.verdict is Verdict.REFUTED:
            return "refuted", refuted(self.label, self.metric, cell, expect if self.expected else None)
        if cell.verdict is Verdict.NOT_APPLICABLE and self.expected is None:
            return "not applicable", ""
        if not cell.verdict.decided:
            outcome = "error" if cell.verdict is Verdict.ERROR else "undecided"
            return outcome, f"{self.label} has no answer for {self.axiom} ({cell.verdict}): {cell.reason}"
        if cell.verdict is Verdict.INCOMPARABLE and self.expected is None:
            return "incomparable", f"{self.label} leaves rankings incomparable under {self.axiom}: {cell.reason}"
        gone = "expected violation gone" if expect == "violated" else cell.verdict.value.replace("-", " ")
        return gone, f"{self.label}, {cell.axiom}: {judged.message}\nIf this is intended, remove the expectation."

    @property
    def excuse(self) -> str:
        """Reason for an expected violation that was found, which pytest shows for the xfailed test; else ''."""
        return self.expected.reason if self.expected and self.outcome == _AS_EXPECTED["violated"] else ""


@with_options(CellOptions)
def parametrize(
    metrics: Sequence[MetricLike],
    axioms: Sequence[str | Axiom] | None = None,
    *,
    violations: Mapping[tuple[MetricLike, str], str] | None = None,
    contract: bool | str | Path = False,
    **options: Unpack[CellOptions],
) -> Callable[[Test], Test]:
    """Turn a pytest test into one test per metric and axiom, with the argument ``cell``.

    The test must call ``cell.check()``. A test without this call fails.

    Args:
        metrics: Names that `axiomcheck.sources.resolve` accepts, `Metric` objects or classes, and functions with one of
            the signatures of `axiomcheck.metric`. They are trusted and run in this process.
        axioms: Names or numbers of axioms; None for all ten.
        **options: see `Option`.
        violations: Mapping from (metric, axiom) to the reason why the axiom is meant to be violated. The test is an
            expected failure (xfail) with this reason, and fails if the axiom is not violated.
        contract: True to use the expectations in the contract file (see `axiomcheck.gating`), or the path of one. Its
            regime, domain, examples and seed are used; the last two may be overridden.

    Raises:
        InvalidInput: A metric, axiom or value is unusable; a key of ``violations`` matches none of the cells; or the
            contract contains none of the metrics.

    """
    __tracebackhide__ = True
    import pytest

    asked = checked("axiomcheck.parametrize", CellOptions, options)
    if not isinstance(contract, str | Path):
        check_flags("axiomcheck.parametrize", contract=contract)
    try:
        if contract is False:
            cells = _cells(metrics, axioms, asked, violations or {})
        else:
            cells = _agreed(metrics, axioms, options, violations, None if contract is True else Path(contract))
    except InvalidInput as error:
        raise InvalidInput(f"axiomcheck.parametrize: {error}") from None

    def decorate(test: Test) -> Test:
        made = pytest.mark.parametrize("cell", [pytest.param(cell, id=repr(cell)) for cell in cells])(test)
        marked: Test = pytest.mark.usefixtures("axiomcheck_plugin")(made)
        return marked

    return decorate


def _cells(
    metrics: Sequence[MetricLike],
    axioms: Sequence[str | Axiom] | None,
    asked: CellOptions,
    violations: Mapping[tuple[MetricLike, str], str],
) -> list[AxiomCell]:
    """Return the cells to test without a contract. An axiom has to hold unless ``violations`` lists it."""
    named = _named(metrics)
    wanted = axioms_of(axioms)
    settings = Settings(seed=asked["seed"], examples=asked["examples"], proofs=False)
    expected = _expected(violations, named, wanted)
    return [
        AxiomCell(label, metric, axiom, reading_of(asked), settings, expected.get((label, axiom.name)))
        for label, (metric, _) in named.items()
        for axiom in wanted
    ]


def _agreed(
    metrics: Sequence[MetricLike],
    axioms: Sequence[str | Axiom] | None,
    options: CellOptions,
    violations: object,
    path: Path | None,
) -> list[AxiomCell]:
    """Return the cells to test with a contract's expectations. An axiom without an expectation has to hold."""
    named = _named(metrics)
    wanted = None if axioms is None else axioms_of(axioms)
    for what, value in (("violations", violations), *((name, options.get(name)) for name in ("regime", "domain"))):
        if value is not None:
            raise InvalidInput(f"the contract sets {what}; give either contract or {what}")
    agreed = load_contract(path)
    usual = agreed.settings
    settings = replace(usual, examples=options.get("examples", usual.examples), seed=options.get("seed", usual.seed))
    cells = []
    met = False
    for label, (metric, _) in named.items():
        part = next((m for m in agreed.metrics if m.name in (label, metric.canonical)), None)
        met |= part is not None
        expected = part.axioms if part is not None else {}
        recorded = [axiom_of(name) for name in expected]
        reading = part.reading if part is not None else Reading()
        cells += [
            AxiomCell(label, metric, axiom, reading, settings, _pinned_for(metric, expected.get(axiom.name)))
            for axiom in wanted or recorded or AXIOMS.values()
        ]
    if not met:
        has = ", ".join(part.name for part in agreed.metrics) or "none"
        raise InvalidInput(f"{agreed.path} contains none of the metrics {', '.join(named)}; it contains {has}")
    return cells


def _pinned_for(metric: Metric, expectation: Expectation | None) -> Expectation | None:
    """Rename the metric in an expectation's pinned witness from its name in the contract to its canonical name."""
    if expectation is None or expectation.witness is None:
        return expectation
    return replace(expectation, witness=expectation.witness | {"metric": metric.canonical})


def _named(metrics: Sequence[MetricLike]) -> dict[str, tuple[Metric, MetricLike]]:
    """Map each metric's label to the metric and the argument it was made from.

    Raises:
        InvalidInput: An argument is not a metric, there is none, or two different metrics have the same label.

    """
    if isinstance(metrics, str) or not isinstance(metrics, Sequence):
        raise InvalidInput(f"metrics is {metrics!r}; expected a list of metrics")
    named: list[tuple[str, MetricLike, Metric]] = []
    for given in metrics:
        metric = loaded_metric_of(given)
        named.append((given if isinstance(given, str) else metric.canonical, given, metric))
    if not named:
        raise InvalidInput("metrics is empty, so there is nothing to test; pass at least one metric")
    of_label = {label: given for label, given, _ in reversed(named)}
    return {label: (metric, of_label[label]) for label, metric in each_once(named).items()}


def _expected(
    violations: Mapping[tuple[MetricLike, str], str],
    named: Mapping[str, tuple[Metric, MetricLike]],
    wanted: Sequence[Axiom],
) -> dict[tuple[str, str], Expectation]:
    """Convert ``violations`` to expectations by (label, axiom).

    Raises:
        InvalidInput: A key is not a tested (metric, axiom), or a reason is empty.

    """
    if not isinstance(violations, Mapping):
        raise InvalidInput(f"violations is {violations!r:.60}; expected a dictionary (metric, axiom) -> reason")
    expected: dict[tuple[str, str], Expectation] = {}
    for key, reason in violations.items():
        if not (isinstance(key, tuple) and len(key) == 2):
            raise InvalidInput(f"violations has the key {key!r}; expected (metric, axiom)")
        who, what = key
        label = next(
            (label for label, (metric, given) in named.items() if who is given or who in (label, metric.canonical)),
            None,
        )
        if label is None:
            raise UnknownName("metric in violations", str(who), named)
        axiom = axiom_of(what)
        if axiom not in wanted:
            raise InvalidInput(
                f"violations expects {label} to violate {axiom}, which is not tested; tested: "
                f"{', '.join(map(str, wanted))}"
            )
        if not (isinstance(reason, str) and reason.strip()):
            raise InvalidInput(
                f"violations gives {label}, {axiom} the reason {reason!r}; expected text that says why it is violated"
            )
        if (label, axiom.name) in expected:
            raise InvalidInput(f"violations lists {label}, {axiom} twice")
        expected[label, axiom.name] = Expectation("violated", reason)
    return expected


# Messages of failing tests, with the full counterexample

_WIDTH = 96
"""Width of the printed witness, which fits a terminal of 100 columns with pytest's margin."""


def refuted(label: str, metric: Metric, cell: Cell, recorded: str | None) -> str:
    """Return the message for an unexpected violation: a sentence for pytest's one-line summary, then the witness.

    Args:
        label: Name of the metric in the test.
        metric: Metric to score the witness with.
        cell: Refuted cell.
        recorded: Expectation from the contract; None if there is no contract.

    """
    lines = [f"{label} violates {cell.axiom}: {violation_sentence(cell)}", ""]
    if cell.witness is not None:  # else a proof for every n refutes it
        lines += [*_drawn(cell.witness, metric), ""]
    if recorded is None:
        lines.append(f'If this is intended, give the reason: violations={{("{label}", "{cell.axiom}"): "..."}}')
    else:
        lines.append(f"The contract expects: {recorded}. If this is intended, record it: axiomcheck gate --update")
    return "\n".join(lines)


def _drawn(witness: AnyWitness, metric: Metric) -> list[str]:
    try:
        report = witness_report(read_own_witness(witness, metric))
    except InvalidInput as error:
        return [f"The counterexample cannot be scored again: {error}"]
    return report_text(report, _WIDTH).splitlines()
