"""Three axioms of the paper as a newcomer would write them: functions of a topic and two rankings."""

from functools import cache
from typing import Any

from axiomcheck import AxiomTopic, pair_axiom
from axiomcheck.axioms.pair_functions import FunctionAxiom


def _apart(better: list[str], worse: list[str]) -> list[int]:
    """Return the ranks at which two rankings of one length differ; nothing of others."""
    return [k for k, (b, w) in enumerate(zip(better, worse, strict=False)) if b != w] * (len(better) == len(worse))


def swap_up(topic: AxiomTopic, better: list[str], worse: list[str]) -> bool:
    """Swapping a document with a more relevant one from further down raises the score."""
    apart = _apart(better, worse)
    if len(apart) != 2:
        return False
    i, j = apart
    return better[i] == worse[j] and topic.pool[better[i]] > topic.pool[worse[i]]


def costly_tail(topic: AxiomTopic, better: list[str], worse: list[str]) -> bool:
    """A document that is not relevant, at the end, lowers the score."""
    return worse[:-1] == better and not any(topic.pool[worse[-1]])


def new_aspect(topic: AxiomTopic, better: list[str], worse: list[str]) -> bool:
    """A document on the other aspect is worth more than one on the aspect that more of the others are on."""
    apart = _apart(better, worse)
    if len(apart) != 1 or apart[0] != len(worse) - 1 or topic.weights[0] != topic.weights[1]:
        return False
    counts = [sum(topic.pool[d][t] > 0 for d in worse[:-1]) for t in (0, 1)]
    if any(topic.pool[d][0] > 0 < topic.pool[d][1] for d in topic.pool):
        return False
    (b0, b1), (w0, w1) = topic.pool[better[-1]], topic.pool[worse[-1]]
    return (counts[0] > counts[1] and w0 == b1 > 0) or (counts[1] > counts[0] and w1 == b0 > 0)


CLASSIC = {"Pri": swap_up, "Conf": costly_tail, "Red": new_aspect}
"""By the name of the paper's axiom that each is like; the premises of the last are more."""
OPTIONS: dict[str, dict[str, Any]] = {"Red": {"aspects": 2, "pairs": "replaced"}}


@cache
def classic(name: str) -> FunctionAxiom:
    """Return the function as an axiom; that it is one is tried first, which takes a second."""
    return pair_axiom(**OPTIONS.get(name, {}))(CLASSIC[name])
