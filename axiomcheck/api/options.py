"""Define the options that commands and API functions share, each with its type, limits, default and help.

The options of an API function are a TypedDict whose values are type aliases annotated with an `Option`. The function
takes them as keyword arguments and validates them with `checked`. The command of the same name reads them through
`axiomcheck.cli.options.asks`.
"""

from __future__ import annotations

import functools
import inspect
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, TypedDict, TypeVar, cast, get_type_hints

import msgspec
import numpy as np
from msgspec import Meta

from axiomcheck.core.documents import Record, read
from axiomcheck.core.domain import Domain, Reading, Regime
from axiomcheck.core.errors import InvalidInput, meant
from axiomcheck.core.printable import shown
from axiomcheck.decide.budgets import REPEATED, Settings
from axiomcheck.processes.limits import Deadline, Limits

LONGEST_BUDGET = 365 * 86400.0
"""Maximum budget in seconds."""

Seconds = Annotated[float, Meta(gt=0, le=LONGEST_BUDGET)]


@dataclass(frozen=True)
class Option:
    """Command-line option and keyword argument of an API function.

    Args:
        help: Help text in full sentences.
        default: Default value.
        kind: Type with limits against which values are validated; None if the API function validates them itself.
        flags: Command-line flags; by default derived from the name. A flag that begins with ``--no-`` turns the option
            off.
        metavar: Placeholder for the value in ``--help``.
        is_time: True if the value is typed as a duration such as ``60s`` or ``2m``.
        is_file: True if the value is typed as a file name.
        choices: Values that may be typed, in upper or lower case; empty if any value may be typed.

    """

    help: str
    default: object = None
    kind: object = None
    flags: tuple[str, ...] = ()
    metavar: str | None = None
    is_time: bool = False
    is_file: bool = False
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Default:
    """Default value of an option in one API function, where it differs from that of the `Option`."""

    value: object


RegimeName = Annotated[
    str,
    Option(
        "Where r << 1 is assumed: as in the paper (stated), everywhere except in Sat (limit), or nowhere (finite).",
        Reading.regime.value,
        Regime,
        metavar="NAME",
    ),
]
DomainName = Annotated[
    str,
    Option(
        "Relevance grades: any value in [0, 1] (graded), or only 0 and one value rc (binary).",
        Reading.domain.value,
        Domain,
        metavar="NAME",
    ),
]
Examples = Annotated[
    int,
    Option(
        "Number of random instances per cell, in addition to the enumerated ones. It is reduced for slow metrics.",
        kind=Annotated[int, Meta(ge=0, le=10**12)],  # a practical upper limit
        metavar="N",
    ),
]
"""Each function has its own default; see `axiomcheck.decide.budgets` for the reasons."""
Seed = Annotated[
    int,
    Option(
        "Random seed; the same seed gives the same output.",
        0,
        Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)],
        metavar="N",
    ),
]
Jobs = Annotated[
    int | None,
    Option(
        "Number of worker processes. Default: one per usable CPU.",
        kind=Annotated[int, Meta(ge=1)] | None,
        flags=("-j", "--jobs"),
        metavar="N",
    ),
]
"""Functions and external metric objects are always decided in this process."""
Timeout = Annotated[
    float,
    Option(
        "Time limit in seconds for a cell of an external metric.",
        Limits.seconds,
        Seconds,
        metavar="SECONDS",
    ),
]
Memory = Annotated[
    int,
    Option(
        "Memory limit in megabytes for a cell of an external metric.",
        Limits.megabytes,
        Annotated[int, Meta(ge=64)],
        metavar="MEGABYTES",
    ),
]
Budget = Annotated[
    float | None,
    Option(
        "Time limit for the whole run, such as 60s or 2m. The number of instances then depends on the machine's speed.",
        kind=Seconds | None,
        metavar="TIME",
        is_time=True,
    ),
]


class CellOptions(TypedDict, total=False):
    """Options of ``axiomcheck weakest`` and of `axiomcheck.parametrize`."""

    regime: RegimeName
    domain: DomainName
    examples: Annotated[Examples, Default(REPEATED)]
    seed: Seed


def options_of(kind: type) -> dict[str, Option]:
    """Return the options of a TypedDict by name, in the order of their definition."""
    found = {}
    for name, hint in get_type_hints(kind, include_extras=True).items():
        said = getattr(hint, "__metadata__", ())
        (option,) = [one for one in said if isinstance(one, Option)]
        for own in said:
            option = replace(option, default=own.value) if isinstance(own, Default) else option
        found[name] = option
    return found


@functools.cache
def _record_of(kind: type) -> type[Record]:
    """Create a record type to validate the options of a TypedDict, except those without a ``kind``."""
    fields = [(name, one.kind, one.default) for name, one in options_of(kind).items() if one.kind is not None]
    made: type[Record] = msgspec.defstruct(kind.__name__, fields, bases=(Record,), kw_only=True)  # type: ignore[assignment]
    return made


_Options = TypeVar("_Options", bound=Mapping[str, object])


def checked(verb: str, kind: type[_Options], given: _Options, listen: object = print) -> _Options:
    """Validate the options of an API function, and return them with defaults filled in.

    Args:
        verb: Name of the API function, for messages.
        kind: TypedDict of the function's options.
        given: Options that the caller passed.
        listen: Callback for events.

    Raises:
        InvalidInput: A value is out of range or has the wrong type.
        TypeError: The function has no option of a given name.

    """
    known = options_of(kind)
    for name in given:
        if name not in known:
            near = meant(name, known)
            raise TypeError(f"{verb}() got an unexpected keyword argument {name!r}{f'; {near}' if near else ''}")
    if not callable(listen):
        raise InvalidInput(f"{verb}: listen is {shown(listen)}; expected a function that takes one event")
    plain = {name: _plain(value) for name, value in given.items() if known[name].kind is not None}
    held = read(_record_of(kind), plain, verb, python=True)
    defaults = {name: option.default for name, option in known.items()}
    return cast(_Options, {**defaults, **given, **{name: getattr(held, name) for name in held.__struct_fields__}})


def _plain(value: object) -> object:
    """Convert NumPy scalars and string enumerations to plain Python values."""
    if isinstance(value, np.generic):
        return value.item()
    return str(value) if isinstance(value, str) else value


_Verb = TypeVar("_Verb", bound=Callable[..., Any])


def with_options(kind: type) -> Callable[[_Verb], _Verb]:
    """Return a decorator that adds options to a function's signature, and to its docstring for ``**options``."""

    def decorate(verb: _Verb) -> _Verb:
        signature, hints = inspect.signature(verb), get_type_hints(kind)
        own = [one for one in signature.parameters.values() if one.kind is not inspect.Parameter.VAR_KEYWORD]
        asked = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=option.default, annotation=hints[name])
            for name, option in options_of(kind).items()
        ]
        before = [one for one in own if one.kind is not inspect.Parameter.KEYWORD_ONLY]
        parameters = [*before, *asked, *(one for one in own if one.kind is inspect.Parameter.KEYWORD_ONLY)]
        verb.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        if verb.__doc__ is not None:
            lines = "\n".join(_argument(name, option) for name, option in options_of(kind).items())
            verb.__doc__ = verb.__doc__.replace("        **options: see `Option`.", lines)
        return verb

    return decorate


def _argument(name: str, option: Option) -> str:
    """Return the text that describes an option in the ``Args`` section of a docstring."""
    words = f"false: {option.help[0].lower()}{option.help[1:]}" if option.default is True else option.help
    return textwrap.fill(f"{name}: {words}", 120, initial_indent=" " * 8, subsequent_indent=" " * 12)


def reading_of(options: Mapping[str, Any]) -> Reading:
    """Build the reading (regime and domain) from validated options."""
    return Reading(Regime(options["regime"]), Domain(options["domain"]))


def settings_of(options: Mapping[str, Any]) -> Settings:
    """Build the search settings from validated options; a missing option keeps its default in `Settings`."""
    return Settings(**{name: options[name] for name in ("seed", "examples", "exhaustive", "proofs") if name in options})


def limits_of(options: Mapping[str, Any]) -> Limits:
    """Build the time and memory limits for worker processes from validated options."""
    return Limits(options["timeout"], options["memory"])


def loading_limits(options: Mapping[str, Any]) -> Limits:
    """Build the limits on loading the user's code in this process. A shorter budget replaces the time limit."""
    limits, budget = limits_of(options), options.get("budget")
    return limits if budget is None or limits.seconds <= budget else replace(limits, seconds=budget, option="--budget")


def deadline_of(seconds: float | None) -> Deadline | None:
    """Return a deadline ``seconds`` seconds from now, or None if there is no limit."""
    return None if seconds is None else Deadline.starting_now(seconds)
