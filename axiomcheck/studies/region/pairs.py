"""Regions of the pairwise axioms: where one fixed instance breaks the axiom for a whole box of parameters."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import product

from axiomcheck.axioms import PairAxiom
from axiomcheck.core.domain import Reading, assumes_small
from axiomcheck.core.errors import InvalidInput, NotRational
from axiomcheck.core.verdict import Verdict
from axiomcheck.decide.pairs import Pairs
from axiomcheck.decide.search import Settings
from axiomcheck.decide.witness import Witness, read_witness
from axiomcheck.engine.matrix import run_matrix
from axiomcheck.metrics import Metric
from axiomcheck.metrics.parameters import Real
from axiomcheck.numbers.polynomials import Undecided, by_order
from axiomcheck.proof.proving import prove
from axiomcheck.records.certificates import InductionCertificate, MixtureCertificate
from axiomcheck.studies.region.polynomials import Box, BoxPolynomial
from axiomcheck.studies.region.result import RegionFinding
from axiomcheck.studies.region.symbols import BoxSymbols, score_on

_EXAMPLES = (0, 200)
"""Random instances to try: none after the small shapes were enumerated, then a few. Not many: where the parameters lie
near an end of their range, scores are nearly equal and each instance costs exact arithmetic."""


def proof_for_box(axiom: PairAxiom, metric: Metric, reading: Reading, box: Box) -> RegionFinding | None:
    """A proof that a pairwise axiom holds for every parameter in a box; None where there is none.

    A proof with a parameter as a symbol covers the inside of the parameter's range. Where a box reaches an end of the
    range, the metric at that end takes a proof of its own.

    Args:
        axiom: which one is asked.
        metric: at its fixed values.
        reading: regime and domain.
        box: varied name -> closed interval.

    """
    declared = {p.name: p for p in metric.declared}
    choices: list[list[tuple[str, Fraction | None]]] = []
    for name, (low, high) in box.items():
        parameter = declared.get(name)
        if not isinstance(parameter, Real):
            return None
        ends = [end for end in {low, high} if end in (parameter.low, parameter.high) and _admits(parameter, end)]
        choices.append([(name, None), *((name, end) for end in sorted(ends))])
    for choice in product(*choices):
        inside = {name for name, end in choice if end is None}
        values = {name: sum(box[name]) / 2 if end is None else end for name, end in choice}
        symbols = _symbols_of_proof(axiom, metric.remade(metric.cutoff, metric.values | values), reading)
        if symbols is None or inside - symbols:
            return None
    return RegionFinding("holds", "proof by induction")


def _admits(parameter: Real, end: Fraction) -> bool:
    return not (parameter.low_open if end == parameter.low else parameter.high_open)


@lru_cache(maxsize=1024)
def _symbols_of_proof(axiom: PairAxiom, metric: Metric, reading: Reading) -> set[str] | None:
    """The parameters that are symbols in a checked proof for rankings of every length; None without one."""
    proof = prove(axiom, metric, reading)
    if proof is None or proof.verdict is not Verdict.PROVED:
        return None
    certificate = proof.certificate
    parts = certificate.parts if isinstance(certificate, MixtureCertificate) else (certificate,)
    return set.intersection(*(set(part.parameters) for part in parts if isinstance(part, InductionCertificate)))


def difference_on(metric: Metric, pairs: Pairs, box: Box) -> tuple[BoxPolynomial, ...]:
    """Q(better) - Q(worse) of one pair of rankings, with symbols for parameters, up to positive factors.

    Args:
        metric: at its fixed values.
        pairs: B = 1, with exact grades.
        box: varied name -> the interval that comparisons in the metric's code have to be certain on.

    Returns:
        By order of eps from the lowest (one where r << 1 is not assumed), without what is identically zero.

    Raises:
        Undecided: the metric's code takes different branches for different parameters of the box.
        InvalidInput: it cannot be run on symbols.

    """
    depth = max(pairs.worse.shape[1], pairs.better.shape[1], pairs.pool.shape[1])
    try:
        return _run(metric, pairs, box, 0)
    except NotRational:
        return _run(metric, pairs, box, depth)


def _run(metric: Metric, pairs: Pairs, box: Box, depth: int) -> tuple[BoxPolynomial, ...]:
    symbols = BoxSymbols(box, depth=depth)
    worse, better = (
        by_order(score_on(metric, symbols, ranking, pairs.weights, pairs.pool, pairs.small), symbols)
        for ranking in (pairs.worse, pairs.better)
    )
    zero = symbols.constant(0)
    differences = [better.get(k, zero) - worse.get(k, zero) for k in sorted({*worse, *better})]
    return tuple(symbols.read(x.numerator) for x in differences if not x.numerator.is_zero())


class NoInstance(InvalidInput):
    """The metric has no instance of the axiom, or none that fits its cutoff."""


@dataclass
class PairJudge:
    """Decides boxes of one metric by the witnesses that the search finds at their centres.

    Args:
        axiom: a pairwise one.
        metric: at its fixed values and cutoff.
        reading: regime and domain.
        seed: of the search.
        witnesses: found so far, in the order found; shared by the cutoffs that are varied.

    """

    axiom: PairAxiom
    metric: Metric
    reading: Reading
    seed: int
    witnesses: list[Witness] = field(default_factory=list)
    quiet: set[tuple[tuple[Fraction, Fraction], ...]] = field(default_factory=set)

    @property
    def small(self) -> bool:
        """Whether r << 1 is assumed."""
        return assumes_small(self.axiom, self.reading)

    def finding(self, box: Box) -> RegionFinding | None:
        """Whether the axiom fails on a whole box, or a proof says that it holds."""
        proved = proof_for_box(self.axiom, self.metric, self.reading, box)
        if proved is not None:
            return proved
        for number, witness in enumerate(self.witnesses, start=1):
            if self.breaks(witness, box):
                return RegionFinding("fails", f"witness {number}")
        found = self._search(box)
        if found is None:
            self.quiet.add(tuple(box.values()))
            return None
        self.witnesses.append(found)
        return RegionFinding("fails", f"witness {len(self.witnesses)}") if self.breaks(found, box) else None

    def worth(self, box: Box) -> bool:
        """Whether a counterexample was found at the centre, but not one that does for the whole box."""
        return tuple(box.values()) not in self.quiet

    def _search(self, box: Box) -> Witness | None:
        """A witness at the centre of a box."""
        centre = {name: (low + high) / 2 for name, (low, high) in box.items()}
        metric = self.metric.remade(self.metric.cutoff, self.metric.values | centre)
        for examples in _EXAMPLES:
            settings = Settings(seed=self.seed, examples=examples, proofs=False)
            (cell,) = run_matrix([metric], [self.axiom], self.reading, settings).cells
            if cell.witness is not None:
                return read_witness(cell.witness, metric)
            if cell.verdict in (Verdict.NOT_APPLICABLE, Verdict.ERROR):
                raise NoInstance(f"{self.axiom} cannot be decided for {metric}: {cell.reason}")
        return None

    def breaks(self, witness: Witness, box: Box) -> bool:
        """Whether an instance breaks the axiom for every parameter of a box.

        Its leading coefficients are negative everywhere, or negative or zero with the next one negative, ...; in the
        end an exact tie, which breaks a strict axiom.
        """
        k = self.metric.cutoff
        if k is not None and int(self.axiom.last_rank(witness.batch.draft)[0]) > k:
            return False
        try:
            orders = difference_on(self.metric, Pairs.of(witness.batch), box)
        except Undecided:
            return False
        for polynomial in orders:
            _, high = polynomial.range_signs(box)
            if high == -1:
                return True
            if high != 0:
                return False
        return self.axiom.strict
