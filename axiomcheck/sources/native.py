"""What users of a library call: judgments and runs of several topics in, scores of several measures out."""

from __future__ import annotations

import ast
import inspect
import math
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeAlias

from axiomcheck.core.errors import InvalidInput

ByTopic: TypeAlias = Mapping[str, Mapping[str, float]]
"""Topic -> document -> its judgment, or its run score."""

Mean: TypeAlias = Callable[[ByTopic, ByTopic, list[str]], Mapping[str, float]]
"""As `Evaluator.evaluate`, with the mean over topics of every measure."""


class Ties(StrEnum):
    """What is documented of documents with the same run score."""

    UNSAID = "nothing is documented"
    NAME = "earlier names first"
    NAME_LAST = "later names first"
    LISTED = "as listed in the run"
    AVERAGED = "averaged over all their orders"
    TOGETHER = "taken at once, as one set of results"


@dataclass(frozen=True)
class Documented:
    """What a library's documentation says.

    Args:
        says: in a sentence's words.
        source: where it says so.

    """

    says: str
    source: str

    def __str__(self) -> str:
        return f"{self.says} ({self.source})"


@dataclass(frozen=True)
class JudgmentRange:
    """The judgments that a library documents to take.

    Args:
        low, high: whole numbers from one to the other.
        documented: where that is said; what comes of other judgments is told with it.

    Raises:
        InvalidInput: the ends are no whole numbers, or the wrong way round; nothing says where it is documented.

    """

    low: int
    high: int
    documented: Documented

    def __post_init__(self) -> None:
        said = f"JudgmentRange({self.low!r}, {self.high!r}, ...)"
        if any(not isinstance(end, int) or isinstance(end, bool) for end in (self.low, self.high)):
            raise InvalidInput(f"{said}: expected whole numbers, from the lowest judgment to the highest")
        if self.low > self.high:
            raise InvalidInput(f"{said}: expected the lowest judgment first")
        if not isinstance(self.documented, Documented):
            raise InvalidInput(
                f"{said}: documented={self.documented!r}; expected Documented(sentence, where it stands)"
            )

    def __contains__(self, judgment: object) -> bool:
        return isinstance(judgment, int | float) and self.low <= judgment <= self.high and judgment == int(judgment)


@dataclass(frozen=True)
class DeclaredMeasure:
    """What a library documents of a measure.

    Args:
        name: as the entry point takes it.
        low, high: no score is outside; None if there is no such bound.
        ideal: a ranking by descending judgment scores ``high`` where something is relevant, whatever judgments are.
        cutoff: results below this rank do not count; None if all do.
        above: it stays in its range with judgments above the scale: those of `Evaluator.grades` are examples.
        undefined: the score of a topic without a relevant document is None or nan, and means leave such topics out.

    """

    name: str
    low: float | None = None
    high: float | None = None
    ideal: bool = False
    cutoff: int | None = None
    above: bool = False
    undefined: bool = False


@dataclass(frozen=True)
class Evaluator:
    """An entry point, and what is documented of it.

    Args:
        name: in reports.
        evaluate: takes judgments, run and the names of measures; returns measure -> topic -> score, where a
            topic may be left out.
        measures: what is checked: a measure, and the same one with other parameters.
        program: Python text that defines ``evaluate``, and ``mean`` if there is one: what a counterexample is run with.
        mean: the mean over topics, computed by the library; None if it computes none.
        grades: judgments of the documented scale, 0 first.
        ties: what is documented of equal run scores.
        beside: other measures that it computes in the same call; they are not checked.
        single_precision: where it is documented that run scores are kept in single precision; None if it is not.
        judgments: which judgments it is documented to take; None if nothing is said of that.

    """

    name: str
    evaluate: Callable[[ByTopic, ByTopic, list[str]], Mapping[str, Mapping[str, float]]]
    measures: tuple[DeclaredMeasure, ...]
    program: str = ""
    mean: Mean | None = None
    grades: tuple[float, ...] = (0, 1, 2)
    ties: Ties = Ties.UNSAID
    beside: tuple[str, ...] = ()
    single_precision: Documented | None = None
    judgments: JudgmentRange | None = None

    def defined(self, measure: str, qrels: ByTopic, scores: Mapping[str, Any]) -> dict[str, Any]:
        """Return the scores of topics by a measure, without topics for which it is documented to be undefined.

        None for any other topic is nan there, as a score that is missing.
        """
        if not any(declared.undefined for declared in self.measures if declared.name == measure):
            return dict(scores)
        known = {topic: math.nan if score is None else score for topic, score in scores.items()}
        relevant = {topic for topic, judged in qrels.items() if any(judgment > 0 for judgment in judged.values())}
        return {topic: score for topic, score in known.items() if str(topic) in relevant or score == score}


def program_of(imports: Sequence[str], *functions: Callable[..., Any], after: str = "") -> str:
    """The text of functions as a program of its own: without annotations, whose names it lacks.

    Args:
        imports: lines that come first.
        functions: that use nothing but what is imported, and one another.
        after: lines that come last.

    """
    texts = ["\n".join(imports)]
    for function in functions:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                node.returns = None
                for argument in (*node.args.args, *node.args.kwonlyargs):
                    argument.annotation = None
        texts.append(ast.unparse(_Unannotated().visit(tree)))
    return "\n\n\n".join(text for text in (*texts, after) if text) + "\n"


class _Unannotated(ast.NodeTransformer):
    """Assignments without their annotations."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        """``name: type = value`` becomes ``name = value``."""
        if node.value is None:
            return node
        return ast.copy_location(ast.Assign([node.target], node.value, lineno=node.lineno), node)
