import dataclasses
import re
from fractions import Fraction

import pytest

from axiomcheck.axioms import AXIOMS, PairAxiom
from axiomcheck.core.domain import Instance, Reading, Regime, Topic, assumes_small
from axiomcheck.decide.thresholds import ThresholdCase, Tried, examine
from axiomcheck.decide.witness import (
    RefutedThreshold,
    Witness,
    batch_of,
    read_witness,
    witness_of,
)
from axiomcheck.decide.working import workings
from axiomcheck.metrics import parse
from axiomcheck.records.witnesses import PairWitness
from axiomcheck.reports.explain import axiom_report, example
from axiomcheck.reports.replay_report import witness_report
from axiomcheck.reports.symbols import EDITED
from axiomcheck.reports.table import Report, report_text
from tests.reports.reports_ledgers import real

PAIRS = [name for name, axiom in AXIOMS.items() if isinstance(axiom, PairAxiom)]


def printed(report: Report, width: int = 80) -> str:
    text = report_text(report, width)
    assert max(map(len, text.splitlines())) <= width
    return text


def flat(text: str) -> str:
    return " ".join(text.split())


def witness(metric: str, axiom: str) -> Witness:
    (cell,) = (c for c in real().cells if c.metric.startswith(metric) and c.axiom == axiom)
    return read_witness(cell.witness)


def aspect_relevance(metric: str, weights: list[str], **pool: list[str]) -> Witness:
    """A witness of AspRel: d1 against d', with documents e1, ... in neither ranking."""
    axiom = AXIOMS["AspRel"]
    documents = {name.replace("new", "d'"): grades for name, grades in pool.items()}
    instance = Instance(Topic(weights, documents), ["d1"], ["d'"])
    batch = batch_of(axiom, instance, {"ranked": 1, "i": 1, "t": 1, "u": 2}, binary=False)
    return witness_of(parse(metric), batch, Reading(), None)


def table_rows(text: str) -> list[list[str]]:
    lines = text.splitlines()
    start = next(k for k, line in enumerate(lines) if line.strip().startswith("rank ")) + 2
    rows = []
    for line in lines[start:]:
        if not re.match(r" *\d+ ", line):
            break
        rows.append(line.split())
    return rows


def test_every_pair_witness_of_a_real_run_is_printed_in_full() -> None:
    seen = set()
    for cell in real().cells:
        if not isinstance(cell.witness, PairWitness):
            continue
        shown = read_witness(cell.witness)
        text = printed(witness_report(shown))
        rows = table_rows(text)
        worse, better = shown.instance.worse, shown.instance.better
        assert len(rows) == max(len(worse), len(better))
        for rank, row in enumerate(rows):
            assert row[0] == str(rank + 1)
            assert (row[-1] == EDITED) is (worse[rank : rank + 1] != better[rank : rank + 1])
            for ranking in (worse, better):
                if rank < len(ranking):
                    grades = [str(g) for g in shown.instance.topic.pool[ranking[rank]]]
                    at = [k for k, entry in enumerate(row) if entry == ranking[rank]]
                    assert any(row[k + 1 : k + 1 + len(grades)] == grades for k in at)
        head, words = text.splitlines()[0], flat(text)
        assert head.startswith(f"{cell.metric} violates {cell.axiom} (")
        assert "Reading: stated, graded " in words
        assert flat(shown.axiom.words) in words
        assert flat(shown.axiom.symbols) in words
        assert cell.witness.scores.worse in words
        assert cell.witness.scores.better in words
        sentence = flat(shown.axiom.sentence(shown.batch.draft))
        assert f"{sentence[1:]}. It does{' not' * shown.axiom.strict}: the scores" in words
        assert words.count({"tie": "(an exact tie).", "reversal": "(a reversal)."}[shown.kind]) == 1
        assert ("at eps = " in words) is shown.batch.small
        seen.add(cell.axiom)
    assert len(seen) >= 7


def both(lower: str, higher: str) -> str:
    return f"must score lower: {lower}; must score higher: {higher}"


def told(lower: str, higher: str, must: str = "score") -> str:
    """Return the end of an outcome; an axiom that is not strict only forbids the opposite order."""
    asked = ("lower", "higher") if must == "score" else ("higher", "lower")
    return f"{lower} for the ranking that must {must} {asked[0]} and {higher} for the one that must {must} {asked[1]}"


def test_reversals_and_ties_are_told_with_what_each_rank_adds_in_the_regime_of_their_axiom() -> None:
    shown = witness("NRBP", "Pri")
    worse, better = (side.adds for side in workings(shown.metric, shown.batch, shown.eps))
    for row, w, b in zip(table_rows(printed(witness_report(shown))), worse, better, strict=True):
        assert (row[3], row[6]) == (f"{w:.6g}", f"{b:.6g}")
    text = flat(printed(witness_report(shown)))
    assert "each grade is eps times the number shown, eps -> 0." in text
    assert (
        f"The scores differ first in their coefficients of eps (exact): {both('24/25 = 0.96', '9/10 = 0.9')}." in text
    )
    assert f"At eps = 1/10 in all grades: {both('12/125 = 0.096', '9/100 = 0.09')}." in text
    assert f"It does not: the scores' coefficients of eps are {told('24/25', '9/10')} (a reversal)." in text
    text = flat(printed(witness_report(witness("P-IA", "Pri"))))
    assert f"The scores tie in every power of eps; their limits (exact): {both('1/20 = 0.05', '1/20 = 0.05')}." in text
    assert f"It does not: the scores are {told('1/20', '1/20')} (an exact tie)." in text
    text = flat(printed(witness_report(witness("P-IA", "Sat"))))
    assert (
        f"must not raise the score. It does: the scores are {told('1/10', '1/20', 'not score')} (a reversal)." in text
    )
    assert "eps" not in text


def test_minimal_or_no_claim() -> None:
    shown = witness("NRBP", "Pri")
    assert shown.minimal
    assert f"Minimal: nothing smaller violates it among {shown.minimal}." in flat(printed(witness_report(shown)))
    text = flat(printed(witness_report(dataclasses.replace(shown, minimal=None))))
    assert "Minimal" not in text
    assert text.endswith("Shrunk greedily; a smaller counterexample may exist.")


def test_documents_in_neither_ranking_certified_scores_rounded_decimals_and_four_aspects_are_told() -> None:
    shown = aspect_relevance("nDCG-IA@20", ["1/3", "2/3"], d1=["1/2", "0"], new=["0", "1/2"], e1=["0", "1"])
    text = flat(printed(witness_report(shown)))
    assert "Judged, but in neither ranking: e1 (0, 1)." in text
    assert f"Scores (certified digits): {both('0.33333333333333333333', '0.25339584447728951842')}." in text
    assert "2 aspects (t1, t2), weights 1/3, 2/3." in text
    assert f"the scores are {told('0.333333', '0.253396')}" in text
    assert "neither ranking" not in printed(witness_report(witness("NRBP", "Pri")))
    shown = aspect_relevance("AP-IA", ["1/3", "2/3"], d1=["1", "0"], new=["0", "1"], e1=["0", "1"])
    assert f"{both('1/3 ≈ 0.3333333333', '1/3 ≈ 0.3333333333')}." in flat(printed(witness_report(shown)))
    pool = {"d1": ["1/10", "0", "0", "0"], "new": ["0", "1/10", "0", "0"], "e1": ["0", "1", "0", "0"]}
    shown = aspect_relevance("nDCG-IA@20", ["1/10", "2/10", "3/10", "4/10"], **pool)
    ((rank, d1, *grades, arrow),) = table_rows(printed(witness_report(shown)))
    assert (rank, d1, arrow) == ("1", "d1", EDITED)
    assert grades[:4] == ["1/10", "0", "0", "0"]
    assert grades[5:10] == ["d'", "0", "1/10", "0", "0"]


def threshold(axiom: str, metric: str, tried: Tried | None = None, small: bool = True) -> RefutedThreshold:
    axiom = AXIOMS[axiom]
    found = tried or examine(parse(metric), ThresholdCase(Fraction(1), 0), small)
    return RefutedThreshold(axiom, parse(metric), Reading(), small, found)


def ahead(text: str) -> list[list[str]]:
    lines = text.splitlines()
    start = next(k for k, line in enumerate(lines) if line.split() == ["n", "ahead"]) + 2
    return [re.split(r"\s{2,}", line.strip()) for line in lines[start : lines.index("", start)]]


def test_threshold_witness_tells_ties_gaps_and_who_is_ahead_beyond() -> None:
    text = printed(witness_report(threshold("DeepTh", "AP")))
    assert ahead(text) == [["1 to 2", "top"], ["3 to 48", "block"], ["beyond", "block"]]
    words = flat(text)
    assert words.startswith("AP violates DeepTh (deepness threshold): an argument for all large n Reading: stated")
    assert "Beyond: L(n)/T = sum_{j=1..n} j / (n + j) >= " in words
    assert "Relevant documents have grade eps, eps -> 0." in words
    assert words.endswith("There is no n0 such that the top is ahead for every n >= n0: AP violates DeepTh.")
    tried = Tried(ThresholdCase(Fraction(1, 2), 2), (1, 0, 0, 1, None), 1, "because")
    text = printed(witness_report(threshold("CloseTh", "RR", tried, small=False)))
    assert ahead(text) == [
        ["1", "top"],
        ["2 to 3", "neither: an exact tie"],
        ["4", "top"],
        ["from 5", "not tried"],
        ["beyond", "top"],
    ]
    words = flat(text)
    assert "Relevant documents have grade 1/2; 2 more relevant documents in neither ranking." in words
    assert "There is no m at which the block is ahead: RR violates CloseTh." in words


@pytest.mark.parametrize("name", AXIOMS)
def test_axioms_are_explained(name: str) -> None:
    axiom = AXIOMS[name]
    text = printed(axiom_report(axiom))
    words = flat(text)
    assert text.splitlines()[0] == f"{axiom.number}. {name}: {axiom.title.lower()} ({axiom.group}-oriented)"
    for said in (axiom.words, axiom.symbols, axiom.source, *axiom.assumptions, *axiom.reading):
        assert flat(said) in words
    assert ("an exact tie violates it" if axiom.strict else "an exact tie is allowed") in words
    for regime in Regime:
        assumed = "assumed" if assumes_small(axiom, Reading(regime)) else "not assumed"
        assert re.search(rf"(?<!not ){assumed} in {regime.value}", words)
    assert ("contradicts" in words) is (name == "Sat")


@pytest.mark.parametrize("name", PAIRS)
def test_the_drawn_example_is_an_instance(name: str) -> None:
    axiom = AXIOMS[name]
    instance, sentence = example(axiom)
    assert instance == example(axiom)[0]
    assert len(instance.topic.pool) == axiom.min_ranked + len(axiom.incoming)
    assert len(instance.topic.weights) == (2 if axiom.group == "diversity" else 1)
    assert instance.small is assumes_small(axiom, Reading())
    text = printed(axiom_report(axiom))
    assert flat(f"Here {sentence}.") in flat(text)
    rows = table_rows(text)
    assert len(rows) == max(len(instance.worse), len(instance.better))
    edited = [k for k, row in enumerate(rows) if row[-1] == EDITED]
    assert edited
    assert edited == [k for k in range(len(rows)) if instance.worse[k : k + 1] != instance.better[k : k + 1]]
    for document in (*instance.worse, *instance.better):
        assert any(document in row for row in rows)


def test_thresholds_are_drawn_at_three() -> None:
    for name in AXIOMS.keys() - {*PAIRS}:
        rows = table_rows(printed(axiom_report(AXIOMS[name])))
        block, top = (2, 4) if AXIOMS[name].winner == "top" else (4, 2)  # the columns of their grades
        assert [row[block] for row in rows] == ["0"] * 3 + ["1"] * 3
        assert [row[top] for row in rows] == ["1"] + ["0"] * 5
