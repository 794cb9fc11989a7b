"""Certificates of bounded proofs that were changed are rejected."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
from bounded_documents import proved
from tampering import Change, Document, put, refused, tampered

from axiomcheck.proof.check.bounded import check_bounded


def rbu() -> Document:
    return proved("RBU", "AspRel", True)


def nrbp() -> Document:
    return proved("NRBP", "Red", False)


def ap() -> Document:
    return proved("AP", "Pri", True, 4, 1)


def ndcg() -> Document:
    return proved("nDCG", "Deep", True, 5, 1)


def ct() -> Document:
    return proved("CT", "Sat", False, 2, 2)


def largest(document: Document) -> Document:
    case_: Document = max(document["cases"], key=lambda c: (len(c["coefficients"]), len(c["splits"])))
    return case_


def change_coefficient(d: Document) -> None:
    key, value = next(iter(largest(d)["coefficients"].items()))
    largest(d)["coefficients"][key] = str(int(value) + 1)


def change_sign(d: Document) -> None:
    key, value = next(iter(largest(d)["coefficients"].items()))
    largest(d)["coefficients"][key] = f"-{value}"


def drop_monomial(d: Document) -> None:
    largest(d)["coefficients"].popitem()


def add_monomial(d: Document) -> None:
    largest(d)["coefficients"]["p^9"] = "1"


def no_coefficients(d: Document) -> None:
    largest(d)["coefficients"] = {}


def change_range(d: Document) -> None:
    largest(d)["variables"][0][1] = "[0, oo)"


def rename_variable(d: Document) -> None:
    largest(d)["variables"][0][0] = "q"


def drop_variable(d: Document) -> None:
    largest(d)["variables"].pop()


def drop_case(d: Document) -> None:
    d["cases"].pop()


def duplicate_case(d: Document) -> None:
    d["cases"][-1] = copy.deepcopy(d["cases"][0])


def another_case_in_its_place(d: Document) -> None:
    d["cases"][-1]["coefficients"] = d["cases"][0]["coefficients"]
    d["cases"][-1]["variables"] = d["cases"][0]["variables"]
    d["cases"][-1]["splits"] = d["cases"][0]["splits"]


def change_split(d: Document) -> None:
    case_ = next(c for c in d["cases"] if c["splits"])
    text = case_["splits"][-1]
    case_["splits"][-1] = text.replace("=0", ">0") if "=0" in text else text.replace(">0", "=0")


def cut_split(d: Document) -> None:
    next(c for c in d["cases"] if c["splits"])["splits"].pop()


def split_nowhere(d: Document) -> None:
    d["cases"][0]["splits"] = ["77.1=0"]


def split_nonsense(d: Document) -> None:
    d["cases"][0]["splits"] = ["1.1<=2.1"]


def change_order(d: Document) -> None:
    largest(d)["order"] += 1


def change_positions(d: Document) -> None:
    d["cases"][0]["positions"] = d["cases"][-1]["positions"]


def drop_position(d: Document) -> None:
    d["cases"][0]["positions"].popitem()


TAMPERED: list[tuple[Callable[[], Document], Change]] = [
    *((nrbp, change) for change in (change_coefficient, change_sign, drop_monomial, add_monomial, no_coefficients)),
    *((nrbp, change) for change in (change_range, rename_variable, drop_variable, drop_case, duplicate_case)),
    *((nrbp, change) for change in (another_case_in_its_place, change_split, cut_split, split_nowhere)),
    *((nrbp, change) for change in (split_nonsense, change_order, drop_position)),
    *((rbu, change) for change in (change_order, change_positions, drop_case, change_range, change_coefficient)),
    *((ap, change) for change in (change_split, cut_split, drop_case, change_coefficient, duplicate_case)),
    (nrbp, put("scope.ranked", 4)),
    (nrbp, put("scope.ranked", 2)),
    (nrbp, put("scope.aspects", 3)),
    (nrbp, put("scope.unretrieved", 1)),
    (nrbp, put("scope.parameters", ["p"])),
    (nrbp, put("scope.parameters", ["alpha", "p"])),
    (nrbp, put("scope.parameters", ["p", "alpha", "e"])),
    (nrbp, put("metric", "NRBP(p=0.8, alpha=0)")),
    (nrbp, put("metric", "NRBP(p=0.8, alpha=1)")),
    (nrbp, put("metric", "NRBP(p=0.8, alpha=0.5)@3")),
    (nrbp, put("metric", "RBU(p=0.8, e=0.05)@20")),
    (nrbp, put("metric", "nobody.py:mine")),
    (nrbp, put("axiom", "MRed")),
    (nrbp, put("axiom", "DeepTh")),
    (nrbp, put("small", True)),
    (nrbp, put("reading.regime", "limit")),
    (nrbp, put("kind", "proof")),
    (nrbp, put("version", 2)),
    (rbu, put("metric", "RBU(p=0.8, e=0)@20")),
    (rbu, put("reading.regime", "finite")),
    (rbu, put("scope.ranked", 2)),
    (ap, put("scope.unretrieved", "any")),
    (ap, put("scope.unretrieved", 0)),
    (ap, put("scope.unretrieved", 2)),
    (ap, put("scope.discount", "own")),
    (ap, put("scope.discount", "convex")),
    (ndcg, put("scope.discount", "decreasing")),
    (ndcg, put("scope.discount", "own")),
    (ct, put("metric", "CT(alpha=0.5, level=2)@20")),
    (ct, put("scope.parameters", ["alpha", "level"])),
    (ct, put("axiom", "Red")),
]


@pytest.mark.parametrize(("made", "change"), TAMPERED, ids=lambda f: f.__name__)
def test_a_tampered_certificate_is_rejected(made: Callable[[], Document], change: Change) -> None:
    tampered(check_bounded, made(), change)


@pytest.mark.parametrize(
    "document", [None, [], {}, {"schema": "axiomcheck/witness"}, {"schema": "axiomcheck/certificate"}]
)
def test_other_documents_are_rejected(document: Any) -> None:
    refused(check_bounded, document)
