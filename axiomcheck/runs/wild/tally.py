"""One topic examined: every metric asked about every edit of it, and what came of it counted by run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from axiomcheck.axioms import Draft, PairAxiom, about_pairs, find_axiom
from axiomcheck.core.domain import Domain
from axiomcheck.core.errors import InvalidInput, MetricError
from axiomcheck.core.typing import Mask
from axiomcheck.decide.batch import Batch, expressible
from axiomcheck.decide.comparison import way_of
from axiomcheck.metrics import Metric
from axiomcheck.runs.trec import metrics_named
from axiomcheck.runs.trec.rankings import score_all
from axiomcheck.runs.wild.edits import Edits, edits_of
from axiomcheck.runs.wild.outcomes import EditOutcome, outcomes, scores_of
from axiomcheck.runs.wild.topics import Extent, WildTopic, as_seen
from axiomcheck.sources.provenance import is_genuine, states
from axiomcheck.trials.consistency import as_probed, check_metric_is_one_function

_AGAIN = 8
"""Edits of a length that a metric from outside is asked about twice."""


@dataclass(frozen=True)
class Asked:
    """What is the same for all topics.

    Args:
        metrics: metrics, or their names, which workers look up.
        axioms: axioms on pairs, or their names.
        extent: which edits are looked at.

    """

    metrics: tuple[Metric | str, ...]
    axioms: tuple[PairAxiom | str, ...]
    extent: Extent


def applies(metric: Metric, axiom: PairAxiom) -> bool:
    """Whether an axiom says anything of a metric."""
    return axiom.group != "diversity" or metric.applies_to_aspects()


def is_binary(metric: Metric, extent: Extent) -> bool:
    """Whether a metric is asked about grades of 0 and one rc."""
    return extent.domain is Domain.BINARY or metric.binary_only


def is_whole(metric: Metric) -> bool:
    """Whether a metric is shown every judged document: one that does not say that it has no use for grade 0."""
    return metric.blanks == "any" or not states(metric, "blanks")


def examine(asked: Asked, topic: WildTopic) -> list[dict[str, Any]]:
    """A row for every metric and axiom that says something of it, metrics outermost, as JSON can hold it.

    ``candidates``, ``looked`` and ``obstacle`` are as in `axiomcheck.runs.wild.edits.TopicEdits`; ``scores`` are those
    of the runs, cut at the depth, and ``runs`` has of each run: ``applicable``, ``ties``, ``reversals``, ``open``, the
    ``margins`` of the violations as ``[margin, count]``, and the ``worst`` of them, or None.
    """
    metrics = [_metric(one) for one in asked.metrics]
    axioms = [_axiom(one) for one in asked.axioms]
    rows: dict[tuple[int, int], dict[str, Any]] = {}
    kinds: dict[tuple[bool, bool], list[int]] = {}
    for number, metric in enumerate(metrics):
        kinds.setdefault((is_binary(metric, asked.extent), is_whole(metric)), []).append(number)
    for (binary, whole), members in kinds.items():
        for a, axiom in enumerate(axioms):
            concerned = [number for number in members if applies(metrics[number], axiom)]
            if not concerned:
                continue
            seen = as_seen(topic, axiom, binary, whole, asked.extent.lift)
            found = edits_of(axiom, seen, asked.extent)
            judged = seen.judged(asked.extent.depth)
            for number in concerned:
                metric = metrics[number]
                fits = seen.aspects == 1 or metric.applies_to_aspects()
                scores = score_all([metric], [judged], len(topic.lists))[0][:, 0].tolist() if fits else None
                rows[number, a] = {
                    "candidates": found.candidates,
                    "looked": found.looked,
                    "obstacle": found.obstacle,
                    "scores": scores,
                    "runs": _by_run(metric, axiom, found.edits, len(topic.lists)),
                }
    return [rows[key] for key in sorted(rows)]


def _by_run(metric: Metric, axiom: PairAxiom, found: Sequence[Edits], runs: int) -> list[dict[str, Any]]:
    counts = {name: np.zeros(runs, dtype=np.int64) for name in ("applicable", "ties", "reversals", "open")}
    margins: list[dict[float, int]] = [{} for _ in range(runs)]
    worst: list[dict[str, Any] | None] = [None] * runs
    for edits in found:
        rows = np.flatnonzero(_within(metric, axiom, edits.draft))
        if not len(rows):
            continue
        batch = Batch(axiom, edits.draft.pick(rows), False)
        run, weight = edits.run[rows], edits.weight[rows]
        _check_repeats(metric, batch)
        outcome = outcomes(metric, batch)
        tie, reversal = outcome == EditOutcome.TIE, outcome == EditOutcome.REVERSAL
        tie &= axiom.strict
        masks = (np.ones(len(rows), dtype=bool), tie, reversal, outcome == EditOutcome.OPEN)
        for name, mask in zip(counts, masks, strict=True):
            counts[name] += np.bincount(run[mask], weight[mask], runs).astype(np.int64)
        broken = np.flatnonzero(tie | reversal)
        if not len(broken):
            continue
        low, high = scores_of(metric, Batch(axiom, batch.draft.pick(broken), False))
        gaps = np.where(tie[broken], 0.0, high - low)
        for place, row in enumerate(broken.tolist()):
            r, margin = int(run[row]), float(gaps[place])
            margins[r][margin] = margins[r].get(margin, 0) + int(weight[row])
            known = worst[r]
            if known is None or margin < known["margin"]:
                names = edits.incoming[rows[row]]
                worst[r] = {"margin": margin, "incoming": list(names), "n": batch.draft.n, **_roles(batch.draft, row)}
    return [
        {
            **{name: int(column[r]) for name, column in counts.items()},
            "margins": [[margin, count] for margin, count in sorted(margins[r].items())],
            "worst": worst[r],
        }
        for r in range(runs)
    ]


def _within(metric: Metric, axiom: PairAxiom, draft: Draft) -> Mask:
    """(B,) which instances fit the metric's cutoff and can be put to it."""
    fits = expressible(draft, metric.abilities)
    if metric.cutoff is not None:
        fits &= axiom.last_rank(draft) <= metric.cutoff
    return fits


def _roles(draft: Draft, row: int) -> dict[str, int]:
    return {name: int(getattr(draft, name)[row]) for name in "ijtu"}


def _metric(given: Metric | str) -> Metric:
    return _named(given) if isinstance(given, str) else given


@cache
def _named(name: str) -> Metric:
    return as_tried(metrics_named([name])[0])


def as_tried(metric: Metric) -> Metric:
    """A metric as it is asked, with a cutoff that it has and does not declare; as before a search, it is tried first.

    Raises:
        InvalidInput: it is not one function, or not what it declares.

    """
    try:
        check_metric_is_one_function(metric, False)
    except MetricError as error:
        raise InvalidInput(str(error)) from None
    return as_probed(metric)


def _check_repeats(metric: Metric, batch: Batch) -> None:
    """Checks that a metric from outside scores some of a batch alike when it is asked again.

    Raises:
        MetricError: it does not.

    """
    some = Batch(batch.axiom, batch.draft.pick(np.arange(min(batch.size, _AGAIN))), batch.small)
    if not is_genuine(metric) and not way_of(metric, batch.small).repeats(some):
        raise MetricError(f"{metric} scores the same rankings differently when asked again")


def _axiom(given: PairAxiom | str) -> PairAxiom:
    found = find_axiom(given) if isinstance(given, str) else given
    assert about_pairs(found)
    return found
