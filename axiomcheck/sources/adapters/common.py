"""Share what adapters need: judgments, run scores without ties, calls in batches, errors that name the library."""

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

from axiomcheck.core.errors import AxiomcheckError, InvalidInput, MetricError, UnknownName
from axiomcheck.metrics.base import Abilities
from axiomcheck.metrics.scores import real_score
from axiomcheck.sources.evaluators import Documented, Evaluator
from axiomcheck.sources.function_metrics import FloatTopic, NamedMetric

Case: TypeAlias = tuple[FloatTopic, Sequence[str]]


@dataclass(frozen=True)
class Refusal:
    """Describe an error that a library documents.

    Args:
        says: part of its message, by which it is known.
        documented: that what it was given is refused.

    """

    says: str
    documented: Documented


class LibraryMetric(NamedMetric):
    """Be the base of measures of installed libraries: cases go to the library in chunks, one query per case."""

    package: ClassVar[str]
    """The distribution whose version is named in errors."""
    companions: ClassVar[tuple[str, ...]] = ()
    """Two measures of the library, of which one is another than any: whether they disturb each other is checked."""
    takes_names: ClassVar[bool] = True
    """True where it is told which documents are ranked, and not their gains alone."""
    refuses_empty: ClassVar[Refusal | None] = None
    """Documented message for a topic without a judged document; None if it documents no such thing."""
    chunk: ClassVar[int] = 4096
    """Cases per call of the library, so that its memory is bounded."""

    @property
    def library(self) -> str:
        """Name the library and its version, such as ``ranx 0.3.21``; the name alone of what is not installed as one."""
        try:
            return f"{self.package} {importlib.metadata.version(self.package)}"
        except importlib.metadata.PackageNotFoundError:
            return self.package

    def score_rankings(self, cases: Sequence[Case]) -> list[float]:
        """Score each (topic, ranking).

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
        """Return the entry point that users of the library call, this measure first; None if it is not described."""
        return None

    @abstractmethod
    def call(self, cases: Sequence[Case]) -> Sequence[float]:
        """Return one score per case, in as few calls of the library as possible; its exceptions pass through."""

    def try_out(self) -> None:
        """Score one small topic, so that what the library refuses is refused by name and not in the search.

        Raises:
            InvalidInput: the library raised.

        """
        topic = FloatTopic((1.0,), {"d1": (1.0,), "d2": (0.0,), "d3": (1.0,)})
        try:
            self.score_rankings([(topic, ["d2", "d1"])])
        except MetricError as error:
            raise InvalidInput(str(error)) from None


def run_scores(ranking: Sequence[str]) -> dict[str, float]:
    """Map documents to n, n-1, ..., 1 down the ranking: what a library sorts by, without ties.

    Raises:
        MetricError: a document is listed twice, which one score per document cannot say.

    """
    if len(set(ranking)) != len(ranking):
        twice = next(name for name in ranking if list(ranking).count(name) > 1)
        raise MetricError(f"document {twice!r} is listed twice, and the library takes one score per document")
    return {name: float(len(ranking) - rank) for rank, name in enumerate(ranking)}


def only_grade(topic: FloatTopic) -> dict[str, float]:
    """Map documents to their grades, of a topic with one aspect.

    Raises:
        MetricError: several aspects.

    """
    if len(topic.weights) != 1:
        raise MetricError(f"the measure knows one aspect and was given {len(topic.weights)}")
    return {name: grades[0] for name, grades in topic.pool.items()}


@dataclass(frozen=True)
class LibraryJudgments:
    """Turn grades into the whole numbers that a library judges with: lowest, lowest + step, ..., or 0 and a threshold.

    Args:
        levels: how many there are above the lowest; a power of two, so that k/levels is exact in floats.
        lowest: the judgment of grade 0.
        threshold: the judgment of every positive grade, for a library that tells no two of them apart; else None.

    """

    levels: int = 4
    lowest: int = 0
    step: int = 1
    threshold: int | None = None

    @property
    def binary(self) -> bool:
        """Tell whether all positive grades have one judgment."""
        return self.threshold is not None

    def abilities(self, *notes: str) -> Abilities:
        """Return what a measure of such judgments can be asked about, with notes on how it is computed."""
        return Abilities(weights=False, levels=None if self.binary else self.levels, notes=notes)

    @property
    def note(self) -> str:
        """Say which judgment stands for a grade."""
        if self.binary:
            return f"a grade above 0 is judgment {self.threshold}, any other 0"
        judgment = "k" if self.step == 1 else f"{self.step}k"
        judgment = f"{self.lowest} + {judgment}" if self.lowest else judgment
        return f"grade k/{self.levels} is judgment {judgment}"

    def of(self, grade: float) -> int:
        """Return the judgment that stands for a grade.

        Raises:
            MetricError: the grade is not a whole number of levels.

        """
        if self.threshold is not None:
            return self.threshold if grade > 0 else 0
        k = round(grade * self.levels)
        if abs(grade * self.levels - k) > 1e-9:
            raise MetricError(
                f"grade {grade!r} is not a multiple of 1/{self.levels}, and the library takes whole numbers only"
            )
        return self.lowest + self.step * k


@dataclass(frozen=True)
class Call:
    """Hold the parts of ``name(1, 2, key=3)``."""

    name: str
    positional: tuple[Any, ...]
    named: dict[str, Any]


def parse_call(text: str) -> Call:
    """Take ``name`` or ``name(arguments)`` apart.

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


def known_call(prefix: str, text: str, what: str, known: Sequence[str], example: str) -> Call:
    """Take a measure's name apart, with its parameters, which are named.

    Raises:
        InvalidInput: no such measure, or a parameter without its name.

    """
    call = parse_call(text)
    if call.name not in known:
        raise UnknownName(what, call.name, known)
    if call.positional:
        raise InvalidInput(f"{prefix}:{text}: parameters are named, as in {example}")
    return call


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Drop warnings and messages: topics here are tiny and odd on purpose, and libraries remark on that."""
    with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()):
        warnings.simplefilter("ignore")
        yield
