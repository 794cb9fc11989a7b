"""Verdicts in words: findings, what was tried of a cell, and what a witness shows, whatever draws them."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import groupby

from axiomcheck.axioms import PairAxiom, ThresholdAxiom
from axiomcheck.core.counting import counted
from axiomcheck.core.verdict import Verdict
from axiomcheck.records.cells import Cell, Ledger
from axiomcheck.records.evidence import Example, PairEvidence, ThresholdEvidence
from axiomcheck.records.sentences import (
    because,
    brief_pair,
    cutoff_hint,
    decimal,
    in_orders_of_eps,
    reversal_name,
    sampled_instances,
    score_and_bound,
)
from axiomcheck.records.witnesses import PairWitness, ThresholdWitness, WitnessScores

Fact = tuple[str, str]
"""A label, and what there is to say."""

APART_WORDS = "neither dominates"
_AHEAD = {
    "top": "top",
    "block": "block",
    "tie": "neither: an exact tie",
    "incomparable": "neither: incomparable",
    "not tried": "not tried",
}
_ARITHMETIC = {
    "rational": "exact",
    "certified": "certified digits",
    "identity": "certified digits; equal identically",
    "numerical": "floats, which are all there is of this metric",
}
BLOCKS = "top: one relevant document, then 2n - 1 others; block: n others, then n relevant ones."

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
    return f"{cell.metric} {verb} {cell.axiom} (published: {published_word(cell)}): {because(cell)}."


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
        return f"a {reversal_name(witness)}, {' against '.join(score_and_bound(worse, better, scores))}{orders}"
    if witness.kind == "tie":
        return f"{'a' if numerical else 'an exact'} tie at {better}{orders}"
    return f"a reversal, {better} against {worse}{orders}"


def evidence_facts(cell: Cell) -> list[Fact]:
    """What was tried of a cell and what was seen; empty where nothing was tried."""
    if isinstance(cell.evidence, PairEvidence):
        bounded = isinstance(cell.witness, PairWitness) and bool(cell.witness.scores.bound)
        return _pairs(cell.evidence, bounded)
    if isinstance(cell.evidence, ThresholdEvidence):
        return _thresholds(cell.evidence)
    return []


def _pairs(evidence: PairEvidence, bounded: bool) -> list[Fact]:
    shapes, blocks = evidence.shapes, evidence.blocks or 1
    least = "at least " if blocks > 1 else ""
    searches = f", in {blocks:,} searches" if blocks > 1 else ""
    grades = "0 or one rc" if evidence.binary else "any in [0, 1]"
    facts = [
        ("Instances", f"{least}{evidence.instances:,} distinct ones that meet the premises{searches}"),
        ("Enumerated", f"{evidence.enumerated:,} ({evidence.grid})"),
        ("Patterns", f"{evidence.patterns:,}, of kinds that are rare among random ones" if evidence.patterns else ""),
        ("Drawn at random", f"{evidence.sampled:,}" + (", nearly all there are" * evidence.nearly_all_sampled)),
        ("Searched around near misses", f"{evidence.focused:,}" if evidence.focused else ""),
        ("Sizes", f"{_span(shapes.ranked, 'ranked document')}, {_span(shapes.aspects, 'aspect')}"),
        ("Grades", grades + ("; r << 1 is assumed" if evidence.small_grades else "")),
        ("Exhausted", _exhausted(evidence)),
        ("Decided exactly", f"{evidence.decided_exactly:,}, too close to tell in floats"),
        ("Not decided", f"{evidence.unresolved:,}" if evidence.unresolved else ""),
        ("Violations", _violations(evidence, bounded)),
        ("Incomparable", _incomparable(evidence)),
        ("Floats only", evidence.numerical or ""),
        ("Cutoff", cutoff_hint(evidence.undeclared_cutoff)),
        (
            "Cut short",
            f"{counted(evidence.few, 'instance')} of each kind in the time that there was" if evidence.few else "",
        ),
        ("Seed", str(evidence.seed)),
    ]
    return [(label, text) for label, text in facts if text]


def _exhausted(evidence: PairEvidence) -> str:
    groups = [
        f"{counted(group.documents, 'document')} on {counted(group.aspects, 'aspect')} ({group.instances:,})"
        for group in evidence.exhausted
    ]
    return f"every instance of the grid with {', '.join(groups)}" if groups else ""


def _violations(evidence: PairEvidence, bounded: bool) -> str:
    found = evidence.violations
    if not found:
        return ""
    share = "" if found.share is None else f" ({100 * found.share:.3g}% of {sampled_instances(evidence)})"
    most = f"; by at most {100 * found.largest_relative_margin:.3g}% of the score" if found.reversals else ""
    if bounded:
        return f"{counted(found.reversals, 'score')} out of bounds{share}"
    return f"{counted(found.reversals, 'reversal')} and {counted(found.ties, 'tie')}{share}{most}"


def _incomparable(evidence: PairEvidence) -> str:
    apart = evidence.incomparable
    if not apart or apart.share is None:
        return ""
    left = f"; distributions leave out at most {apart.left_out:.3g}" if apart.left_out else ""
    return f"{100 * apart.share:.3g}% of {sampled_instances(evidence)}{left}"


def _thresholds(evidence: ThresholdEvidence) -> list[Fact]:
    unseen = ", ".join(map(str, evidence.unretrieved_relevant))
    facts = [
        ("Tried", f"n = 1 to {evidence.up_to_n}, {counted(evidence.instances, 'instance')}"),
        ("Arithmetic", "exact" if evidence.exact else "floats, which are all there is of this metric"),
        ("Relevant documents in neither ranking", unseen),
        ("Grades", ", ".join(evidence.rc) if evidence.rc else ""),
        ("The top is ahead", f"from n0 = {evidence.n0} on" if evidence.n0 else ""),
        ("The block is ahead", f"at m = {evidence.m}" if evidence.m else ""),
        ("Scores", _example(evidence.example) if evidence.example else ""),
        ("Beyond", evidence.argument or ""),
        ("Seed", str(evidence.seed)),
    ]
    return [(label, text) for label, text in facts if text]


def _example(example: Example) -> str:
    order = "" if not example.order else f", coefficients of eps{'' if example.order == 1 else f'^{example.order}'}"
    return f"block {example.block}, top {example.top} at n = {example.n} (grade {example.rc}{order})"


def _span(ends: tuple[int, int], what: str) -> str:
    low, high = ends
    return counted(low, what) if low == high else f"{low} to {counted(high, what)}"


def kind_words(witness: PairWitness) -> str:
    """How the axiom is broken."""
    if witness.kind == "incomparable":
        return APART_WORDS
    if witness.kind == "reversal":
        return f"a {reversal_name(witness)}"
    return "a tie in floats" if witness.scores.arithmetic == "numerical" else "an exact tie"


def score_lines(witness: PairWitness, at_eps: tuple[str, str] | None = None) -> list[str]:
    """Both scores, exact and in decimals, or what decides between two distributions.

    Args:
        witness: whose they are.
        at_eps: where r << 1 is assumed, the scores of (worse, better) at the eps of the witness, if they are known.

    """
    scores = witness.scores
    if scores.of:
        return [
            "Rankings are compared by stochastic dominance: S is the score of one user.",
            f"worse: {scores.worse}",
            f"better: {scores.better}",
        ]
    how = _ARITHMETIC[scores.arithmetic]
    if scores.arithmetic == "numerical" and witness.small:
        return [f"Scores at eps = {witness.eps} ({how}): {_both(scores.worse, scores.better)}."]
    if scores.bound:
        score, bound = (scores.better, scores.worse) if scores.bound == "worse" else (scores.worse, scores.better)
        return [f"Score ({how}): {_number(score)}. {'Least' if scores.bound == 'worse' else 'Most'} allowed: {bound}."]
    if not witness.small:
        return [f"Scores ({how}): {_both(scores.worse, scores.better)}."]
    where = f"coefficients of {_power(scores.order)}" if scores.order else "limits"
    if witness.kind == "tie":
        what = f"The scores tie in every power of eps; their {where}"
    else:
        what = f"The scores differ first in their {where}"
    lines = [f"{what} ({how}): {_both(scores.worse, scores.better)}."]
    if at_eps is not None:
        lines.append(f"At eps = {witness.eps}, grades as they then are: {_both(*at_eps)}.")
    return lines


def _both(worse: str, better: str) -> str:
    return f"worse {_number(worse)}, better {_number(better)}"


def outcome(witness: PairWitness, axiom: PairAxiom, sentence: str) -> str:
    """What must hold here, that it does not, and what the scores are.

    Args:
        witness: of the axiom.
        axiom: that is broken.
        sentence: what the axiom says of the instance (`PairAxiom.sentence`).

    """
    does = "It does not" if axiom.strict or witness.scores.bound else "It does"
    return f"{_capital(sentence)}. {does}: {_scores_found(witness.scores)} ({kind_words(witness)})."


def _scores_found(scores: WitnessScores) -> str:
    if scores.of:
        return f"{scores.worse} for worse; {scores.better} for better"
    worse, better = brief_pair(scores.worse, scores.better)
    if scores.bound:
        return f"the score is {better if scores.bound == 'worse' else worse}"
    what = f"the scores' coefficients of {_power(scores.order)}" if scores.order else "the scores"
    return f"{what} are {worse} for worse and {better} for better"


def minimality(witness: PairWitness) -> str:
    """Whether nothing smaller is a witness."""
    if not witness.minimal:
        return "Shrunk greedily; no claim of minimality."
    does = "does so" if witness.kind == "incomparable" else "violates it"
    return f"Minimal: nothing smaller {does} among {witness.minimal}."


def threshold_setting(witness: ThresholdWitness) -> str:
    """The grades of relevant documents, and what is judged besides the blocks."""
    grade = "eps, eps -> 0" if witness.small else witness.rc
    unseen = witness.unretrieved_relevant
    more = f"; {counted(unseen, 'more relevant document')} in neither ranking" if unseen else ""
    return f"Relevant documents have grade {grade}{more}."


def threshold_rows(witness: ThresholdWitness) -> list[tuple[str, str]]:
    """(n or n to n, who is ahead) for runs of equal outcomes; what was not tried has no end that is known here."""
    rows = []
    n = 1
    for ahead, run in groupby(witness.ahead):
        last = n + len(list(run)) - 1
        span = f"from {n}" if ahead == "not tried" else str(n) if n == last else f"{n} to {last}"
        rows.append((span, _AHEAD[ahead]))
        n = last + 1
    return [*rows, ("beyond", _AHEAD[witness.ahead_beyond])]


def threshold_outcome(witness: ThresholdWitness, axiom: ThresholdAxiom) -> str:
    """What the axiom asks for and the metric does not have."""
    wanted = {
        "top": "There is no n0 from which on the top is always ahead",
        "block": "There is no m at which the block is ahead",
    }
    apart = witness.ahead_beyond == "incomparable" or (axiom.winner == "block" and "incomparable" in witness.ahead)
    verb = "leaves the two incomparable under" if apart else "violates"
    return f"{wanted[axiom.winner]}: {witness.metric} {verb} {axiom.name}."


def _capital(sentence: str) -> str:
    """A sentence with a capital, unless it begins with the name of a document."""
    return sentence if sentence[:1] in "dx" and not sentence[1:2].isalpha() else sentence[:1].upper() + sentence[1:]


def _power(order: int) -> str:
    return "eps" if order == 1 else f"eps^{order}"


def _number(text: str) -> str:
    """An exact fraction with its decimals; whole and certified numbers as they are."""
    if "/" not in text:
        return text
    shown = decimal(text, 10)
    return f"{text} {'=' if Fraction(shown) == Fraction(text) else '≈'} {shown}"
