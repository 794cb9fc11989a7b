"""Findings in words: each differing cell as one sentence that carries its counterexample."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from axiomcheck.axioms import find_axiom
from axiomcheck.core.counting import counted
from axiomcheck.core.verdict import Verdict
from axiomcheck.records.cells import Cell, Ledger
from axiomcheck.records.evidence import Example, PairEvidence, ThresholdEvidence
from axiomcheck.records.reasons import reversal_name, sampled_instances
from axiomcheck.records.witnesses import PairWitness, WitnessScores

_LONGEST = 12
_PUBLISHED = {"yes": "satisfied", "no": "violated"}
_HOLDS = {
    Verdict.PROVED: "satisfies",
    Verdict.BOUNDED: "satisfies, within stated bounds,",
    Verdict.HELD: "was not seen to violate",
}


def findings_headline(ledger: Ledger) -> str:
    """How many cells differ from the published claim."""
    number = len(ledger.findings)
    if not any(cell.published for cell in ledger.cells):
        what = "axiom" if any(cell.row for cell in ledger.cells) else "metric"
        return f"Findings: no {what} here is in the published table, so there is nothing to differ from"
    if number == 0:
        return "Findings: no cell differs from the published claim"
    return f"Findings: {number} cell{'s differ' if number > 1 else ' differs'} from the published claim"


def finding_sentence(cell: Cell) -> str:
    """One sentence on why a cell differs from the published claim, with its counterexample or its evidence."""
    verb = "violates" if cell.verdict is Verdict.REFUTED else _HOLDS.get(cell.verdict, "has no answer on")
    return f"{cell.metric} {verb} {cell.axiom} (published: {published_word(cell)}): {_because(cell)}."


def published_word(cell: Cell) -> str:
    """What was published of a cell: satisfied or violated."""
    return _PUBLISHED.get(cell.published or "", cell.published or "nothing")


def verdict_in_brief(cell: Cell) -> str:
    """What was found of a cell, in a few words: the kind of a counterexample and its scores, or the kind of proof."""
    if not isinstance(cell.witness, PairWitness):
        return re.split("[;:] ", cell.reason.rstrip("."))[0]
    return _outcome_in_brief(cell.witness)


def _outcome_in_brief(witness: PairWitness) -> str:
    scores, numerical = witness.scores, witness.scores.arithmetic == "numerical"
    if scores.of:
        return {"tie": "one distribution of scores", "incomparable": "neither dominates"}.get(
            witness.kind, "a reversal of distributions"
        )
    worse, better = brief_pair(scores.worse, scores.better)
    if numerical:
        orders = f" in floats, at eps = {witness.eps}" if witness.small else " in floats"
    else:
        orders = in_orders_of_eps(scores.order).replace("; as", ",").replace("; in", ", in") if witness.small else ""
    if scores.bound:
        return f"a {reversal_name(witness)}, {' against '.join(_score_and_bound(worse, better, scores))}{orders}"
    if witness.kind == "tie":
        return f"{'a' if numerical else 'an exact'} tie at {better}{orders}"
    return f"a reversal, {better} against {worse}{orders}"


def violation_sentence(cell: Cell) -> str:
    """Why a cell is refuted, how often instances violate, and by how much at most."""
    margin = cell.violations.largest_relative_margin if cell.violations else None
    bounded = isinstance(cell.witness, PairWitness) and cell.witness.scores.bound
    most = f", by up to {100 * margin:.3g}% of the score" if margin and not bounded else ""
    text = f"{_because(cell)}{most}"
    return f"{text}."


def _because(cell: Cell) -> str:
    if isinstance(cell.witness, PairWitness):
        return counterexample_sentence(cell.axiom, cell.witness) + (_how_often(cell.pairs) if cell.pairs else "")
    if isinstance(cell.evidence, ThresholdEvidence) and cell.evidence.example:
        return _example(cell.evidence.example)
    return cell.reason.rstrip(".")


def counterexample_sentence(axiom: str, witness: PairWitness) -> str:
    """A pair witness: both rankings as grades in rank order, what must hold and what does."""
    weights, pool = witness.topic.weights, witness.topic.pool
    setting = []
    if len(set(weights)) > 1:
        setting.append(f"weights {row_of_grades(weights)}")
    # Documents without a positive grade change no normaliser; the others may be the whole point.
    unseen = [
        row_of_grades(grades)
        for name, grades in pool.items()
        if name not in (*witness.worse, *witness.better) and set(grades) != {"0"}
    ]
    if unseen:
        where = "not in the ranking" if witness.scores.bound else "in neither ranking"
        setting.append(f"{', '.join(unseen)}{_times(witness)} judged but {where}")
    must = "must score above" if find_axiom(axiom).strict else "must not score below"
    scores = witness.scores
    numerical = scores.arithmetic == "numerical"
    orders = in_orders_of_eps(scores.order) if witness.small else ""
    if numerical:
        orders = f"; in floats, at eps = {witness.eps}" if witness.small else "; in floats"
    worse, better = (scores.worse, scores.better) if scores.of else brief_pair(scores.worse, scores.better)
    if scores.of:
        outcome = _of_distributions(witness.kind, scores)
    elif witness.kind == "tie":
        outcome = f"both score {better} ({'a' if numerical else 'an exact'} tie{orders})"
    else:
        outcome = f"scores {better} against {worse} (a reversal{orders})"
    given = f"with {' and '.join(setting)}, " if setting else ""
    better_shown, worse_shown = rankings_in_grades(witness)
    if scores.bound:
        score, bound = _score_and_bound(worse, better, scores)
        allowed = "at least" if scores.bound == "worse" else "at most"
        return f"{given}{better_shown} must score {allowed} {bound} but scores {score}{orders}"
    return f"{given}{better_shown} {must} {worse_shown} but {outcome}"


def _score_and_bound(worse: str, better: str, scores: WitnessScores) -> tuple[str, str]:
    """(score, bound) of a witness of an axiom on scores."""
    return (better, worse) if scores.bound == "worse" else (worse, better)


def rankings_in_grades(witness: PairWitness) -> tuple[str, str]:
    """(better, worse): the grades of both rankings in rank order."""

    def ranking(names: Sequence[str]) -> str:
        return f"[{', '.join(row_of_grades(witness.topic.pool[name]) for name in names)}]{_times(witness)}"

    return ranking(witness.better), ranking(witness.worse)


def _times(witness: PairWitness) -> str:
    return " × eps" if witness.small else ""


def _of_distributions(kind: str, scores: WitnessScores) -> str:
    if kind == "tie":
        return f"both have one distribution of scores ({scores.better}, ...; an exact tie)"
    both = f"{scores.better} against {scores.worse}"
    what = "neither dominates" if kind == "incomparable" else "a reversal"
    return f"has {both} ({what})"


def in_orders_of_eps(order: int) -> str:
    """How to read a score where r << 1 is assumed, as an addition in brackets."""
    if order == 0:
        return "; in the limit eps -> 0"
    return "; as coefficients of eps" + (f"^{order}" if order > 1 else "")


def _how_often(evidence: PairEvidence) -> str:
    apart, violations = evidence.incomparable, evidence.violations
    if not violations:
        if not apart or not apart.share:
            return ""
        return f"; incomparable in {100 * apart.share:.3g}% of {sampled_instances(evidence)}"
    if violations.share is None:
        return ""
    if violations.share == 0:
        return "; seen on enumerated instances only"
    return f"; violated in {100 * violations.share:.3g}% of {sampled_instances(evidence)}"


def _example(example: Example) -> str:
    n = example.n
    block_of = f"the {counted(n, 'relevant document')} after {counted(n, 'other')}"
    if example.block.startswith("P["):
        return f"at m = {n} {block_of} {'dominates' if n == 1 else 'dominate'} one on top: {example.block}"
    block, top = brief_pair(example.block, example.top)
    orders = in_orders_of_eps(example.order).removeprefix("; ") if example.rc == "eps" else f"rc = {example.rc}"
    return f"at m = {n} {block_of} {'scores' if n == 1 else 'score'} {block}, above the {top} of one on top ({orders})"


def row_of_grades(values: Sequence[str]) -> str:
    """One document's grades: the number itself for one aspect, else a tuple."""
    shown = [brief(value) for value in values]
    return shown[0] if len(shown) == 1 else f"({','.join(shown)})"


def brief(text: str) -> str:
    """An exact number as it is where that is short, else to six digits and marked as rounded."""
    return text if len(text) <= _LONGEST else f"~{decimal(text, 6)}"


def brief_pair(first: str, second: str) -> tuple[str, str]:
    """Two scores with as few digits as still tell them apart; equal texts stay equal."""
    if max(len(first), len(second)) <= _LONGEST:
        return first, second
    for digits in range(6, 20):
        one, other = (t if len(t) <= _LONGEST else decimal(t, digits) for t in (first, second))
        if first == second or decimal(one, 20) != decimal(other, 20):
            return one, other
    return first, second


def decimal(text: str, digits: int) -> str:
    """A fraction or decimal number to that many significant digits, without trailing zeros."""
    numerator, _, denominator = text.partition("/")
    shown = f"{Decimal(numerator) / Decimal(denominator or 1):.{digits}g}"
    mantissa, e, exponent = shown.partition("e")
    return (mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa) + e + exponent
