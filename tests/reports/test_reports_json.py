import copy
import dataclasses
import json
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import jsonschema
import pytest

from axiomcheck import Cell, InvalidInput, Ledger, Verdict
from axiomcheck.core.documents import parse_json
from axiomcheck.decide.search import Settings
from axiomcheck.decide.witness import read_any_witness
from axiomcheck.reports.documents import schema
from axiomcheck.reports.formats import from_document, to_json
from tests.reports.reports_ledgers import READINGS, document, entry, made_up, odd, proved, real, sampled
from tests.support import tampering
from tests.support.made_records import because
from tests.support.suites import quality
from tests.support.tampering import DROP, Change


def from_json(text: str) -> Ledger:
    return from_document(parse_json(text))


@cache
def validator() -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(schema())


def complaints(ledger: Ledger) -> list[str]:
    """Return what the published schema has against the JSON document of a ledger."""
    return [error.message for error in validator().iter_errors(json.loads(to_json(ledger)))]


HERE = Cell("α-metric", None, "Sat", Verdict.NOT_APPLICABLE, None, because("ε → 0"))
LEDGERS = [real, odd, proved, sampled, lambda: made_up(HERE), *(partial(real, reading) for reading in READINGS[1:])]


@pytest.mark.parametrize("made", [*LEDGERS[:5], *(pytest.param(made, marks=quality) for made in LEDGERS[5:])])
def test_every_ledger_meets_the_schema_and_comes_back(made: Callable[[], Ledger]) -> None:
    ledger = made()
    assert complaints(ledger) == []
    again = from_json(to_json(ledger))
    assert again == ledger
    assert [type(c.verdict) for c in again.cells] == [Verdict] * len(ledger.cells)
    assert to_json(again) == to_json(ledger)
    for cell in again.cells if made is not odd else ():  # which has a metric that is not there
        if cell.witness is not None:
            assert read_any_witness(cell.witness).record() == cell.witness


def test_keys_have_their_order_and_a_line_each_and_text_is_not_escaped() -> None:
    assert "ε → 0" in to_json(made_up(HERE))
    assert "α-metric" in to_json(made_up(HERE))
    text = to_json(real())
    parsed = json.loads(text)
    assert list(parsed) == ["schema", "version", "reading", "settings", "cells", "certificates", "cases", "obligations"]
    keys = ["metric", "row", "axiom", "verdict", "published", "cause", "evidence", "witness", "certificate"]
    assert all(list(cell) == [*keys, "failure"] for cell in parsed["cells"])
    assert text.endswith("}\n")
    assert text.splitlines()[1] == '  "schema": "axiomcheck/matrix",'


def test_no_times_in_the_report() -> None:
    ledger = real()
    slower = dataclasses.replace(
        ledger, cells=tuple(dataclasses.replace(c, seconds=c.seconds + 1) for c in ledger.cells)
    )
    assert to_json(slower) == to_json(ledger)
    assert "seconds" not in to_json(ledger)


def test_the_schema_is_one_and_knows_every_setting_and_verdict() -> None:
    jsonschema.Draft202012Validator.check_schema(schema())
    assert schema()["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema()["$id"]
    assert schema()["properties"]["version"]["enum"] == [1]
    definitions = schema()["$defs"]
    settings = definitions["SettingsRecord"]
    fields = {field.name for field in dataclasses.fields(Settings)}
    assert set(settings["required"]) == fields
    assert set(settings["properties"]) == fields | {"budget", "until"}
    assert set(definitions["Verdict"]["enum"]) == {v.value for v in Verdict}


def test_the_reader_knows_what_roles_each_axiom_gives() -> None:
    """No pair witness of the real runs is read with any one role dropped or added."""
    parsed = document()
    witnesses = {cell["axiom"]: k for k, cell in enumerate(parsed["cells"]) if (cell["witness"] or {}).get("roles")}
    assert len(witnesses) >= 6
    for k in witnesses.values():
        for key in ("ranked", "i", "j", "t", "u"):
            changed = parsed | {"cells": [copy.deepcopy(parsed["cells"][k])]}
            given = changed["cells"][0]["witness"]["roles"]
            if key in given:
                del given[key]
            else:
                given[key] = 1
            with pytest.raises(InvalidInput, match="roles"):
                from_document(changed)


def put(path: str, value: Any) -> Change:
    """Sets an entry of the document, or with a path such as ``NRBP.Pri:witness.kind`` one of a cell."""
    where, _, rest = path.rpartition(":")
    return lambda parsed: tampering.put(rest, value)(entry(parsed, *where.split(".")) if where else parsed)


FORMS: dict[str, tuple[Change, str]] = {
    "another schema": (put("schema", "other"), "schema"),
    "version true": (put("version", True), "version"),
    "a later version": (put("version", 2), "version is 2; this axiomcheck reads versions up to 1"),
    "unknown regime": (put("reading.regime", "small"), "regime"),
    "unknown setting": (put("settings.jobs", 4), "jobs"),
    "no seed": (put("settings.seed", DROP), "seed"),
    "negative examples": (put("settings.examples", -1), "examples"),
    "cells of another kind": (put("cells", {}), "cells"),
    "times in a cell": (put("NRBP.Pri:seconds", 1.5), "seconds"),
    "unknown verdict": (put("NRBP.Pri:verdict", "true"), "cells["),
    "unknown claim": (put("NRBP.Pri:published", "maybe"), "published"),
    "no name": (put("NRBP.Pri:metric", ""), "metric"),
    "held with a witness": (put("NRBP.Deep:witness", {}), "witness"),
    "not applicable with evidence": (put("AP.Red:evidence.instances", 3), "evidence"),
    "an unknown failure": (put("NRBP.Deep:failure", "bad luck"), "failure"),
    "a share above 1": (put("NRBP.Pri:evidence.violations.share", 1.01), "share"),
    "fewer instances than none": (put("NRBP.Pri:evidence.instances", -1), "instances"),
    "half an instance": (put("NRBP.Pri:evidence.instances", 0.5), "instances"),
    "a span of one": (put("NRBP.Pri:evidence.shapes.ranked", [2]), "ranked"),
    "an example cut short": (put("AP.CloseTh:evidence.example.top", DROP), "top"),
    "a witness of another kind": (put("NRBP.Pri:witness.kind", "threshold"), "kind"),
    "a grade as a float": (put("NRBP.Pri:witness.topic.pool.d1", [0.5]), "d1[0]"),
    "a grade above 1": (put("NRBP.Pri:witness.topic.pool.d1", ["2"]), "d1[0]"),
    "a document of another name": (put("NRBP.Pri:witness.topic.pool.q1", ["1"]), "pool.q1"),
    "another eps": (put("NRBP.Pri:witness.eps", "1/3"), "eps"),
    "a rank 0": (put("NRBP.Pri:witness.roles.i", 0), "i"),
    "who is ahead in another word": (put("NRBP.CloseTh:witness.ahead.0", "bottom"), "ahead[0]"),
    "no argument": (put("NRBP.CloseTh:witness.argument", ""), "argument"),
    "nothing ranked": (
        put("NRBP.Pri:witness.worse", []),
        "cells[0].witness.worse is []; expected a list of length >= 1",
    ),
}
"""List changes that the published schema does not allow, and the message of each."""

RELATIONS: dict[str, tuple[Change, str]] = {
    "unknown axiom": (put("NRBP.Pri:axiom", "Prio"), "axiom"),
    "refuted without a witness": (put("NRBP.Pri:witness", None), "witness"),
    "refuted without evidence": (put("NRBP.Pri:evidence", {}), "evidence"),
    "refuted but no violations": (put("NRBP.Pri:evidence.violations", DROP), "violations"),
    "held with a violation": (
        put("NRBP.Deep:evidence.violations", {"share": 1, "reversals": 1, "ties": 0, "largest_relative_margin": 0}),
        "violations",
    ),
    "held with a failure": (put("NRBP.Deep:failure", "metric"), "failure"),
    "an error without a kind": (put("NRBP.Deep:verdict", "error"), "failure"),
    "a role that the axiom does not speak of": (put("NRBP.Pri:witness.roles.t", 1), "roles"),
    "evidence of another axiom": (put("AP.CloseTh:evidence.n0", 1), "n0"),
    "a score in words": (put("AP.CloseTh:evidence.example.top", "high"), "top"),
    "a document twice": (put("NRBP.Pri:witness.worse", ["d1", "d1"]), "worse"),
    "no eps": (put("NRBP.Pri:witness.eps", DROP), "witness.eps is missing"),
    "eps where r << 1 is not assumed": (put("NRBP.Sat:witness.eps", "1/10"), "eps"),
    "rc where r << 1 is assumed": (put("NRBP.CloseTh:witness.rc", "1/2"), "rc"),
    "of another metric": (put("NRBP.Pri:witness.metric", "RBP(p=0.8)"), "metric is 'RBP(p=0.8)'; expected 'NRBP"),
    "of another axiom": (put("NRBP.Pri:witness.axiom", "Deep"), "witness.axiom is 'Deep'; expected 'Pri'"),
    "of another reading": (put("NRBP.Pri:witness.reading.regime", "limit"), "witness.reading.regime is"),
    "a document not judged": (put("NRBP.Pri:witness.worse", ["d1", "d9"]), "witness.worse names 'd9'"),
    "a grade too many": (put("NRBP.Pri:witness.topic.pool.d2", ["1", "0"]), "pool.d2 has 2 grades; expected 1"),
    "a cell twice": (
        lambda parsed: parsed["cells"].append(parsed["cells"][0]),
        "cells[6] is a duplicate cell for NRBP(p=0.8, alpha=0.5) and Pri",
    ),
}
"""List contradictions between entries, and wrong names: the schema allows them, the reader refuses them."""


@cache
def sound() -> str:
    """A report of the cells that are tampered with."""
    names = ["NRBP.Pri", "NRBP.Deep", "NRBP.Sat", "NRBP.CloseTh", "AP.Red", "AP.CloseTh"]
    parsed = document()
    parsed["cells"] = [entry(parsed, *name.split(".")) for name in names]
    assert validator().is_valid(parsed)
    return json.dumps(parsed)


@pytest.mark.parametrize("name", [*FORMS, *RELATIONS])
def test_tampered_documents_are_rejected(name: str) -> None:
    """By the reader all of them, and by the published schema those that have another form."""
    change, says = (FORMS | RELATIONS)[name]
    parsed = json.loads(sound())
    change(parsed)
    assert validator().is_valid(parsed) is (name in RELATIONS)
    with pytest.raises(InvalidInput) as error:
        from_json(json.dumps(parsed))
    assert str(error.value).startswith("matrix: ")
    assert says in str(error.value)
