"""The axioms once more, one instance at a time over fractions, written from the specification alone."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from axiomcheck import Instance, InvalidInput, Topic
from axiomcheck.axioms import AXIOMS, Draft, PairAxiom
from axiomcheck.decide.batch import Batch

PAIR_AXIOMS: tuple[PairAxiom, ...] = tuple(a for a in AXIOMS.values() if isinstance(a, PairAxiom))

INCOMING = {
    "Pri": (),
    "Deep": (),
    "Conf": ("x",),
    "AspDiv": ("d'",),
    "Red": ("x", "x'"),
    "MRed": ("x", "x'"),
    "Sat": ("x",),
    "AspRel": ("d'",),
}
"""The documents besides d_1..d_n that each axiom speaks of."""

ONE_ASPECT = {"Pri", "Deep", "Conf"}
NO_OVERLAP = {"Red", "Sat", "AspRel"}
BALANCED = {"Red", "MRed"}
POSITIONS = {"Pri": "ij", "Deep": "ij", "AspDiv": "i", "AspRel": "i"}


@dataclass(frozen=True)
class Roles:
    """The number of ranked documents, and the positions and aspects spoken of, counted from 1 as on paper."""

    n: int
    i: int = 1
    j: int = 1
    t: int = 1
    u: int = 1


def names(axiom: str, n: int, documents: int) -> list[str]:
    extras = documents - n - len(INCOMING[axiom])
    return [*(f"d{k}" for k in range(1, n + 1)), *INCOMING[axiom], *(f"e{k}" for k in range(1, extras + 1))]


def edit(axiom: str, roles: Roles) -> tuple[list[str], list[str]]:
    d = [f"d{k}" for k in range(1, roles.n + 1)]

    def swapped(a: int, b: int) -> list[str]:
        out = list(d)
        out[a - 1], out[b - 1] = d[b - 1], d[a - 1]
        return out

    def replaced(a: int) -> list[str]:
        return [*d[: a - 1], "d'", *d[a:]]

    if axiom == "Pri":
        return d, swapped(roles.i, roles.j)
    if axiom == "Deep":
        return swapped(roles.j, roles.j + 1), swapped(roles.i, roles.i + 1)
    if axiom in ("Conf", "Sat"):
        return [*d, "x"], d
    if axiom in ("AspDiv", "AspRel"):
        return d, replaced(roles.i)
    return [*d, "x"], [*d, "x'"]


def meets(axiom: str, topic: Topic, roles: Roles, binary: bool) -> bool:
    """Tell whether a topic, with documents in the roles that their names say, meets the premises of an axiom."""
    r, w = topic.pool, topic.weights
    n, m = roles.n, len(topic.weights)
    everything = [g for row in r.values() for g in row]
    # numerators and denominators, which compare some ten times as fast as the fractions
    if n < 1 or sum(w) != 1 or min(w) <= 0 or not all(0 <= g.numerator <= g.denominator for g in everything):
        return False
    if (binary or axiom == "Red") and len({g for g in everything if g}) > 1:
        return False
    if axiom in ONE_ASPECT and m != 1:
        return False
    if axiom in NO_OVERLAP and any(sum(map(bool, row)) > 1 for row in r.values()):
        return False
    if axiom in BALANCED and len(set(w)) > 1:
        return False
    d: list[tuple[Fraction, ...]] = [(), *(r[f"d{k}"] for k in range(1, n + 1))]
    i, j, t, u = roles.i, roles.j, roles.t - 1, roles.u - 1
    if axiom in POSITIONS and not 1 <= i <= n:
        return False
    if axiom == "Pri":
        return i < j <= n and d[j][0] > d[i][0]
    if axiom == "Deep":
        return i < j < n and d[i][0] == d[j][0] < d[i + 1][0] == d[j + 1][0]
    if axiom == "Conf":
        return r["x"][0] == 0
    if axiom == "AspDiv":
        return all(new > old for new, old in zip(r["d'"], d[i], strict=True))
    if axiom == "Sat":
        return d[n][t] == 1 and r["x"][t] > 0
    if t == u or m < 2:
        return False
    if axiom == "Red":
        many, few = (sum(d[k][a] > 0 for k in range(1, n + 1)) for a in (t, u))
        return many > few and r["x"][t] > 0 and r["x'"][u] > 0
    if axiom == "MRed":
        x, y = r["x"], r["x'"]
        alone = x[u] == 0 and y[t] == 0 and x[t] == y[u] > 0
        return m == 2 and alone and all(d[k][t] > d[k][u] for k in range(1, n + 1))
    assert axiom == "AspRel"
    unseen = all(d[k][t] == d[k][u] == 0 for k in range(1, i))
    return unseen and d[i][t] == r["d'"][u] > 0 and w[t] < w[u]


def readings(axiom: str, instance: Instance, binary: bool) -> Iterator[Roles]:
    """Every way to read an instance, rankings included, as one of an axiom."""
    n = min(len(instance.worse), len(instance.better))
    if axiom in BALANCED:
        n -= 1
    m = len(instance.topic.weights)
    for i, j in product(range(1, n + 1), repeat=2):
        if "j" not in POSITIONS.get(axiom, "") and j > 1:
            continue
        if "i" not in POSITIONS.get(axiom, "") and i > 1:
            continue
        for t, u in product(range(1, m + 1), repeat=2):
            roles = Roles(n, i, j, t, u)
            if axiom == "Deep" and j == n:
                continue
            same = edit(axiom, roles) == (list(instance.worse), list(instance.better))
            if same and meets(axiom, instance.topic, roles, binary):
                yield roles


def deepest(worse: Sequence[str], better: Sequence[str]) -> int:
    longest = max(len(worse), len(better))
    return max(k + 1 for k in range(longest) if tuple(worse[k : k + 1]) != tuple(better[k : k + 1]))


@cache
def fraction(value: Any) -> Fraction:
    """The exact value of a float or a rational of flint."""
    return Fraction(value) if isinstance(value, float) else Fraction(int(value.p), int(value.q))


def roles_of(draft: Draft, row: int) -> Roles:
    i, j, t, u = (int(getattr(draft, c)[row]) + 1 for c in "ijtu")
    return Roles(draft.shape.ranked, i, j, t, u)


def topic_of(axiom: str, draft: Draft, row: int) -> Topic:
    if int(draft.weights[row].sum()) == 0:
        raise InvalidInput("no weights")
    total = int(draft.weights[row].sum())
    pool = zip(names(axiom, draft.shape.ranked, draft.shape.documents), draft.grades[row], strict=True)
    return Topic(
        [Fraction(int(w), total) for w in draft.weights[row]],
        {name: [fraction(g) for g in grades] for name, grades in pool},
    )


def accepts(axiom: str, draft: Draft, row: int, binary: bool) -> bool:
    try:
        topic = topic_of(axiom, draft, row)
    except InvalidInput:
        return False
    return meets(axiom, topic, roles_of(draft, row), binary)


def check(batch: Batch, binary: bool, max_rank: int | None = None, every: int = 1) -> int:
    """Asserts that a batch holds instances, with the rankings that the axiom makes of them; says how many."""
    axiom, draft = batch.axiom.name, batch.draft
    listed = names(axiom, draft.shape.ranked, draft.shape.documents)
    indices = batch.axiom.rankings(draft)
    for row in range(0, batch.size, every):
        topic, roles = topic_of(axiom, draft, row), roles_of(draft, row)
        assert meets(axiom, topic, roles, binary), (axiom, topic, roles)
        worse, better = edit(axiom, roles)
        assert ([listed[k] for k in indices[0][row]], [listed[k] for k in indices[1][row]]) == (worse, better)
        for stated, graded in zip((worse, better), batch.rankings, strict=True):
            assert [topic.pool[name] for name in stated] == [tuple(map(fraction, g)) for g in graded[row]]
        assert max_rank is None or deepest(worse, better) <= max_rank
        read = readings(axiom, Instance(topic, worse, better, batch.small), binary)
        spoken_of = POSITIONS.get(axiom, "")
        assert any(all(getattr(found, c) == getattr(roles, c) for c in spoken_of) for found in read)
    return len(range(0, batch.size, every))


def every_instance(
    axiom: str, n: int, documents: int, m: int, grades: Sequence[Fraction], weights: Sequence[int], binary: bool
) -> Iterator[Instance]:
    listed = names(axiom, n, documents)
    shares = {tuple(Fraction(w, sum(row)) for w in row) for row in product(weights, repeat=m)}
    span = range(1, n + 1)
    positions = [(i, j) for i in span for j in span if "j" in POSITIONS.get(axiom, "") or j == 1]
    for share in sorted(shares):
        for cells in product((Fraction(0), *grades), repeat=documents * m):
            rows = [cells[k * m : (k + 1) * m] for k in range(documents)]
            topic = Topic(share, dict(zip(listed, rows, strict=True)))
            found: set[tuple[tuple[str, ...], tuple[str, ...]]] = set()
            for i, j in positions if axiom in POSITIONS else [(1, 1)]:
                for t, u in product(range(1, m + 1), repeat=2):
                    roles = Roles(n, i, j, t, u)
                    if meets(axiom, topic, roles, binary):
                        worse, better = edit(axiom, roles)
                        found.add((tuple(worse), tuple(better)))
            for worse_, better_ in sorted(found):
                yield Instance(topic, worse_, better_)
