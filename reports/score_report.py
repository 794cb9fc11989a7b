"""Render scores of runs (`axiomcheck.runs.trec`) as tables, in trec_eval's format, as CSV and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from axiomcheck.core.writing import json_text
from axiomcheck.reports.table import Column, Report, Section, Table, TableEntry, Value, table_csv
from axiomcheck.runs.trec import Scores
from axiomcheck.runs.trec.trec_names import COUNTS


def scores_report(runs: Sequence[Scores], per_topic: bool) -> Report:
    """Report the scores of one run with one score per row, or of several runs with a column per metric.

    Args:
        runs: Scores of each run.
        per_topic: Whether the scores of every topic are included in addition to the means.

    """
    table = _scores_of(runs[0], per_topic) if len(runs) == 1 else _runs_by_metrics(runs, per_topic)
    return Report("Scores", [], [Section(table=table)])


def _scores_of(scores: Scores, per_topic: bool) -> Table:
    columns = [Column("Topic"), Column("Metric"), Column("Score", ".4f")]
    columns += [Column("Residual", ".4f")] if scores.residual else []
    rows = [row[1 : 1 + len(columns)] for row in _rows(scores, per_topic)]
    return Table(tuple(columns), rows)


def _runs_by_metrics(runs: Sequence[Scores], per_topic: bool) -> Table:
    """Return a table with a column per metric and a row per run, or per run and topic. Scores include residuals."""
    names = list(runs[0].mean)
    rows: list[list[Value]] = []
    for scores in runs:
        cells = []
        for _, _, _, value, residual in _rows(scores, per_topic):
            more = "" if residual is None else f" +{residual:.4f}"
            cells.append(TableEntry(f"{value:.4f}{more}", value))
        topics = [*(scores.per_topic if per_topic else ()), "all"]
        for place, topic in enumerate(topics):
            own = cells[place * len(names) : (place + 1) * len(names)]
            rows.append([scores.run, *([topic] if per_topic else []), *own])
    columns = (Column("Run"), *([Column("Topic")] if per_topic else []), *(Column(name, ".4f") for name in names))
    return Table(columns, rows)


def _rows(scores: Scores, per_topic: bool) -> Iterator[tuple[str, str, str, float, float | None]]:
    """Yield (run, topic, metric, score, residual); the topic of a mean is ``all``."""
    for topic, values in scores.per_topic.items() if per_topic else ():
        residual = scores.residual_per_topic.get(topic, {})
        yield from ((scores.run, topic, name, value, residual.get(name)) for name, value in values.items())
    yield from ((scores.run, "all", name, value, scores.residual.get(name)) for name, value in scores.mean.items())


def scores_trec(runs: Sequence[Scores], tags: Sequence[str], per_topic: bool, typed: Mapping[str, str]) -> str:
    """Return scores in trec_eval's format: name, topic and value.

    Args:
        runs: Scores of each run.
        tags: Tag of each run, printed as its ``runid``; a repeated tag is replaced by the file name.
        per_topic: Whether the scores of every topic are included in addition to the means.
        typed: Dict from a metric's name to its trec_eval name, where the two differ.

    """
    out: list[str] = []
    for scores, tag in zip(runs, tags, strict=True):
        out.append(f"{'runid':<22}\tall\t{tag if tags.count(tag) == 1 else scores.run}\n")
        for _, topic, metric, value, residual in _rows(scores, per_topic):
            name = typed.get(metric, metric)
            out.append(f"{name:<22}\t{topic}\t{value:{'.0f' if name in COUNTS else '6.4f'}}\n")
            if residual is not None and metric not in typed:  # trec_eval prints no residuals
                out.append(f"{name + ':residual':<22}\t{topic}\t{residual:6.4f}\n")
        out.append(f"{'num_q':<22}\tall\t{len(scores.per_topic)}\n")
    return "".join(out)


def scores_csv(runs: Sequence[Scores], per_topic: bool) -> str:
    """Return the scores of runs as CSV, with a line per run, topic and metric."""
    rows = [row for scores in runs for row in _rows(scores, per_topic)]
    return table_csv(["run", "topic", "metric", "score", "residual"], rows)


def scores_json(runs: Sequence[Scores], tags: Sequence[str], per_topic: bool) -> str:
    """Return a JSON list with the scores, tag and notes of each run."""
    documents = []
    for scores, tag in zip(runs, tags, strict=True):
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
