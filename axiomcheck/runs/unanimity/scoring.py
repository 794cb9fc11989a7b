"""Sets of metrics that unanimity is measured in, and their scores: shared out among processes, and kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np

from axiomcheck.core.own_code import file_digest
from axiomcheck.ledger import LedgerFile, key_of
from axiomcheck.metrics.base import Metric
from axiomcheck.runs.pieces import Listener, finish
from axiomcheck.runs.trec import Options, Qrels, Run, ScoreGrid, metrics_named, score_grid
from axiomcheck.runs.unanimity.scenarios import RunScenario, altered
from axiomcheck.sources.provenance import identity_of

_TOGETHER = 10
"""Topics of a piece: enough that arrays are not small, few enough that work is shared out and progress is seen."""

_CUTOFFS = (10, 20, 50, 100, 1000)
_PATIENCE = (0.8, 0.9, 0.99)
_ALPHAS = (0.1, 0.25, 0.5, 0.75)
_EFFORTS = (0, 0.001, 0.05, 0.1, 0.5)
"""Section 6.2 names those above 0; Table 2 and section 6.3 have 0 as well, of EU and of RBU."""


def _amigo_2018() -> tuple[str, ...]:
    """Section 6.2's metrics; those of one aspect get the largest grade over aspects, and EU and RBU no cutoff."""
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


@dataclass(frozen=True)
class ScoringTask:
    """A set of metrics, runs and judgments to be scored.

    Args:
        names: of the metrics, as typed.
        qrels: the judgments.
        runs: the runs.
        options: how they are scored.
        scenario: what is changed before.
        seed: of what is drawn.

    """

    names: tuple[str, ...]
    qrels: Qrels
    runs: Sequence[Run]
    options: Options
    scenario: RunScenario
    seed: int

    @cached_property
    def metrics(self) -> list[Metric]:
        """The metrics, read once in a process: those of users do not go from one to another."""
        return metrics_named(self.names)

    def __getstate__(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}


def score_task(
    task: ScoringTask,
    *,
    files: Sequence[str] = (),
    jobs: int = 1,
    kept: LedgerFile | None = None,
    listen: Listener | None = None,
) -> ScoreGrid:
    """The scores of all metrics on all runs and topics.

    Args:
        task: what is scored.
        files: all that were read, on whose content kept scores depend.
        jobs: worker processes; one is this process.
        kept: where finished pieces are looked for first.
        listen: is told how many pieces of how many are done.

    Raises:
        InvalidInput: as `axiomcheck.runs.trec.score_runs` and `axiomcheck.runs.trec.metrics_named`.
        OverLimit: a worker was killed.

    """
    metrics = metrics_named(task.names)
    topics = list(task.qrels.topics)
    pieces = [topics[start : start + _TOGETHER] for start in range(0, len(topics), _TOGETHER)]
    keys = [""] * len(pieces) if kept is None else _keys(task, metrics, files, pieces)
    found = finish(_score, task, pieces, keys, kind="unanimity", jobs=jobs, kept=kept, listen=listen)
    values = [
        np.array(part["values"], dtype=np.float64).reshape(len(metrics), len(task.runs), len(part["topics"]))
        for part in found
    ]
    names = tuple(topic for part in found for topic in part["topics"])
    # Notes are of the whole files, whatever the piece.
    return ScoreGrid(
        tuple(map(str, metrics)),
        tuple(run.name for run in task.runs),
        names,
        np.concatenate(values, axis=2),
        tuple(found[0]["notes"]),
    )


def _score(task: ScoringTask, topics: Sequence[bytes]) -> dict[str, Any]:
    """One piece, as JSON can hold it."""
    alter = partial(altered, scenario=task.scenario, seed=task.seed)
    grid = score_grid(task.metrics, task.qrels, task.runs, task.options, alter=alter, topics=topics)
    return {"topics": grid.topics, "values": grid.values.tolist(), "notes": grid.notes}


def _keys(
    task: ScoringTask, metrics: Sequence[Metric], files: Sequence[str], pieces: Sequence[Sequence[bytes]]
) -> list[str]:
    # Targets are among the files; their topics are bytes, which JSON does not hold.
    options = [getattr(task.options, field.name) for field in fields(Options) if field.name != "targets"]
    changed = [getattr(task.scenario, field.name) for field in fields(RunScenario)]
    digests = [file_digest(Path(file)) for file in files]
    named = [[str(metric), identity_of(metric)] for metric in metrics]
    shared = [named, digests, list(files), options, task.qrels.diversity, changed, task.seed]
    return [key_of(what="unanimity", shared=shared, topics=list(piece)) for piece in pieces]
