"""The matrix as JSON: everything that decides a cell and everything that was found, and no times."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

from axiomcheck.axioms import AXIOMS, PairAxiom, ThresholdAxiom, find_axiom
from axiomcheck.axioms.plugins import plugin_names
from axiomcheck.core.documents import parse_json, path_text, shortened
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.verdict import Cell, Ledger, Verdict

__all__ = [
    "SCHEMA",
    "VERSION",
    "cell_document",
    "check_part",
    "from_document",
    "from_json",
    "read_cell",
    "read_cells",
    "schema",
    "times_json",
    "to_json",
]

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

    The document is checked against the schema, and every witness against its cell. Witnesses are not scored again, and
    certificates not checked: `axiomcheck.replay` does that.

    Raises:
        InvalidInput: not JSON, or not such a document; the message says where.

    """
    try:
        document = parse_json(text)
    except InvalidInput as error:
        raise InvalidInput(f"matrix: {error}") from None
    return from_document(document)


def from_document(document: Any) -> Ledger:
    """As `from_json`, of the parsed document.

    Raises:
        InvalidInput: not such a document; the message says where.

    """
    entries = read_cells(document)
    reading = document["reading"]
    cells = tuple(read_cell(entry, number, reading) for number, entry in enumerate(entries))
    return Ledger(reading["regime"], reading["domain"], document["settings"], cells)


def read_cells(document: Any) -> list[Any]:
    """The entries of a report's cells, not read yet, of which no two are of the same metric and constraint.

    Raises:
        InvalidInput: what stands around the cells is not as the schema says, or a cell is there twice.

    """
    entries = document.get("cells") if isinstance(document, dict) else None
    if isinstance(document, dict) and isinstance(document.get("version"), int) and document["version"] > VERSION:
        raise InvalidInput(f"matrix: version is {document['version']}; this axiomcheck reads up to {VERSION}")
    header = document | {"cells": []} if isinstance(document, dict) and isinstance(entries, list) else document
    check_part(header, None, "matrix: ")
    assert isinstance(entries, list)
    seen = set()
    for number, entry in enumerate(entries):
        key = tuple(shortened(entry.get(name)) for name in ("metric", "axiom")) if isinstance(entry, dict) else None
        if key is not None and key in seen:
            raise InvalidInput(f"matrix: cells[{number}] is a second cell for {entry['metric']} and {entry['axiom']}")
        seen.add(key)
    return entries


def read_cell(entry: Any, number: int, reading: dict[str, str]) -> Cell:
    """One cell of a report.

    Args:
        entry: as `cell_document` makes it.
        number: which cell it is, for messages.
        reading: of the report.

    Raises:
        InvalidInput: not as the schema says, or its witness is of another cell.

    """
    check_part(entry, "cell", "matrix: ", ("cells", number))
    if entry["witness"] is not None:
        _check_witness(entry, reading, f"matrix: cells[{number}]")
    return Cell(**entry | {"verdict": Verdict(entry["verdict"])})


def check_part(part: Any, definition: str | None, prefix: str = "", steps: Sequence[str | int] = ()) -> None:
    """Checks a part of a report against the schema.

    Args:
        part: of a JSON document.
        definition: its name in the schema's ``$defs``; None for the report itself.
        prefix: what messages begin with.
        steps: where the part stands, for messages.

    Raises:
        InvalidInput: it is not as the schema says; the message has the path.

    """
    from jsonschema.exceptions import best_match

    fault = best_match(_validator(definition, _plugins_of(part)).iter_errors(part))
    if fault is None:
        return
    where = path_text([*steps, *fault.absolute_path]) or "the document"
    what = fault.message[:200]
    if fault.validator is None:  # a property whose schema is false; the library does not say which
        place = functools.reduce(lambda at, step: at[step], fault.absolute_path, part)
        what = f"{next(key for key, value in place.items() if value is fault.instance)!r} is not expected here"
    raise InvalidInput(f"{prefix}{where}: {what}")


def _plugins_of(part: Any) -> tuple[str, ...]:
    """The constraint of a plugin that a part of a report is about, if it is about one."""
    name = part.get("axiom") if isinstance(part, dict) else None
    return (name,) if isinstance(name, str) and name not in AXIOMS and name in plugin_names() else ()


@cache
def _validator(definition: str | None, plugins: tuple[str, ...]) -> Any:
    from jsonschema import Draft202012Validator
    from jsonschema.validators import extend

    def is_whole(checker: Any, value: Any) -> bool:  # JSON Schema itself takes 1.0 for a whole number
        return isinstance(value, int) and not isinstance(value, bool)

    strict = extend(Draft202012Validator, type_checker=Draft202012Validator.TYPE_CHECKER.redefine("integer", is_whole))
    whole = _with_plugins(schema(), plugins)
    return strict(whole if definition is None else {"$ref": f"#/$defs/{definition}", "$defs": whole["$defs"]})


def _with_plugins(published: dict[str, Any], named: Sequence[str]) -> dict[str, Any]:
    """The schema, with constraints of plugins beside those of the ten of their kind."""
    plugins = [find_axiom(name) for name in named]

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


def _check_witness(entry: Mapping[str, Any], reading: dict[str, str], where: str) -> None:
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
    return resources.files("axiomcheck.records").joinpath("matrix.schema.json").read_text(encoding="utf-8")


def schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of what `to_json` writes; constraints of plugins come on top of its names."""
    loaded: dict[str, Any] = json.loads(_schema_text())
    return loaded


def _text(document: dict[str, Any]) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
