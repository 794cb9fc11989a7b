"""Represent values of a metric's code at an unknown rank: arrays, documents, the topic, and sequences to loop over."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal, TypeAlias, TypeGuard

from axiomcheck.derivation.constants import is_exact
from axiomcheck.derivation.forms import (
    ASPECTS,
    AT_RANK,
    BATCH,
    LENGTH,
    ONE,
    POOL,
    RANK,
    ZERO,
    Form,
    Quantity,
    Underivable,
    number,
    of_atom,
)
from axiomcheck.derivation.machine import RANKING, SoFar

Kind: TypeAlias = Literal["b", "i", "f"]
"""Type of numbers: booleans, integers of 64 bits or of Python, and floats of 64 bits."""

Maker: TypeAlias = Literal["numpy", "Python", "either"]
"""Library that a number's type belongs to: numpy numbers have methods, and raise no exception when divided by 0."""

Value: TypeAlias = object
"""Value of an expression: one of the classes below, or a plain Python value. Floats are fractions."""


@dataclass(frozen=True)
class Dimension:
    """Axis of an array whose length may be unknown.

    Args:
        kind: ``batch`` of topics, ``rank``, ``aspect``, or ``one`` entry.
        length: Number of entries.
        over: Sequence of an axis of ranks.

    """

    kind: Literal["batch", "rank", "aspect", "one"]
    length: Form
    over: str = ""


ANY_ORDER = "aspects in any order"
"""Sequence of an axis of the aspects in a set, or of the keys of a filtered dictionary."""


def unordered(axis: Dimension) -> Dimension:
    """Return the axis of some aspects in the order of a set, or of a dictionary's keys."""
    return replace(axis, over=ANY_ORDER) if axis.kind == "aspect" else axis


PLACE = RANK - ONE
"""0-based index of the current rank."""

BATCH_AXIS = Dimension("batch", BATCH)
ASPECT_AXIS = Dimension("aspect", ASPECTS)
ONE_AXIS = Dimension("one", ONE)


def rank_axis(over: str, length: Form | None = None) -> Dimension:
    """Return an axis over all documents of a sequence, or over the given number of them."""
    return Dimension("rank", length or (LENGTH if over == RANKING else POOL), over)


@dataclass(frozen=True, eq=False)
class Array:
    """Array, list or scalar of numbers, represented by the form of its entry at an unknown rank and aspect.

    Args:
        axes: Dimensions; none for a scalar.
        form: Entry at the current rank and aspect.
        kind: Type of the entries.
        listed: True for a Python list or tuple, which has no arithmetic.
        keep: Indicator of the entries that a list has; None if it has all.
        root: Array whose memory this one shares; None for an array that owns its memory.
        nested: Number of leading axes that form one flat list, as in a comprehension with several loops.
        origin: State of this array before it was changed in place; None for a new array.
        keyed: For a dictionary from aspects to numbers, ``all`` if it has every key, ``some`` if the value is 0 for
            missing keys, or ``made`` if reading a missing key adds it; empty for a list or an array.
        maker: Library of the number, or of each entry. Plain numbers (int, Fraction and bool) always belong to Python.

    """

    axes: tuple[Dimension, ...]
    form: Form
    kind: Kind = "f"
    listed: bool = False
    keep: Form | None = None
    root: object = None
    nested: int = 1
    origin: object = None
    keyed: Literal["", "all", "some", "made"] = ""
    maker: Maker = "either"

    def __post_init__(self) -> None:
        """Set the library of an array, which is always numpy."""
        if self.axes and not self.listed:
            object.__setattr__(self, "maker", "numpy")

    @property
    def memory(self) -> object:
        """Object that identifies the array. It stays the same when the array changes in place."""
        return self if self.origin is None else self.origin

    @property
    def rank_axis(self) -> Dimension | None:
        """The axis of ranks; None if there is none."""
        return next((axis for axis in self.axes if axis.kind == "rank"), None)


class PythonList(tuple[Value, ...]):
    """List whose entries are all known. A plain tuple stands for a tuple, or for a value that may be either."""


class ConstantTable(tuple[Value, ...]):
    """List or tuple of constants whose entry at any rank has a known expression.

    Args:
        elements: The constants.
        entries: The constants as an array over ranks.

    """

    entries: Array

    def __new__(cls, elements: Iterable[Value], entries: Array) -> ConstantTable:
        """Create the tuple of the elements, and keep the expression of its entries."""
        made = super().__new__(cls, elements)
        made.entries = replace(entries, listed=True)
        return made


@dataclass(frozen=True, eq=False)
class First:
    """Value that depends on the first rank at which a condition holds, such as the result of a loop that ends there.

    Args:
        over: Sequence of the ranks.
        condition: Indicator at a rank.
        value: Value at that rank.
        default: Value if there is no such rank.

    """

    over: str
    condition: Form
    value: Value
    default: Value


@dataclass(frozen=True, eq=False)
class Largest:
    """Maximum of an array of nonnegative numbers, which can only be compared with 0.

    Args:
        positive: Condition that the largest entry is positive.
        array: The array.

    """

    positive: Value
    array: Array


@dataclass(frozen=True, eq=False)
class Failed:
    """Value that cannot be computed. Using it raises the error."""

    error: Underivable


class NoScore(Failed):
    """Result that is not a score: an exception that the code raises, or NaN."""


@dataclass(frozen=True)
class Document:
    """Document at the current rank of a sequence."""

    over: str


@dataclass(frozen=True, eq=False)
class Documents:
    """List or set of documents in the order of a sequence.

    Args:
        axis: Dimension of ranks.
        keep: Indicator of the documents that it contains; None if it contains all.
        ordered: False if the order is unknown, as in a set.
        listed: True for a list or an array, False for a set and for the keys of a dictionary.

    """

    axis: Dimension
    keep: Form | None = None
    ordered: bool = True
    listed: bool = True


@dataclass(frozen=True, eq=False)
class Tuples:
    """Set of tuples, each with a document and constants.

    Args:
        documents: Documents of the tuples.
        key: Tuple of the current document.

    """

    documents: Documents
    key: tuple[Value, ...]


@dataclass(frozen=True, eq=False)
class Mapping:
    """Dictionary from documents or aspects to values. One with a number for each aspect is an `Array`.

    Args:
        axis: Dimension of the documents, or of aspects.
        value: Value of the document at the current rank, or of the current aspect.
        keep: Indicator of the keys that it has; None if it has all.
        zero: True if ``value`` is 0 for the keys that it lacks.
        filling: True while a loop over aspects fills it, so that only the loop's current entry can be read.

    """

    axis: Dimension
    value: Value
    keep: Form | None = None
    zero: bool = False
    filling: bool = False

    @property
    def keys(self) -> Dimension:
        """Axis of the keys. If some aspects are missing, the others may not be in order of their indices."""
        return self.axis if self.keep is None else unordered(self.axis)

    @property
    def key(self) -> Value:
        """The key of the current entry."""
        return {"aspect": Index("aspect"), "one": 0}.get(self.axis.kind, Document(self.axis.over))


@dataclass(frozen=True)
class GradesInOrder:
    """Grades of a document when documents are sorted by the first aspect, so that only its first grade can be used."""


@dataclass(frozen=True)
class UnknownTopic:
    """Topic argument of a function of (topic, ranking).

    Args:
        single: True if the topic has one aspect; False if the number of its aspects is unknown.

    """

    single: bool = False


@dataclass(frozen=True)
class Index:
    """Index of the current aspect, or of the current topic of a batch."""

    kind: Literal["aspect", "batch"]


@dataclass(frozen=True, eq=False)
class Loop:
    """Iterable over ranks, aspects or a batch.

    Args:
        axis: Dimension that is looped over.
        element: Element at the current entry.
        keep: Indicator of the elements that it has; None if it has all.

    """

    axis: Dimension
    element: Value
    keep: Form | None = None


@dataclass(frozen=True, eq=False)
class Once:
    """Iterator, whose elements can be read only once.

    Args:
        value: Value that contains the elements.
        lazy: True if the user's code computes each element when it is read.

    """

    value: Value
    lazy: bool


@dataclass(frozen=True, eq=False)
class AspectSet:
    """Set of aspect indices.

    Args:
        member: Indicator of the current aspect.
        filling: True while a loop over aspects adds to it, so that only the loop's current aspect can be tested.

    """

    member: Form = ZERO
    filling: bool = False


@dataclass(frozen=True, eq=False)
class SeenDocuments:
    """Set to which a loop adds documents. No document occurs twice in a sequence.

    Args:
        over: Sequence of the documents.
        member: Indicator that the current document was added.

    """

    over: str
    member: Form


@dataclass(frozen=True, eq=False)
class Method:
    """Bound method of a dictionary that is used as a value, such as ``grades.get``."""

    owner: Value
    name: str


@dataclass(frozen=True, eq=False)
class Builder:
    """List to which a loop appends, or dictionary that it fills.

    Args:
        entry: Value appended at the current rank, or pair of a key and a value; None before the first.
        keep: Indicator of the ranks that append.
        keyed: True for a dictionary.
        above: Totals or entries from above the current rank; None outside of loops over ranks.
        certain: True if the current step appended outside of branches.

    """

    entry: Value = None
    keep: Form = ONE
    keyed: bool = False
    above: SoFar | None = None
    certain: bool = False


@dataclass(frozen=True, eq=False)
class Ignored:
    """Context manager that changes no value, such as numpy.errstate(...)."""


def scalar(form: Form, kind: Kind = "f", maker: Maker = "either") -> Array:
    """Return a scalar with the given form."""
    return Array((), form, kind, maker=maker)


def as_value(condition: Form | First | bool) -> Value:
    """Convert a condition to the value of an expression that is Python's True or False."""
    return scalar(condition, "b", "Python") if isinstance(condition, Form) else condition


def made_by(value: Value, maker: Maker) -> Value:
    """Mark a number as belonging to the given library; return any other value unchanged."""
    if isinstance(value, First):
        return replace(value, value=made_by(value.value, maker), default=made_by(value.default, maker))
    if is_number(value) and maker != "Python":
        return replace(as_array(value), maker=maker)
    return simplified(replace(value, maker=maker)) if isinstance(value, Array) and not value.axes else value


def maker_of(*values: Value) -> Maker:
    """Return the library that all of the values belong to, or ``either`` if they differ or one is not a number."""
    makers = {x.maker if isinstance(x, Array) else "Python" if is_number(x) else "either" for x in values}
    return makers.pop() if len(makers) == 1 else "either"


def are_alike(one: Value, two: Value) -> bool:
    """Return True for two lists of the same length, and for two dictionaries with the same constant keys."""
    if isinstance(one, dict) and isinstance(two, dict):
        return list(one) == list(two)
    return isinstance(one, tuple) and isinstance(two, tuple) and len(one) == len(two)


def entries(value: Value) -> Collection[Value]:
    """Return the entries of a list or a dictionary; none for any other value."""
    return value.values() if isinstance(value, dict) else value if isinstance(value, tuple) else ()


def by_entry(operation: Callable[..., Value], first: Value, *others: Value) -> Value:
    """Map lists or dictionaries entry by entry: call ``operation`` with each index or key and the entries there."""
    rows: list[Any] = [first, *others]
    if isinstance(first, dict):
        return {key: operation(key, *(row[key] for row in rows)) for key in first}
    made = (operation(place, *entries) for place, entries in enumerate(zip(*rows, strict=True)))
    return PythonList(made) if all(isinstance(row, PythonList) for row in rows) else tuple(made)


def is_empty(value: Value) -> bool:
    """Return True for an empty list or dictionary, which code may fill."""
    return value == {} or (isinstance(value, PythonList) and not value)


def is_number(value: Value) -> TypeGuard[int | Fraction]:
    """Return True for a plain number: a bool, an int or a Fraction."""
    return isinstance(value, bool | int | Fraction)


def as_array(value: Value, infinite: bool = False) -> Array:
    """Convert a number or an array to an array.

    Args:
        value: The number or array.
        infinite: True if infinity is allowed.

    Raises:
        Underivable: The value is neither a number nor an array, or is filtered, or may be unset.

    """
    if isinstance(value, Array):
        if not infinite:
            refuse_infinite(value)
        if value.keep is not None:
            raise Underivable("computes with a filtered list or array: use np.where instead")
        refuse_nested(value)
        refuse_unset(value)
        return value
    if isinstance(value, bool):
        return scalar(number(value), "b", "Python")
    if isinstance(value, int):
        return scalar(number(value), "i", "Python")
    if isinstance(value, Fraction):
        return scalar(Form(number(value).terms, not is_exact(value)), "f", "Python")
    if isinstance(value, Failed):
        raise value.error
    raise Underivable(f"computes with {described(value)}, which is not supported")


UNSET = of_atom(Quantity("unset"))
"""Unknown value of an entry in a new array, such as one that np.empty returns."""


def refuse_unset(value: Value) -> None:
    """Check that a value is not an array with entries that may be unset.

    Raises:
        Underivable: The value is such an array.

    """
    if isinstance(value, Array) and any(atom.kind == "unset" for product in value.form.terms for atom, _ in product):
        raise Underivable("reads an array that may have unset entries: use np.zeros instead of np.empty")


NAN = NoScore(Underivable("uses NaN for topics that have a relevant document"))

INFINITY = Array((), of_atom(Quantity("infinity")))
"""Infinity. Numbers may be divided by it; other arithmetic is refused."""


def refuse_infinite(value: Value) -> None:
    """Check that a value is neither infinity nor an array with infinite entries.

    Raises:
        Underivable: The value may be infinite.

    """
    if isinstance(value, Array) and any(atom.kind == "infinity" for atom in value.form.atoms()):
        raise Underivable("uses infinity other than as a divisor")


def refuse_keyed(value: Value) -> None:
    """Check that a value is not a dictionary over aspects, since only entries of such a dictionary are supported.

    Raises:
        Underivable: The value is such a dictionary.

    """
    if isinstance(value, Array) and value.keyed:
        raise Underivable("uses a whole dictionary of aspects; only its entries are supported")


def refuse_filling(value: Value) -> None:
    """Check that no loop over aspects is filling a set or a dictionary, because its other entries are unknown.

    Raises:
        Underivable: A loop over aspects is filling it.

    """
    if isinstance(value, AspectSet | Mapping) and value.filling:
        raise Underivable(f"reads {described(value)} while a loop over aspects is filling it")


def refuse_nested(value: Value) -> None:
    """Check that a value is not a list from nested loops, because the positions of its entries are unknown.

    Raises:
        Underivable: The value is such a list.

    """
    if isinstance(value, Array) and value.nested > 1:
        raise Underivable("reads part of a list created in nested loops; only the whole list is supported")


def described(value: Value) -> str:
    """Describe a value for messages. A value that could not be computed raises its error."""
    if isinstance(value, Failed):
        raise value.error
    names = {
        type(None): "None",
        First: "the first rank that meets a condition",
        Largest: "the maximum of an array",
        Document: "the name of a document",
        Documents: "a list or set of documents",
        Mapping: "a dictionary of documents",
        GradesInOrder: "the grades of other aspects in the order of the first",
        UnknownTopic: "the topic itself",
        Index: "the index of an aspect or topic",
        Loop: "an iterable",
        Once: "an iterator",
        AspectSet: "a set",
        SeenDocuments: "a set of documents",
        Tuples: "a set of tuples",
        Builder: "a list or dictionary that a loop is filling",
    }
    if isinstance(value, Array):
        return "a dictionary of aspects" if value.keyed else "an array" if value.axes else "a number"
    if isinstance(value, tuple | dict):
        return "a dictionary" if isinstance(value, dict) else "a list or tuple"
    plain = isinstance(value, bool | int | Fraction | str | None)
    return names.get(type(value), repr(str(value))[:40] if plain else "a function, a class or an object")


def simplified(value: Array) -> Value:
    """Convert a constant Python scalar to a plain number; return any other value unchanged."""
    constant = value.form.constant
    if value.axes or constant is None or value.maker != "Python":
        return value
    if value.kind == "b":
        return bool(constant)
    return int(constant) if value.kind == "i" and constant.denominator == 1 else constant


def grade(over: str, aspect: int | None) -> Form:
    """Return the grade of the document at the current rank, on a given aspect or on the current one."""
    return of_atom(Quantity("grade", (over, aspect), each=aspect is None))


def renamed(form: Form, old: str, new: str) -> Form:
    """Replace one sequence of documents with another in all atoms of a form."""

    def change(atom: Quantity) -> Form | None:
        if atom.kind in ("grade", "hit") and atom.of[0] == old:
            return of_atom(Quantity(atom.kind, (new, *atom.of[1:]), atom.each))
        if atom.kind in AT_RANK or (atom.kind == "inverse" and atom.form.at_rank):
            raise Underivable("reorders values that depend on the rank, not only on the document")
        return None

    return form if old == new else form.replace(change)
