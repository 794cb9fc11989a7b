"""What the adapters share: judgments, run scores without ties, calls in batches, and errors that name the library."""

from __future__ import annotations

import ast
import contextlib
import importlib.metadata
import io
import warnings
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

from axiomcheck.core.errors import AxiomcheckError, InvalidInput, MetricError
from axiomcheck.metrics.scores import real_score
from axiomcheck.sources.evaluators import Documented, Evaluator
from axiomcheck.sources.function_metrics import FloatTopic, NamedMetric

Case: TypeAlias = tuple[FloatTopic, Sequence[str]]


@dataclass(frozen=True)
class Refusal:
    """An error that a library documents.

    Args:
        says: part of its message, by which it is known.
        documented: that what it was given is refused.

    """

    says: str
    documented: Documented


class LibraryMetric(NamedMetric):
    """Base of the measures of installed libraries: cases go to the library in chunks, one query per case.

    Args:
        label, **declared: as `OwnMetric`.

    """

    package: ClassVar[str]
    """The distribution whose version is named in errors."""
    companions: ClassVar[tuple[str, ...]] = ()
    """Two measures of the library, of which one is another than any: whether they disturb each other is checked."""
    takes_names: ClassVar[bool] = True
    """Whether it is told which documents are ranked, and not their gains alone."""
    refuses_empty: ClassVar[Refusal | None] = None
    """What it documents to say of a topic without a judged document; None if it documents no such thing."""
    chunk: ClassVar[int] = 4096
    """Cases per call of the library, so that its memory is bounded."""

    @property
    def library(self) -> str:
        """The library and its version, such as ``ranx 0.3.21``; of what is no installed distribution its name alone."""
        try:
            return f"{self.package} {importlib.metadata.version(self.package)}"
        except importlib.metadata.PackageNotFoundError:
            return self.package

    def score_rankings(self, cases: Sequence[Case]) -> list[float]:
        """One score per (topic, ranking).

        Raises:
            MetricError: the library raised; the message is the library's.

        """
        scores: list[float] = []
        for start in range(0, len(cases), self.chunk):
            part = cases[start : start + self.chunk]
            try:
                with quiet():
                    scores.extend(real_score(self, score) for score in self.call(part))
            except AxiomcheckError:
                raise
            except Exception as error:
                raise MetricError(f"{self}: {self.library} raised {type(error).__name__}: {error}") from error
        return scores

    @property
    def native(self) -> Evaluator | None:
        """The entry point that users of the library call, this measure first; None if it is not described."""
        return None

    @abstractmethod
    def call(self, cases: Sequence[Case]) -> Sequence[float]:
        """One score per case, in as few calls of the library as possible; exceptions are those of the library."""

    def try_out(self) -> None:
        """Scores one small topic, so that what the library refuses is refused by name and not in the search.

        Raises:
            InvalidInput: the library raised.

        """
        topic = FloatTopic((1.0,), {"d1": (1.0,), "d2": (0.0,), "d3": (1.0,)})
        try:
            self.score_rankings([(topic, ["d2", "d1"])])
        except MetricError as error:
            raise InvalidInput(str(error)) from None


def run_scores(ranking: Sequence[str]) -> dict[str, float]:
    """Document -> n, n-1, ..., 1 down the ranking: what a library sorts by, without ties.

    Raises:
        MetricError: a document is listed twice, which one score per document cannot say.

    """
    if len(set(ranking)) != len(ranking):
        twice = next(name for name in ranking if list(ranking).count(name) > 1)
        raise MetricError(f"document {twice!r} is listed twice, and the library takes one score per document")
    return {name: float(len(ranking) - rank) for rank, name in enumerate(ranking)}


def only_grade(topic: FloatTopic) -> dict[str, float]:
    """Document -> its grade, of a topic with one aspect.

    Raises:
        MetricError: several aspects.

    """
    if len(topic.weights) != 1:
        raise MetricError(f"the measure knows one aspect and was given {len(topic.weights)}")
    return {name: grades[0] for name, grades in topic.pool.items()}


def levels_of(grade: float, levels: int) -> int:
    """The integer k of a grade k/levels.

    Raises:
        MetricError: the grade is not a whole number of levels.

    """
    k = round(grade * levels)
    if abs(grade * levels - k) > 1e-9:
        raise MetricError(f"grade {grade!r} is not a multiple of 1/{levels}, and the library takes whole numbers only")
    return k


@dataclass(frozen=True)
class Call:
    """``name(1, 2, key=3)`` taken apart.

    Args:
        name: what is called.
        positional, named: its arguments, Python literals.

    """

    name: str
    positional: tuple[Any, ...]
    named: dict[str, Any]


def parse_call(text: str) -> Call:
    """Takes ``name`` or ``name(arguments)`` apart.

    Raises:
        InvalidInput: it is neither, or an argument is not a literal.

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


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Drops warnings and messages: topics here are tiny and odd on purpose, and libraries remark on that."""
    with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()):
        warnings.simplefilter("ignore")
        yield
