"""When the gain of the ideal ranking is a normaliser: Lemma 3 of docs/lemmas/induction.md, for a fold of anybody's."""

from __future__ import annotations

from flint import fmpq

from axiomcheck.core.errors import InvalidInput
from axiomcheck.metrics.fold import Fold
from axiomcheck.proof.check.discounts import check_discount
from axiomcheck.proof.check.quotients import Exact, Quotient, attempt, every_outcome, variable


def check_ideal(fold: Fold, of: str) -> None:
    """Checks that what a fold earns on grades in descending order is positive where one is, and 0 where none is.

    Args:
        fold: whose step is run on symbols: a state of numbers from 0 up, grades in [0, 1].
        of: the metric's name, for the message.

    Raises:
        InvalidInput: that is not shown of it; the message says what is not.

    """
    a, where = Exact(), f"metric: the normaliser of {of}"
    check_discount(fold.discount, "positive")
    start = tuple(Quotient.of(x) for x in attempt(where, fold.start, a))
    state = tuple(variable(f"state_{k}", "[0, oo)") for k in range(len(start)))

    def outcomes(before: tuple[Quotient, ...], grade: Quotient) -> list[tuple[Quotient, tuple[Quotient, ...]]]:
        def run() -> tuple[Quotient, tuple[Quotient, ...]]:
            gain, after = fold.step(a, before, grade)
            return Quotient.of(gain), tuple(Quotient.of(x) for x in after)

        found: list[tuple[Quotient, tuple[Quotient, ...]]] = attempt(where, every_outcome, run)
        return found

    if not all(x.shown(">=") for x in start):
        raise InvalidInput(f"{where}: its fold starts with a number that is not shown to be 0 or more")
    for gain, after in outcomes(state, variable("r", "[0, 1]")):
        if not (gain.shown(">=") and all(x.shown(">=") for x in after)):
            raise InvalidInput(f"{where}: a gain of its fold, or a number of the state, is not shown to be 0 or more")
    if not all(gain.shown(">") for gain, _ in outcomes(start, variable("r", "(0, 1]"))):
        raise InvalidInput(f"{where}: the first relevant document is not shown to earn something")
    for gain, after in outcomes(start, Quotient.of(fmpq(0))):
        if not gain.is_zero or not all((x - y).is_zero for x, y in zip(after, start, strict=True)):
            raise InvalidInput(f"{where}: a pool without relevant documents may earn something")
