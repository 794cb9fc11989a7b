"""One table of what several reports say of the same metrics, and how its columns hang together.

Reports are the JSON documents of ``matrix``, ``unanimity``, ``informativeness``, ``compare`` and ``wild``. A row is a
metric of the matrix. Other reports are about real runs, whose topics have several aspects: a metric lifted to the
largest grade over aspects is the same row as the metric of one aspect that it lifts. Informativeness is of a measure as
its paper has it, at one depth: it stands in every row of its family.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

import msgspec
from scipy.stats import kendalltau

from axiomcheck.core.counting import counted
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.verdict import Verdict
from axiomcheck.metrics.spelling import spelled
from axiomcheck.records.matrix import from_document

_FAMILIES = {"alpha-DCG": "alpha-nDCG", "RBP": ""}
"""A measure of the paper on informativeness -> the catalogue's name of its form. Its RBP discounts redundancy, and is
no row of a matrix."""


@dataclass(frozen=True)
class Column:
    """What one report says of metrics.

    Args:
        name: what it is called.
        words: what the number is, with what the report was made of.
        values: metric, without ``aggregate=max`` -> number.
        families: measure without parameters -> number, of reports that know measures by family alone.

    """

    name: str
    words: str
    values: dict[str, float]
    families: dict[str, float]


@dataclass(frozen=True)
class JoinedRow:
    """One metric.

    Args:
        metric: as the matrix has it.
        verdicts: axiom -> verdict.
        numbers: one per column; None where a report says nothing of the metric.

    """

    metric: str
    verdicts: dict[str, Verdict]
    numbers: tuple[float | None, ...]

    @property
    def satisfied(self) -> int:
        """How many axioms the metric satisfies; one that does not apply to it is none of them."""
        return sum(verdict.satisfied for verdict in self.verdicts.values())


@dataclass(frozen=True)
class Agreement:
    """How a column's order of the metrics agrees with that by axioms satisfied.

    Args:
        column: its name.
        tau: Kendall's tau-b; None where all numbers or all counts are equal.
        p: of the hypothesis that there is none, two-sided; None where tau is.
        metrics: how many have a number.

    """

    column: str
    tau: float | None
    p: float | None
    metrics: int


@dataclass(frozen=True)
class Joined:
    """The table.

    Args:
        reading: the matrix' regime and domain.
        axioms: in the order of the matrix.
        columns: of the other reports, in their order.
        rows: in the order of the matrix.
        agreements: one per column.

    """

    reading: str
    axioms: tuple[str, ...]
    columns: tuple[Column, ...]
    rows: tuple[JoinedRow, ...]
    agreements: tuple[Agreement, ...]


def join(documents: Sequence[tuple[str, Any]]) -> Joined:
    """Joins reports.

    Args:
        documents: the name of each file, and the JSON document in it; one of them is a matrix.

    Raises:
        InvalidInput: a document that is none of these reports, no matrix or two, a report that says nothing of any
            metric of the matrix.

    """
    schemas = [(name, document, _schema(name, document)) for name, document in documents]
    matrices = [(name, document) for name, document, schema in schemas if schema == "axiomcheck/matrix"]
    if len(matrices) != 1:
        raise InvalidInput(
            f"{counted(len(matrices), 'report')} of a matrix; expected one, by axiomcheck matrix --format json"
        )
    if len(documents) == 1:
        raise InvalidInput("a matrix alone; expected another report beside it")
    ((where, matrix),) = matrices
    ledger = from_document(matrix)
    verdicts: dict[str, dict[str, Verdict]] = {}
    for cell in ledger.cells:
        verdicts.setdefault(cell.metric, {})[cell.axiom] = cell.verdict
    if not verdicts:
        raise InvalidInput(f"{where}: no cells; expected a matrix of some metrics")
    columns: list[Column] = []
    for name, document, schema in schemas:
        if schema != "axiomcheck/matrix":
            found = _READERS[schema](name, document)
            if not any(_number(column, metric) is not None for column in found for metric in verdicts):
                raise InvalidInput(f"{name}: says nothing of any metric of {where}, such as {next(iter(verdicts))}")
            columns += found
    for column in columns:
        if sum(other.name == column.name for other in columns) > 1:
            raise InvalidInput(f"two reports give a column {column.name}; expected one of each kind and scenario")
    rows = tuple(
        JoinedRow(metric, found, tuple(_number(column, metric) for column in columns))
        for metric, found in verdicts.items()
    )
    agreements = tuple(_agreement(column, number, rows) for number, column in enumerate(columns))
    reading = f"{ledger.regime}, {ledger.domain}"
    axioms = tuple(dict.fromkeys(cell.axiom for cell in ledger.cells))
    return Joined(reading, axioms, tuple(columns), rows, agreements)


def _number(column: Column, metric: str) -> float | None:
    said = spelled(metric)
    family = None if said is None else column.families.get(said.name)
    return column.values.get(_plain(metric), family)


def _plain(metric: str) -> str:
    """A metric's name without ``aggregate=max``."""
    said = spelled(metric)
    if said is None or "aggregate" not in said.inside:
        return metric
    inside = ", ".join(f"{key}={value}" for key, value in said.parameters().items() if key != "aggregate")
    return said.name + (f"({inside})" if inside else "") + ("" if said.after is None else f"@{said.after}")


def _agreement(column: Column, number: int, rows: Sequence[JoinedRow]) -> Agreement:
    both = [(row.satisfied, value) for row in rows if (value := row.numbers[number]) is not None]
    counts, values = {count for count, _ in both}, {value for _, value in both}
    if len(counts) < 2 or len(values) < 2:
        return Agreement(column.name, None, None, len(both))
    found = kendalltau(*zip(*both, strict=True))
    return Agreement(column.name, float(found.statistic), float(found.pvalue), len(both))


class _Unanimous(msgspec.Struct):
    metric: str
    mu: float | None
    reason: str | None = None


class _Unanimity(msgspec.Struct):
    scenario: str
    set: list[str]
    metrics: list[_Unanimous]


class _Curve(msgspec.Struct):
    target: str | None
    by_intent: bool
    rms: float | None


class _Informativeness(msgspec.Struct):
    depth: int
    alpha: float
    beta: float
    expectations: str
    curves: list[_Curve]


class _Power(msgspec.Struct):
    corrected: float


class _PowerOf(msgspec.Struct):
    metric: str
    discriminative_power: _Power


class _Comparison(msgspec.Struct):
    runs: list[Any]
    metrics: list[_PowerOf]


class _Pairs(msgspec.Struct):
    of: int
    moved: int


class _WildCell(msgspec.Struct):
    metric: str
    axiom: str
    applicable: int = 0
    ties: int = 0
    reversals: int = 0
    pairs: _Pairs | None = None


class _Wild(msgspec.Struct):
    depth: int
    cells: list[_WildCell]


def _read(name: str, document: Any, kind: Any) -> Any:
    try:
        return msgspec.convert(document, kind)
    except msgspec.ValidationError as error:
        raise InvalidInput(f"{name}: {error}; expected the report as it was written") from None


def _unanimity(name: str, document: Any) -> list[Column]:
    read = _read(name, document, _Unanimity)
    values = {
        _plain(one.metric): -inf if one.mu is None else one.mu
        for one in read.metrics
        if one.mu is not None or (one.reason or "").startswith("minus infinity")
    }
    name = "MU" if read.scenario == "official" else f"MU {read.scenario}"
    return [Column(name, f"unanimity with {counted(len(read.set), 'metric')}, {read.scenario}", values, {})]


def _informativeness(name: str, document: Any) -> list[Column]:
    read = _read(name, document, _Informativeness)
    # curves of several intents are flatter than those of one, so that errors are held against what is known of each
    alone = {one.by_intent: one.rms for one in read.curves if one.target is None}
    families = {
        _FAMILIES.get(one.target, one.target): one.rms / base
        for one in read.curves
        if one.target is not None and one.rms is not None and (base := alone.get(one.by_intent))
    }
    how = f"depth {read.depth}, alpha {read.alpha}, beta {read.beta}, {read.expectations} expectations"
    words = f"RMS error of precision-recall curves inferred from the measure ({how}), "
    words += "over the error without it: low is good"
    return [Column("RMS", words, {}, families)]


def _power(name: str, document: Any) -> list[Column]:
    read = _read(name, document, _Comparison)
    values = {_plain(one.metric): one.discriminative_power.corrected for one in read.metrics}
    return [Column("power", f"share of pairs of {counted(len(read.runs), 'run')} told apart, corrected", values, {})]


def _wild(name: str, document: Any) -> list[Column]:
    read = _read(name, document, _Wild)
    asked: dict[str, list[_WildCell]] = {}
    for cell in read.cells:
        if cell.applicable:
            asked.setdefault(_plain(cell.metric), []).append(cell)
    shares = {
        metric: sum((cell.ties + cell.reversals) / cell.applicable for cell in cells) / len(cells)
        for metric, cells in asked.items()
    }
    moved = {metric: float(sum(cell.pairs.moved for cell in cells if cell.pairs)) for metric, cells in asked.items()}
    return [
        Column(
            "violated",
            f"share of edits at the first {counted(read.depth, 'rank')} that violate, mean over axioms",
            shares,
            {},
        ),
        Column("moved", "pairs of runs that violations move, summed over axioms", moved, {}),
    ]


_READERS: dict[str, Callable[[str, Any], list[Column]]] = {
    "axiomcheck/unanimity": _unanimity,
    "axiomcheck/informativeness": _informativeness,
    "axiomcheck/compare": _power,
    "axiomcheck/wild": _wild,
}


def _schema(name: str, document: Any) -> str:
    schema = document.get("schema") if isinstance(document, dict) else None
    if schema in _READERS and document.get("version") != 1:
        raise InvalidInput(f"{name}: version {document.get('version')!r}; expected 1, as this axiomcheck writes it")
    known = ["axiomcheck/matrix", *_READERS]
    if schema not in known:
        words = ", ".join(one.removeprefix("axiomcheck/") for one in known)
        raise InvalidInput(f"{name}: none of the reports that can be joined; expected JSON of {words}")
    return str(schema)
