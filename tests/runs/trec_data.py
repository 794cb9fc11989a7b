"""The eight runs of TREC 2012's web track, where they are; rows of judgments and runs as ir_measures names them."""

from __future__ import annotations

from collections import namedtuple
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from axiomcheck.runs.trec import Qrels, Run, read_qrels, read_run

DATA = next(
    (folder for up in Path(__file__).resolve().parents if (folder := up.parent / "shared/data/trec-web-2012").is_dir()),
    Path("shared/data/trec-web-2012"),
)
QRELS = DATA / "qrels.ndeval.txt.gz"
RUNS = sorted((DATA / "runs").glob("*")) if DATA.is_dir() else []

Qrel = namedtuple("Qrel", "query_id doc_id relevance iteration", defaults=["0"])
Doc = namedtuple("Doc", "query_id doc_id score")

needs_data = pytest.mark.skipif(not RUNS, reason="the runs of TREC 2012 are not there")


@cache
def judgments() -> Qrels:
    return read_qrels(QRELS)


@cache
def runs() -> tuple[Run, ...]:
    return tuple(read_run(path) for path in RUNS)


def lines_of(run: Run, topic: bytes) -> tuple[list[bytes], list[Any]]:
    """Return the documents of the lines of one topic, in the order of the file, and their other columns."""
    some = slice(*run.store.starts[run.store.place(topic) :][:2])
    return run.store.documents[some].listed(), [column[some] for column in run.store.columns]
