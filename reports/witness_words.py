"""What a witness shows, in words: its kind, its scores, who is ahead at which n; whatever the words are drawn with."""

from __future__ import annotations

from fractions import Fraction
from itertools import groupby

from axiomcheck.axioms import PairAxiom, ThresholdAxiom
from axiomcheck.core.counting import counted
from axiomcheck.records.reasons import reversal_name
from axiomcheck.records.sentences import brief_pair, decimal
from axiomcheck.records.witnesses import PairWitness, ThresholdWitness, WitnessScores

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
    return f"{_capital(sentence)}. {does}: {_found(witness.scores)} ({kind_words(witness)})."


def _found(scores: WitnessScores) -> str:
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
