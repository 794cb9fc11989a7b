"""Certificates of bounded proofs that were changed are rejected."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from axiomcheck.proof.check.bounded import check_bounded
from tests.proof.bounded_documents import proved
from tests.support.tampering import Change, Document, put, refused, tampered


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
    shown: Document = max(document["differences"], key=lambda d: len(polynomial_of(document, d)))
    return shown


def polynomial_of(document: Document, difference: Document) -> Document:
    found: Document = document["polynomials"][next(iter(difference["terms"].values()), 0)]
    return found


def polynomial(document: Document) -> Document:
    return polynomial_of(document, largest(document))


def change_coefficient(d: Document) -> None:
    key, value = next(iter(polynomial(d).items()))
    polynomial(d)[key] = str(int(value) + 1)


def change_sign(d: Document) -> None:
    key, value = next(iter(polynomial(d).items()))
    polynomial(d)[key] = f"-{value}"


def drop_monomial(d: Document) -> None:
    polynomial(d).popitem()


def add_monomial(d: Document) -> None:
    polynomial(d)["p^9"] = "1"


def no_coefficients(d: Document) -> None:
    polynomial(d).clear()


def no_terms(d: Document) -> None:
    largest(d)["terms"] = {}


def other_weights(d: Document) -> None:
    terms = largest(d)["terms"]
    weights = next(iter(terms))
    terms["w9" if weights == "1" else f"{weights}*w9"] = terms.pop(weights)


def weights_inside(d: Document) -> None:
    """The same product with a weight on the other side: there is one way to write a difference."""
    shown = next(s for s in d["differences"] if any(w != "1" for w in s["terms"]))
    weights = next(w for w in shown["terms"] if w != "1")
    number = shown["terms"].pop(weights)
    d["polynomials"].append({f"{weights}*{key}": c for key, c in d["polynomials"][number].items()})
    shown["terms"] = {"1": len(d["polynomials"]) - 1} | shown["terms"]


def polynomial_of_another_term(d: Document) -> None:
    """Every polynomial is still referred to, by another term than it is of."""
    terms = [(s["terms"], w) for s in d["differences"] for w in s["terms"]]
    (one, v), (two, w) = next((a, b) for a in terms for b in terms if a[0][a[1]] != b[0][b[1]])
    one[v], two[w] = two[w], one[v]


def no_such_polynomial(d: Document) -> None:
    terms = largest(d)["terms"]
    terms[next(iter(terms))] = len(d["polynomials"])


def polynomial_from_the_end(d: Document) -> None:
    terms = largest(d)["terms"]
    terms[next(iter(terms))] -= len(d["polynomials"])


def idle_polynomial(d: Document) -> None:
    d["polynomials"].append({"p": "1"})


def change_range(d: Document) -> None:
    d["variables"][largest(d)["variables"]][0][1] = "[0, oo)"


def rename_variable(d: Document) -> None:
    d["variables"][largest(d)["variables"]][0][0] = "q"


def drop_variable(d: Document) -> None:
    d["variables"][largest(d)["variables"]].pop()


def variables_of_another(d: Document) -> None:
    first = d["differences"][0]
    other = next(s for s in d["differences"] if s["variables"] != first["variables"])
    first["variables"], other["variables"] = other["variables"], first["variables"]


def no_such_variables(d: Document) -> None:
    largest(d)["variables"] = len(d["variables"])


def idle_variables(d: Document) -> None:
    d["variables"].append(copy.deepcopy(d["variables"][0]))


def change_order(d: Document) -> None:
    largest(d)["order"] += 1


# Which difference belongs to which case, and which tree to which setting


def deepest(d: Document) -> list[Any]:
    tree: list[Any] = max(d["trees"], key=len)
    return tree


def drop_case(d: Document) -> None:
    tree = deepest(d)
    tree[max(k for k, node in enumerate(tree) if isinstance(node, int))] = None


def cut_tree(d: Document) -> None:
    deepest(d).pop()


def grow_tree(d: Document) -> None:
    deepest(d).append(0)


def difference_of_another_case(d: Document) -> None:
    """Every difference is still referred to, by another case than it is of."""
    tree = next(t for t in d["trees"] if len({n for n in t if isinstance(n, int)}) > 1)
    first = next(k for k, n in enumerate(tree) if isinstance(n, int))
    second = next(k for k, n in enumerate(tree) if isinstance(n, int) and n != tree[first])
    tree[first], tree[second] = tree[second], tree[first]


def tree_of_another_setting(d: Document) -> None:
    first = d["settings"][0]
    other = next(s for s in d["settings"] if s["tree"] != first["tree"] and len(d["trees"][s["tree"]]) > 1)
    first["tree"], other["tree"] = other["tree"], first["tree"]


def no_such_difference(d: Document) -> None:
    tree = deepest(d)
    tree[next(k for k, n in enumerate(tree) if isinstance(n, int))] = len(d["differences"])


def difference_from_the_end(d: Document) -> None:
    tree = deepest(d)
    at = next(k for k, n in enumerate(tree) if isinstance(n, int))
    tree[at] -= len(d["differences"])


def no_such_tree(d: Document) -> None:
    d["settings"][0]["tree"] = len(d["trees"])


def tree_from_the_end(d: Document) -> None:
    d["settings"][-1]["tree"] = -1


def idle_difference(d: Document) -> None:
    d["differences"].append(copy.deepcopy(d["differences"][0]))


def idle_tree(d: Document) -> None:
    d["trees"].append(copy.deepcopy(d["trees"][0]))


def case_about_nothing(d: Document) -> None:
    tree = next(t for t in d["trees"] if None in t)
    tree[tree.index(None)] = 0


def drop_setting(d: Document) -> None:
    d["settings"].pop()


def setting_twice(d: Document) -> None:
    d["settings"].append(copy.deepcopy(d["settings"][0]))


def change_split(d: Document) -> None:
    tree = deepest(d)
    tree[0] = tree[0].replace("=0", "=1") if "=0" in tree[0] else tree[0].replace("<=>", "=0").partition("=0")[0] + "=0"


def split_nowhere(d: Document) -> None:
    deepest(d)[0] = "77.1=0"


def split_nonsense(d: Document) -> None:
    deepest(d)[0] = "1.1<=2.1"


def split_without_end(d: Document) -> None:
    d["trees"][0][:0] = ["1.1=0"] * 2000


def change_positions(d: Document) -> None:
    d["settings"][0]["positions"] = d["settings"][-1]["positions"]


def drop_position(d: Document) -> None:
    d["settings"][0]["positions"].popitem()


TAMPERED: list[tuple[Callable[[], Document], Change]] = [
    *((nrbp, change) for change in (change_coefficient, change_sign, drop_monomial, add_monomial, no_coefficients)),
    *((nrbp, change) for change in (change_range, rename_variable, drop_variable, setting_twice)),
    *((nrbp, change) for change in (difference_of_another_case, change_split, cut_tree, grow_tree, split_nowhere)),
    *((nrbp, change) for change in (split_nonsense, change_order, drop_position, drop_setting, no_such_tree)),
    *((nrbp, change) for change in (no_such_difference, idle_difference, idle_tree, tree_of_another_setting)),
    *((nrbp, change) for change in (difference_from_the_end, tree_from_the_end, split_without_end)),
    *((rbu, change) for change in (change_order, change_positions, drop_case, change_range, change_coefficient)),
    *((ap, change) for change in (change_split, cut_tree, drop_case, change_coefficient, setting_twice)),
    *((nrbp, change) for change in (case_about_nothing, drop_case)),
    (ct, tree_of_another_setting),
    *((nrbp, change) for change in (no_terms, other_weights, polynomial_of_another_term)),
    (rbu, weights_inside),
    (ap, variables_of_another),
    *((nrbp, change) for change in (no_such_polynomial, polynomial_from_the_end, idle_polynomial)),
    *((nrbp, change) for change in (no_such_variables, idle_variables)),
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
