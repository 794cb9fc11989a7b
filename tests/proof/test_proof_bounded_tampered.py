"""Certificates of bounded proofs that were changed are rejected."""

import copy
from typing import Any

from tests.proof.documents import bounded_proof, check_document
from tests.support.suites import each
from tests.support.tampering import Change, Document, put, tampered

MADE = {
    "rbu": ("RBU", "AspRel", True),
    "nrbp": ("NRBP", "Red", False),
    "ap": ("AP", "Pri", True, 4, 1),
    "ndcg": ("nDCG", "Deep", True, 5, 1),
    "inst": ("INST(T=3)", "Deep", False, 4, 1),
}


def largest(d: Document) -> Document:
    """Return the difference with the most terms."""
    shown: Document = max(d["differences"], key=lambda difference: len(polynomial(d, difference)))
    return shown


def polynomial(d: Document, difference: Document | None = None) -> Document:
    """Return the first polynomial of a difference, by default of the largest."""
    terms = (difference or largest(d))["terms"]
    found: Document = d["polynomials"][next(iter(terms.values()), 0)]
    return found


def tree(d: Document) -> list[Any]:
    """Return the tree with the most nodes."""
    found: list[Any] = max(d["trees"], key=len)
    return found


def first_case(nodes: list[Any]) -> int:
    """Return where a tree first refers to a difference."""
    return next(k for k, node in enumerate(nodes) if isinstance(node, int))


def coefficient(d: Document) -> None:
    """Add one to the first coefficient of the largest difference."""
    key, value = next(iter(polynomial(d).items()))
    polynomial(d)[key] = str(int(value) + 1)


def symbols(d: Document) -> Document:
    """Return what the largest difference says of its values of the zeta function: name -> [exponent, argument]."""
    found: Document = largest(d)["zeta"]
    return found


def weights_inside(d: Document) -> None:
    """Write a product with a weight on the other side: there is one way to write a difference."""
    shown = next(s for s in d["differences"] if any(w != "1" for w in s["terms"]))
    weights = next(w for w in shown["terms"] if w != "1")
    number = shown["terms"].pop(weights)
    d["polynomials"].append({f"{weights}*{key}": c for key, c in d["polynomials"][number].items()})
    shown["terms"] = {"1": len(d["polynomials"]) - 1} | shown["terms"]


def polynomial_of_another_term(d: Document) -> None:
    """Refer to every polynomial still, by another term than it is of."""
    terms = [(s["terms"], w) for s in d["differences"] for w in s["terms"]]
    (one, v), (two, w) = next((a, b) for a in terms for b in terms if a[0][a[1]] != b[0][b[1]])
    one[v], two[w] = two[w], one[v]


def variables_of_another(d: Document) -> None:
    first = d["differences"][0]
    other = next(s for s in d["differences"] if s["variables"] != first["variables"])
    first["variables"], other["variables"] = other["variables"], first["variables"]


def difference_of_another_case(d: Document) -> None:
    """Refer to every difference still, by another case than it is of."""
    nodes = next(t for t in d["trees"] if len({n for n in t if isinstance(n, int)}) > 1)
    first = first_case(nodes)
    second = next(k for k, n in enumerate(nodes) if isinstance(n, int) and n != nodes[first])
    nodes[first], nodes[second] = nodes[second], nodes[first]


def drop_case(d: Document) -> None:
    nodes = tree(d)
    nodes[max(k for k, node in enumerate(nodes) if isinstance(node, int))] = None


def case_about_nothing(d: Document) -> None:
    nodes = next(t for t in d["trees"] if None in t)
    nodes[nodes.index(None)] = 0


def change_split(d: Document) -> None:
    first = tree(d)[0]
    swapped = first.replace("=0", "=1") if "=0" in first else first.replace("<=>", "=0").partition("=0")[0] + "=0"
    tree(d)[0] = swapped


def split_without_end(d: Document) -> None:
    d["trees"][0][:0] = ["1.1=0"] * 2000


TAMPERED: dict[str, tuple[str, Change]] = {
    # which polynomial and which variables belong to which term
    "coefficient": ("nrbp", coefficient),
    "weights inside": ("rbu", weights_inside),
    "polynomial of another term": ("nrbp", polynomial_of_another_term),
    "variables of another difference": ("ap", variables_of_another),
    # which difference belongs to which case, and which tree to which setting
    "dropped case": ("nrbp", drop_case),
    "contains no instance": ("nrbp", case_about_nothing),
    "grown tree": ("nrbp", lambda d: tree(d).append(0)),
    "difference of another case": ("nrbp", difference_of_another_case),
    "idle difference": ("nrbp", lambda d: d["differences"].append(copy.deepcopy(d["differences"][0]))),
    "split": ("nrbp", change_split),
    "split that says nothing": ("nrbp", lambda d: tree(d).__setitem__(0, "1.1<=2.1")),
    "split without end": ("nrbp", split_without_end),
    "positions": ("rbu", lambda d: d["settings"][0].update(positions=d["settings"][-1]["positions"])),
    # what it is about
    "ranks": ("nrbp", put("scope.ranked", 4)),
    "parameters": ("nrbp", put("scope.parameters", ["alpha", "p"])),
    "grades": ("nrbp", put("small", True)),
    "discount": ("ndcg", put("scope.discount", "decreasing")),
    # values of the zeta function
    "argument of a zeta value": ("inst", lambda d: symbols(d)["Z1"][1].update({"1": "17/2"})),
    "one more zeta value": ("inst", lambda d: symbols(d).update(Z9=[2, {"1": "4"}])),
    "another target": ("inst", put("metric", "INST(T=4)")),
}
"""Changes of several entries, and of some; tests/replay/replay_mutants.py changes every single entry."""


@each("name", list(TAMPERED), 6, share=2)
def test_a_tampered_certificate_is_rejected(name: str) -> None:
    made, change = TAMPERED[name]
    tampered(check_document, bounded_proof(*MADE[made]), change)
