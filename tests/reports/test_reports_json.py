from __future__ import annotations

import copy
import dataclasses
import json
from functools import cache
from typing import Any

import jsonschema
import pytest
from msgspec import structs

from axiomcheck.core.documents import parse_json
from axiomcheck.core.domain import Reading
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.verdict import Failure, Verdict
from axiomcheck.decide.search import Settings
from axiomcheck.decide.threshold_witness import read_any_witness
from axiomcheck.records.cells import Cell, Ledger
from axiomcheck.records.evidence import Incomparable
from axiomcheck.reports import from_document, times_json, to_json
from axiomcheck.reports.documents import schema
from tests.reports.reports_ledgers import document, each_reading, entry, made_up, odd, proved, real
from tests.support import tampering
from tests.support.made_records import pair_evidence
from tests.support.tampering import DROP, Change


def from_json(text: str) -> Ledger:
    return from_document(parse_json(text))


@cache
def validator() -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(schema())


def complaints(ledger: Ledger) -> list[str]:
    """What the published schema has against the JSON document of a ledger."""
    return [error.message for error in validator().iter_errors(json.loads(to_json(ledger)))]


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(schema())
    assert schema()["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema()["$id"]
    assert schema()["properties"]["version"]["enum"] == [1]


@each_reading
def test_a_real_run_meets_the_schema_and_comes_back(reading: Reading) -> None:
    ledger = real(reading)
    assert len(ledger.cells) == 30
    assert {cell.verdict.value for cell in ledger.cells} >= {"held", "refuted", "not-applicable"}
    assert complaints(ledger) == []
    again = from_json(to_json(ledger))
    assert again == ledger
    assert [type(c.verdict) for c in again.cells] == [Verdict] * len(ledger.cells)
    assert to_json(again) == to_json(ledger)


def test_odd_verdicts_meet_the_schema_and_come_back() -> None:
    assert complaints(odd()) == []
    assert from_json(to_json(odd())) == odd()


def test_proofs_meet_the_schema_and_come_back() -> None:
    assert {cell.verdict for cell in proved().cells} == {Verdict.PROVED}
    assert complaints(proved()) == []
    assert from_json(to_json(proved())) == proved()
    parsed = json.loads(to_json(proved()))
    for change in ({"certificate": None}, {"certificate": {"schema": "axiomcheck/witness"}}, {"evidence": {}}):
        altered = parsed | {"cells": [parsed["cells"][0] | change]}
        with pytest.raises(InvalidInput):
            from_json(json.dumps(altered))


def test_keys_have_their_order_and_a_line_each() -> None:
    text = to_json(real())
    parsed = json.loads(text)
    assert list(parsed) == ["schema", "version", "reading", "settings", "cells", "certificates", "cases", "obligations"]
    keys = ["metric", "row", "axiom", "verdict", "published", "reason", "evidence", "witness", "certificate"]
    assert all(list(cell) == [*keys, "failure"] for cell in parsed["cells"])
    assert text.endswith("}\n")
    assert text.splitlines()[1] == '  "schema": "axiomcheck/matrix",'


def test_text_is_not_escaped() -> None:
    cell = Cell("α-metric", None, "Sat", Verdict.NOT_APPLICABLE, None, "ε → 0")
    text = to_json(made_up(cell))
    assert "ε → 0" in text
    assert "α-metric" in text
    assert from_json(text).cells == (cell,)


def test_no_times_in_the_report_and_all_in_their_own_file() -> None:
    ledger = real()
    slower = dataclasses.replace(
        ledger, cells=tuple(dataclasses.replace(c, seconds=c.seconds + 1) for c in ledger.cells)
    )
    assert to_json(slower) == to_json(ledger)
    assert "seconds" not in to_json(ledger)
    times = json.loads(times_json(slower))
    assert [(t["metric"], t["axiom"]) for t in times["cells"]] == [(c.metric, c.axiom) for c in ledger.cells]
    assert all(t["seconds"] >= 1 for t in times["cells"])


def test_the_schema_knows_every_setting_axiom_and_verdict() -> None:
    definitions = schema()["$defs"]
    settings = definitions["SettingsRecord"]
    fields = set(Settings().deciding)
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


TAMPERED: dict[str, tuple[Change, str]] = {
    "another schema": (put("schema", "other"), "schema"),
    "version true": (put("version", True), "version"),
    "no reading": (put("reading", DROP), "reading"),
    "unknown regime": (put("reading.regime", "small"), "regime"),
    "unknown setting": (put("settings.jobs", 4), "jobs"),
    "no seed": (put("settings.seed", DROP), "seed"),
    "negative examples": (put("settings.examples", -1), "examples"),
    "times": (put("seconds", 1.5), "seconds"),
    "cells of another kind": (put("cells", {}), "cells"),
    "times in a cell": (put("NRBP.Pri:seconds", 1.5), "seconds"),
    "unknown verdict": (put("NRBP.Pri:verdict", "true"), "cells["),
    "unknown axiom": (put("NRBP.Pri:axiom", "Prio"), "axiom"),
    "unknown claim": (put("NRBP.Pri:published", "maybe"), "published"),
    "no name": (put("NRBP.Pri:metric", ""), "metric"),
    "refuted without a witness": (put("NRBP.Pri:witness", None), "witness"),
    "refuted without evidence": (put("NRBP.Pri:evidence", {}), "evidence"),
    "refuted but no violations": (put("NRBP.Pri:evidence.violations", DROP), "violations"),
    "held with a violation": (
        put("NRBP.Deep:evidence.violations", {"share": 1, "reversals": 1, "ties": 0, "largest_relative_margin": 0}),
        "violations",
    ),
    "held with a witness": (put("NRBP.Deep:witness", {}), "witness"),
    "not applicable with evidence": (put("AP.Red:evidence.instances", 3), "evidence"),
    "held with a failure": (put("NRBP.Deep:failure", "metric"), "failure"),
    "an unknown failure": (put("NRBP.Deep:failure", "bad luck"), "failure"),
    "an error without a kind": (put("NRBP.Deep:verdict", "error"), "failure"),
    "a role that the axiom does not speak of": (put("NRBP.Pri:witness.roles.t", 1), "roles"),
    "a share above 1": (put("NRBP.Pri:evidence.violations.share", 1.01), "share"),
    "a negative share": (put("NRBP.Pri:evidence.violations.share", -0.5), "share"),
    "fewer instances than none": (put("NRBP.Pri:evidence.instances", -1), "instances"),
    "a number of instances in words": (put("NRBP.Pri:evidence.instances", "many"), "instances"),
    "half an instance": (put("NRBP.Pri:evidence.instances", 0.5), "instances"),
    "true instances": (put("NRBP.Pri:evidence.instances", True), "instances"),
    "unknown evidence": (put("NRBP.Pri:evidence.mood", "good"), "mood"),
    "a span of one": (put("NRBP.Pri:evidence.shapes.ranked", [2]), "ranked"),
    "a span of three": (put("NRBP.Pri:evidence.shapes.ranked", [2, 3, 4]), "ranked"),
    "evidence of another axiom": (put("AP.CloseTh:evidence.n0", 1), "n0"),
    "an example cut short": (put("AP.CloseTh:evidence.example.top", DROP), "top"),
    "a score in words": (put("AP.CloseTh:evidence.example.top", "high"), "top"),
    "a witness of another kind": (put("NRBP.Pri:witness.kind", "threshold"), "kind"),
    "a grade as a float": (put("NRBP.Pri:witness.topic.pool.d1", [0.5]), "d1[0]"),
    "a grade above 1": (put("NRBP.Pri:witness.topic.pool.d1", ["2"]), "d1[0]"),
    "a document of another name": (put("NRBP.Pri:witness.topic.pool.q1", ["1"]), "pool.q1"),
    "a document twice": (put("NRBP.Pri:witness.worse", ["d1", "d1"]), "worse"),
    "no eps": (put("NRBP.Pri:witness.eps", DROP), "witness.eps is missing"),
    "another eps": (put("NRBP.Pri:witness.eps", "1/3"), "eps"),
    "eps where r << 1 is not assumed": (put("NRBP.Sat:witness.eps", "1/10"), "eps"),
    "a rank 0": (put("NRBP.Pri:witness.roles.i", 0), "i"),
    "more in a witness": (put("NRBP.Pri:witness.note", "x"), "note"),
    "who is ahead in another word": (put("NRBP.CloseTh:witness.ahead.0", "bottom"), "ahead[0]"),
    "rc where r << 1 is assumed": (put("NRBP.CloseTh:witness.rc", "1/2"), "rc"),
    "no argument": (put("NRBP.CloseTh:witness.argument", ""), "argument"),
}


RELATIONS = {
    "refuted without a witness",
    "refuted without evidence",
    "refuted but no violations",
    "held with a violation",
    "held with a failure",
    "an error without a kind",
    "a document twice",
    "no eps",
    "eps where r << 1 is not assumed",
    "a role that the axiom does not speak of",
    "rc where r << 1 is assumed",
    "unknown axiom",
    "a score in words",
    "evidence of another axiom",
}
"""What entries say together, and names: no part of the published form, and held by the reader."""


def test_reports_of_before_failures_had_a_kind_are_read() -> None:
    cells = [
        Cell("m", None, "Pri", Verdict.ERROR, None, "raised ValueError: no", Failure.METRIC),
        Cell("m", None, "Deep", Verdict.ERROR, None, "internal disagreement: two things", Failure.DISAGREEMENT),
        Cell("m", None, "Sat", Verdict.NOT_APPLICABLE, None, "one aspect"),
    ]
    parsed = json.loads(to_json(made_up(*cells)))
    for cell in parsed["cells"]:
        del cell["failure"]
    assert from_document(parsed).cells == tuple(cells)


@cache
def sound() -> str:
    """A report of the cells that are tampered with."""
    names = ["NRBP.Pri", "NRBP.Deep", "NRBP.Sat", "NRBP.CloseTh", "AP.Red", "AP.CloseTh"]
    parsed = document()
    parsed["cells"] = [entry(parsed, *name.split(".")) for name in names]
    assert validator().is_valid(parsed)
    return json.dumps(parsed)


@pytest.mark.parametrize("name", TAMPERED)
def test_tampered_documents_are_rejected(name: str) -> None:
    """By the reader all of them, and by the published schema those that have another form."""
    change, says = TAMPERED[name]
    parsed = json.loads(sound())
    change(parsed)
    assert validator().is_valid(parsed) is (name in RELATIONS)
    with pytest.raises(InvalidInput) as error:
        from_json(json.dumps(parsed))
    assert str(error.value).startswith("matrix: ")
    assert says in str(error.value)


def test_the_message_names_the_cell() -> None:
    parsed = document()
    parsed["cells"][7]["witness"] = parsed["cells"][7]["witness"] | {"worse": []}
    with pytest.raises(
        InvalidInput, match=r"^matrix: cells\[7\]\.witness\.worse is \[\]; expected a list of length >= 1$"
    ):
        from_json(json.dumps(parsed))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (put("NRBP.Pri:witness.metric", "RBP(p=0.8)"), "witness.metric is 'RBP(p=0.8)'; expected 'NRBP"),
        (put("NRBP.Pri:witness.axiom", "Deep"), "witness.axiom is 'Deep'; expected 'Pri'"),
        (put("NRBP.Pri:witness.reading.regime", "limit"), "witness.reading.regime is"),
        (put("NRBP.Pri:witness.worse", ["d1", "d9"]), "witness.worse names 'd9'"),
        (put("NRBP.Pri:witness.topic.pool.d2", ["1", "0"]), "pool.d2 has 2 grades; expected 1"),
    ],
)
def test_witnesses_that_belong_elsewhere_are_rejected(change: Change, says: str) -> None:
    parsed = json.loads(sound())
    change(parsed)
    with pytest.raises(InvalidInput) as error:
        from_json(json.dumps(parsed))
    assert says in str(error.value)


def test_a_cell_twice_is_rejected() -> None:
    parsed = document()
    parsed["cells"].append(parsed["cells"][0])
    with pytest.raises(InvalidInput, match=r"cells\[30\] is a second cell for P-IA@20 and Pri"):
        from_json(json.dumps(parsed))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[]", "the document is []"),
        ("null", "the document is None"),
        ('{"schema": 1, "schema": 1}', "schema: not JSON that is read: the entry is there twice"),
        ('{"version": NaN}', "NaN"),
        ('{"version": 1e999}', "out of range"),
        ('{"version": 2}', "version is 2; this axiomcheck reads up to 1"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_other_text_is_rejected(text: str, says: str) -> None:
    with pytest.raises(InvalidInput) as error:
        from_json(text)
    assert says in str(error.value)


def test_numbers_that_json_has_not_are_not_written() -> None:
    evidence = structs.replace(pair_evidence(), incomparable=Incomparable(None, float("inf")))
    cell = Cell("mine", None, "Pri", Verdict.HELD, None, "", evidence=evidence)
    with pytest.raises(ValueError, match="not JSON compliant"):
        to_json(made_up(cell))


def test_witnesses_survive_the_report() -> None:
    """What is read back is still confirmed by the modules that decide witnesses."""
    confirmed = 0
    for cell in from_json(to_json(real())).cells:
        if cell.witness is not None:
            assert read_any_witness(cell.witness).record() == cell.witness
            confirmed += 1
    assert confirmed >= 10
