"""Metric unanimity, MU: how much a metric tells of the improvements that all other metrics agree on.

Over ordered pairs of different systems on the same topic,

    MU(m) = log2( P(m and others) / (P(m) P(others)) ),

where m is that m scores the first system higher, a tie counted as a half, and others that no other metric scores it
lower. P(m) is 1/2, since ties are halves (Amigo et al. 2018, section 6.1).

Scenarios change judgments and rankings at random before. What is drawn depends on the seed, the topic and what is
changed: grades and weights on the topic's judgments, where a ranking is cut on that ranking. So neither the order of
runs nor their names matter, a run keeps its lengths when others come or go, and scenarios that change the same thing
change it in the same way.
"""

from __future__ import annotations

import hashlib
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from axiomcheck.core.counting import counted
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.typing import AnyNumbers, Integers, Reals
from axiomcheck.metrics import CATALOGUE
from axiomcheck.metrics.base import Metric
from axiomcheck.runs.trec import ScoreGrid
from axiomcheck.runs.trec.rankings import JudgedTopic, Ranking
from axiomcheck.sources.provenance import is_genuine

TOLERANCE = 1000 * 2.0**-53
"""The largest difference of two scores, relative to the larger one, that is a tie.

A sum of 1,000 numbers that are not negative, in whatever order, is off by at most that. So metrics that are equal in
exact numbers (DCG and nDCG, or the sum over aspects begun at another aspect) tie on the same pairs. Scores that do
differ, and by less, tie as well: floats are not trusted to tell them apart.
"""

LEVEL = 95
"""The confidence of the intervals, in percent."""


@dataclass(frozen=True)
class Counts:
    """Ordered pairs of different systems, per topic.

    Args:
        unanimous: (metrics, topics) pairs whose first system no *other* metric scores lower.
        captured: (metrics, topics) those of them whose first system the metric itself scores higher; a tie is a half.
        tied: (topics,) pairs on which all metrics tie.
        rounding: (metrics,) pairs whose scores differ and are a tie by the `TOLERANCE`.

    """

    unanimous: Integers
    captured: Reals
    tied: Integers
    rounding: Integers


def count_pairs(values: Reals) -> Counts:
    """Counts the pairs.

    All others agree on a pair where the metrics that are against it, the metric itself left out, are none. So it takes
    one count per pair, and neither memory nor time for pairs of metrics.

    Args:
        values: (metrics, systems, topics)

    Raises:
        InvalidInput: fewer than two metrics or systems, no topic, a score that is not finite.

    """
    if values.ndim != 3 or min(values.shape[:2]) < 2 or values.shape[2] < 1:
        raise InvalidInput(f"scores of shape {values.shape}; expected two metrics, two systems and a topic, or more")
    if not np.isfinite(values).all():
        raise InvalidInput("a score that is not a finite number; expected finite ones")
    metrics, systems, topics = values.shape
    unanimous = np.zeros((metrics, topics), dtype=np.int64)
    halves = np.zeros((metrics, topics), dtype=np.int64)
    tied = np.zeros(topics, dtype=np.int64)
    rounding = np.zeros(metrics, dtype=np.int64)
    for first in range(systems - 1):
        left, right = values[:, first, None], values[:, first + 1 :]
        ahead = signs(left, right)
        rounding += 2 * ((left != right) & (ahead == 0)).sum(axis=(1, 2))
        tied += 2 * (ahead == 0).all(axis=0).sum(axis=0)
        for sign in (ahead, -ahead):
            against = (sign < 0).sum(axis=0)
            agreed = against == 0
            alone = (against == 1) & (sign < 0)
            unanimous += (agreed | alone).sum(axis=1)
            halves += np.where(agreed, 1 + sign, 0).sum(axis=1)
    return Counts(unanimous, halves / 2, tied, rounding)


def signs(left: Reals, right: Reals) -> Integers:
    """1 where the left score is the larger, -1 where it is the smaller, 0 at a tie, as `TOLERANCE` says.

    Args:
        left: finite.
        right: finite; the shapes broadcast.

    """
    with np.errstate(over="ignore"):  # a difference too large for floats is infinite, and no tie
        difference = left - right
    larger = np.maximum(np.abs(left), np.abs(right))
    ties = np.abs(difference) <= TOLERANCE * larger
    ahead: Integers = np.where(ties, 0, np.sign(difference)).astype(np.int8)
    return ahead


@dataclass(frozen=True)
class Unanimity:
    """The MU of every metric of a set, with bootstrap intervals over topics.

    Args:
        families: (metrics,) what each is a variant of.
        resamples: how many bootstrap samples of the topics there were; 0 is no intervals.
        low: (metrics,) the lower ends, NaN where MU is undefined in every sample.
        high: (metrics,) the upper ends.
        undefined: (metrics,) samples in which MU is undefined; the interval is that of the others.
        first: (metrics,) the share of the samples in which no metric has a larger MU.

    """

    grid: ScoreGrid
    families: tuple[str, ...]
    counts: Counts
    resamples: int
    low: Reals
    high: Reals
    undefined: Integers
    first: Reals

    @property
    def pairs(self) -> int:
        """Ordered pairs of different systems, over all topics."""
        systems = len(self.grid.runs)
        return systems * (systems - 1) * len(self.grid.topics)

    @cached_property
    def values(self) -> Reals:
        """(metrics,) MU; NaN where it is undefined."""
        return mu(self.counts.captured.sum(axis=1), self.counts.unanimous.sum(axis=1))


def measure(grid: ScoreGrid, families: tuple[str, ...], resamples: int = 0, seed: int = 0) -> Unanimity:
    """The MU of every metric with regard to all others of the grid, its own variants among them.

    Args:
        grid: the scores.
        families: (metrics,) what each is a variant of.
        resamples: bootstrap samples of the topics.
        seed: of the samples, 0 or more.

    Raises:
        InvalidInput: as `count_pairs`; a number of samples or a seed below 0.

    """
    if resamples < 0 or seed < 0:
        raise InvalidInput(f"{counted(resamples, 'sample')}, seed {seed}: expected 0 or more of both")
    counts = count_pairs(grid.values)
    metrics, topics = counts.unanimous.shape
    if not resamples:
        none = np.full(metrics, np.nan)
        return Unanimity(grid, families, counts, 0, none, none, np.zeros(metrics, dtype=np.int64), none)
    # How often a sample has each topic, so that its counts are sums of the topics'.
    times = np.random.default_rng(seed).multinomial(topics, np.full(topics, 1 / topics), size=resamples)
    drawn = mu(times @ counts.captured.T, times @ counts.unanimous.T)
    shares = [(100 - LEVEL) / 200, (100 + LEVEL) / 200]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of metrics that are undefined in every sample
        # One of the values: between them may lie minus infinity.
        low, high = np.nanquantile(drawn, shares, axis=0, method="inverted_cdf")
    # A sample where nothing is defined has no first metric; NaN is equal to nothing.
    best = np.where(np.isnan(drawn), -np.inf, drawn).max(axis=1, keepdims=True)
    return Unanimity(
        grid, families, counts, resamples, low, high, np.isnan(drawn).sum(axis=0), (drawn == best).mean(axis=0)
    )


def families_of(metrics: Sequence[Metric]) -> tuple[str, ...]:
    """Return the family of each metric: its name in the catalogue without parameters and cutoff; its own of others."""
    return tuple(metric.name if metric.name in CATALOGUE and is_genuine(metric) else str(metric) for metric in metrics)


def mu(captured: AnyNumbers, unanimous: AnyNumbers) -> Reals:
    """MU from counts: NaN where no pair is unanimous, minus infinity where none of them is captured.

    Args:
        captured: unanimous pairs that the metric captures, ties as halves.
        unanimous: pairs that all others agree on.

    """
    shares = np.full(np.shape(captured), np.nan)
    np.divide(captured, unanimous, out=shares, where=np.asarray(unanimous) > 0)
    with np.errstate(divide="ignore"):  # log2(0), which is what MU is where nothing is captured
        found: Reals = np.log2(2 * shares)
    return found


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
