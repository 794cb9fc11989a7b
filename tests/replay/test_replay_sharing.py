"""Parts that certificates of a report share come back as they were; a number that is tampered with is refused."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from axiomcheck.core.errors import InvalidInput
from axiomcheck.records import sharing
from axiomcheck.records.matrix import from_document
from axiomcheck.records.sharing import TABLES, shared, whole
from axiomcheck.replay import Replay
from axiomcheck.reports.documents import schema
from tests.replay.replay_reports import gathered, report, spread
from tests.support.tampering import Document, put

FOLDS = "folds"
"""NRBP, D#-nDCG (a mixture) and RBP: proofs by induction that have cases and obligations in common."""


def proofs(document: Document) -> list[Document]:
    """The certificates that refer to cases, parts of mixtures among them."""
    parts = [part for c in document["certificates"] for part in c.get("parts", [c])]
    return [part for part in parts if part["kind"] == "induction"]


def test_a_report_with_shared_parts_is_right_and_comes_back() -> None:
    document = report(FOLDS)
    listed = [number for case in document["cases"] for number in case["obligations"]]
    assert len(document["obligations"]) < 0.7 * len(listed)
    assert [p["kind"] for p in proofs(document)] == ["induction"] * len(proofs(document))
    assert len(Replay().report(document)) == len(document["cells"])
    assert gathered(spread(document)) == document
    assert json.dumps(gathered(spread(document))) == json.dumps(document)


OBLIGATION = st.fixed_dictionaries(
    {"where": st.sampled_from("ab"), "coefficients": st.dictionaries(st.text("xy"), st.text("12"), max_size=2)}
)
CASE = st.fixed_dictionaries(
    {"grades": st.sampled_from([{}, {"a": "0"}]), "obligations": st.lists(OBLIGATION, max_size=3)}
)
INDUCTION = st.fixed_dictionaries({"kind": st.just("induction"), "cases": st.lists(CASE, max_size=3)})
CERTIFICATE = (
    st.none()
    | INDUCTION
    | st.fixed_dictionaries({"kind": st.just("mixture"), "parts": st.lists(INDUCTION, max_size=2)})
    | st.fixed_dictionaries({"kind": st.just("tail"), "cases": st.lists(st.integers())})
)


@settings(max_examples=15, deadline=None)
@given(st.lists(st.fixed_dictionaries({"certificate": CERTIFICATE}), max_size=4))
def test_whatever_is_shared_comes_back(cells: list[Document]) -> None:
    written, tables = shared(copy.deepcopy(cells))
    assert whole(written, tables) == cells
    for entries in tables.values():
        texts = [json.dumps(entry) for entry in entries]
        assert len({*texts}) == len(texts)


def test_a_part_of_a_report_can_be_read_and_is_not_taken_for_a_whole_one() -> None:
    """Whoever drops cells need not sort out the tables to have the rest drawn."""
    document = report(FOLDS)
    document["cells"] = document["cells"][4:]
    assert from_document(document).cells[0].certificate is not None
    with pytest.raises(InvalidInput, match=r"certificates has .* each that is of use once"):
        Replay().report(document)


def another_case(document: Document) -> None:
    """A proof with the cases of another, both of which are of use elsewhere: nothing but the check can tell."""
    found = spread(document)
    proved = [cell for cell in found["cells"] if cell["certificate"]]
    by_induction = [p for c in proved for p in c["certificate"].get("parts", [c["certificate"]]) if "cases" in p]
    first, other = by_induction[0], next(c for c in by_induction if c["cases"] != by_induction[0]["cases"])
    first["cases"] = other["cases"]
    for cell in proved:
        size = len(json.dumps(cell["certificate"], separators=(",", ":")))
        cell["evidence"]["proof"]["bytes"] = size
    document |= gathered(found)


def another_obligation(document: Document) -> None:
    listed = next(case["obligations"] for case in reversed(document["cases"]) if len({*case["obligations"]}) > 2)
    listed[-1] = listed[0]


def tampered_obligation(document: Document) -> None:
    """Of an obligation that several cases share: every one of them is about the tampered one."""
    ranges = next(o["ranges"] for o in document["obligations"] if "(0, oo)" in o["ranges"].values())
    ranges[next(name for name, range_ in ranges.items() if range_ == "(0, oo)")] = "[0, oo)"


def dangling(document: Document) -> None:
    [c for c in document["cells"] if c["certificate"] is not None][-1]["certificate"] = len(document["certificates"])


def from_the_end(document: Document) -> None:
    proofs(document)[-1]["cases"][-1] -= len(document["cases"])


def idle(table: str) -> Callable[[Document], None]:
    more = {"certificates": {"metric": "more"}, "cases": {"grades": {}}, "obligations": {"where": "more"}}[table]
    return lambda document: document[table].append({**copy.deepcopy(document[table][0]), **more})


def twice(document: Document) -> None:
    """An obligation written out again for the second case that it is in."""
    number = next(k for k in document["cases"][-1]["obligations"] if k in document["cases"][0]["obligations"])
    listed = document["cases"][-1]["obligations"]
    listed[listed.index(number)] = len(document["obligations"])
    document["obligations"].append(document["obligations"][number])


def out_of_order(document: Document) -> None:
    table = document["obligations"]
    table[0], table[1] = table[1], table[0]
    swap = {0: 1, 1: 0}
    for case in document["cases"]:
        case["obligations"] = [swap.get(k, k) for k in case["obligations"]]


def of_another_cell(document: Document) -> None:
    first, second = [c for c in document["cells"] if c["certificate"] is not None][:2]
    first["certificate"], second["certificate"] = second["certificate"], first["certificate"]
    document |= gathered(spread(document))


CHANGES: dict[str, tuple[Callable[[Document], None], str]] = {
    "the certificate of another cell": (of_another_cell, r"cells\[\d\]\.certificate\.\w+ is .*as in the cell"),
    "the cases of another proof": (another_case, r"cells\[\d+\]\.certificate: "),
    "the obligation of another place": (another_obligation, r"cells\[\d+\]\.(certificate|evidence\.proof)"),
    "a shared obligation, tampered with": (tampered_obligation, r"cells\[\d+\]\.certificate: "),
    "no such certificate": (dangling, r"cells\[\d+\]\.certificate is \d+; expected the number of one"),
    "no such case": (
        lambda document: put((-1,), 10**6)(proofs(document)[-1]["cases"]),
        r"certificates\[\d+\].*\.cases\[\d+\] is \d+; expected the number of one",
    ),
    "no such obligation": (
        put(("cases", -1, "obligations", -1), 10**6),
        r"cases\[\d+\]\.obligations\[\d+\] is \d+; expected the number",
    ),
    "a number from the end": (from_the_end, "is -"),
    "a certificate of no use": (idle("certificates"), r"certificates has \d+ entries; expected \d+"),
    "a case of no use": (idle("cases"), r"cases has \d+ entries; expected \d+"),
    "an obligation of no use": (idle("obligations"), r"obligations has \d+ entries; expected \d+"),
    "an obligation twice": (twice, r"obligations has \d+ entries; expected \d+"),
    "another order": (out_of_order, r"obligations\[0\].*in the order of what refers to them first"),
    "true for a number": (put(("cases", 0, "obligations", 0), True), r"cases\[0\]\.obligations\[0\]"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_table_that_is_tampered_with_is_refused(name: str) -> None:
    document = report(FOLDS)
    change, says = CHANGES[name]
    change(document)
    assert json.dumps(document) != json.dumps(report(FOLDS))
    with pytest.raises(InvalidInput, match=says):
        Replay().report(document)


def test_a_replay_that_knows_a_report_checks_the_same_cells_with_other_tables() -> None:
    """What is remembered is remembered with whole certificates: the numbers alone say nothing of what they refer to."""
    document, replay = report(FOLDS), Replay()
    replay.report(document)
    other = copy.deepcopy(document)
    tampered_obligation(other)
    assert other["cells"] == document["cells"]
    with pytest.raises(InvalidInput, match="certificate"):
        replay.report(other)


def test_a_small_report_does_not_grow_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing, "_MOST_OBLIGATIONS", 10_000)
    document = report(FOLDS)
    proofs(document)[0]["cases"] += [0] * 10_000
    with pytest.raises(InvalidInput, match="more than 10,000 obligations in all"):
        Replay().report(document)


def test_a_report_without_its_tables_is_none() -> None:
    document, published = report(FOLDS), jsonschema.Draft202012Validator(schema())
    assert published.is_valid(document)
    for place in TABLES:
        less = {key: value for key, value in document.items() if key != place}
        assert not published.is_valid(less)
        with pytest.raises(InvalidInput, match=f"{place} is missing"):
            Replay().report(less)
