"""Certificates by induction that were changed are rejected."""

from tests.proof.documents import (
    ASPDIV_D,
    CONF_EU,
    PRI_AP,
    PRI_RBP,
    RED_ERR,
    RED_NRBP,
    SAT_CT,
    check_document,
    induction_proof,
)
from tests.support.suites import each
from tests.support.tampering import Change, Document, put, tampered


def _last(document: Document) -> Document:
    last: Document = document["cases"][-1]["obligations"][-1]
    return last


def _coefficient(factor: int) -> Change:
    def change(document: Document) -> None:
        found = [o["coefficients"] for c in document["cases"] for o in c["obligations"] if len(o["coefficients"]) > 1]
        listed = found[-1]
        first = next(iter(listed))
        listed[first] = str(int(listed[first]) * factor)

    return change


def _bind(segment: str, quantity: str, *binding: str) -> Change:
    def change(document: Document) -> None:
        bound = document["cases"][0]["invariants"][segment]
        (entry,) = (entry for entry in bound if entry[0] == quantity)
        assert entry[1] != list(binding)
        entry[1] = list(binding)

    return change


def _other_range(within: str) -> Change:
    def change(document: Document) -> None:
        listed = (o["ranges"] for case in document["cases"] for o in case["obligations"])
        ranges = next(r for r in listed if "h0_w_t_0_0_1" in r)
        assert ranges["h0_w_t_0_0_1"] != within
        ranges["h0_w_t_0_0_1"] = within

    return change


def _not_winning(document: Document) -> None:
    winner = document["parts"][1]
    winner["strict"] = False
    _last(winner)["relation"] = ">="


CHANGES: dict[str, tuple[tuple[str, str, bool], Change, str]] = {
    "coefficient": (PRI_AP, _coefficient(3), "coefficients differ from those"),
    "scope of rankings": (PRI_RBP, put("scope.ranked", 20), "scope"),
    "substitution": (SAT_CT, _other_range("(0, oo)"), "ranges"),
    "kinds of the grades": (SAT_CT, put("cases.0.grades", {"g": "free"}), "cases are for the grades"),
    "support pattern": (SAT_CT, put("support", False), "depends on the values"),
    "dropped case": (ASPDIV_D, lambda d: d["parts"][0]["cases"].pop(), "cases are for the grades"),
    "dropped part": (ASPDIV_D, lambda d: d["parts"].pop(), "1 part"),
    "parts in another order": (ASPDIV_D, lambda d: d["parts"].reverse(), "metric is"),
    "part that wins small grades only": (ASPDIV_D, put("parts.0.small", True), "small"),
    "part said to win": (ASPDIV_D, put("parts.0.strict", True), "do not show"),
    "no part that wins": (("AspDiv", "D#-nDCG(lambda=0.5)@20", False), _not_winning, "no part is strict"),
    "part of another axiom": (ASPDIV_D, put("parts.0.axiom", "Pri"), "but the mixture's is"),
    "dropped obligation": (
        RED_ERR,
        lambda d: d["cases"][0]["obligations"].pop(3),
        "coefficients|relation|ranges|obligations",
    ),
    "invariant strengthened": (RED_ERR, _bind("0", "w_u_0_1", "<", "old_w_u_0_1"), "do not show"),
    "invariant of a later quantity": (RED_ERR, _bind("1", "w_u_0_1", "=", "w_t_0_1"), "neither an earlier quantity"),
    "invariant of code": (RED_ERR, _bind("1", "w_u_0_1", "=", "print(1)"), "expected names"),
    "range of an unbounded range": (RED_NRBP, _bind("1", "w_t_0_0", "share", "[0, oo)", "w_u_0_0"), "range of"),
    "split at 0": (SAT_CT, _bind("0", "w_t_1_0", "split", "0"), "not shown to be positive"),
    "quantity without a binding": (RED_ERR, lambda d: d["cases"][0]["invariants"]["0"].pop(), "expected each of"),
    "discount assumed constant": (PRI_RBP, put("discount", "constant"), "not shown to be constant"),
    "true ranks where documents are left out": (RED_ERR, put("discount", "reciprocal"), "leaves documents out"),
    "symbol without a range": (CONF_EU, put("parameters", ["alpha", "e", "log"]), "is neither"),
    "symbol at an endpoint of its range": (RED_NRBP, put("metric", "NRBP(p=0.8, alpha=1)"), "an endpoint of its range"),
    "axiom": (PRI_RBP, put("axiom", "AspDiv"), "does not apply"),
    "axiom with the same cases": (("Pri", "RBP-IA(p=0.8)", True), put("axiom", "Deep"), "invariants"),
    "threshold": (PRI_RBP, put("axiom", "DeepTh"), "axiom on pairs"),
}


@each("name", list(CHANGES), 6, share=3)
def test_rejects_a_certificate_that_was_changed(name: str) -> None:
    base, change, about = CHANGES[name]
    tampered(check_document, induction_proof(*base), change, about)
