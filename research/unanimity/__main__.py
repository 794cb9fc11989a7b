"""Repeat the experiment on metric unanimity of Amigo et al. (2018, section 6), with random changes of its input.

Scenarios change judgments and rankings at random before scoring. The random numbers depend on the seed, the topic and
the kind of change. The random numbers for grades and weights also depend on the topic's judgments, and the random
length of a ranking also depends on that ranking. So neither the order of runs nor their names matter, a run keeps its
lengths when other runs are added or removed, and scenarios with the same kind of change make the same change.

    python -m research.unanimity [METRIC ...] --qrels FILE --run FILE --run FILE ... [--scenario NAME]
        [--metric NAME] [--without NAME] [--seed N]
"""

from __future__ import annotations

import argparse
import hashlib
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from axiomcheck.core.printable import counted
from axiomcheck.core.typing import Reals
from axiomcheck.metrics import Metric, parse
from axiomcheck.reports.table import Column, Report, Section, Table, TableEntry, Value, report_text
from axiomcheck.runs.trec import Options, Qrels, Run, read_qrels, read_run
from axiomcheck.runs.trec.lines import text_of
from axiomcheck.runs.trec.rankings import JudgedTopic, Ranking, gains_of, ordered_documents, rankings_of, score_all
from axiomcheck.runs.trec.runs import with_names
from research.unanimity import LEVEL, ScoreGrid, Unanimity, measure


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


@dataclass(frozen=True)
class ScoredRanking(Ranking):
    """Ranking with the scores of its run, shape (n,), which the random length depends on."""

    scores: Reals


def altered(topic: JudgedTopic, scenario: RunScenario, seed: int) -> JudgedTopic:
    """Return a topic with the random changes of a scenario.

    Integer grades are mapped to [0, 1] before they are changed. Random factors are above 0, so that relevant documents
    stay relevant for binary metrics.

    Args:
        topic: Topic with its judgments and a `ScoredRanking` of every run.
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
        cut = []
        for ranking in topic.rankings:
            assert isinstance(ranking, ScoredRanking)
            content = _content(ranking)
            seen[content] += 1
            longest = ranking.length if scenario.longest is None else scenario.longest
            draws = _generator(seed, "lengths", topic.name, content, seen[content])
            cut.append(_first(ranking, int(draws.integers(0, longest, endpoint=True))))
        topic = replace(topic, rankings=cut)
    return topic


def _first(ranking: ScoredRanking, n: int) -> ScoredRanking:
    """Cut a ranking after its first n documents."""
    hits, unjudged = (positions[: np.searchsorted(positions, n)] for positions in (ranking.hits, ranking.unjudged))
    return ScoredRanking(min(n, ranking.length), hits, ranking.rows[: len(hits)], unjudged, ranking.scores[:n])


def _content(ranking: ScoredRanking) -> bytes:
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


def _scored_rankings(run: Run, qrels: Qrels) -> dict[int, ScoredRanking]:
    """Map the index of each judged topic to the run's ranking, which is empty if the run lacks the topic."""
    ordered, table = ordered_documents(run, qrels, Options().ties, False, None), run.table
    none = np.zeros(0, dtype=np.intp)
    found = dict.fromkeys(range(len(qrels.topics)), ScoredRanking(0, none, none, none, np.zeros(0)))
    for place, ranking in rankings_of(ordered, qrels).items():
        number = run.topics[qrels.table.names[place]]
        scores = table.columns["score"][table.starts[number] : table.starts[number + 1]]
        found[place] = ScoredRanking(**vars(ranking), scores=-np.sort(-scores.astype(np.float32).astype(np.float64)))
    return found


def scores_of(
    metrics: Sequence[Metric], qrels: Qrels, runs: Sequence[Run], scenario: RunScenario, seed: int
) -> ScoreGrid:
    """Score every run on every judged topic that appears in some run. Missing topics of a run count as empty rankings.

    Args:
        metrics: Distinct metrics.
        qrels: Judgments.
        runs: Runs.
        scenario: Random change of every topic before it is scored.
        seed: Seed of the changes, any integer.

    """
    gains = gains_of(qrels.grades, "linear", qrels.highest)
    rankings = [_scored_rankings(run, qrels) for run in runs]
    places = [place for place, topic in enumerate(qrels.topics) if any(topic in run.topics for run in runs)]
    names = [qrels.table.names[place] for place in places]
    topics = [
        JudgedTopic(
            name,
            qrels.of_topic(gains, place),
            int(qrels.judged[place]),
            qrels.weights_of(place),
            [own[place] for own in rankings],
        )
        for name, place in zip(names, places, strict=True)
    ]
    changed = [altered(topic, scenario, seed) for topic in topics]
    values = np.array(score_all(metrics, changed, len(runs)))
    lacking = {run.name: sum(name not in run.topics for name in names) for run in runs}
    notes = [
        f"{run} lacks {count} of {counted(len(places), 'topic')}, which count as empty rankings."
        for run, count in lacking.items()
        if count
    ]
    shown = tuple(map(text_of, names))
    return ScoreGrid(tuple(map(str, metrics)), tuple(run.name for run in runs), shown, values, tuple(notes))


def _ordered(measured: Unanimity) -> list[int]:
    """Return the numbers of all metrics by descending MU. Undefined values come last."""
    values = measured.values.tolist()
    return sorted(range(len(values)), key=lambda n: (math.isnan(values[n]), -values[n]))


def unanimity_report(measured: Unanimity, seed: int) -> Report:
    """Return the MU of the best variant of each metric as a table."""
    grid, values = measured.grid, measured.values.tolist()
    families: dict[str, list[int]] = {}
    for number in _ordered(measured):
        families.setdefault(measured.families[number], []).append(number)
    grouped = len(families) < len(values)
    columns = [Column("Metric"), *([Column("Variants")] if grouped else []), Column("MU", ".4f")]
    if measured.resamples:
        columns += [Column("Lower end", ".4f"), Column("Upper end", ".4f"), Column("First", ".0%")]
    columns += [Column("Unanimous", ","), Column("Captured", ",.1f")]
    shown = []
    for family in families.values():
        n = family[0]
        value, low, high = (float(part[n]) for part in (measured.values, measured.low, measured.high))
        equal = sum(values[other] == value or math.isnan(value) for other in family)  # undefined only if all are
        line: list[Value] = [grid.metrics[n], *([f"{equal} of {len(family)}"] if grouped else []), _mu(value)]
        if measured.resamples:
            line += [_mu(low), _mu(high), float(measured.first[n])]
        shown.append([*line, int(measured.counts.unanimous[n].sum()), float(measured.counts.captured[n].sum())])
    size = f"{counted(len(grid.metrics), 'metric')}, {counted(len(grid.runs), 'run')}, "
    size += f"{counted(len(grid.topics), 'topic')}: {counted(measured.pairs, 'ordered pair')}"
    notes = [*_remarks(measured, [family[0] for family in families.values()]), *grid.notes]
    sections = [Section(table=Table(tuple(columns), shown), notes=notes)]
    return Report("Metric unanimity", [f"{size}; seed {seed}" if measured.resamples else size], sections)


def _mu(value: float) -> TableEntry:
    """Format MU as a table cell with four digits, or ``undefined``."""
    return TableEntry("undefined" if math.isnan(value) else f"{value:.4f}")


def _remarks(measured: Unanimity, numbers: Sequence[int]) -> list[str]:
    """Return notes on the intervals, ties and undefined values, one line each."""
    out = []
    if measured.resamples:
        samples = f"{measured.resamples:,} bootstrap samples of the topics"
        out.append(
            f"Ends: {LEVEL}% intervals from {samples}; first: the share of samples in which no metric has a larger MU."
        )
    out.append(f"All metrics tie on {measured.counts.tied.sum():,} of the pairs.")
    if count := int(measured.counts.rounding.sum()):
        out.append(f"{counted(count, 'tie')} of scores too close for floats to tell apart.")
    values = measured.values[list(numbers)].tolist()
    if any(map(math.isnan, values)):
        out.append("undefined: there is no pair that the other metrics agree on.")
    if -math.inf in values:
        out.append("-inf: none of the pairs that the others agree on is captured.")
    if measured.resamples and measured.undefined[list(numbers)].any():
        out.append("In some samples MU is undefined; the intervals use the other samples.")
    return out


def main(words: Sequence[str] | None = None) -> None:
    """Print the metric unanimity of metrics on the given runs.

    Args:
        words: Arguments of the command; None for those of this process.

    """
    parser = argparse.ArgumentParser(description="The experiment of Amigo et al. (2018, section 6).")
    parser.add_argument("metrics", nargs="*", metavar="METRIC", help="default: the metrics of the paper")
    parser.add_argument("--qrels", required=True)
    parser.add_argument("--run", action="append", required=True)
    parser.add_argument("--metric", action="append", default=[], help="further metric")
    parser.add_argument("--scenario", choices=[*SCENARIOS], default="official")
    parser.add_argument("--without", action="append", default=[], metavar="METRIC")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--bootstrap", type=int, default=1000)
    asked = parser.parse_args(words)
    names = [name for name in asked.metrics or metrics_of_the_paper() if parse(name).name not in asked.without]
    chosen = list({str(metric): metric for metric in map(parse, [*asked.metric, *names])}.values())
    scenario = SCENARIOS[asked.scenario]
    runs = with_names([read_run(run) for run in asked.run])
    grid = scores_of(chosen, read_qrels(asked.qrels, "diversity"), runs, scenario, asked.seed)
    found = measure(grid, tuple(metric.name for metric in chosen), asked.bootstrap, asked.seed)
    print(f"{asked.scenario}: {scenario.words}")
    print(report_text(unanimity_report(found, asked.seed)), end="")


if __name__ == "__main__":
    main()
