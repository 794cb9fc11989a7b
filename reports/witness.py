"""Describe a counterexample in any output format: both rankings, both scores and the violated requirement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import groupby, zip_longest

from flint import fmpq

from axiomcheck.axioms import PairAxiom, ThresholdAxiom
from axiomcheck.core.documents import document_of
from axiomcheck.core.domain import Instance
from axiomcheck.core.printable import counted
from axiomcheck.core.writing import json_text
from axiomcheck.decide.batch import Batch
from axiomcheck.decide.comparison import at_eps, judge
from axiomcheck.decide.witness import instance_of
from axiomcheck.decide.working import Steps, Working, survival, workings
from axiomcheck.metrics import Metric
from axiomcheck.records.sentences import brief_pair, decimal, reversal_name
from axiomcheck.records.witnesses import AnyWitness, PairWitness, ThresholdWitness, WitnessScores
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
    "numerical": "floats; this metric has no exact scores",
}
_LACKING = {
    "top": "There is no n0 such that the top is ahead for every n >= n0",
    "block": "There is no m at which the block is ahead",
}
_BLOCKS = "top: one relevant document, then 2n - 1 others; block: n others, then n relevant ones."


@dataclass(frozen=True)
class RankedDocument:
    """Document at one rank of a ranking.

    Args:
        rank: Rank, from 1.
        name: Name of the document.
        grades: One grade per aspect.
        edited: Whether the other ranking has a different document, or none, at this rank.
        gains: Gains before the discount, one per aspect or a single one; None beyond the cutoff and for metrics that
            are not folds.
        discount: Factor that multiplies the gains at the rank; None if ``gains`` is None.
        adds: Contribution of the rank to the score; None if it is unknown.
        total: Score of the ranking down to this rank; None if it is unknown.

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
    """Both rankings of an instance, as reports show them.

    Args:
        instance: Topic with two rankings.
        asked: Requirements on the worse and the better ranking, such as ``must score lower``; see `asked_of`.
        working: Contribution of each rank of either ranking to its score; None if they are unknown.

    """

    instance: Instance
    asked: tuple[str, str]
    working: tuple[Working, Working] | None = None

    @cached_property
    def worse(self) -> tuple[RankedDocument, ...]:
        """Documents of the worse ranking, from rank 1 down."""
        return _ranked(self.instance, 0, self.working)

    @cached_property
    def better(self) -> tuple[RankedDocument, ...]:
        """Documents of the better ranking, from rank 1 down."""
        return _ranked(self.instance, 1, self.working)

    @property
    def aspects(self) -> int:
        """Number of aspects."""
        return len(self.instance.topic.weights)

    @property
    def folded(self) -> bool:
        """True if gains and discounts are known."""
        return self.working is not None and self.working[0].gains is not None

    @property
    def single(self) -> bool:
        """True if the axiom bounds the score of one ranking, which is then both ``worse`` and ``better``."""
        return self.worse == self.better

    @property
    def words(self) -> str:
        """Sentence about aspects, weights and the meaning of the grades."""
        small = "; each grade is eps times the number shown, eps -> 0" if self.instance.small else ""
        return f"{aspects_and_weights(self.instance)}{small}."

    @property
    def others(self) -> dict[str, Sequence[Fraction]]:
        """Names and grades of judged documents that are in neither ranking."""
        retrieved = {*self.instance.worse, *self.instance.better}
        return {name: grades for name, grades in self.instance.topic.pool.items() if name not in retrieved}

    @property
    def unseen(self) -> list[str]:
        """List with a sentence on the judged documents that neither ranking retrieves; empty if there are none."""
        others = ", ".join(f"{name} ({', '.join(map(str, grades))})" for name, grades in self.others.items())
        where = "not in the ranking" if self.single else "in neither ranking"
        return [f"Judged, but {where}: {others}."] if others else []

    def table(self) -> Table:
        """Return a table with a row per rank: the documents, grades and known contributions of both rankings."""
        judged = [document.grades for document in (*self.worse, *self.better)] + [*self.others.values()]
        widths = [max(len(f"t{t + 1}"), *(len(str(grades[t])) for grades in judged)) for t in range(self.aspects)]
        heading = "  ".join(f"{f't{t}':>{w}}" for t, w in enumerate(widths, 1)) if len(widths) > 1 else "grade"
        sides = (
            {"ranking": self.worse}
            if self.single
            else dict(zip(map(_heading, self.asked), (self.worse, self.better), strict=True))
        )
        columns = [Column("rank", "d")]
        for side in sides:
            columns += [Column(side), Column(heading), *([Column("adds", ".6g")] if self.working else [])]
        rows = []
        for documents in zip_longest(*sides.values()):
            row: list[Value] = [next(document.rank for document in documents if document)]
            for document in documents:
                grades = zip(document.grades, widths, strict=True) if document else ()
                row += [document.name if document else "", "  ".join(f"{grade!s:>{width}}" for grade, width in grades)]
                row += [document.adds if document else None] if self.working else []
            differs = any(document.edited for document in documents if document)
            rows.append([*row, EDITED if differs else ""])
        return Table((*columns, Column("")), rows, sortable=False)


def _heading(asked: str) -> str:
    """Shorten a ranking's requirement to a column heading: "must score lower" becomes "lower"."""
    return asked.replace("must ", "").replace("score ", "").replace("be ", "")


def asked_of(axiom: PairAxiom) -> tuple[str, str]:
    """Return two phrases: the axiom's requirements on the score of the worse and of the better ranking."""
    if axiom.strict:
        return "must score lower", "must score higher"
    return "must not score higher", "must not score lower"


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
        edited = instance.worse[k : k + 1] != instance.better[k : k + 1]
        found.append(RankedDocument(k + 1, name, grades, edited, gains, discount, adds, total))
    return tuple(found)


def aspects_and_weights(instance: Instance) -> str:
    """Return the topic's aspects and weights in one line."""
    weights: Sequence[Fraction] = instance.topic.weights
    if len(weights) == 1:
        return "One aspect"
    kind = "balanced weights" if len(set(weights)) == 1 else "weights"
    names = ", ".join(f"t{t}" for t in range(1, len(weights) + 1))
    return f"{counted(len(weights), 'aspect')} ({names}), {kind} {', '.join(map(str, weights))}"


@dataclass(frozen=True)
class ToldWitness:
    """Description of a counterexample in words and tables, which every output format shows.

    Args:
        witness: Counterexample.
        kind: Kind of violation in words.
        lines: Sentences with both scores, or with the argument for all large n.
        outcome: Sentence on the violated requirement.
        minimal: Sentence on whether a smaller counterexample may exist; empty for a refutation for all large n.
        pair: Both rankings; None for a refutation for all large n.
        setting: Sentences about the two rankings if there is no pair.
        rows: Each n, or range of n, with the ranking ahead, if there is no pair.
        curves: Distributions of the scores; None for metrics that do not compare distributions, or if they were not
            requested.
        doubt: Reason why scoring the counterexample again did not confirm it; empty if confirmed or not scored again.
        unscored: Whether the counterexample was not scored again, since its metric is not in the catalogue.

    """

    witness: AnyWitness
    kind: str
    lines: Sequence[str]
    outcome: str
    minimal: str = ""
    pair: RankingPair | None = None
    setting: str = ""
    rows: Sequence[tuple[str, str]] = ()
    curves: Plot | None = None
    doubt: str = ""
    unscored: bool = False

    @property
    def eps(self) -> str:
        """Value of eps at which the contributions of ranks are computed; empty unless r << 1 is assumed."""
        return getattr(self.witness, "eps", None) or ""

    @property
    def document(self) -> str:
        """Content of a JSON file with the counterexample."""
        return json_text(document_of(self.witness))


def told_witness(witness: PairWitness, batch: Batch, metric: Metric | None, curves: bool = False) -> ToldWitness:
    """Describe a counterexample with two rankings in full.

    Args:
        witness: Counterexample.
        batch: The instance as a batch of size 1 with exact numbers.
        metric: Metric that computes the contributions of ranks; None if its code must not be run.
        curves: Whether to plot the distributions of both scores, for a metric that compares them.

    """
    eps, asked = Fraction(witness.eps) if witness.eps else None, asked_of(batch.axiom)
    exactly = None
    if metric is not None and eps is not None and not metric.partial and witness.scores.arithmetic != "numerical":
        judged = judge(metric, at_eps(batch, fmpq(eps.numerator, eps.denominator)))
        exactly = (judged.worse, judged.better)
    working = workings(metric, batch, eps) if metric is not None else None
    drawn = curves and metric is not None and witness.scores.of
    return ToldWitness(
        witness,
        kind_words(witness),
        score_lines(witness, asked, exactly),
        outcome(witness, batch.axiom, batch.axiom.sentence(batch.draft)),
        minimality(witness),
        pair=RankingPair(instance_of(batch), asked, working),
        curves=survival_curves(asked, *survival(metric, batch, eps)) if drawn and metric else None,
    )


def told_threshold(witness: ThresholdWitness, axiom: ThresholdAxiom) -> ToldWitness:
    """Describe in full the refutation of a threshold axiom, with the argument for all large n."""
    apart = witness.ahead_beyond == "incomparable" or (axiom.winner == "block" and "incomparable" in witness.ahead)
    verb = "leaves the two incomparable under" if apart else "violates"
    return ToldWitness(
        witness,
        APART_WORDS if apart else "an argument for all large n",
        [f"Beyond: {witness.argument}."],
        f"{_LACKING[axiom.winner]}: {witness.metric} {verb} {axiom.name}.",
        setting=f"{_setting(witness)} {_BLOCKS}",
        rows=_ahead_rows(witness),
    )


def survival_curves(asked: tuple[str, str], worse: Steps, better: Steps) -> Plot:
    """Return the plot of P[S >= x] for two rankings, as step functions of x."""
    most = max((value for value, _ in (*worse, *better)), default=0.0) or 1.0
    curves = [
        PlotLine([0.0, *(value for value, _ in steps), most], [*(tail for _, tail in steps), 0.0, 0.0], style, name)
        for name, style, steps in ((asked[0], "line-2", worse), (asked[1], "line-1", better))
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


def score_lines(witness: PairWitness, asked: tuple[str, str], exactly: tuple[str, str] | None = None) -> list[str]:
    """Return sentences with both scores, exact and in decimals, or with the difference between two distributions.

    Args:
        witness: Counterexample with the scores.
        asked: Requirements on the worse and the better ranking, which the sentences use as names; see `asked_of`.
        exactly: Scores of (worse, better) at the witness's eps, if r << 1 is assumed and they are known.

    """
    scores = witness.scores
    if scores.of:
        return [
            "Rankings are compared by stochastic dominance: S is the score of one user.",
            *(f"{name}: {score}" for name, score in zip(asked, (scores.worse, scores.better), strict=True)),
        ]
    how = _ARITHMETIC[scores.arithmetic]
    if scores.arithmetic == "numerical" and witness.small:
        return [f"Scores at eps = {witness.eps} ({how}): {_both(asked, scores.worse, scores.better)}."]
    if scores.bound:
        score, bound = (scores.better, scores.worse) if scores.bound == "worse" else (scores.worse, scores.better)
        return [f"Score ({how}): {_number(score)}. {'Least' if scores.bound == 'worse' else 'Most'} allowed: {bound}."]
    if not witness.small:
        return [f"Scores ({how}): {_both(asked, scores.worse, scores.better)}."]
    where = f"coefficients of {_power(scores.order)}" if scores.order else "limits"
    if witness.kind == "tie":
        what = f"The scores tie in every power of eps; their {where}"
    else:
        what = f"The scores differ first in their {where}"
    lines = [f"{what} ({how}): {_both(asked, scores.worse, scores.better)}."]
    if exactly is not None:
        lines.append(f"At eps = {witness.eps} in all grades: {_both(asked, *exactly)}.")
    return lines


def _both(asked: tuple[str, str], worse: str, better: str) -> str:
    return f"{asked[0]}: {_number(worse)}; {asked[1]}: {_number(better)}"


def outcome(witness: PairWitness, axiom: PairAxiom, sentence: str) -> str:
    """Return sentences on what the axiom requires of a counterexample's rankings, and on the scores that violate it.

    Args:
        witness: Counterexample to the axiom.
        axiom: Violated axiom.
        sentence: Requirement of the axiom for the instance (`PairAxiom.sentence`).

    """
    does = "It does not" if axiom.strict or witness.scores.bound else "It does"
    if sentence[:1] not in "dx" or sentence[1:2].isalpha():  # it does not begin with the name of a document
        sentence = sentence[:1].upper() + sentence[1:]
    return f"{sentence}. {does}: {_scores_found(witness.scores, asked_of(axiom))} ({kind_words(witness)})."


def _scores_found(scores: WitnessScores, asked: tuple[str, str]) -> str:
    if scores.of:
        return f"{scores.worse} for the ranking that {asked[0]}; {scores.better} for the one that {asked[1]}"
    worse, better = brief_pair(scores.worse, scores.better)
    if scores.bound:
        return f"the score is {better if scores.bound == 'worse' else worse}"
    what = f"the scores' coefficients of {_power(scores.order)}" if scores.order else "the scores"
    return f"{what} are {worse} for the ranking that {asked[0]} and {better} for the one that {asked[1]}"


def minimality(witness: PairWitness) -> str:
    """Return a sentence on whether a counterexample smaller than this one may exist."""
    if not witness.minimal:
        return "Shrunk greedily; a smaller counterexample may exist."
    does = "does so" if witness.kind == "incomparable" else "violates it"
    return f"Minimal: nothing smaller {does} among {witness.minimal}."


def _setting(witness: ThresholdWitness) -> str:
    """Return a sentence on the relevant documents: their grade, and how many of them neither ranking retrieves."""
    grade = "eps, eps -> 0" if witness.small else witness.rc
    unseen = witness.unretrieved_relevant
    more = f"; {counted(unseen, 'more relevant document')} in neither ranking" if unseen else ""
    return f"Relevant documents have grade {grade}{more}."


def _ahead_rows(witness: ThresholdWitness) -> list[tuple[str, str]]:
    """Return rows of (range of n, ranking ahead), the last one for all n beyond those that were tried."""
    rows = []
    n = 1
    for ahead, run in groupby(witness.ahead):
        last = n + len(list(run)) - 1
        span = f"from {n}" if ahead == "not tried" else str(n) if n == last else f"{n} to {last}"
        rows.append((span, _AHEAD[ahead]))
        n = last + 1
    return [*rows, ("beyond", _AHEAD[witness.ahead_beyond])]


def _power(order: int) -> str:
    return "eps" if order == 1 else f"eps^{order}"


def _number(text: str) -> str:
    """Append decimals to a fraction, as in ``1/3 ≈ 0.3333333333``. Other numbers are returned unchanged."""
    if "/" not in text:
        return text
    shown = decimal(text, 10)
    return f"{text} {'=' if Fraction(shown) == Fraction(text) else '≈'} {shown}"
