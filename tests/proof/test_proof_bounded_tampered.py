"""Certificates of bounded proofs that were changed are rejected."""

import copy
from collections.abc import Callable
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


def ranges(d: Document) -> Any:
    """Return the variables of the largest difference, each with its range."""
    return d["variables"][largest(d)["variables"]]


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


def reference(number: Callable[[int, int], int]) -> Change:
    """Change which polynomial the first term of the largest difference is, given it and how many there are."""

    def change(d: Document) -> None:
        terms = largest(d)["terms"]
        first = next(iter(terms))
        terms[first] = number(terms[first], len(d["polynomials"]))

    return change


def symbols(d: Document) -> Document:
    """Return what the largest difference says of its values of the zeta function: name -> [exponent, argument]."""
    found: Document = largest(d)["zeta"]
    return found


def again(entry: str) -> Change:
    """List the first of some entries once more, where nothing refers to it."""
    return lambda d: d[entry].append(copy.deepcopy(d[entry][0]))


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
    # coefficients
    "coefficient": ("nrbp", coefficient),
    # which polynomial and which variables belong to which term
    "weights inside": ("rbu", weights_inside),
    "polynomial of another term": ("nrbp", polynomial_of_another_term),
    "no such polynomial": ("nrbp", reference(lambda number, size: size)),
    "polynomial from the end": ("nrbp", reference(lambda number, size: number - size)),
    "range": ("nrbp", lambda d: ranges(d)[0].__setitem__(1, "[0, oo)")),
    "variables of another difference": ("ap", variables_of_another),
    "order": ("nrbp", lambda d: largest(d).update(order=largest(d)["order"] + 1)),
    # which difference belongs to which case, and which tree to which setting
    "dropped case": ("nrbp", drop_case),
    "contains no instance": ("nrbp", case_about_nothing),
    "cut tree": ("nrbp", lambda d: tree(d).pop()),
    "grown tree": ("nrbp", lambda d: tree(d).append(0)),
    "difference of another case": ("nrbp", difference_of_another_case),
    "idle difference": ("nrbp", again("differences")),
    "split": ("nrbp", change_split),
    "split nowhere": ("nrbp", lambda d: tree(d).__setitem__(0, "77.1=0")),
    "split that says nothing": ("nrbp", lambda d: tree(d).__setitem__(0, "1.1<=2.1")),
    "split without end": ("nrbp", split_without_end),
    "dropped setting": ("nrbp", lambda d: d["settings"].pop()),
    "setting twice": ("nrbp", again("settings")),
    "positions": ("rbu", lambda d: d["settings"][0].update(positions=d["settings"][-1]["positions"])),
    "dropped position": ("nrbp", lambda d: d["settings"][0]["positions"].popitem()),
}

ENTRIES = [
    ("nrbp", put("scope.ranked", 4)),
    ("nrbp", put("scope.parameters", ["alpha", "p"])),
    ("nrbp", put("scope.parameters", ["p", "alpha", "e"])),
    ("nrbp", put("metric", "NRBP(p=0.8, alpha=0)")),
    ("nrbp", put("axiom", "MRed")),
    ("nrbp", put("small", True)),
    ("ap", put("scope.unretrieved", "any")),
    ("ap", put("scope.discount", "own")),
    ("ndcg", put("scope.discount", "decreasing")),
]
TAMPERED |= {f"{made} {change.__name__}": (made, change) for made, change in ENTRIES}

TAMPERED |= {
    "argument of a zeta value": ("inst", lambda d: symbols(d)["Z1"][1].update({"1": "17/2"})),
    "one more zeta value": ("inst", lambda d: symbols(d).update(Z9=[2, {"1": "4"}])),
    "zeta values left out": ("inst", lambda d: largest(d).pop("zeta")),
    "another target": ("inst", put("metric", "INST(T=4)")),
    "value that nothing asked for": ("nrbp", lambda d: largest(d).update(zeta={"Z1": [2, {"1": "2"}]})),
}


@each("name", list(TAMPERED), 6, share=3)
def test_a_tampered_certificate_is_rejected(name: str) -> None:
    made, change = TAMPERED[name]
    tampered(check_document, bounded_proof(*MADE[made]), change)
