"""Find the user's functions and objects, and pair each with a counterpart recompiled to use exact numbers."""

from __future__ import annotations

import ast
import dataclasses
import functools
import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from types import BuiltinFunctionType, FunctionType

import numpy as np

from axiomcheck.derivation import values as v
from axiomcheck.derivation.environment import Environment
from axiomcheck.derivation.forms import Underivable
from axiomcheck.derivation.iterators import refuse_held
from axiomcheck.derivation.methods import NEW, makes_new, names_set, refuse_held_elsewhere, refuse_leaks
from axiomcheck.derivation.source import (
    Definition,
    definition_of,
    exact_value,
    global_of,
    is_user_class,
    is_user_function,
    names_of,
    own_bases,
)
from axiomcheck.derivation.values import Array, AspectSet, Builder, Failed, SeenDocuments, Value
from axiomcheck.sources.field_classes import factories_of_fields, fields_of_dataclass, fields_of_tuple, is_frozen
from axiomcheck.sources.natural.reading import read_again
from axiomcheck.sources.natural.same_reading import Unreadable


@dataclass(frozen=True, eq=False)
class Function:
    """User's function, paired with the same function recompiled to use exact numbers.

    Args:
        function: Function in floats; None for a function that was defined in a call.
        exact: The same function, recompiled to use exact numbers.
        bound: Object that a method is bound to, with its exact counterpart.
        defined_in: Environment of the call in which it was defined; None for a module-level function.
        node: Definition of a function that was defined in a call.
        file: File of this definition; empty if a rule added the function.
        cached: True if the function has a cache, so that equal arguments give the same result.
        defaults: Default arguments of a function that was defined in a call.

    """

    function: FunctionType | None
    exact: object
    bound: Value = None
    defined_in: Environment | None = None
    node: Definition | None = None
    file: str = ""
    cached: bool = False
    defaults: Mapping[str, Value] = field(default_factory=dict)

    @property
    def definition(self) -> Definition:
        """Syntax tree of the definition."""
        if self.node is not None:
            return self.node
        assert self.function is not None
        return definition_of(self.function)

    def names_read(self) -> set[str]:
        """Return the names that an inner function and the functions within it read."""
        return {node.id for node in ast.walk(self.definition) if isinstance(node, ast.Name)}

    def lookup(self, name: str) -> Value:
        """Return the value of a name that is not local to the function."""
        if self.defined_in is not None:
            return self.defined_in.find(name)
        assert self.function is not None
        held, again = (names_of(one, name).get(name) for one in (self.function, self.exact))
        if isinstance(held, dict | list | tuple) and again is not None:
            return paired(held, again, name)
        return resolved(global_of(self.function, self.exact, name), self, name)


_OWN_WAYS = frozenset(
    (
        "__getattr__",
        "__getattribute__",
        "__setattr__",
        "__delattr__",
        "__slots__",
        "__new__",
        "__init_subclass__",
        "__del__",
    )
)
"""Names in a class that change how its objects are created and deleted, or how attributes are read and set."""

_FROZEN = {"__setattr__", "__delattr__"}
"""Names in `_OWN_WAYS` that every frozen dataclass defines."""

_OF_DESCRIPTORS = ("__get__", "__set__", "__delete__")


@dataclass(frozen=True, eq=False)
class UserClass:
    """User's plain class, paired with the same class recompiled to use exact numbers."""

    value: type
    exact: type

    def attribute(self, name: str) -> Value:
        """Return a function, a class method or a constant of the class."""
        return self.member(name, None)

    def member(self, name: str, owner: Value, after: type | None = None) -> Value:
        """Return a member of the class or of a base class.

        Args:
            name: Name of the member.
            owner: Object that a method is bound to; None for the class itself.
            after: Class after which the search in the MRO begins; None to begin with the class itself.

        Raises:
            Underivable: There is no such member, or it is neither a function nor a constant.

        """
        found = next((pair for pair in self.members(name, after)), None)
        if found is None:
            raise Underivable(f"reads {self.value.__name__}.{name}, which does not exist")
        value, exact = found
        if isinstance(value, staticmethod | classmethod) and type(value) is type(exact):
            inner = value.__func__
            if isinstance(inner, FunctionType):
                return Function(inner, exact.__func__, self if isinstance(value, classmethod) else None)
        if isinstance(value, FunctionType):
            return Function(value, exact, owner)
        if owner is not None and type(value) is type(exact) is property and isinstance(value.fget, FunctionType):
            return Property(Function(value.fget, exact.fget, owner))
        if any(hasattr(type(value), method) for method in _OF_DESCRIPTORS):
            raise Underivable(f"reads or sets {name}, which is a descriptor of the class {self.value.__name__}")
        return paired(value, exact, f"the attribute {name}")

    def members(self, name: str, after: type | None) -> Iterator[tuple[object, object]]:
        """Yield each member with a given name in the class and its bases, with its exact counterpart; see `member`."""
        bases, again = own_bases(self.value), own_bases(self.exact)
        if [base.__name__ for base in bases] != [base.__name__ for base in again]:
            raise Underivable(f"uses {self.value.__name__}, whose base classes differ when its file is loaded again")
        frozen = bases == [self.value] and is_frozen(self.value) and bool(fields_of_dataclass(self.value))
        if any(vars(base).keys() & (_OWN_WAYS - _FROZEN if frozen else _OWN_WAYS) for base in bases):
            raise Underivable(
                f"reads {name} of a class with a special feature such as a metaclass, __new__ or __getattr__"
            )
        start = 0 if after is None else bases.index(after) + 1
        for base, other in zip(bases[start:], again[start:], strict=True):
            if name in vars(base):
                yield vars(base)[name], vars(other).get(name)

    def has(self, name: str) -> bool:
        """Return True if the class or a base has a member."""
        return any(True for _ in self.members(name, None))

    def _field_defaults(self, names: Sequence[str], call: Callable[[Value], Value]) -> Iterator[tuple[str, Value]]:
        """Yield (name, default value) for each dataclass field that is given no argument."""
        each = [vars(kind)["__init__"].__defaults__ or () for kind in (self.value, self.exact)]
        made, again = factories_of_fields(self.value), factories_of_fields(self.exact)
        if len(each[0]) != len(each[1]) or made.keys() != again.keys():
            raise Underivable(f"uses {self.value.__name__}, whose defaults differ when its file is loaded again")
        fields = [field.name for field in dataclasses.fields(self.value)][-len(each[0]) :] if each[0] else []
        for name, one, two in zip(fields, *each, strict=True):
            if name in names and name in made:
                new = made[name] is again[name] and any(made[name] is kind for kind in NEW)
                yield name, call(made[name] if new else paired(made[name], again[name], f"the default of {name}"))
            elif name in names:
                yield name, paired(one, two, f"the field {name}")

    def made_of_fields(
        self, arguments: Sequence[Value], named: Mapping[str, Value], call: Callable[[Value], Value]
    ) -> LocalObject | None:
        """Return an instance of a named tuple class or a plain dataclass; None for any other class.

        Args:
            arguments: Positional arguments.
            named: Keyword arguments.
            call: Function that calls a user's function without arguments.

        Raises:
            Underivable: A field has no argument or several, or an argument matches no field.

        """
        of_tuple = fields_of_tuple(self.value)
        names = of_tuple or fields_of_dataclass(self.value)
        given = dict(zip(names, arguments, strict=False)) | dict(named)
        if not names:
            return None
        once = len(given) == len(arguments) + len(named)
        fresh = {
            x for x, factory in (() if of_tuple else factories_of_fields(self.value).items()) if makes_new(factory)
        }
        fresh -= given.keys()
        if not of_tuple:
            given |= dict(self._field_defaults([name for name in names if name not in given], call))
        if given.keys() != set(names) or not once:
            raise Underivable(f"creates {self.value.__name__} with arguments that do not match its fields")
        refuse_held(*given.values())
        made = LocalObject(self, {name: given[name] for name in names} if of_tuple else {}, fresh=frozenset(fresh))
        for name in names if not of_tuple else ():
            made.store(name, given[name])
        return made


@dataclass(frozen=True)
class Property:
    """Property of an object: a function that is called when the attribute is read."""

    function: Function


def _refuse_descriptor(member: Value, name: str) -> None:
    """Refuse to set an attribute that is a property of the class. `UserClass.member` refuses all other descriptors."""
    if isinstance(member, Property):
        raise Underivable(f"sets the attribute {name}, which is a property of the class")


def _refuse_special(name: str) -> None:
    """Refuse to set an attribute such as ``__call__`` of an object, because Python looks it up on the class instead."""
    if name.startswith("__") and name.endswith("__"):
        raise Underivable(f"sets {name} of an object, which Python looks up on the class instead")


@dataclass(frozen=True, eq=False)
class UserObject:
    """Instance of a user's plain class that was created before the call.

    Args:
        value: Object in floats.
        exact: The same object, created by the recompiled class.

    """

    value: object
    exact: object

    @property
    def kind(self) -> UserClass:
        """Class of the object."""
        return UserClass(type(self.value), type(self.exact))

    def attribute(self, name: str) -> Value:
        """Return a method, or the exact value of an attribute."""
        if name not in vars(self.value):
            return self.kind.member(name, self)
        _refuse_special(name)
        if self.kind.has(name):
            _refuse_descriptor(self.kind.member(name, self), name)
        return paired(vars(self.value)[name], vars(self.exact).get(name), f"the attribute {name}")


@dataclass(frozen=True, eq=False)
class LocalObject:
    """Instance of a user's plain class that is created during the call.

    Args:
        kind: Class of the object.
        attributes: Values by name.
        changing: True while a method that may set attributes is being run on the object.
        dropped: True if nothing reads the object after this method.
        returning: Name of this method if it may return the object, because nothing else refers to it.
        fresh: Attributes for which a default factory of the dataclass has created a new container.

    """

    kind: UserClass
    attributes: dict[str, Value] = field(default_factory=dict)
    changing: bool = False
    dropped: bool = False
    returning: str = ""
    fresh: frozenset[str] = frozenset()

    @property
    def changes_kept(self) -> bool:
        """True while running a method that changes the object, if code reads the object afterwards."""
        return self.changing and not self.dropped

    def attribute(self, name: str) -> Value:
        """Return a method or an attribute."""
        if name not in self.attributes:
            return self.kind.member(name, replace(self, changing=self.dropped))
        value = self.attributes[name]
        if isinstance(value, Failed):
            raise value.error
        return replace(value, root=value.root or self) if isinstance(value, Array) and value.axes else value

    def unpacked(self) -> Value:
        """Convert a named tuple to a tuple of its fields; return any other object unchanged."""
        if not fields_of_tuple(self.kind.value):
            return self
        return tuple(x if isinstance(x, Failed) else self.attribute(name) for name, x in self.attributes.items())

    def with_value(self, name: str, value: Value) -> LocalObject:
        """Return the object after a method has set an attribute.

        Raises:
            Underivable: The attribute hides a member of the class, which loops do not carry from rank to rank.

        """
        if name not in self.attributes and self.kind.has(name):
            raise Underivable(f"sets the attribute {name}, which the class defines: set it in __init__")
        made = replace(self, attributes={**self.attributes})
        made.store(name, value)
        return made

    def filled(self, name: str, value: Value) -> LocalObject:
        """Return the object after a method has changed the value of an attribute in place."""
        return replace(self, attributes={**self.attributes, name: value})

    def container(self, name: str) -> Value:
        """Return the list, set or dictionary of an attribute that a method changes in place.

        Raises:
            Underivable: The value is of another kind, the object may not change, or something else may refer to either.

        """
        value = self.attributes.get(name)
        if not self.changing:
            raise Underivable(
                f"changes the attribute {name} in a method whose result is used: call it in a statement of its own"
            )
        listed = isinstance(value, Array) and bool(value.axes) and value.listed and value.root is None
        if not listed and not isinstance(value, tuple | dict | Builder | AspectSet | SeenDocuments):
            raise Underivable(f"changes the attribute {name}, which is not a list or a dictionary")
        refuse_leaks(self.kind.value, self.attributes, self.returning)
        refuse_held_elsewhere(self.kind.value, name, name in self.fresh)
        return value

    def is_later(self, other: LocalObject) -> bool:
        """Return True if this may be a later state of ``other``: only attributes that methods set differ."""
        names, kept = names_set(self.kind.value), self.attributes
        others = all(name in names or kept[name] is value for name, value in other.attributes.items() if name in kept)
        return self.kind.value is other.kind.value and kept.keys() == other.attributes.keys() and others

    def by_number(self, change: Callable[..., Value], *others: LocalObject) -> LocalObject:
        """Return the object with ``change(name, value, *other_values)`` for each attribute that methods may set."""
        names = names_set(self.kind.value) & self.attributes.keys()
        made = {name: change(name, *(x.attributes[name] for x in (self, *others))) for name in sorted(names)}
        return replace(self, attributes=self.attributes | made)

    def changed(self, change: Callable[[Value], Value]) -> LocalObject:
        """Apply a function to all attribute values, and return the changed object."""
        return replace(self, attributes={name: change(value) for name, value in self.attributes.items()})

    def store(self, name: str, value: Value) -> None:
        """Set an attribute of an object under construction; a list that a loop is filling becomes a `Failed` value.

        Raises:
            Underivable: The class has a member of this name, or Python looks up the name on the class.

        """
        refuse_held(value)
        _refuse_special(name)
        if isinstance(value, Builder | SeenDocuments):
            value = Failed(Underivable(f"reads the attribute {name}, which a loop is filling"))
        if self.kind.has(name):
            _refuse_descriptor(self.kind.member(name, self), name)
        self.attributes[name] = value


def is_changing(value: Value) -> bool:
    """Return True for an object whose method may set attributes."""
    return isinstance(value, LocalObject) and value.changing


@dataclass(frozen=True, eq=False)
class Super:
    """Result of ``super()``.

    Args:
        owner: Object that ``super()`` is bound to.
        after: Class after which the MRO is searched for members.

    """

    owner: LocalObject | UserObject
    after: type

    def attribute(self, name: str) -> Value:
        """Return a method of a base class."""
        owner = self.owner
        if isinstance(owner, LocalObject) and name != "__init__":
            owner = replace(owner, changing=False)
        return self.owner.kind.member(name, owner, self.after)

    @property
    def is_last(self) -> bool:
        """True if no base class has an ``__init__``, so that ``object.__init__`` is called."""
        return not any(True for _ in self.owner.kind.members("__init__", self.after))


Owner = UserObject | LocalObject | UserClass | Super
"""Values that get their attributes from a user's class or object."""


def user_function(value: FunctionType) -> Function:
    """Pair a user's function with its exact counterpart.

    Raises:
        Underivable: The source of the function cannot be read.

    """
    try:
        exact = read_again(value)
    except Unreadable as error:
        raise Underivable(f"calls {value.__name__}, whose source cannot be read: {error}") from None
    return Function(value, exact)


def paired(value: object, exact: object, name: str) -> Value:
    """Convert a value in the user's code: pair functions, classes and objects with their exact counterparts."""
    if isinstance(value, dict) and type(value) is type(exact) is dict and list(value) == list(exact):
        return {key: paired(x, exact[key], name) for key, x in value.items()}
    if isinstance(value, list | tuple) and type(value) is type(exact) in (list, tuple) and len(value) == len(exact):
        parts = (paired(x, other, name) for x, other in zip(value, exact, strict=True))
        return v.PythonList(parts) if isinstance(value, list) else tuple(parts)
    if isinstance(value, np.ufunc | BuiltinFunctionType):  # the exact code has a stand-in for it
        return value
    if not is_user_class(value) and not is_user_class(type(value)) and not is_user_function(value):
        return exact_value(exact, name, value)
    if isinstance(value, FunctionType) and _definition(value) != _definition(exact):
        raise Underivable(f"uses {name}, which is a different function when its file is loaded again")
    return _counterpart(value, exact, name)


def _definition(function: object) -> object:
    """Return (name, line) of a function's definition, to compare two loads of a file; None for any other object."""
    code = function.__code__ if isinstance(function, FunctionType) else None
    return code and (code.co_qualname, code.co_firstlineno)


def resolved(value: object, callee: Function | None, name: str) -> Value:
    """Return the value of a global name that a function uses; user functions are paired with exact counterparts."""
    return _counterpart(value, names_of(callee.exact, name).get(name) if callee else None, name)


def _counterpart(value: object, exact: object, name: str) -> Value:
    if isinstance(value, type) and fields_of_tuple(value):
        return UserClass(value, value)
    if is_user_class(value) or is_user_class(type(value)):
        if isinstance(value, type) and isinstance(exact, type):
            return UserClass(value, exact)
        if type(exact).__name__ == type(value).__name__:
            return UserObject(value, exact)
        raise Underivable(f"uses {name}, which cannot be loaded again from its file")
    cached = isinstance(value, functools._lru_cache_wrapper)
    if isinstance(value, functools._lru_cache_wrapper):  # the function inside the cache is called again
        inner = value.__wrapped__
        if not any(inner is each for each in gc.get_referents(value)):  # code may set __wrapped__
            raise Underivable(f"calls {name}, which caches a function other than its __wrapped__")
        value, exact = inner, getattr(exact, "__wrapped__", None)
    if not is_user_function(value):
        return value
    found = Function(value, exact) if isinstance(exact, FunctionType) else user_function(value)
    return replace(found, cached=cached)


def refuse_equal_keys(callee: Function, arguments: Sequence[Value]) -> None:
    """Check that no argument of a cached function is a number that may equal a number of another type.

    Raises:
        Underivable: An argument is a boolean, or a float with an integer value: the cache may return the result for
            an equal integer.

    """
    for value in arguments if callee.cached else ():
        number = isinstance(value, Fraction) and value.denominator == 1
        if number or isinstance(value, bool | tuple) or (isinstance(value, Array) and value.kind == "b"):
            raise Underivable(
                "calls a cached function with a number that may equal a number of another type, such as 1 and 1.0"
            )
