"""Scores of one run: per topic, their mean, and what the reader of the numbers has to know."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Scores:
    """The scores of one run.

    Args:
        run: its name.
        mean: metric -> the mean over the topics of ``per_topic``.
        per_topic: topic -> metric -> score, topics in the order of the judgments.
        residual: metric -> the mean residual, of metrics that have one: what documents without a judgment, in the
            ranking and beyond its end, could add to the score if all were relevant.
        residual_per_topic: topic -> metric -> residual.
        unscored: topics of the run without judgments; they have no score.
        missing: judged topics that the run lacks; left out of the mean, or 0 in it where that was asked for.
        notes: in words, what else the numbers depend on.

    """

    run: str
    mean: Mapping[str, float]
    per_topic: Mapping[str, Mapping[str, float]]
    residual: Mapping[str, float] = field(default_factory=dict)
    residual_per_topic: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    unscored: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def upper(self) -> dict[str, float]:
        """Metric -> the mean upper bound, score plus residual, of metrics that have a residual."""
        return {name: self.mean[name] + residual for name, residual in self.residual.items()}
