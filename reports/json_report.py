"""The matrix as JSON: everything that decides a cell and everything that was found, and no times."""

from __future__ import annotations

import functools
import json
import math
from functools import cache
from importlib import resources
from typing import Any, NoReturn

from axiomcheck.axioms import AXIOMS, PairAxiom, ThresholdAxiom, find_axiom
from axiomcheck.axioms.plugins import plugin_names
from axiomcheck.errors import InvalidInput
from axiomcheck.verdict import Cell, Ledger, Verdict

__all__ = ["SCHEMA", "VERSION", "cell_document", "from_json", "schema", "times_json", "to_json"]

SCHEMA = "axiomcheck/matrix"
VERSION = 1


def to_json(ledger: Ledger) -> str:
    """A ledger as a JSON document that `matrix.schema.json` describes; the same text for the same ledger."""
    return _text(
        {
            "schema": SCHEMA,
            "version": VERSION,
            "reading": {"regime": ledger.regime, "domain": ledger.domain},
            "settings": ledger.settings,
            "cells": [cell_document(cell) for cell in ledger.cells],
        }
    )


def cell_document(cell: Cell) -> dict[str, Any]:
    """One cell as a JSON object."""
    return {
        "metric": cell.metric,
        "row": cell.row,
        "axiom": cell.axiom,
        "verdict": cell.verdict.value,
        "published": cell.published,
        "reason": cell.reason,
        "evidence": cell.evidence,
        "witness": cell.witness,
        "certificate": cell.certificate,
    }


def times_json(ledger: Ledger) -> str:
    """The seconds that each cell took, as a JSON document of their own: they differ from run to run."""
    return _text(
        {
            "schema": "axiomcheck/times",
            "version": VERSION,
            "cells": [
                {
                    "metric": c.metric,
                    "axiom": c.axiom,
                    "seconds": round(c.seconds, 6),
                    "proof_seconds": round(c.proof_seconds, 6),
                    "check_seconds": round(c.check_seconds, 6),
                    "certificate_bytes": c.evidence.get("proof", {}).get("bytes", 0),
                }
                for c in ledger.cells
            ],
        }
    )


def from_json(text: str) -> Ledger:
    """The ledger of a JSON document that `to_json` wrote.

    The document is checked against the schema, and every witness against its cell. Witnesses are not scored again:
    `axiomcheck.witness.read_witness` does that.

    Raises:
        InvalidInput: not JSON, or not such a document; the message says where.

    """
    try:
        document = json.loads(text, parse_float=_float, parse_constant=_no_constant, object_pairs_hook=_object)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"matrix: not JSON: {error}") from None
    if isinstance(document, dict) and isinstance(document.get("version"), int) and document["version"] > VERSION:
        raise InvalidInput(f"matrix: version is {document['version']}; this axiomcheck reads up to {VERSION}")
    _check_schema(document)
    reading = document["reading"]
    cells: dict[tuple[str, str], Cell] = {}
    for number, entry in enumerate(document["cells"]):
        where = f"matrix: cells[{number}]"
        key = entry["metric"], entry["axiom"]
        if key in cells:
            raise InvalidInput(f"{where} is a second cell for {key[0]} and {key[1]}")
        if entry["witness"] is not None:
            _check_witness(entry, reading, where)
        cells[key] = Cell(**entry | {"verdict": Verdict(entry["verdict"])})
    return Ledger(reading["regime"], reading["domain"], document["settings"], tuple(cells.values()))


def _check_schema(document: Any) -> None:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match

    fault = best_match(Draft202012Validator(_with_plugins(schema(), document)).iter_errors(document))
    if fault is None:
        return
    where = fault.json_path.removeprefix("$").removeprefix(".") or "the document"
    what = fault.message[:200]
    if fault.validator is None:  # a property whose schema is false; the library does not say which
        place = functools.reduce(lambda at, step: at[step], fault.absolute_path, document)
        what = f"{next(key for key, value in place.items() if value is fault.instance)!r} is not expected here"
    raise InvalidInput(f"matrix: {where}: {what}")


def _with_plugins(published: dict[str, Any], document: Any) -> dict[str, Any]:
    """The schema, with the plugins' constraints that a document names beside those of the ten of their kind."""
    cells = document.get("cells") if isinstance(document, dict) else None
    named = [cell.get("axiom") for cell in cells if isinstance(cell, dict)] if isinstance(cells, list) else []
    plugins = [find_axiom(name) for name in plugin_names() if name in named and name not in AXIOMS]

    def beside(names: list[Any]) -> list[str]:
        kinds = {"top": "DeepTh" in names, "block": "CloseTh" in names, "pair": {"Pri", "AspRel"} <= {*map(str, names)}}
        return [a.name for a in plugins if kinds[a.winner if isinstance(a, ThresholdAxiom) else "pair"]]

    def widened(part: Any) -> Any:
        if isinstance(part, list):
            return [*map(widened, part), *beside(part)]
        return {key: widened(value) for key, value in part.items()} if isinstance(part, dict) else part

    wide: dict[str, Any] = widened(published)
    for axiom in plugins:
        if isinstance(axiom, PairAxiom):
            others = {choice: False for choice in "ijtu" if choice not in axiom.choices}
            roles = {"required": list(axiom.choices), "properties": others}
            wide["$defs"]["pairWitness"]["allOf"].append(
                {"if": {"properties": {"axiom": {"const": axiom.name}}}, "then": {"properties": {"roles": roles}}}
            )
    return wide


def _check_witness(entry: dict[str, Any], reading: dict[str, str], where: str) -> None:
    witness = entry["witness"]
    for key, expected in (("metric", entry["metric"]), ("axiom", entry["axiom"]), ("reading", reading)):
        if witness[key] != expected:
            raise InvalidInput(f"{where}.witness.{key} is {witness[key]!r}; expected {expected!r}, as in the cell")
    if "topic" not in witness:
        return
    pool, aspects = witness["topic"]["pool"], len(witness["topic"]["weights"])
    for name, grades in pool.items():
        if len(grades) != aspects:
            raise InvalidInput(f"{where}.witness.topic.pool.{name} has {len(grades)} grades; expected {aspects}")
    for side in ("worse", "better"):
        for name in witness[side]:
            if name not in pool:
                raise InvalidInput(f"{where}.witness.{side} names {name!r}, which is not in the pool")


@cache
def _schema_text() -> str:
    return resources.files("axiomcheck.reports").joinpath("matrix.schema.json").read_text(encoding="utf-8")


def schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of what `to_json` writes; constraints of plugins come on top of its names."""
    loaded: dict[str, Any] = json.loads(_schema_text())
    return loaded


def _text(document: dict[str, Any]) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _float(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text} is out of range")
    return value


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    document = dict(pairs)
    if len(document) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"an object has {next(n for n in names if names.count(n) > 1)!r} twice")
    return document
