"""A counterexample told once: rank by rank, both scores, what must hold and does not; whatever draws it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, zip_longest

from flint import fmpq

from axiomcheck.axioms import PairAxiom, ThresholdAxiom
from axiomcheck.core.counting import counted
from axiomcheck.core.documents import document_of
from axiomcheck.core.domain import Instance
from axiomcheck.core.writing import json_text
from axiomcheck.decide.batch import Batch
from axiomcheck.decide.comparison import at_eps, judge
from axiomcheck.decide.witness import instance_of
from axiomcheck.decide.working import Steps, Working, survival, workings
from axiomcheck.metrics import Metric
from axiomcheck.records.sentences import brief_pair, decimal, reversal_name
from axiomcheck.records.witnesses import PairWitness, ThresholdWitness, WitnessScores
from axiomcheck.reports.plot import Plot, PlotAxis, PlotLine
from axiomcheck.reports.symbols import EDITED
from axiomcheck.reports.table import Column, Table, Value

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
_BLOCKS = "top: one relevant document, then 2n - 1 others; block: n others, then n relevant ones."


@dataclass(frozen=True)
class RankedDocument:
    """A document at a rank.

    Args:
        rank: from 1.
        name: of the document.
        grades: one per aspect.
        edited: whether the other ranking has another document there, or none.
        gains: of a fold, what the document earns before the discount, per aspect or once; None past the cutoff too.
        discount: of a fold, what gains at the rank are multiplied by; None past the cutoff too.
        adds: what the rank adds to the score; None where that is not known.
        total: the score down to the rank; None where it is not known.

    """

    rank: int
    name: str
    grades: tuple[Fraction, ...]
    edited: bool
    gains: tuple[float, ...] | None = None
    discount: float | None = None
    adds: float | None = None
    total: float | None = None


@dataclass(frozen=True)
class RankingPair:
    """Both rankings.

    Args:
        setting: aspects and weights, in words.
        aspects: how many there are.
        small: whether grades stand for eps times what they are, eps -> 0.
        worse, better: from rank 1 down.
        others: what is judged and in neither ranking, with its grades.
        worked: whether what ranks add is known.
        folded: whether gains and discounts are.

    """

    setting: str
    aspects: int
    small: bool
    worse: tuple[RankedDocument, ...]
    better: tuple[RankedDocument, ...]
    others: tuple[tuple[str, tuple[Fraction, ...]], ...]
    worked: bool
    folded: bool

    @property
    def single(self) -> bool:
        """True of an axiom on the score of one ranking, which is on both sides."""
        return self.worse == self.better

    @property
    def words(self) -> str:
        """Aspects and weights, and what grades stand for, in a sentence."""
        return f"{self.setting}{'; grades stand for eps times what is shown, eps -> 0' if self.small else ''}."

    @property
    def unseen(self) -> list[str]:
        """A sentence on what is judged but in no ranking; none where there is nothing."""
        others = ", ".join(f"{name} ({', '.join(map(str, grades))})" for name, grades in self.others)
        where = "not in the ranking" if self.single else "in neither ranking"
        return [f"Judged, but {where}: {others}."] if others else []

    def table(self) -> Table:
        """Return a line per rank: documents and grades of both rankings, and what it adds where that is known."""
        judged = [document.grades for document in (*self.worse, *self.better)] + [grades for _, grades in self.others]
        widths = [max(len(f"t{t + 1}"), *(len(str(grades[t])) for grades in judged)) for t in range(self.aspects)]
        heading = "  ".join(f"{f't{t}':>{w}}" for t, w in enumerate(widths, 1)) if len(widths) > 1 else "grade"
        sides = {"ranking": self.worse} if self.single else {"worse": self.worse, "better": self.better}
        columns = [Column("rank", "d")]
        for side in sides:
            columns += [Column(side), Column(heading), *([Column("adds", ".6g")] if self.worked else [])]
        rows = []
        for documents in zip_longest(*sides.values()):
            row: list[Value] = [next(document.rank for document in documents if document)]
            for document in documents:
                grades = zip(document.grades, widths, strict=True) if document else ()
                row += [document.name if document else "", "  ".join(f"{grade!s:>{width}}" for grade, width in grades)]
                row += [document.adds if document else None] if self.worked else []
            differs = any(document.edited for document in documents if document)
            rows.append([*row, EDITED if differs else ""])
        return Table((*columns, Column("")), rows, sortable=False)


def ranking_pair(instance: Instance, worked: tuple[Working, Working] | None = None) -> RankingPair:
    """The rankings of an instance, with the workings of (worse, better) where there are some."""
    worse, better = (_ranked(instance, side, worked) for side in (0, 1))
    folded = worked is not None and worked[0].gains is not None
    return RankingPair(
        aspects_and_weights(instance),
        len(instance.topic.weights),
        instance.small,
        worse,
        better,
        _unretrieved(instance),
        worked is not None,
        folded,
    )


def _ranked(instance: Instance, side: int, worked: tuple[Working, Working] | None) -> tuple[RankedDocument, ...]:
    ranking, working = (instance.worse, instance.better)[side], worked and worked[side]
    found = []
    for k, name in enumerate(ranking):
        adds = total = gains = discount = None
        if working:
            adds, total = working.adds[k], working.totals[k]
            if working.gains is not None and working.discounts is not None and k < len(working.gains):
                gains, discount = working.gains[k], working.discounts[k]
        grades = tuple(instance.topic.pool[name])
        found.append(RankedDocument(k + 1, name, grades, _is_edited(instance, k + 1), gains, discount, adds, total))
    return tuple(found)


def _is_edited(instance: Instance, rank: int) -> bool:
    """Say whether the rankings have different documents at a rank."""
    return instance.worse[rank - 1 : rank] != instance.better[rank - 1 : rank]


def _unretrieved(instance: Instance) -> tuple[tuple[str, tuple[Fraction, ...]], ...]:
    """The documents, with their grades, that are judged and in neither ranking."""
    retrieved = {*instance.worse, *instance.better}
    return tuple((name, tuple(grades)) for name, grades in instance.topic.pool.items() if name not in retrieved)


def aspects_and_weights(instance: Instance) -> str:
    """The topic's aspects in one line."""
    weights: Sequence[Fraction] = instance.topic.weights
    if len(weights) == 1:
        return "One aspect"
    kind = "balanced weights" if len(set(weights)) == 1 else "weights"
    names = ", ".join(f"t{t}" for t in range(1, len(weights) + 1))
    return f"{counted(len(weights), 'aspect')} ({names}), {kind} {', '.join(map(str, weights))}"


@dataclass(frozen=True)
class ToldWitness:
    """A counterexample on two rankings.

    Args:
        kind: how the axiom is broken.
        pair: the rankings.
        eps: the value of eps that what ranks add is computed at; None where r << 1 is not assumed.
        lines: both scores.
        curves: the distributions, of metrics that compare them; None of others, and where they were not asked for.
        outcome: what must hold and does not.
        minimal: whether nothing smaller is one.
        document: what a file with it has.

    """

    kind: str
    pair: RankingPair
    eps: str | None
    lines: tuple[str, ...]
    curves: Plot | None
    outcome: str
    minimal: str
    document: str


def told_witness(witness: PairWitness, batch: Batch, metric: Metric | None, curves: bool = False) -> ToldWitness:
    """Return all there is to tell of a counterexample.

    Args:
        witness: the counterexample.
        batch: its instance (B = 1, exact).
        metric: to compute what ranks add; None where no code of it is to be run.
        curves: whether distributions are computed, too.

    """
    eps = Fraction(witness.eps) if witness.eps else None
    exactly = None
    if metric is not None and eps is not None and not metric.partial and witness.scores.arithmetic != "numerical":
        judged = judge(metric, at_eps(batch, fmpq(eps.numerator, eps.denominator)))
        exactly = (judged.worse, judged.better)
    return ToldWitness(
        kind=kind_words(witness),
        pair=ranking_pair(instance_of(batch), workings(metric, batch, eps) if metric is not None else None),
        eps=witness.eps or None,
        lines=tuple(score_lines(witness, exactly)),
        curves=survival_curves(*survival(metric, batch, eps)) if curves and metric and witness.scores.of else None,
        outcome=outcome(witness, batch.axiom, batch.axiom.sentence(batch.draft)),
        minimal=minimality(witness),
        document=json_text(document_of(witness)),
    )


@dataclass(frozen=True)
class ToldThreshold:
    """Why an axiom about every large n is refuted: who is ahead at which n, and the argument for the rest."""

    setting: str
    rows: tuple[tuple[str, str], ...]
    beyond: str
    outcome: str
    document: str


def told_threshold(witness: ThresholdWitness, axiom: ThresholdAxiom) -> ToldThreshold:
    """Return all there is to tell of an argument about every n."""
    return ToldThreshold(
        f"{_setting(witness)} {_BLOCKS}",
        tuple(_ahead_rows(witness)),
        f"Beyond: {witness.argument}.",
        _threshold_outcome(witness, axiom),
        json_text(document_of(witness)),
    )


def survival_curves(worse: Steps, better: Steps) -> Plot:
    """Return the plot of P[S >= x] of two rankings: level up to each value of the score, then down."""
    most = max((value for value, _ in (*worse, *better)), default=0.0) or 1.0
    curves = [
        PlotLine(
            [0.0, *(value for value, _ in steps), most], [*(tail for _, tail in steps), 0.0, 0.0], style, name, True
        )
        for name, style, steps in (("worse", "line-2", worse), ("better", "line-1", better))
    ]
    return Plot(
        "P[S ≥ x] of both rankings", PlotAxis("x", 0.0, most), PlotAxis("P[S ≥ x]", 0.0, 1.0), curves, (320, 150)
    )


def kind_words(witness: PairWitness) -> str:
    """Return the kind of a counterexample in words."""
    if witness.kind == "incomparable":
        return APART_WORDS
    if witness.kind == "reversal":
        return f"a {reversal_name(witness)}"
    return "a tie in floats" if witness.scores.arithmetic == "numerical" else "an exact tie"


def score_lines(witness: PairWitness, exactly: tuple[str, str] | None = None) -> list[str]:
    """Both scores, exact and in decimals, or what decides between two distributions.

    Args:
        witness: whose they are.
        exactly: where r << 1 is assumed, the scores of (worse, better) at the eps of the witness, if they are known.

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
    if exactly is not None:
        lines.append(f"At eps = {witness.eps}, grades as they then are: {_both(*exactly)}.")
    return lines


def _both(worse: str, better: str) -> str:
    return f"worse {_number(worse)}, better {_number(better)}"


def outcome(witness: PairWitness, axiom: PairAxiom, sentence: str) -> str:
    """Return a sentence on what must hold here, that it does not, and what the scores are.

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
    """Return a sentence on whether anything smaller is a witness."""
    if not witness.minimal:
        return "Shrunk greedily; no claim of minimality."
    does = "does so" if witness.kind == "incomparable" else "violates it"
    return f"Minimal: nothing smaller {does} among {witness.minimal}."


def _setting(witness: ThresholdWitness) -> str:
    """The grades of relevant documents, and what is judged besides the blocks."""
    grade = "eps, eps -> 0" if witness.small else witness.rc
    unseen = witness.unretrieved_relevant
    more = f"; {counted(unseen, 'more relevant document')} in neither ranking" if unseen else ""
    return f"Relevant documents have grade {grade}{more}."


def _ahead_rows(witness: ThresholdWitness) -> list[tuple[str, str]]:
    """(n or n to n, who is ahead) for runs of equal outcomes; what was not tried has no end that is known here."""
    rows = []
    n = 1
    for ahead, run in groupby(witness.ahead):
        last = n + len(list(run)) - 1
        span = f"from {n}" if ahead == "not tried" else str(n) if n == last else f"{n} to {last}"
        rows.append((span, _AHEAD[ahead]))
        n = last + 1
    return [*rows, ("beyond", _AHEAD[witness.ahead_beyond])]


def _threshold_outcome(witness: ThresholdWitness, axiom: ThresholdAxiom) -> str:
    """Return a sentence on what the axiom asks for and the metric lacks."""
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
