"""Scores of one run: per topic, their mean, and what the reader of the numbers has to know."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from axiomcheck.core.counting import counted


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

    def __repr__(self) -> str:
        means = ", ".join(f"{name}: {value:.4f}" for name, value in self.mean.items())
        return f"<Scores of {self.run} over {counted(len(self.per_topic), 'topic')}: {means}>"

    @property
    def upper(self) -> dict[str, float]:
        """Metric -> the mean upper bound, score plus residual, of metrics that have a residual."""
        return {name: self.mean[name] + residual for name, residual in self.residual.items()}

    def to_frame(self) -> Any:
        """The scores per topic as a pandas DataFrame: query_id, measure, value, and residual where there is one.

        Raises:
            ImportError: pandas is not installed.

        """
        import pandas

        rows = [
            (topic, name, value, self.residual_per_topic.get(topic, {}).get(name, float("nan")))
            for topic, values in self.per_topic.items()
            for name, value in values.items()
        ]
        frame = pandas.DataFrame(rows, columns=["query_id", "measure", "value", "residual"])
        return frame if self.residual else frame.drop(columns="residual")
