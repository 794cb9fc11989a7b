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
    "ct": ("CT", "Sat", False, 2, 2),
    "inst": ("INST(T=3)", "Deep", False, 4, 1),
    "small inst": ("INST(T=3)", "Deep", True, 4, 1),
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


def coefficient(changed: Callable[[str], str]) -> Change:
    """Change the first coefficient of the largest difference."""

    def change(d: Document) -> None:
        key, value = next(iter(polynomial(d).items()))
        polynomial(d)[key] = changed(value)

    return change


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


def argument(key: str, value: Callable[[str], str]) -> Change:
    """Change one coefficient of the argument of the first value of the zeta function, given what it is."""

    def change(d: Document) -> None:
        x = symbols(d)["Z1"][1]
        x[key] = value(x.get(key, "0"))

    return change


def without_zeta(d: Document) -> None:
    coefficients = polynomial(d)
    key = next(k for k in coefficients if "Z1" in k)
    coefficients[key.replace("*Z1", "")] = coefficients.pop(key)


def again(entry: str) -> Change:
    """List the first of some entries once more, where nothing refers to it."""
    return lambda d: d[entry].append(copy.deepcopy(d[entry][0]))


def other_weights(d: Document) -> None:
    terms = largest(d)["terms"]
    weights = next(iter(terms))
    terms["w9" if weights == "1" else f"{weights}*w9"] = terms.pop(weights)


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


def tree_of_another_setting(d: Document) -> None:
    first = d["settings"][0]
    other = next(s for s in d["settings"] if s["tree"] != first["tree"] and len(d["trees"][s["tree"]]) > 1)
    first["tree"], other["tree"] = other["tree"], first["tree"]


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
    "coefficient": ("nrbp", coefficient(lambda value: str(int(value) + 1))),
    "sign": ("nrbp", coefficient(lambda value: f"-{value}")),
    "dropped monomial": ("nrbp", lambda d: polynomial(d).popitem()),
    "no coefficients": ("nrbp", lambda d: polynomial(d).clear()),
    # which polynomial and which variables belong to which term
    "other weights": ("nrbp", other_weights),
    "weights inside": ("rbu", weights_inside),
    "polynomial of another term": ("nrbp", polynomial_of_another_term),
    "no such polynomial": ("nrbp", reference(lambda number, size: size)),
    "polynomial from the end": ("nrbp", reference(lambda number, size: number - size)),
    "idle polynomial": ("nrbp", lambda d: d["polynomials"].append({"p": "1"})),
    "range": ("nrbp", lambda d: ranges(d)[0].__setitem__(1, "[0, oo)")),
    "name of a variable": ("nrbp", lambda d: ranges(d)[0].__setitem__(0, "q")),
    "dropped variable": ("nrbp", lambda d: ranges(d).pop()),
    "variables of another difference": ("ap", variables_of_another),
    "order": ("nrbp", lambda d: largest(d).update(order=largest(d)["order"] + 1)),
    # which difference belongs to which case, and which tree to which setting
    "dropped case": ("nrbp", drop_case),
    "contains no instance": ("nrbp", case_about_nothing),
    "cut tree": ("nrbp", lambda d: tree(d).pop()),
    "grown tree": ("nrbp", lambda d: tree(d).append(0)),
    "difference of another case": ("nrbp", difference_of_another_case),
    "idle difference": ("nrbp", again("differences")),
    "tree of another setting": ("nrbp", tree_of_another_setting),
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
    ("nrbp", put("scope.unretrieved", 1)),
    ("nrbp", put("scope.parameters", ["alpha", "p"])),
    ("nrbp", put("scope.parameters", ["p", "alpha", "e"])),
    ("nrbp", put("metric", "NRBP(p=0.8, alpha=0)")),
    ("nrbp", put("axiom", "MRed")),
    ("nrbp", put("small", True)),
    ("nrbp", put("reading.regime", "limit")),
    ("ap", put("scope.unretrieved", "any")),
    ("ap", put("scope.discount", "own")),
    ("ndcg", put("scope.discount", "decreasing")),
    ("ct", put("scope.parameters", ["alpha", "level"])),
]
TAMPERED |= {f"{made} {change.__name__}": (made, change) for made, change in ENTRIES}

OF_ZETA: dict[str, Change] = {
    "other exponent": lambda d: symbols(d)["Z1"].__setitem__(0, 3),
    "shifted down": argument("1", lambda value: str(int(value) + 1)),
    "other residue": argument("1", lambda value: "17/2"),
    "other argument": argument("r1.1", lambda value: "-7"),
    "one more": lambda d: symbols(d).update(Z9=[2, {"1": "4"}]),
    "left out": lambda d: largest(d).pop("zeta"),
    "no dictionary": lambda d: largest(d).update(zeta=[["Z1", 2, 8]]),
    "other target": put("metric", "INST(T=4)"),
    "other tail": put("metric", "INST-upper(T=3)"),
    "sign of a coefficient": coefficient(lambda value: f"-{value}"),
}
OF_INST = {f"{made}, {name}": (made, change) for made in ("inst", "small inst") for name, change in OF_ZETA.items()}
OF_INST |= {
    "value that nothing asked for": ("nrbp", lambda d: largest(d).update(zeta={"Z1": [2, {"1": "2"}]})),
    "inst, without zeta": ("inst", without_zeta),
    "inst, range of a symbol": ("inst", lambda d: next(v for v in ranges(d) if v[0] == "Z1").__setitem__(1, "[0, oo)")),
}


@each("name", list(TAMPERED), 6, share=3)
def test_a_tampered_certificate_is_rejected(name: str) -> None:
    made, change = TAMPERED[name]
    tampered(check_document, bounded_proof(*MADE[made]), change)


@each("name", list(OF_INST), 14, share=3)
def test_a_tampered_certificate_of_inst_is_rejected(name: str) -> None:
    made, change = OF_INST[name]
    tampered(check_document, bounded_proof(*MADE[made]), change)
