"""The eight runs of TREC 2012's web track, where they are; rows of judgments and runs as ir_measures names them."""

from collections import namedtuple
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
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


def lines_of(run: Run, topic: bytes) -> tuple[list[bytes], dict[str, Any]]:
    """Return the documents of the lines of one topic, in the order of the file, and their other columns."""
    table = run.table
    some = slice(*table.starts[table.topics[topic] :][:2])
    columns = {name: column[some] for name, column in table.columns.items()}
    return table.documents[some].listed(), {"line": table.lines[some], **columns}


def judgments_of(qrels: Qrels, topic: bytes) -> tuple[dict[bytes, list[int]], list[float]]:
    """Return the grades of one topic's judged documents, over aspects, and the weights of these."""
    place, documents = qrels.topics[topic], qrels.documents
    grades, weights = qrels.of_topic(qrels.grades, place), qrels.weights_of(place)
    mine = np.flatnonzero(qrels.document_topics == place)
    names, codes = qrels.table.documents[documents.firsts[mine]].listed(), qrels.codes[mine].tolist()
    rows = [grades[code].tolist() if code >= 0 else [0] * len(weights) for code in codes]
    return dict(zip(names, rows, strict=True)), weights.tolist()
