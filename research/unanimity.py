"""Repeat the experiment on metric unanimity of Amigo et al. (2018, section 6), with random changes of its input.

Scenarios change judgments and rankings at random before scoring. The random numbers depend on the seed, the topic and
the kind of change. The random numbers for grades and weights also depend on the topic's judgments, and the random
length of a ranking also depends on that ranking. So neither the order of runs nor their names matter, a run keeps its
lengths when other runs are added or removed, and scenarios with the same kind of change make the same change.

    python -m research.unanimity --qrels FILE --run FILE --run FILE ... [--scenario NAME] [--metric NAME]
        [--without NAME] [--seed N]
"""

from __future__ import annotations

import argparse
import hashlib
from collections import Counter
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from axiomcheck.core.typing import Reals
from axiomcheck.metrics import parse
from axiomcheck.reports.table import report_text
from axiomcheck.reports.unanimity_report import unanimity_report
from axiomcheck.runs.trec import Options, metrics_named, read_qrels, read_run, score_grid
from axiomcheck.runs.trec.rankings import JudgedTopic, Ranking
from axiomcheck.runs.unanimity import families_of, measure


@dataclass(frozen=True)
class RunScenario:
    """Random change of judgments and rankings.

    Args:
        words: Description of the change.
        grades: True to replace every grade r by a random number from 0 to r.
        weights: True to draw the weights of aspects from 0 to 1 and divide them by their sum.
        lengths: True to cut each ranking after a random number of documents, from 0 to its length.
        longest: Maximum of that random number, in place of the ranking's length.

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
"""Scenarios by name.

The paper's table has a column with the first three together, and a column with these and rankings cut after 0 to 50
documents: the headings of both columns name the random grades and the random weights.
"""


def altered(topic: JudgedTopic, scenario: RunScenario, seed: int) -> JudgedTopic:
    """Return a topic with the random changes of a scenario.

    Integer grades are mapped to [0, 1] before they are changed. Random factors are above 0, so that relevant documents
    stay relevant for binary metrics.

    Args:
        topic: Topic with its judgments and rankings.
        scenario: Change to be applied.
        seed: Any integer.

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
            cut.append(_first(ranking, int(draws.integers(0, longest, endpoint=True))))
        topic = replace(topic, rankings=cut)
    return topic


def _first(ranking: Ranking, n: int) -> Ranking:
    """Cut a ranking after its first n documents."""
    hits, unjudged = (positions[: np.searchsorted(positions, n)] for positions in (ranking.hits, ranking.unjudged))
    return Ranking(min(n, ranking.length), hits, ranking.rows[: len(hits)], unjudged, ranking.scores[:n])


def _content(ranking: Ranking) -> bytes:
    """Return a digest of a ranking of a topic. Rankings with equal digests have equal scores."""
    digest = hashlib.sha256()
    for part in (np.array([ranking.length]), ranking.hits, ranking.rows, ranking.scores):
        # use the same type on every machine and for every tie rule
        content = part.astype(np.float64 if part.dtype.kind == "f" else np.int64).tobytes()
        digest.update(len(content).to_bytes(8, "big") + content)
    return digest.digest()


def _generator(*parts: object) -> np.random.Generator:
    return np.random.default_rng(int.from_bytes(hashlib.sha256(repr(parts).encode()).digest(), "big"))


_CUTOFFS = (10, 20, 50, 100, 1000)
_PATIENCE = (0.8, 0.9, 0.99)
_ALPHAS = (0.1, 0.25, 0.5, 0.75)
_EFFORTS = (0, 0.001, 0.05, 0.1, 0.5)
"""Efforts of EU and RBU. Section 6.2 names the efforts above 0. Table 2 and section 6.3 include 0 as well."""


def metrics_of_the_paper() -> tuple[str, ...]:
    """Return the metrics that section 6.2 of the paper compares.

    Metrics for one aspect use the largest grade over aspects. EU and RBU have no cutoff.
    """
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


def main() -> None:
    """Print the metric unanimity of the paper's metrics on the given runs."""
    parser = argparse.ArgumentParser(description="The experiment of Amigo et al. (2018, section 6).")
    parser.add_argument("--qrels", required=True)
    parser.add_argument("--run", action="append", required=True)
    parser.add_argument("--metric", action="append", default=[], help="further metric besides the paper's")
    parser.add_argument("--scenario", choices=[*SCENARIOS], default="official")
    parser.add_argument("--without", action="append", default=[], metavar="METRIC")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--bootstrap", type=int, default=1000)
    asked = parser.parse_args()
    names = [*asked.metric, *(name for name in metrics_of_the_paper() if parse(name).name not in asked.without)]
    chosen, scenario = metrics_named(names), SCENARIOS[asked.scenario]
    runs = [read_run(run) for run in asked.run]
    alter = partial(altered, scenario=scenario, seed=asked.seed)
    grid = score_grid(chosen, read_qrels(asked.qrels, "diversity"), runs, Options(), alter=alter)
    found = measure(grid, families_of(chosen), asked.bootstrap, asked.seed)
    print(f"{asked.scenario}: {scenario.words}")
    print(report_text(unanimity_report(found, asked.seed)), end="")


if __name__ == "__main__":
    main()
