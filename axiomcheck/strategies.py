"""Hypothesis strategies that generate instances of an axiom for property tests (see docs/how-to/pytest.md).

>>> from hypothesis import find
>>> from axiomcheck import strategies
>>> smallest = find(strategies.instances("Red"), lambda instance: True)
>>> smallest.worse, smallest.better
(('d1', 'x'), ('d1', "x'"))
"""

from __future__ import annotations

from typing import Any

import numpy as np
from flint import fmpq
from hypothesis import assume
from hypothesis import strategies as st

from axiomcheck.axioms import Axiom, Draft, Shape, about_pairs
from axiomcheck.core.domain import Domain, Instance
from axiomcheck.core.errors import InvalidInput, check_flags
from axiomcheck.core.printable import counted
from axiomcheck.decide.space import InstanceSpace
from axiomcheck.decide.witness import instance_of
from axiomcheck.sources.resolve import axiom_of

__all__ = ["instances"]


def instances(
    axiom: str | Axiom,
    *,
    domain: Domain | str = Domain.GRADED,
    small: bool = False,
    cutoff: int | None = None,
    max_ranked: int = 6,
    max_aspects: int = 3,
    max_extras: int = 2,
) -> st.SearchStrategy[Instance]:
    """Return a Hypothesis strategy for the instances of an axiom, which are pairs of rankings that meet its premises.

    Examples shrink towards fewer documents, fewer aspects, grades of 0 and equal weights.

    Args:
        axiom: Axiom or its name, which may refer to an axiom in a file. Threshold axioms have no instances.
        domain: ``graded`` or ``binary``.
        small: True to mark each instance as standing for the grades eps * r, eps -> 0.
        cutoff: Largest rank at which the two rankings may differ; None for any rank.
        max_ranked: Largest number of ranked documents, n.
        max_aspects: Largest number of aspects, m.
        max_extras: Largest number of judged documents that are in neither ranking.

    Raises:
        InvalidInput: There is no such axiom, it is a threshold, an argument has the wrong type, or no instance has the
            given sizes.

    """
    check_flags("instances", small=small)
    found = axiom_of(axiom)
    sizes = {"max_ranked": max_ranked, "max_aspects": max_aspects, "max_extras": max_extras}
    for name, size in (sizes if cutoff is None else sizes | {"cutoff": cutoff}).items():
        least = 0 if name == "max_extras" else 1
        if not isinstance(size, int) or isinstance(size, bool) or size < least:
            raise InvalidInput(f"{name} is {size!r}; expected an integer >= {least}")
    if domain not in list(Domain):
        raise InvalidInput(f"domain is {domain!r}; expected one of {', '.join(repr(one.value) for one in Domain)}")
    if not about_pairs(found):
        raise InvalidInput(f"axiom={found.name!r} is a threshold axiom, without instances to draw; use another axiom")
    most_aspects = min(max_aspects, found.max_aspects or max_aspects)
    longest = min(max_ranked, found.longest(cutoff)) if cutoff is not None and found.appends else max_ranked
    if longest < found.min_ranked:
        raise InvalidInput(f"{found.name} needs {counted(found.min_ranked, 'ranked document')}; got at most {longest}")
    if most_aspects < found.min_aspects:
        raise InvalidInput(f"max_aspects={max_aspects}: {found.name} needs {counted(found.min_aspects, 'aspect')}")
    if not found.can_be_small and small:
        raise InvalidInput(f"small=True: {found.name} needs the grade 1, which r << 1 excludes; expected small=False")
    space = InstanceSpace(found, Domain(domain), small, cutoff)
    return _instances(space, longest, most_aspects, max_extras)


@st.composite
def _instances(draw: st.DrawFn, space: InstanceSpace, longest: int, most_aspects: int, max_extras: int) -> Instance:
    axiom = space.axiom
    n = draw(st.integers(axiom.min_ranked, longest))
    m = draw(st.integers(axiom.min_aspects, most_aspects))
    shape = Shape(n + len(axiom.incoming) + draw(st.integers(0, max_extras)), m, n)
    binary = space.binary
    grade = st.booleans() if binary else st.fractions(0, 1, max_denominator=16)
    cells = draw(st.lists(grade, min_size=shape.documents * m, max_size=shape.documents * m))
    top = draw(st.fractions(0, 1, max_denominator=16).filter(bool)) if binary and not space.small else 1
    rc = _exact(top)
    inner = np.empty((shape.documents, m, 1), dtype=object)
    inner.reshape(-1)[:] = [(rc if cell else fmpq(0)) if binary else _exact(cell) for cell in cells]
    t = draw(st.integers(0, m - 1)) if "t" in axiom.choices else 0
    u = (t + draw(st.integers(1, m - 1))) % m if "u" in axiom.choices else 0
    reach = space.reach(n)
    positions = {c: draw(st.integers(0, reach - 1)) if c in axiom.choices else 0 for c in "ij"}
    weights = draw(st.lists(st.integers(1, 9), min_size=m, max_size=m))
    column = np.empty(1, dtype=object)
    column[0] = rc
    draft = Draft(
        shape=shape,
        grades=inner.transpose(2, 0, 1),
        weights=np.array([weights], dtype=np.int64),
        top=column,
        i=np.array([positions["i"]]),
        j=np.array([positions["j"]]),
        t=np.array([t]),
        u=np.array([u]),
        binary=binary,
    )
    axiom.repair(draft)
    batch = space.instances(draft)
    assume(batch.size == 1)
    return instance_of(batch)


def _exact(value: Any) -> fmpq:
    return fmpq(*value.as_integer_ratio())
