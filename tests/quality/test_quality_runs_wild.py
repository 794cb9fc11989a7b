"""Edits of TREC's runs: what is proved is never violated there, and counts are those of edits made by name."""

from __future__ import annotations

import pytest

from axiomcheck.axioms import find_axiom
from axiomcheck.metrics import parse
from axiomcheck.runs.trec import Qrels, read_run
from axiomcheck.runs.trec.store import Store
from axiomcheck.runs.wild import Extent, wild
from tests.runs.test_wild_counts import PROVED
from tests.runs.trec_data import RUNS, judgments, needs_data
from tests.runs.wild_data import counted


@needs_data
def test_what_is_proved_is_never_violated() -> None:
    found = wild(
        [parse(name) for name in dict(PROVED)],
        judgments(),
        [read_run(RUNS[0])],
        axioms=[find_axiom(name) for name in ("Pri", "Deep", "Conf")],
    )
    by_name = {(cell.metric, cell.axiom): cell for cell in found.cells}
    for name, axiom in PROVED:
        cell = by_name[parse(name).canonical, axiom]
        assert (cell.applicable > 0, cell.violations, cell.open) == (True, 0, 0)


@needs_data
@pytest.mark.parametrize(("axiom", "name"), [("Pri", "alpha-nDCG@20"), ("AspDiv", "NRBP"), ("Pri", "ERR@20")])
def test_counts_are_those_of_single_edits(axiom: str, name: str) -> None:
    qrels, read = judgments(), [read_run(path) for path in RUNS[:2]]
    kept = list(qrels.store)[:4]
    topics, rankings = {}, {run.name: {} for run in read}  # type: ignore[var-annotated]
    for topic in kept:
        judged = qrels.judgments(topic)
        m = judged.relevant.shape[1]
        grades = [*judged.relevant.tolist(), [0] * m]
        topics[topic.decode()] = {d.decode(): tuple(grades[max(code, -1)]) for d, code in judged.code.items()}
        for run in read:
            found = run.store.lines(topic)
            order = sorted(zip(found.columns[1].astype("f4"), found.documents, strict=True), reverse=True)
            rankings[run.name][topic.decode()] = [document.decode() for _, document in order]
    expected = counted(axiom, parse(name), topics, rankings, depth=20)
    first = qrels.store.among(qrels.store.codes < len(kept))
    few = Qrels(qrels.source, Store(kept, first.codes, first.documents, first.columns), qrels.labels, True, highest=4)
    (cell,) = wild([parse(name)], few, read, axioms=[find_axiom(axiom)], extent=Extent(edits=10**6)).cells
    assert expected["applicable"] > 0
    for number, value in expected.items():
        assert getattr(cell, number) == (pytest.approx(value, abs=1e-12) if isinstance(value, float) else value), number
