"""Reading contract files. Whatever is wrong in one is told with the file, the key, and what was expected."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, cast

from axiomcheck.axioms import find_axiom
from axiomcheck.checks.contract import CHECKS
from axiomcheck.core.documents import parse_json
from axiomcheck.core.domain import Domain, Reading, Regime
from axiomcheck.core.errors import InvalidInput, UnknownName
from axiomcheck.core.printable import shown
from axiomcheck.decide.budgets import REPEATED
from axiomcheck.decide.search import Settings
from axiomcheck.gate.expectations import (
    EXPECTED,
    Contract,
    Expectation,
    Expected,
    MetricContract,
    Recorded,
    file_stem,
)
from axiomcheck.metrics import parse
from axiomcheck.processes.isolation import Limits
from axiomcheck.sources.names import is_foreign

__all__ = ["find_contract", "load_contract"]

OWN_FILE = "axiomcheck.toml"
SHARED_FILE = "pyproject.toml"

_TOP = ("regime", "domain", "examples", "seed", "timeout", "memory", "witnesses", "recorded", "metrics")
_METRIC = ("regime", "domain", "reference", "tolerance", "source", "applied", "axioms", "checks")
_RECORDED = ("version", "seed", "examples", "packages")


def find_contract() -> Path:
    """The contract file of the current directory: axiomcheck.toml, or pyproject.toml if it has [tool.axiomcheck].

    Raises:
        InvalidInput: there is none, or pyproject.toml cannot be read.

    """
    here = Path.cwd()
    if (here / OWN_FILE).is_file():
        return here / OWN_FILE
    shared = here / SHARED_FILE
    if shared.is_file() and _section(shared, _read_toml(shared)) is not None:
        return shared
    first = 'metrics."my_metrics.py:my_metric"]'
    raise InvalidInput(
        f"no contract in {here}: expected {OWN_FILE}, which begins with [{first}, or {SHARED_FILE} with "
        f"[tool.axiomcheck.{first}; write that and run axiomcheck gate --update"
    )


def load_contract(path: Path | None = None) -> Contract:
    """The contract in a file, with the witnesses that are pinned next to it.

    Args:
        path: pyproject.toml, of which [tool.axiomcheck] is read, or another TOML file, of which the top level is;
            None finds one in the current directory.

    Raises:
        InvalidInput: not there, not TOML, an unknown key, a value that is not of the kind expected, an expected
            violation without a reason, a witness file that is not JSON. The message says where.

    """
    path = find_contract() if path is None else path.absolute()
    document = _read_toml(path)
    where = ""
    if path.name == SHARED_FILE:
        where = "tool.axiomcheck"
        found = _section(path, document)
        document = {} if found is None else found
    table = _Table(path, where, document)
    table.only(_TOP)
    reading = _reading(table, Reading())
    settings = Settings(
        seed=table.get("seed", _count, "a whole number from 0 to 2**63 - 1", 0),
        examples=table.get("examples", _count, "a whole number from 0 to 2**63 - 1", REPEATED),
        proofs=False,  # a contract is about what a search finds, and is to be quick
    )
    limits = Limits(
        table.get("timeout", _above_zero, "a number of seconds above 0", Limits.seconds),
        table.get("memory", _megabytes, "a whole number of megabytes, 64 to 2**40", Limits.megabytes),
    )
    folder = table.get("witnesses", _is_path, "the name of a directory", "axiomcheck-witnesses")
    metrics_table = table.table("metrics")
    if not metrics_table.document:
        raise InvalidInput(f"{path}: no metrics; expected a table {table.at('metrics', 'my_metrics.py:my_metric')}")
    contract = Contract(path, settings, limits, path.parent / folder, (), _recorded(table))
    metrics = tuple(_metric(metrics_table.table(name), name, reading, contract) for name in metrics_table.document)
    stems: dict[str, str] = {}
    for metric in metrics:
        other = stems.setdefault(file_stem(metric.name).casefold(), metric.name)
        if other != metric.name:
            raise InvalidInput(
                f"{path}: {other!r} and {metric.name!r} would pin their witnesses in the same files; rename one"
            )
    return Contract(path, settings, limits, contract.witnesses, metrics, contract.recorded)


def _section(path: Path, document: dict[str, Any]) -> Any:
    """What pyproject.toml has as ``tool.axiomcheck``; None where it has nothing of that name."""
    return _Table(path, "tool", document.get("tool", {})).document.get("axiomcheck")


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_bytes().decode("utf-8"))
    except OSError as error:
        raise InvalidInput(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InvalidInput(f"{path}: not UTF-8 text") from None
    except (ValueError, RecursionError) as error:  # other than TOMLDecodeError: too many digits; too deep
        raise InvalidInput(f"{path}: not TOML that can be read: {error}") from None


class _Table:
    """A table of a TOML file that knows where it is."""

    def __init__(self, path: Path, where: str, document: Any) -> None:
        self.path, self.where = path, where
        if not isinstance(document, dict):
            raise InvalidInput(f"{path}: {where} is {shown(document)}; expected a table")
        self.document: dict[str, Any] = document

    def at(self, *keys: str) -> str:
        """The place of a table below, as a heading."""
        return f"[{'.'.join(self._path(*keys))}]"

    def _path(self, *keys: str) -> list[str]:
        bare = [key if key.replace("-", "").replace("_", "").isalnum() else json.dumps(key) for key in keys]
        return [self.where, *bare] if self.where else bare

    def only(self, known: Iterable[str]) -> None:
        """Refuses every key that is not known."""
        names = list(known)
        for key in self.document:
            if key not in names:
                place = f"[{self.where}]" if self.where else "the top level"
                told = str(UnknownName(f"key in {place}", key, names))
                if key == "tool" and not self.where:
                    told += f"; [tool.axiomcheck] is for {SHARED_FILE}, here its tables are at the top level"
                raise InvalidInput(f"{self.path}: {told}")

    def wrong(self, key: str, expected: str) -> InvalidInput:
        """What to raise for a value."""
        place, value = ".".join(self._path(key)), shown(self.document[key])
        return InvalidInput(f"{self.path}: {place} is {value}; expected {expected}")

    def get(self, key: str, check: Callable[[Any], bool], expected: str, default: Any = None) -> Any:
        """A value that passes a check, or the default where there is none."""
        if key not in self.document:
            return default
        if not check(self.document[key]):
            raise self.wrong(key, expected)
        return self.document[key]

    def table(self, key: str) -> _Table:
        """A table below; empty where there is none."""
        return _Table(self.path, ".".join(self._path(key)), self.document.get(key, {}))


_MOST = 2**63 - 1
"""What a TOML file's integer need not go beyond."""


def _count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MOST


def _megabytes(value: Any) -> bool:
    return _count(value) and 64 <= value <= 2**40


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and -_MOST <= value <= _MOST


def _above_zero(value: Any) -> bool:
    return _number(value) and value > 0


def _filled(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_path(value: Any) -> bool:
    return _filled(value) and "\0" not in value


def _reading(table: _Table, default: Reading) -> Reading:
    regimes, domains = [r.value for r in Regime], [d.value for d in Domain]
    return Reading(
        Regime(table.get("regime", regimes.__contains__, f"one of {', '.join(regimes)}", default.regime.value)),
        Domain(table.get("domain", domains.__contains__, f"one of {', '.join(domains)}", default.domain.value)),
    )


def _recorded(table: _Table) -> Recorded | None:
    if "recorded" not in table.document:
        return None
    recorded = table.table("recorded")
    recorded.only(_RECORDED)
    for key in _RECORDED[:3]:
        if key not in recorded.document:
            raise InvalidInput(f"{table.path}: {recorded.where}.{key} is missing; axiomcheck gate --update writes it")
    packages = recorded.table("packages").document
    if not all(isinstance(version, str) for version in packages.values()):
        raise recorded.wrong("packages", "a table of versions")
    return Recorded(
        recorded.get("version", _filled, "a version"),
        recorded.get("seed", _count, "a whole number from 0 to 2**63 - 1"),
        recorded.get("examples", _count, "a whole number from 0 to 2**63 - 1"),
        packages,
    )


def _metric(table: _Table, name: str, reading: Reading, contract: Contract) -> MetricContract:
    table.only(_METRIC)
    reference = table.get("reference", _filled, "the name of a metric")
    for named in (name, reference):
        if named is not None and not is_foreign(named):
            try:
                parse(named)
            except InvalidInput as error:
                raise InvalidInput(f"{table.path}: [{table.where}]: {error}") from None
    return MetricContract(
        name,
        _reading(table, reading),
        _axioms(table.table("axioms"), name, contract),
        _checks(table.table("checks")),
        _applied(table),
        reference,
        float(table.get("tolerance", lambda v: _number(v) and v >= 0, "a number >= 0", MetricContract.tolerance)),
        table.get("source", _filled, "a fingerprint, as axiomcheck gate --update writes it"),
    )


def _axioms(table: _Table, metric: str, contract: Contract) -> Mapping[str, Expectation]:
    found: dict[str, Expectation] = {}
    for key in table.document:
        try:
            axiom = find_axiom(key).name
        except InvalidInput as error:
            raise InvalidInput(f"{table.path}: [{table.where}]: {error}") from None
        if axiom in found:
            raise InvalidInput(f"{table.path}: [{table.where}] has {axiom} twice, once as {key}")
        expect, reason = _expected(table, key, EXPECTED, "violated")
        witness = _witness(contract.witness_path(metric, axiom)) if expect == "violated" else None
        found[axiom] = Expectation(cast(Expected, expect), reason, witness)
    return found


def _checks(table: _Table) -> Mapping[str, str]:
    for key in table.document:
        if key not in CHECKS:
            raise InvalidInput(f"{table.path}: [{table.where}]: {UnknownName('contract check', key, CHECKS)}")
    return {key: _expected(table, key, ("fails",), "fails")[1] for key in table.document}


def _applied(table: _Table) -> tuple[str, ...]:
    def names(value: Any) -> bool:
        return isinstance(value, list) and all(isinstance(name, str) for name in value)

    applied = table.get("applied", names, "a list of contract checks, as axiomcheck gate --update writes it", [])
    for name in applied:
        if name not in CHECKS:
            raise InvalidInput(f"{table.path}: {table.at('applied')}: {UnknownName('contract check', name, CHECKS)}")
    return tuple(applied)


def _expected(table: _Table, key: str, known: Iterable[str], needs_reason: str) -> tuple[str, str]:
    """(what is expected, why): a word, or a table of the two where a reason is needed or given."""
    value, names = table.document[key], list(known)
    if isinstance(value, dict):
        entry = table.table(key)
        entry.only(("expect", "reason"))
        if "expect" not in value:
            raise InvalidInput(f"{table.path}: {entry.where}.expect is missing; expected one of {', '.join(names)}")
        expect = entry.get("expect", names.__contains__, f"one of {', '.join(names)}")
        reason = entry.get("reason", lambda v: isinstance(v, str), "a text", "").strip()
    else:
        expect, reason = table.get(key, names.__contains__, f"one of {', '.join(names)}"), ""
    if expect == needs_reason and not reason:
        raise InvalidInput(
            f"{table.path}: {table.where}.{key} expects {expect!r} without a reason; "
            f'expected {{expect = "{expect}", reason = "why that is all right"}}'
        )
    return expect, reason


def _witness(path: Path) -> dict[str, Any] | None:
    """A pinned witness; None where none is pinned."""
    try:
        document = parse_json(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InvalidInput(f"{path}: cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise InvalidInput(f"{path}: {error}; axiomcheck gate --update pins it anew") from None
    if not isinstance(document, dict):
        raise InvalidInput(f"{path}: expected a JSON object; delete it and run axiomcheck gate --update")
    return document
