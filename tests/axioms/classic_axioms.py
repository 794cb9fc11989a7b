"""Two axioms of the paper as a newcomer would write them: functions of a topic and two rankings."""

from functools import cache

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


CLASSIC = {"Pri": swap_up, "Conf": costly_tail}
"""By the name of the paper's axiom that each is like."""


@cache
def classic(name: str) -> FunctionAxiom:
    """Return the function as an axiom; that it is one is tried first, which takes a second."""
    return pair_axiom(CLASSIC[name])
