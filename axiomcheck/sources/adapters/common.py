"""Provide helpers for adapters: options, judgments, batched calls, and errors that name the library."""

from __future__ import annotations

import ast
import contextlib
import io
import warnings
from abc import abstractmethod
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, TypeAlias

from axiomcheck.core.errors import AxiomcheckError, InvalidInput, MetricError, UnknownName
from axiomcheck.metrics.base import Abilities
from axiomcheck.metrics.scores import calling, real_score
from axiomcheck.sources.evaluators import Documented, Evaluator
from axiomcheck.sources.external_metrics import FloatTopic, NamedMetric

Case: TypeAlias = tuple[FloatTopic, Sequence[str]]

_CHUNK = 4096
"""Maximum number of cases per call to a library, which limits its memory use."""


@dataclass(frozen=True)
class Refusal:
    """Documented error that a library raises for an input that it rejects.

    Args:
        says: Part of the error message that identifies the error.
        documented: Quotation from the documentation stating that the input is rejected.

    """

    says: str
    documented: Documented


@dataclass(frozen=True)
class MeasureOption:
    """Option of a library measure, with other values to try.

    Args:
        name: Name of the option in the library.
        now: Current value of the option; None if it is not set.
        others: Other values, each with the name of the measure that has this value.
        depth: True if the option is a number of ranks that does not affect the scores of rankings and topics with at
            most that many documents.

    """

    name: str
    now: Any
    others: Mapping[Any, str]
    depth: bool


def options_of(
    table: Mapping[str, tuple[tuple[Any, ...], bool]],
    takes: Container[str | None],
    given: Mapping[str, Any],
    spell: Callable[[dict[str, Any]], str],
    divided: bool = False,
) -> list[MeasureOption]:
    """Return the options that a measure accepts, with other values to try from a library's table.

    Args:
        table: Map from each option of the library to a pair: the values to try, and True if the option is a depth.
        takes: Names of the options that the measure accepts.
        given: Values of the options in the measure's name.
        spell: Function that builds the measure's name from a dictionary of options.
        divided: True if scores are divided by the depth, which then also affects the scores of shorter rankings.

    """
    return [
        MeasureOption(
            name,
            given.get(name),
            {value: spell({**given, name: value}) for value in values if value != given.get(name)},
            depth and not divided,
        )
        for name, (values, depth) in table.items()
        if name in takes
    ]


def spelled_call(name: str, named: Mapping[str, Any]) -> str:
    """Return ``name(key=value, ...)``."""
    return f"{name}({', '.join(f'{key}={value!r}' for key, value in named.items())})"


class LibraryMetric(NamedMetric):
    """Base class for measures from installed libraries.

    Cases are sent to the library in chunks, which limits its memory use.
    """

    package: str
    """Distribution whose version is named in errors."""
    companions: tuple[str, ...] = ()
    """Two library measures, at least one of which differs from any given measure; used to check that measures in the
    same call do not affect each other."""
    refuses_empty: ClassVar[Refusal | None] = None
    """Documented error for a topic without judged documents; None if none is documented."""

    @cached_property
    def library(self) -> str:
        """Name and version of the library, such as ``ranx 0.3.21``.

        The version is missing if no distribution is installed.
        """
        from importlib.metadata import PackageNotFoundError, version

        try:
            return f"{self.package} {version(self.package)}"
        except PackageNotFoundError:
            return self.package

    def score_rankings(self, cases: Sequence[Case]) -> list[float]:
        """Return the score of each (topic, ranking) pair.

        Raises:
            MetricError: The library raised an exception, whose message is included.

        """
        scores: list[float] = []
        for start in range(0, len(cases), _CHUNK):
            with calling(f"{self}: {self.library}", "", AxiomcheckError), quiet():
                scores.extend(real_score(self, score) for score in self.call(cases[start : start + _CHUNK]))
        return scores

    @property
    def options(self) -> Sequence[MeasureOption]:
        """Options that the `parameters-matter` contract check varies."""
        return ()

    @property
    def native(self) -> Evaluator | None:
        """Entry point that users of the library call, whose first measure is this one.

        None if the adapter does not describe the entry point.
        """
        return None

    @abstractmethod
    def call(self, cases: Sequence[Case]) -> Sequence[float]:
        """Return one score per case, with as few calls to the library as possible.

        Exceptions that the library raises are propagated.
        """

    def try_out(self) -> None:
        """Score one small topic, so that an invalid measure is reported at once and not during the search.

        Raises:
            InvalidInput: The library raised an exception.

        """
        topic = FloatTopic((1.0,), {"d1": (1.0,), "d2": (0.0,), "d3": (1.0,)})
        try:
            self.score_rankings([(topic, ["d2", "d1"])])
        except MetricError as error:
            raise InvalidInput(str(error)) from None


@dataclass(frozen=True)
class LibraryJudgments:
    """Conversion of grades to a library's integer judgments.

    Grade k/levels becomes lowest + step * k. With a threshold, the only judgments are 0 and the threshold.

    Args:
        levels: Number of judgments above the lowest. It is a power of two, so that k/levels is exact in floats.
        lowest: Judgment of grade 0.
        step: Difference between consecutive judgments.
        threshold: Judgment for every positive grade if the library does not distinguish positive grades, else None.

    """

    levels: int = 4
    lowest: int = 0
    step: int = 1
    threshold: int | None = None

    @property
    def binary(self) -> bool:
        """True if all positive grades have the same judgment."""
        return self.threshold is not None

    def abilities(self, *notes: str) -> Abilities:
        """Return a measure's `Abilities`: only equal weights and, unless judgments are binary, only grades k/levels."""
        return Abilities(weights=False, levels=None if self.binary else self.levels, notes=notes)

    @property
    def note(self) -> str:
        """Sentence on how grades are converted to judgments, for reports."""
        if self.binary:
            return f"a grade above 0 becomes judgment {self.threshold}, and grade 0 becomes 0"
        judgment = "k" if self.step == 1 else f"{self.step}k"
        judgment = f"{self.lowest} + {judgment}" if self.lowest else judgment
        return f"grade k/{self.levels} becomes judgment {judgment}"

    def of(self, grade: float) -> int:
        """Convert a grade to a judgment.

        Raises:
            MetricError: There is no threshold, and the grade is not a multiple of 1/levels.

        """
        if self.threshold is not None:
            return self.threshold if grade > 0 else 0
        k = round(grade * self.levels)
        if abs(grade * self.levels - k) > 1e-9:
            raise MetricError(
                f"grade {grade!r} is not a multiple of 1/{self.levels}, but the library accepts only integers"
            )
        return self.lowest + self.step * k


@dataclass(frozen=True)
class Call:
    """Parsed parts of ``name(1, 2, key=3)``."""

    name: str
    positional: tuple[Any, ...]
    named: dict[str, Any]


def parse_call(text: str) -> Call:
    """Parse ``name`` or ``name(arguments)``.

    Raises:
        InvalidInput: The text has neither form, or an argument is not a literal.

    """
    expected = "expected a name or name(key=value, ...) with literal values"
    try:
        node = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        raise InvalidInput(f"{text!r}: {expected}") from None
    if isinstance(node, ast.Name):
        return Call(node.id, (), {})
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        raise InvalidInput(f"{text!r}: {expected}")
    try:
        positional = tuple(ast.literal_eval(argument) for argument in node.args)
        named = {str(k.arg): ast.literal_eval(k.value) for k in node.keywords if k.arg is not None}
    except ValueError:
        raise InvalidInput(f"{text!r}: {expected}") from None
    if len(named) != len(node.keywords):
        raise InvalidInput(f"{text!r}: {expected}")
    return Call(node.func.id, positional, named)


def known_call(prefix: str, text: str, what: str, known: Sequence[str], example: str) -> Call:
    """Parse a measure's name with its keyword arguments.

    Raises:
        InvalidInput: There is no such measure, or an argument is not given by keyword.

    """
    call = parse_call(text)
    if call.name not in known:
        raise UnknownName(what, call.name, known)
    if call.positional:
        raise InvalidInput(f"{prefix}:{text}: parameters must be named, as in {example}")
    return call


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Suppress warnings and output on stderr, which libraries emit for small, unusual topics."""
    with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()):
        warnings.simplefilter("ignore")
        yield
