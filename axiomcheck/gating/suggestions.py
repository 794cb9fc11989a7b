"""Suggest declarations that would remove new violations and failing checks of a user's functions."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import dataclass, replace
from pathlib import Path

import tomlkit

from axiomcheck.axioms import find_axiom
from axiomcheck.checks.contract import CHECKS, run_contract
from axiomcheck.checks.inferred import Declaration, inferred
from axiomcheck.core.domain import Reading, assumes_small
from axiomcheck.core.errors import InvalidInput, MetricError
from axiomcheck.core.verdict import Verdict
from axiomcheck.core.writing import write_atomically
from axiomcheck.decide.budgets import Settings
from axiomcheck.engine.tasks import not_applicable
from axiomcheck.gating.expectations import Contract, locate
from axiomcheck.gating.judge import judge_cell
from axiomcheck.gating.record import unexplained
from axiomcheck.gating.run import GateResult
from axiomcheck.metrics.base import Metric
from axiomcheck.processes.isolation import Workers, outcome_of
from axiomcheck.records.values import Text, Whole
from axiomcheck.sources.declarations import SHARED_FILE, declares_itself, table_for, table_of
from axiomcheck.sources.external_metrics import OwnMetric
from axiomcheck.sources.names import Home, read_name
from axiomcheck.sources.resolve import resolve


@dataclass(frozen=True)
class Suggestion:
    """Suggested declaration, with the violations and failures that it would remove.

    Args:
        says: Property that no probe contradicts. It is not proved.
        probes: Number of probes.
        declaration: Source text of the declaration.
        removes: Axioms that would not be violated, and checks that would not fail.
        declared: Whether the metric already has declarations, so that this one has to be added to them.

    """

    says: Text
    probes: Whole
    declaration: Declaration
    removes: tuple[str, ...]
    declared: bool


Suggestions = dict[str, tuple[Suggestion, ...]]
"""Suggestions by the metric's name in the contract."""


def suggestions(result: GateResult) -> Suggestions:
    """Return declarations that would remove violations and failing checks without a reason in the contract."""
    contract, new = result.contract, unexplained(result)
    found: Suggestions = {}
    with Workers(1, contract.limits) as workers:
        for metric in contract.metrics:
            failing = tuple(asked for name, asked in new if name == metric.name)
            if not failing or read_name(metric.name).home not in (Home.FILE, Home.MODULE):
                continue
            located = locate(contract, metric.name)
            asked = workers.submit(_suggested, located, failing, metric.reading, contract.settings)
            try:
                suggested = outcome_of(asked)
            except (InvalidInput, MetricError):
                suggested = ()  # for example, too slow to be probed; the results do not depend on it
            if suggested:
                found[metric.name] = suggested
    return found


def _suggested(name: str, failing: tuple[str, ...], reading: Reading, settings: Settings) -> tuple[Suggestion, ...]:
    """Probe a metric in a worker, and try each declaration together with those that are already suggested."""
    metric = resolve(name)
    if not isinstance(metric, OwnMetric):
        return ()
    declared = declares_itself(metric) or table_of(read_name(name)) is not None
    found: list[Suggestion] = []
    for one in inferred(metric, settings.seed):
        if one.declare is None or one.about not in (*_PROPERTIES, *_ABILITIES):
            continue
        tried = copy(metric)
        (value,) = tomllib.loads(one.declare.toml).values()
        if one.about in _PROPERTIES:
            setattr(tried, one.about, value)
        else:
            tried.abilities = replace(tried.abilities, **{one.about: value})
        if removes := tuple(_removed(tried, failing, reading, settings, one.about == "binary_only")):
            found.append(Suggestion(one.says, one.probes, one.declare, removes, declared))
            metric, failing = tried, tuple(asked for asked in failing if asked not in removes)
    return tuple(found)


_PROPERTIES, _ABILITIES = ("cutoff", "binary_only", "single_aspect"), ("weights", "levels")
"""Declarations that affect whether an axiom applies: attributes of a metric, and of its abilities."""


def _removed(
    metric: Metric, failing: Iterable[str], reading: Reading, settings: Settings, searched: bool
) -> Iterator[str]:
    """Yield the failures that an additional declaration would remove.

    Args:
        metric: Metric with an additional declaration.
        failing: Violated axioms and failing checks of the metric without this declaration.
        reading: Reading of the contract.
        settings: Seed and budgets of the search.
        searched: Whether the declaration changes the instances, so that axioms that still apply are decided again.

    """
    for asked in failing:
        if asked in CHECKS:
            (outcome,) = run_contract(metric, seed=settings.seed, checks=[asked])
            if outcome.status in ("passed", "not-applicable"):
                yield asked
            continue
        axiom = find_axiom(asked)
        if searched or not_applicable(metric, axiom, assumes_small(axiom, reading)) is not None:
            cell = judge_cell(metric, axiom, None, reading, settings).cell
            if cell is not None and (cell.verdict.satisfied or cell.verdict is Verdict.NOT_APPLICABLE):
                yield asked


def place_of(contract: Contract, metric: str) -> tuple[Path, str]:
    """Return the file from which the declarations of a metric are read, and the header of their table in it.

    It is the contract's file if the contract is in the folder of the metric's file or in a parent folder.
    """
    named = read_name(locate(contract, metric))
    folder = Path(named.prefix).resolve().parent if named.home is Home.FILE else Path.cwd()
    if contract.directory.resolve() in (folder, *folder.parents):
        keys = ("tool", "axiomcheck") if contract.path.name == SHARED_FILE else ()
        return contract.path, f"[{tomlkit.key([*keys, 'declared', metric]).as_string()}]"
    found = table_for(named)
    assert found is not None  # suggestions are for metrics of files and modules
    return found


def declare(path: Path, suggested: Suggestions) -> None:
    """Add declarations to a contract file that has none.

    Raises:
        InvalidInput: The file cannot be read or written.

    """
    document = tomlkit.document()
    document["declared"] = tomlkit.table(is_super_table=True)
    for metric, found in suggested.items():
        table = tomlkit.table()
        for one in found:
            table.update(tomlkit.parse(one.declaration.toml))
        document["declared"][metric] = table
    write_atomically(path, f"{path.read_text(encoding='utf-8')}\n{tomlkit.dumps(document)}")
