"""Write sentences that explain verdicts and describe counterexamples."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Literal

from axiomcheck.axioms import find_axiom
from axiomcheck.core.documents import Maybe
from axiomcheck.core.limits import MOST_UNRESOLVED
from axiomcheck.core.printable import counted
from axiomcheck.core.verdict import Verdict
from axiomcheck.records.causes import Cause, Remark
from axiomcheck.records.certificates import Certificate, proof_sentence
from axiomcheck.records.evidence import Evidence, Example, PairEvidence, ThresholdEvidence
from axiomcheck.records.witnesses import AnyWitness, PairWitness, ThresholdWitness, WitnessScores

_LONGEST = 12
"""Largest number of characters of an exact number that is shown without rounding."""

_WORDS = {
    "one-aspect": "it scores only one aspect",
    "not-lifted": "it scores only one aspect (aggregate=max lifts it to several)",
    "grades-too-coarse": "r << 1 is impossible, because its grades are multiples of 1/{levels}",
    "no-weights": "it does not accept aspect weights",
    "no-score": "it compares distributions, but {axiom} is about scores",
    "cutoff-too-short": "the cutoff {cutoff} is too short: {axiom} needs rank {rank}",
    "interrupted": "interrupted before it was decided",
    "no-instance": "vacuous: no tested instance meets the premises",
    "ties-on-few-shapes": "scores tie in floats on only {shapes}; a refutation needs 3",
    "not-confirmed": "violations were found only in floating point, and exact arithmetic could not decide them",
    "scores-exhausted": "floats could not distinguish the scores, and the budget of exact comparisons ran out",
    "dominance-exhausted": "dominance could not be decided, and the budget of exact comparisons ran out",
    "dominance-open": "dominance could not be decided for {instances}",
    "vanishing-ties": (
        "scores tie in {instances}, but only when grades are 1: later documents may count for nothing, which violates "
        "the axiom, or for less than floats can show"
    ),
    "not-told-apart": "floats could not decide {instances}; there is no violation in the other {tried}",
    "names-matter": "its scores depend on the names of documents, so nothing is proved: {text}",
    "no-n-decided": "no tested n up to {up_to} could be decided, and no argument covers larger n",
    "error": "{text}",
}
"""Sentence templates, keyed by cause code, for causes that need no other part of the cell."""

_REMARKS = {
    "code-unreadable": "its code or its state cannot be read, so nothing is proved",
    "code-changed": "its code or its state changed while it was scored, so nothing is proved",
    "proof-contradicted": "its code behaves differently on symbols than on numbers: {text}",
    "names-matter": "its scores depend on the names of documents, so nothing is proved: {text}",
    "multiples": "all observed scores are multiples of {0:g}",
    "spacing": "scores are about {0:.3g}, at which floats are {1:.2g} apart",
}


_AHEAD = {
    "incomparable": "neither dominates",
    "top": "the top is ahead",
    "tie": "the two tie",
    "block": "the block is ahead",
}


def reason(
    axiom: str,
    verdict: Verdict,
    cause: Cause,
    evidence: Evidence | None,
    witness: AnyWitness | None,
    certificate: Certificate | None,
) -> str:
    """Return one sentence that explains the verdict of a cell."""
    searched = _searched(axiom, verdict, cause, evidence, witness, certificate)
    if verdict is Verdict.ERROR:
        return searched
    parts = [proof_sentence(certificate)] if certificate is not None else []
    parts.append(searched)
    if witness is None and isinstance(evidence, PairEvidence):
        parts.append(cutoff_hint(evidence.undeclared_cutoff))
    parts += [remark_words(remark) for remark in cause.remarks or ()]
    return "; ".join(part for part in parts if part)


def remark_words(remark: Remark) -> str:
    """Return a remark as a clause for the end of a sentence."""
    return _REMARKS[remark.code].format(*(remark.numbers or ()), text=remark.text)


def reversal_name(witness: PairWitness) -> str:
    """Return "reversal" or, for an axiom about a single score, words that say which bound is violated."""
    if not witness.scores.bound:
        return "reversal"
    return "score below the bound" if witness.scores.bound == "worse" else "score above the bound"


def sampled_instances(evidence: PairEvidence) -> str:
    """Return words for the instances among which violations are counted.

    If many instances are undecided, the words say that these are excluded.
    """
    many_undecided = evidence.unresolved > MOST_UNRESOLVED * evidence.instances
    return "the sampled instances" + (" that were decided" if many_undecided else "")


def cutoff_hint(cutoff: Maybe[int | None]) -> str:
    """Return the advice to declare an undeclared cutoff, or an empty string if there is no such cutoff."""
    if not cutoff:
        return ""
    return (
        f"probes show that it ignores everything below rank {cutoff}, so longer rankings were not tested; "
        f"declare cutoff={cutoff} to confirm this"
    )


def _searched(
    axiom: str,
    verdict: Verdict,
    cause: Cause,
    evidence: Evidence | None,
    witness: AnyWitness | None,
    certificate: Certificate | None,
) -> str:
    """Describe the result of the search, without the proof and the remarks."""
    numbers = cause.counts
    if cause.code in _WORDS:
        tried = f"{evidence.instances if evidence else 0:,}"
        words: dict[str, object] = {"axiom": axiom, "text": cause.text, "tried": tried, **numbers}
        words |= {name: counted(numbers[name], name[:-1]) for name in ("instances", "shapes") if name in numbers}
        return _WORDS[cause.code].format_map(words)
    if isinstance(evidence, PairEvidence):
        if verdict is Verdict.INCOMPARABLE:
            return _incomparable(evidence)
        return _refuted(evidence, witness) if isinstance(witness, PairWitness) else _held(evidence)
    if isinstance(witness, ThresholdWitness):
        return _refuted_blocks(axiom, witness)
    if isinstance(witness, PairWitness):
        return f"a {witness.kind}"
    if not isinstance(evidence, ThresholdEvidence):
        return ""
    if certificate is not None and evidence.argument is None:
        return f"tried up to n = {evidence.up_to_n}"
    if cause.code == "open-beyond":
        return f"{_where_it_fails(numbers['fails_from'], numbers['up_to'])}, and no argument covers larger n"
    rcs = f"; for the {len(evidence.rc)} rc tried" if evidence.rc else ""
    return (_top_ahead(evidence) if cause.code == "top-ahead" else _block_ahead(cause, evidence)) + rcs


def _refuted(evidence: PairEvidence, witness: PairWitness) -> str:
    found, reversal = evidence.violations, reversal_name(witness)
    kind = witness.kind.replace("reversal", reversal)
    if not found or found.share is None:
        return f"a {kind}"
    several = reversal.replace("score", "scores") if witness.scores.bound else f"{reversal}s"
    kinds = [name for name, count in ((several, found.reversals), ("ties", found.ties)) if count]
    if not kinds:
        return f"a {kind}, but in none of {sampled_instances(evidence)}"
    return f"{' and '.join(kinds)} in {100 * found.share:.3g}% of {sampled_instances(evidence)}"


def _incomparable(evidence: PairEvidence) -> str:
    share, open_ = evidence.incomparable and evidence.incomparable.share, evidence.unresolved
    seen = f"{f'in {100 * share:.3g}%' if share else 'but in none'} of {sampled_instances(evidence)}"
    left = f"; {counted(open_, 'instance')} could not be decided" if open_ else ""
    return f"neither ranking dominates, {seen}; no ranking that should be ahead is dominated{left}"


def _held(evidence: PairEvidence) -> str:
    least = "at least " if evidence.blocks else ""
    found = f"no violation in {least}{counted(evidence.instances, 'distinct instance')}"
    if not evidence.numerical:
        return found
    more = evidence.unresolved
    return f"{found}, in floats" + (f"; floats could not decide {more:,} more" if more else "")


def _refuted_blocks(axiom: str, witness: ThresholdWitness) -> str:
    at = "" if witness.small else f" at rc = {witness.rc}"
    beyond = _AHEAD[witness.ahead_beyond]
    if winner_of(axiom) == "top":
        return f"{beyond}{at} for every large n: {witness.argument}"
    seen = [words for side, words in _AHEAD.items() if side in witness.ahead]
    return f"{' or '.join(seen)} at each n = 1 to {len(witness.ahead)}{at}, and {beyond} beyond: {witness.argument}"


def winner_of(axiom: str) -> Literal["top", "block"]:
    """Return the side that a threshold axiom requires to be ahead; "top" for other axioms."""
    return getattr(find_axiom(axiom), "winner", "top")


def _where_it_fails(first: int, last: int) -> str:
    if first == 1:
        return f"fails at every tested n up to {last}"
    if first == last:
        return f"fails at n = {last}"
    return f"fails at every tested n from {first} to {last}" if first <= last else f"holds at n = {last}"


def _top_ahead(evidence: ThresholdEvidence) -> str:
    beyond = f", and where tried beyond (n = {', '.join(map(str, evidence.beyond))})" if evidence.beyond else ""
    settled = evidence.argument or f"no argument covers larger n; held up to n = {evidence.up_to_n}{beyond}"
    return f"ahead from {f'n = {evidence.n0}' if evidence.n0 else 'some n'} on; {settled}"


def _block_ahead(cause: Cause, evidence: ThresholdEvidence) -> str:
    shown, not_up_to = evidence.example, cause.counts.get("not_up_to")
    if not shown:
        return f"ahead at no m up to {not_up_to}, and from some m on: {cause.text}"
    unit = f" (coefficients of eps^{shown.order})" if shown.rc == "eps" and shown.order else ""
    scores = f"the block scores {shown.block} and the single top document {shown.top}{unit}"
    if not_up_to is not None:
        return f"ahead at no m up to {not_up_to}; at m = {shown.n}, {scores}"
    return f"at m = {shown.n} {scores}"


def counterexample_sentence(axiom: str, witness: PairWitness) -> str:
    """Return a sentence with the grades of both rankings, the order that the axiom requires, and their scores."""
    weights, pool = witness.topic.weights, witness.topic.pool
    setting = []
    if len(set(weights)) > 1:
        setting.append(f"weights {row_of_grades(weights)}")
    # Unranked documents of grade 0 change no normaliser. Other unranked documents may cause the violation.
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
        score, bound = score_and_bound(worse, better, scores)
        allowed = "at least" if scores.bound == "worse" else "at most"
        return f"{given}{better_shown} must score {allowed} {bound} but scores {score}{orders}"
    return f"{given}{better_shown} {must} {worse_shown} but {outcome}"


def score_and_bound(worse: str, better: str, scores: WitnessScores) -> tuple[str, str]:
    """Return (score, bound) of a witness for an axiom about a single score."""
    return (better, worse) if scores.bound == "worse" else (worse, better)


def rankings_in_grades(witness: PairWitness) -> tuple[str, str]:
    """Return the grades of both rankings in rank order, as two strings (better, worse)."""

    def ranking(names: Sequence[str]) -> str:
        return f"[{', '.join(row_of_grades(witness.topic.pool[name]) for name in names)}]{_times(witness)}"

    return ranking(witness.better), ranking(witness.worse)


def _times(witness: PairWitness) -> str:
    return " × eps" if witness.small else ""


def _of_distributions(kind: str, scores: WitnessScores) -> str:
    if kind == "tie":
        return f"both have the same distribution of scores ({scores.better}, ...; an exact tie)"
    both = f"{scores.better} against {scores.worse}"
    what = "neither dominates" if kind == "incomparable" else "a reversal"
    return f"has {both} ({what})"


def in_orders_of_eps(order: int) -> str:
    """Return a clause that says how to read scores if r << 1 is assumed: as coefficients of eps^``order``."""
    if order == 0:
        return "; in the limit eps -> 0"
    return "; as coefficients of eps" + (f"^{order}" if order > 1 else "")


def how_often(evidence: PairEvidence) -> str:
    """Return a clause with the share of violating or incomparable instances, or an empty string if it is unknown."""
    apart, violations = evidence.incomparable, evidence.violations
    if not violations:
        if not apart or not apart.share:
            return ""
        return f"; incomparable in {100 * apart.share:.3g}% of {sampled_instances(evidence)}"
    if violations.share is None:
        return ""
    if violations.share == 0:
        return "; found only on enumerated instances"
    return f"; violated in {100 * violations.share:.3g}% of {sampled_instances(evidence)}"


def example_sentence(example: Example) -> str:
    """Return a sentence that compares the scores of the block and the top in an example."""
    n = example.n
    block_of = f"the {counted(n, 'relevant document')} after {counted(n, 'other')}"
    if example.block.startswith("P["):
        return f"at m = {n} {block_of} {'dominates' if n == 1 else 'dominate'} one on top: {example.block}"
    block, top = brief_pair(example.block, example.top)
    orders = in_orders_of_eps(example.order).removeprefix("; ") if example.rc == "eps" else f"rc = {example.rc}"
    return f"at m = {n} {block_of} {'scores' if n == 1 else 'score'} {block}, above the {top} of one on top ({orders})"


def row_of_grades(values: Sequence[str]) -> str:
    """Return the grades of one document as text: a number if there is one aspect, else a tuple."""
    shown = [brief(value) for value in values]
    return shown[0] if len(shown) == 1 else f"({','.join(shown)})"


def brief(text: str) -> str:
    """Return an exact number unchanged if it is short, or else rounded to six digits, with a leading ``~``."""
    return text if len(text) <= _LONGEST else f"~{decimal(text, 6)}"


def brief_pair(first: str, second: str) -> tuple[str, str]:
    """Round two scores to the fewest digits, at least six, that distinguish them. Short scores are not rounded."""
    if max(len(first), len(second)) <= _LONGEST:
        return first, second
    for digits in range(6, 20):
        one, other = (t if len(t) <= _LONGEST else decimal(t, digits) for t in (first, second))
        if first == second or decimal(one, 20) != decimal(other, 20):
            return one, other
    return first, second


def decimal(text: str, digits: int) -> str:
    """Round a fraction or decimal number to some significant digits, and write it without trailing zeros."""
    numerator, _, denominator = text.partition("/")
    shown = f"{Decimal(numerator) / Decimal(denominator or 1):.{digits}g}"
    mantissa, e, exponent = shown.partition("e")
    return (mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa) + e + exponent
