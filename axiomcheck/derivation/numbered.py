"""Recognise the numbers of documents: their places among the judged documents, by which code indexes arrays."""

from __future__ import annotations

from dataclasses import replace

from axiomcheck.derivation import values as v
from axiomcheck.derivation.forms import POOL, Form, Quantity, Underivable, of_atom
from axiomcheck.derivation.machine import JUDGED
from axiomcheck.derivation.values import Array, Dimension, Document, Documents

NUMBER = object()
"""First entry of the key of a set of numbers. The second entry is the document."""


def number_in_pool(over: str) -> Form:
    """Return the number of the current document of a sequence."""
    return of_atom(Quantity("place", (over,)))


def numbered_over(form: Form) -> str | None:
    """Return the sequence of a document if a form is the number of the document; None for another form."""
    return next((str(a.of[0]) for a in form.atoms() if a.kind == "place" and form == of_atom(a)), None)


def entry_at_number(axis: Dimension, form: Form, number: Array) -> Form:
    """Return the entry of an array over the judged documents for the document with a given number.

    Raises:
        Underivable: The array is not over all judged documents, or the numbers are not integers.

    """
    over = numbered_over(number.form)
    if axis.over != JUDGED or axis.length != POOL or over is None or number.kind != "i" or number.keep is not None:
        raise Underivable("uses the number of a document to index an array that is not over the judged documents")
    return v.renamed(form, JUDGED, over)


def set_of_numbers(documents: Documents) -> v.Tuples:
    """Return the set of the numbers of documents."""
    return v.Tuples(replace(documents, ordered=False, listed=False), (NUMBER, Document(documents.axis.over)))
