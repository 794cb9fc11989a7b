"""The sentence of an instance names its own documents, ranks, aspects and grades."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from axiomcheck.axioms import AXIOMS, PairAxiom
from axiomcheck.axioms.drafts import Draft
from axiomcheck.axioms.validation import free_drafts

Grades = list[list[Any]]
Said = Callable[[Grades, list[int], int, int, int, int, int], str]


def on(grades: Grades, n: int, aspect: int) -> int:
    return sum(row[aspect] > 0 for row in grades[:n])


WORDS: dict[str, Said] = {
    "Pri": lambda g, w, n, i, j, t, u: (
        f"d{j + 1} (grade {g[j][0]}) is more relevant than d{i + 1} (grade {g[i][0]}), "
        f"so swapping ranks {i + 1} and {j + 1} must raise the score"
    ),
    "Deep": lambda g, w, n, i, j, t, u: (
        f"the same two grades ({g[i][0]} before {g[i + 1][0]}) stand at ranks {i + 1}, {i + 2} and at ranks {j + 1}, "
        f"{j + 2}, so swapping the upper two must score above swapping the lower two"
    ),
    "Conf": lambda g, w, n, i, j, t, u: f"x is not relevant, so appending it at rank {n + 1} must lower the score",
    "AspDiv": lambda g, w, n, i, j, t, u: (
        f"d' ({', '.join(map(str, g[n]))}) is more relevant than d{i + 1} ({', '.join(map(str, g[i]))}) to every "
        "aspect, so replacing must raise the score"
    ),
    "Red": lambda g, w, n, i, j, t, u: (
        f"d has {on(g, n, t)} on aspect {t + 1} and {on(g, n, u)} on aspect {u + 1}, so appending x' (on aspect "
        f"{u + 1}) must score above appending x (on aspect {t + 1})"
    ),
    "MRed": lambda g, w, n, i, j, t, u: (
        f"every document of d is more relevant to aspect {t + 1} than to aspect {u + 1}, so appending x' (on aspect "
        f"{u + 1}) must score above appending x (on aspect {t + 1})"
    ),
    "Sat": lambda g, w, n, i, j, t, u: (
        f"d{n} has the largest grade, 1, on aspect {t + 1}, so appending x (grade {g[n][t]} on it) must not "
        "raise the score"
    ),
    "AspRel": lambda g, w, n, i, j, t, u: (
        f"d{i + 1} is on aspect {t + 1} (weight {w[t]}/{sum(w)}) and d' on aspect {u + 1} (weight {w[u]}/{sum(w)}), "
        f"both with grade {g[i][t]} and neither aspect seen before rank {i + 1}, so replacing d{i + 1} by d' must "
        "raise the score"
    ),
}


def instances(axiom: PairAxiom) -> list[Draft]:
    found = []
    for draft in free_drafts(axiom):
        axiom.repair(draft)
        met = draft.pick(axiom.premises(draft))
        found += [met.pick(np.array([k])) for k in range(0, met.size, 5)]
    return found


@pytest.mark.parametrize("axiom", [a for a in AXIOMS.values() if isinstance(a, PairAxiom)], ids=str)
def test_a_sentence_is_about_its_instance(axiom: PairAxiom) -> None:
    tried = instances(axiom)
    assert len(tried) > 50
    for d in tried:
        grades = [[d.grades[0, k, m] for m in range(d.grades.shape[2])] for k in range(d.grades.shape[1])]
        numbers = (int(d.n), *(int(getattr(d, choice)[0]) for choice in ("i", "j", "t", "u")))
        assert axiom.sentence(d) == WORDS[axiom.name](grades, d.weights[0].tolist(), *numbers)
