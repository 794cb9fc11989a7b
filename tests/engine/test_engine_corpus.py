"""The corpus: what was interesting of one metric is tried first on others, and nothing but instances is."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest

from axiomcheck.axioms import PairAxiom, find_axiom
from axiomcheck.core.domain import Domain, Reading, assumes_small
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.verdict import Verdict
from axiomcheck.decide.given import given_batches, recorded
from axiomcheck.decide.patterns import patterns
from axiomcheck.decide.search import Settings
from axiomcheck.engine.corpus import Corpus
from axiomcheck.engine.events import Event
from axiomcheck.engine.matrix import run_matrix
from axiomcheck.engine.tasks import Task
from axiomcheck.metrics import Abilities, Metric, parse
from axiomcheck.records.cells import Ledger
from axiomcheck.records.drafts import DraftRecord
from axiomcheck.replay.report import Replay
from axiomcheck.reports import render
from tests.engine.campaigns import SIZE, OfOneLength, Tilted, Until, blocks_of, said
from tests.support.scalar import PAIR_AXIOMS
from tests.support.suites import each

PRI = find_axiom("Pri")
SMALL = Settings(examples=500, proofs=False, exhaustive=False)


class Drawer:
    """Keeps documents in memory."""

    def __init__(self) -> None:
        self.kept: dict[str, str] = {}

    def get(self, key: str) -> Any:
        """Return a document as it was put, by way of JSON."""
        return json.loads(self.kept[key]) if key in self.kept else None

    def put(self, key: str, content: Any, *, about: Mapping[str, str]) -> None:
        """Keeps it."""
        assert about["kind"] == "corpus"
        self.kept[key] = json.dumps(content)


class OfThatLength(OfOneLength):
    name = "of-that-length"


class OfADeepPool(Tilted):
    """Such as patterns have."""

    name = "of-a-deep-pool"

    def tilted(self, ranked: int, documents: int) -> bool:
        return documents - ranked == 32


def go_on(metric: Metric, corpus: Corpus, waves: int) -> tuple[Ledger, list[str]]:
    """Return what a campaign of so many waves on one cell found, and what it said."""
    heard: list[Event] = []
    until = Until(1.0, 0.0, lambda: len(said(heard)) >= waves)
    ledger = run_matrix([metric], [PRI], settings=SMALL, listen=heard.append, until=until, corpus=corpus)
    return ledger, said(heard)


@pytest.fixture(scope="module", autouse=True)
def _small_blocks() -> Iterator[None]:
    with blocks_of(SIZE):
        yield


@pytest.fixture(scope="module")
def found() -> Drawer:
    """Return what a campaign left that refuted a metric by chance."""
    drawer = Drawer()
    ledger, _ = go_on(OfOneLength(), Corpus(drawer), waves=30)
    assert ledger.cells[0].verdict is Verdict.REFUTED
    return drawer


@pytest.fixture(scope="module")
def rbp() -> tuple[Ledger, Drawer]:
    """Return what a wave on RBP found, and the corpus that it left."""
    drawer = Drawer()
    return go_on(parse("RBP"), Corpus(drawer), waves=1)[0], drawer


def test_a_violation_of_one_metric_refutes_another_at_once(found: Drawer) -> None:
    ledger, told = go_on(OfThatLength(), Corpus(found), waves=1)
    (cell,) = ledger.cells
    assert cell.verdict is Verdict.REFUTED
    assert cell.pairs is not None
    assert cell.pairs.corpus
    assert not cell.pairs.blocks
    assert cell.reason == "a reversal, on none that was drawn at random"
    assert told == [f"the corpus: of-that-length on Pri: refuted, {cell.reason}"]
    Replay({"of-that-length": OfThatLength()}).report(json.loads(render(ledger, "json")))


def test_without_that_instance_a_search_has_to_find_one() -> None:
    ledger, told = go_on(OfThatLength(), Corpus(), waves=1)
    (cell,) = ledger.cells
    assert told[0].startswith("wave 1")
    assert cell.pairs is not None
    assert cell.pairs.blocks
    assert cell.pairs.corpus
    assert cell.pairs.corpus > 100  # patterns


def test_patterns_find_violations_that_random_instances_miss() -> None:
    assert run_matrix([OfADeepPool()], [PRI], settings=SMALL).cells[0].verdict is Verdict.HELD
    (cell,) = go_on(OfADeepPool(), Corpus(), waves=1)[0].cells
    assert cell.verdict is Verdict.REFUTED


def test_near_violations_are_kept_too(rbp: tuple[Ledger, Drawer]) -> None:
    ledger, drawer = rbp
    assert ledger.cells[0].verdict is Verdict.HELD
    (content,) = drawer.kept.values()
    assert json.loads(content)["near"]
    assert not json.loads(content)["violating"]


def test_a_report_has_a_corpus_only_of_a_campaign(rbp: tuple[Ledger, Drawer]) -> None:
    report = json.loads(render(rbp[0], "json"))
    Replay().report(report)
    del report["settings"]["until"]
    del report["cells"][0]["evidence"]["blocks"]
    with pytest.raises(InvalidInput, match=r"evidence\.corpus is not expected"):
        Replay().report(report)


def test_an_ordinary_run_knows_no_corpus(found: Drawer) -> None:
    """The same seed, the same bytes: also where there is one."""
    before = dict(found.kept)
    one, other = (
        run_matrix([OfThatLength()], [PRI], settings=SMALL, corpus=corpus) for corpus in (Corpus(found), None)
    )
    assert one == other
    assert one.cells[0].verdict is Verdict.HELD
    assert found.kept == before


@pytest.mark.parametrize("small", [True, False])
@each("axiom", PAIR_AXIOMS, 4, ids=str)
def test_patterns_meet_the_premises_and_come_back_as_they_were(axiom: PairAxiom, small: bool) -> None:
    for domain in Domain:
        records = list(dict.fromkeys(patterns(axiom, domain, small)))
        assert len(records) > 100
        batches = list(given_batches(records, axiom, domain, small, 100, Abilities()))
        assert {record for batch in batches for record in recorded(batch.draft)} == set(records)
        assert all(axiom.premises(batch.draft).all() for batch in batches)
    aspects = {len(record.weights) for record in records}
    assert max(aspects) == (axiom.max_aspects or 8)


def test_instances_that_miss_the_premises_are_not_tried() -> None:
    (record, *_) = patterns(PRI, Domain.GRADED, True)  # type: ignore[arg-type]
    fields = {name: getattr(record, name) for name in record.__struct_fields__}
    assert isinstance(PRI, PairAxiom)

    def tried(**changed: Any) -> int:
        given = [DraftRecord(**(fields | changed))]
        return sum(batch.size for batch in given_batches(given, PRI, Domain.GRADED, True, 100, Abilities()))

    assert tried() == 1
    swapped = {"i": record.j, "j": record.i}
    assert tried(**swapped) == 0  # the relevant one is below
    assert tried(grades=tuple((0.0,) for _ in record.grades)) == 0
    assert tried(grades=tuple((float("nan"),) for _ in record.grades)) == 0
    assert tried(grades=(*record.grades, *[(0.0,)] * 200)) == 0  # a pool beyond what is searched


def test_kept_documents_that_are_no_instances_are_left_out(found: Drawer) -> None:
    ((key, content),) = found.kept.items()
    drawer = Drawer()
    reading = Reading()
    alone = len(Corpus().instances(PRI, reading))
    for spoilt in ("[]", '{"violating": 3, "near": null}', '{"violating": [{"ranked": "<script>"}, 7], "near": [[]]}'):
        drawer.kept[key] = spoilt
        assert len(Corpus(drawer).instances(PRI, reading)) == alone
    drawer.kept[key] = content
    assert len(Corpus(drawer).instances(PRI, reading)) > alone
    assert assumes_small(PRI, reading) == ("r << 1" in key)


def test_a_full_corpus_keeps_the_newest(rbp: tuple[Ledger, Drawer]) -> None:
    drawer = Drawer()
    records = list(dict.fromkeys(patterns(PRI, Domain.GRADED, True)))[:110]  # type: ignore[arg-type]
    (cell,) = rbp[0].cells
    task = Task(PRI, (parse("RBP"),), Reading(), SMALL)
    for record in records:
        corpus = Corpus(drawer)
        corpus.gather(task, replace(cell, near=(record,)))
        corpus.save()
    (content,) = drawer.kept.values()
    kept = json.loads(content)["near"]
    assert len(kept) == 100
    assert kept[0]["grades"] == [list(row) for row in records[-1].grades]
