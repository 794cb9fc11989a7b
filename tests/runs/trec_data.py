"""Rows of judgments and runs as ir_measures names them, and what is read of files of them."""

from collections import namedtuple
from typing import Any

import numpy as np

from axiomcheck.runs.trec import Qrels, Run

Qrel = namedtuple("Qrel", "query_id doc_id relevance iteration", defaults=["0"])
Doc = namedtuple("Doc", "query_id doc_id score")


def lines_of(run: Run, topic: bytes) -> tuple[list[bytes], dict[str, Any]]:
    """Return the documents of the lines of one topic, in the order of the file, and their other columns."""
    table = run.table
    some = slice(*table.starts[table.topics[topic] :][:2])
    columns = {name: column[some] for name, column in table.columns.items()}
    return table.documents[some].listed(), {"line": table.lines[some], **columns}


def judgments_of(qrels: Qrels, topic: bytes) -> tuple[dict[bytes, list[int]], list[float]]:
    """Return the grades of one topic's judged documents, over aspects, and the weights of these."""
    place = qrels.topics[topic]
    grades, weights = qrels.of_topic(qrels.grades, place), qrels.weights_of(place)
    mine = np.flatnonzero(qrels.document_topics == place)
    names, codes = qrels.table.documents[qrels.documents.firsts[mine]].listed(), qrels.codes[mine].tolist()
    rows = [grades[code].tolist() if code >= 0 else [0] * len(weights) for code in codes]
    return dict(zip(names, rows, strict=True)), weights.tolist()
