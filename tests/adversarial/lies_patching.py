"""A file that changes axiomcheck's own geometric discount: 2 from rank 101 on. User code; tests never import it."""

from fractions import Fraction

from axiomcheck.metrics.base import FoldMetric
from axiomcheck.metrics.fold import Additive, Fold
from axiomcheck.numbers.discount import Geometric

Geometric.rational = (  # type: ignore[method-assign]
    lambda self, rank: Fraction(2) if rank > 100 else self.scale * self.ratio ** (rank - 1)
)
Geometric.real = lambda self, rank: float(self.rational(rank))  # type: ignore[method-assign]


class Patched(FoldMetric):
    name = "patched"
    summary = source = "mine"

    def fold(self) -> Fold:
        return Additive(Geometric(Fraction(4, 5)))
