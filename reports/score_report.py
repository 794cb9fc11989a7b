"""Scores of runs (`axiomcheck.runs.trec`): as a table, as trec_eval prints them, as CSV and as JSON."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from axiomcheck.core.printable import spreadsheet_cell
from axiomcheck.core.writing import json_text
from axiomcheck.reports.aligned import aligned
from axiomcheck.runs.trec import Scores


def scores_text(
    style: str,
    found: Sequence[Scores],
    tags: Sequence[str],
    per_topic: bool,
    typed: Mapping[str, str] | None = None,
) -> str:
    """The scores of runs as text.

    Args:
        style: one of `STYLES`.
        found: of each run.
        tags: what each run calls itself.
        per_topic: whether every topic is shown besides the means.
        typed: metric -> its name in trec_eval's format, where that is another.

    """
    if style == "trec":
        return _as_trec(found, tags, per_topic, typed or {})
    return _WRITERS[style](found, tags, per_topic)


def _rows(found: Sequence[Scores], per_topic: bool) -> list[tuple[str, str, str, float, float | None]]:
    """Run, topic ('all' for the mean), metric, score, residual."""
    rows: list[tuple[str, str, str, float, float | None]] = []
    for scores in found:
        if per_topic:
            for topic, values in scores.per_topic.items():
                residual = scores.residual_per_topic.get(topic, {})
                rows += [(scores.run, topic, name, value, residual.get(name)) for name, value in values.items()]
        rows += [(scores.run, "all", name, value, scores.residual.get(name)) for name, value in scores.mean.items()]
    return rows


def _as_trec(found: Sequence[Scores], tags: Sequence[str], per_topic: bool, typed: Mapping[str, str]) -> str:
    """As trec_eval: name, topic and value; each run begins with its tag, or with its file's name where tags repeat."""
    out: list[str] = []
    for scores, tag in zip(found, tags, strict=True):
        out.append(f"{'runid':<22}\tall\t{tag if tags.count(tag) == 1 else scores.run}\n")
        for _, topic, metric, value, residual in _rows([scores], per_topic):
            name = typed.get(metric, metric)
            out.append(f"{name:<22}\t{topic}\t{value:6.4f}\n")
            if residual is not None and metric not in typed:  # trec_eval has none
                out.append(f"{name + ':residual':<22}\t{topic}\t{residual:6.4f}\n")
        out.append(f"{'num_q':<22}\tall\t{len(scores.per_topic)}\n")
    return "".join(out)


def _as_csv(found: Sequence[Scores], tags: Sequence[str], per_topic: bool) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["run", "topic", "metric", "score", "residual"])
    for run, topic, name, value, residual in _rows(found, per_topic):
        writer.writerow([*map(spreadsheet_cell, (run, topic, name)), value, "" if residual is None else residual])
    return text.getvalue()


def _as_json(found: Sequence[Scores], tags: Sequence[str], per_topic: bool) -> str:
    documents = []
    for scores, tag in zip(found, tags, strict=True):
        document: dict[str, Any] = {"run": scores.run, "tag": tag, "topics": len(scores.per_topic)}
        document["mean"] = dict(scores.mean)
        if scores.residual:
            document |= {"residual": dict(scores.residual), "upper": scores.upper}
        if per_topic:
            document["per_topic"] = dict(scores.per_topic)
            if scores.residual:
                document["residual_per_topic"] = dict(scores.residual_per_topic)
        document |= {"unscored": list(scores.unscored), "missing": list(scores.missing), "notes": list(scores.notes)}
        documents.append(document)
    return json_text(documents)


def _as_table(found: Sequence[Scores], tags: Sequence[str], per_topic: bool) -> str:
    """A line per score of one run; of several a line per run and a column per metric."""
    residuals = any(scores.residual for scores in found)
    if len(found) > 1:
        return aligned(*_runs_by_metrics(found, per_topic))
    head = ["Topic", "Metric", "Score", *(["Residual"] if residuals else [])]
    lines = []
    for _, topic, name, value, residual in _rows(found, per_topic):
        last = ["" if residual is None else f"{residual:.4f}"] if residuals else []
        lines.append([topic, name, f"{value:.4f}", *last])
    return aligned([head, *lines], 2)


def _runs_by_metrics(found: Sequence[Scores], per_topic: bool) -> tuple[list[list[str]], int]:
    """Lines, the head first, and how many columns there are before the scores; a residual stands after its score."""
    names = list(found[0].mean)
    lines = [["Run", *(["Topic"] if per_topic else []), *names]]
    for scores in found:
        rows = [
            *((topic, values, scores.residual_per_topic.get(topic, {})) for topic, values in scores.per_topic.items()),
            ("all", scores.mean, scores.residual),
        ]
        for topic, values, residual in rows if per_topic else rows[-1:]:
            cells = [f"{values[name]:.4f}" + (f" +{residual[name]:.4f}" if name in residual else "") for name in names]
            lines.append([scores.run, *([topic] if per_topic else []), *cells])
    return lines, 1 + per_topic


_WRITERS: dict[str, Callable[[Sequence[Any], Sequence[Any], bool], str]] = {
    "table": _as_table,
    "json": _as_json,
    "csv": _as_csv,
}

STYLES: tuple[str, ...] = ("trec", *_WRITERS)
"""The formats that `scores_text` knows."""
