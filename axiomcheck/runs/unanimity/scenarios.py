"""The experiment of Amigo et al. (2018, section 6): sets of metrics, and judgments and rankings changed at random.

What is drawn depends on the seed, the topic and what is changed: grades and weights on the topic's judgments, where a
ranking is cut on that ranking. So neither the order of runs nor their names matter, a run keeps its lengths when others
come or go, and scenarios that change the same thing change it in the same way.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from axiomcheck.core.typing import Reals
from axiomcheck.runs.trec.rankings import JudgedTopic, Ranking


@dataclass(frozen=True)
class RunScenario:
    """A change of judgments and rankings.

    Args:
        words: what is changed, for people.
        grades: whether every grade r becomes a random number from 0 to r.
        weights: whether the weights of aspects are random numbers from 0 to 1, divided by their sum.
        lengths: whether a ranking of n documents is cut after a random number of them, 0 to n.
        longest: where rankings are cut, a random number from 0 to this takes the place of one from 0 to n.

    """

    words: str
    grades: bool = False
    weights: bool = False
    lengths: bool = False
    longest: int | None = None


SCENARIOS = {
    "official": RunScenario("judgments and rankings as they are"),
    "graded": RunScenario("every grade r a random number from 0 to r", grades=True),
    "weighted": RunScenario("random weights of aspects", weights=True),
    "truncated": RunScenario("every ranking cut at random", lengths=True),
    "simulated": RunScenario("random grades, weights and lengths", grades=True, weights=True, lengths=True),
    "short": RunScenario(
        "random grades and weights, rankings cut after 0 to 50 documents",
        grades=True,
        weights=True,
        lengths=True,
        longest=50,
    ),
}
"""By the name that users type.

The paper's table has a column of the first three together, and one of the same with rankings cut after 0 to 50
documents: the heads of both columns name the random grades and the random weights.
"""


def altered(topic: JudgedTopic, scenario: RunScenario, seed: int) -> JudgedTopic:
    """Return a topic as a scenario changes it.

    Grades are changed as numbers in [0, 1], after the mapping of whole grades. A draw is above 0, so that what was
    relevant stays so, to metrics that only ask whether it is.

    Args:
        topic: as judged and retrieved.
        scenario: what is changed.
        seed: any whole number.

    """
    if scenario.grades:
        share = 1 - _generator(seed, "grades", topic.name).random(topic.gains.shape)
        topic = replace(topic, gains=topic.gains * share)
    if scenario.weights:
        drawn: Reals = 1 - _generator(seed, "weights", topic.name).random(topic.weights.shape)
        topic = replace(topic, weights=drawn / drawn.sum())
    if scenario.lengths:
        seen: Counter[bytes] = Counter()
        cut: list[Ranking | None] = []
        for ranking in topic.rankings:
            if ranking is None:
                cut.append(None)
                continue
            content = _content(ranking)
            seen[content] += 1
            longest = ranking.length if scenario.longest is None else scenario.longest
            draws = _generator(seed, "lengths", topic.name, content, seen[content])
            cut.append(ranking.cut(int(draws.integers(0, longest, endpoint=True))))
        topic = replace(topic, rankings=cut)
    return topic


def _content(ranking: Ranking) -> bytes:
    """Return a digest that tells a ranking from others of its topic; rankings of one digest have the same scores."""
    digest = hashlib.sha256()
    for part in (np.array([ranking.length]), ranking.hits, ranking.rows, ranking.scores):
        # of one type everywhere, and not of the machine's or the tie rule's
        content = part.astype(np.float64 if part.dtype.kind == "f" else np.int64).tobytes()
        digest.update(len(content).to_bytes(8, "big") + content)
    return digest.digest()


def _generator(*parts: object) -> np.random.Generator:
    return np.random.default_rng(int.from_bytes(hashlib.sha256(repr(parts).encode()).digest(), "big"))


_CUTOFFS = (10, 20, 50, 100, 1000)
_PATIENCE = (0.8, 0.9, 0.99)
_ALPHAS = (0.1, 0.25, 0.5, 0.75)
_EFFORTS = (0, 0.001, 0.05, 0.1, 0.5)
"""Section 6.2 names those above 0; Table 2 and section 6.3 have 0 as well, of EU and of RBU."""


def _amigo_2018() -> tuple[str, ...]:
    """Return section 6.2's metrics; those of one aspect get the largest grade over aspects, EU and RBU no cutoff."""
    plain, lifted = "{}", "{}(aggregate=max)"
    names = ["AP(aggregate=max)", "RR(aggregate=max)", "AP-IA", "RR-IA"]
    for name, form in (
        *((base, lifted) for base in ("P", "ERR", "nDCG")),
        *((base, plain) for base in ("P-IA", "ERR-IA", "nDCG-IA", "S-Recall")),
    ):
        names += [f"{form.format(name)}@{k}" for k in _CUTOFFS]
    names += [f"RBP(p={p}, aggregate=max)" for p in _PATIENCE]
    names += [f"NRBP(p={p}, alpha={alpha})" for p in _PATIENCE for alpha in _ALPHAS]
    names += [f"alpha-nDCG(alpha={alpha})@{k}" for k in _CUTOFFS for alpha in _ALPHAS]
    names += [f"EU(alpha={alpha}, e={e})" for alpha in _ALPHAS for e in _EFFORTS]
    names += [f"RBU(p={p}, e={e})@inf" for p in _PATIENCE for e in _EFFORTS]
    return tuple(names)


PRESETS: dict[str, Callable[[], tuple[str, ...]]] = {"amigo-2018": _amigo_2018}
"""Name -> the names of its metrics."""
