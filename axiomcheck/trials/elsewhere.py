"""The same cases scored in other processes, which differ in their hash seed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import numpy as np

from axiomcheck.core.errors import InvalidInput, MetricError, OverLimit
from axiomcheck.metrics.base import Metric
from axiomcheck.metrics.catalogue import parse
from axiomcheck.sources.function_metrics import OwnMetric
from axiomcheck.sources.names import is_foreign
from axiomcheck.sources.resolve import resolve
from axiomcheck.trials.cases import CaseBlock
from axiomcheck.trials.subject import BlockScores, Subject

HASH_SEEDS = ("1", "2")
SECONDS = 120
"""How long a process may take."""

_PROGRAM = "from axiomcheck.trials.elsewhere import serve; serve()"


def label_of(metric: Metric) -> str | None:
    """The name by which another process can load a metric; None if there is none."""
    if metric.label is not None or isinstance(metric, OwnMetric):
        return metric.label if metric.label is not None and is_foreign(metric.label) else None
    try:
        return metric.canonical if parse(metric.canonical) == metric else None
    except InvalidInput:
        return None


def scores_elsewhere(
    label: str, blocks: Sequence[CaseBlock], hash_seeds: Sequence[str] = HASH_SEEDS
) -> list[list[BlockScores]]:
    """The scores of every block, once per hash seed.

    Args:
        label: as `axiomcheck.sources.resolve.resolve` takes it.
        blocks: what to score.
        hash_seeds: as PYTHONHASHSEED takes them; a process for each.

    Raises:
        OverLimit: a process took too long.
        MetricError: a process failed.

    """
    cases = [[b.pool.tolist(), b.weights.tolist(), b.order.tolist(), list(b.names)] for b in blocks]
    question = json.dumps({"label": label, "path": sys.path, "cases": cases})
    with ThreadPoolExecutor(len(hash_seeds)) as threads:
        return list(threads.map(partial(_answer, label, question), hash_seeds))


def _answer(label: str, question: str, seed: str) -> list[BlockScores]:
    """What one process answers."""
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-c", _PROGRAM],
            input=question,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise OverLimit(f"{label} took longer than {SECONDS} s in a process of its own") from None
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1] if done.stderr.strip() else f"exit code {done.returncode}"
        raise MetricError(f"{label} failed in a process of its own: {last}")
    return [_scores(values, message) for values, message in json.loads(done.stdout)]


def _scores(values: list[float], message: str) -> BlockScores:
    return BlockScores(np.array(values, dtype=np.float64), {0: message} if message else {})


def serve() -> None:
    """In the other process: reads a question from standard input and writes the scores to standard output."""
    answers_to = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what the metric prints is not an answer
    question: dict[str, Any] = json.load(sys.stdin)
    sys.path[:] = question["path"]
    subject = Subject(resolve(question["label"]))
    answers = []
    for pool, weights, order, names in question["cases"]:
        size, documents = len(pool), len(names)
        block = CaseBlock(
            np.array(pool, dtype=np.float64).reshape(size, documents, -1),
            np.array(weights, dtype=np.float64),
            np.array(order, dtype=np.intp).reshape(size, -1),
            tuple(names),
        )
        [found] = subject.score([block])
        answers.append((found.values.tolist(), found.raised.get(0, "")))
    with answers_to:
        json.dump(answers, answers_to)
