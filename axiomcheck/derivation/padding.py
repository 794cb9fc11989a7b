"""Check that the entries of a constant list past the end of the ranking add nothing."""

from __future__ import annotations

from axiomcheck.derivation.forms import ZERO, Form, Underivable
from axiomcheck.derivation.machine import FILLED_UP
from axiomcheck.derivation.values import Dimension


def at_padding(form: Form) -> Form:
    """Return the value of a form at a rank without a document."""
    return form.replace(lambda atom: ZERO if atom.kind in ("grade", "hit") else None)


def refuse_at_padding(axis: Dimension, step: Form) -> None:
    """Check that ranks without documents add nothing.

    Raises:
        Underivable: Such a rank may add something.

    """
    if axis.over in FILLED_UP and at_padding(step) != ZERO:
        raise Underivable("adds a nonzero value at padded ranks, which have no document")
