"""The sentence of an instance names its own documents, ranks, aspects and grades."""

import numpy as np
import pytest

from axiomcheck.axioms import AXIOMS, PairAxiom
from axiomcheck.axioms.drafts import Draft
from axiomcheck.axioms.validation import free_drafts

SENTENCES = {
    "Pri": "d3 (grade 0.5) is more relevant than d1 (grade 0.0), so swapping ranks 1 and 3 must raise the score",
    "Deep": (
        "the same two grades (0.0 before 1.0) appear at ranks 1, 2 and at ranks 6, 7, so swapping the upper two must "
        "give a higher score than swapping the lower two"
    ),
    "Conf": "x is not relevant, so appending it at rank 5 must lower the score",
    "AspDiv": ("d' (0.5, 0.5) is more relevant than d3 (0.0, 0.0) to every aspect, so replacing must raise the score"),
    "Red": (
        "d has 2 on aspect 2 and 0 on aspect 3, so appending x' (on aspect 3) must give a higher score than "
        "appending x "
        "(on aspect 2)"
    ),
    "MRed": (
        "every document of d is more relevant to aspect 2 than to aspect 1, so appending x' (on aspect 1) must give "
        "a higher score than appending x (on aspect 2)"
    ),
    "Sat": "d4 has the largest grade, 1, on aspect 2, so appending x (grade 1.0 on it) must not raise the score",
    "AspRel": (
        "d3 is on aspect 1 (weight 1/6) and d' on aspect 3 (weight 3/6), both with grade 1.0 and neither aspect seen "
        "before rank 3, so replacing d3 by d' must raise the score"
    ),
}


def last_instance(axiom: PairAxiom) -> Draft:
    """Return one of the largest instances that the free drafts become."""
    made = []
    for draft in free_drafts(axiom):
        axiom.repair(draft)
        met = draft.pick(axiom.premises(draft))
        made += [met.pick(np.array([met.size // 2]))] if met.size else []
    return made[-1]


@pytest.mark.parametrize("name", SENTENCES)
def test_a_sentence_is_about_its_instance(name: str) -> None:
    axiom = AXIOMS[name]
    assert axiom.sentence(last_instance(axiom)) == SENTENCES[name]
