"""Adapt the library functions that `functions.toml` lists, such as ``cornac:NDCG(k=10)``."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec
import numpy as np

from axiomcheck.core.errors import UnknownName
from axiomcheck.metrics.base import Abilities, Claims
from axiomcheck.sources.adapters.common import (
    Case,
    LibraryJudgments,
    LibraryMetric,
    MeasureOption,
    known_call,
    options_of,
    quiet,
    spelled_call,
)
from axiomcheck.sources.evaluators import only_grade

_USUAL = (
    "every document in the pool is judged; unjudged documents count as irrelevant",
    "rankings keep their order: there are no run scores that could tie",
)


_SKIPPED = "an empty ranking and a topic without a relevant document are not passed to the library and score 0"


class LibraryFunction(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Table entry for a function that scores rankings, or for a class whose instances score them.

    Args:
        cutoff: Name of the parameter that gives the number of ranks; empty if there is none.
        ranks: Default value of that parameter; None for all ranks.
        divided: True if scores are divided by the cutoff, which then also affects the scores of shorter rankings.
        takes: Kind of relevance values that the function accepts: judgments 0 and 1, judgments from 0 to 4, or grades
            from 0 to 1.
        others: Values to try for each other parameter.
        arguments: Kind of argument, by parameter; empty to use `Library.arguments`.
        bounded: True if scores never exceed 1.
        ideal: True if every ideal ranking is documented to score 1.
        notes: Facts about the function that verdicts depend on.

    """

    cutoff: str = ""
    ranks: int | None = None
    divided: bool = False
    takes: Literal["0 and 1", "0 to 4", "grades"] = "0 and 1"
    others: dict[str, tuple[Any, ...]] = {}
    arguments: dict[str, str] = {}
    bounded: bool = True
    ideal: bool = False
    notes: tuple[str, ...] = ()

    @property
    def parameters(self) -> dict[str, tuple[tuple[Any, ...], bool]]:
        """Values to try for each parameter, each with True if the parameter is the cutoff."""
        cutoff = {self.cutoff: ((1, 2, 3), True)} if self.cutoff else {}
        return cutoff | {name: (values, False) for name, values in self.others.items()}


class Library(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Table entry for a library whose functions score rankings.

    Args:
        package: Name of the distribution that contains the library.
        module: Module with the functions.
        functions: Functions by name.
        arguments: Kind of argument, one of `KINDS`, by parameter.
        source: URL of the documentation.
        notes: Facts about the functions that verdicts depend on.
        method: Method that scores rankings if the function creates an object; empty if the function scores them itself.
        result: Key or attribute of the result that holds the score; empty if the result is the score.
        together: True if one call scores several topics; the result then has one score per topic.
        skips: True if empty rankings, and topics without a relevant document, score 0 without a call.
        fixed: Arguments that are passed in every call, by parameter.
        document: Module and name of the document class, and its parameters for the name and the judgment.

    """

    package: str
    module: str
    functions: dict[str, LibraryFunction]
    arguments: dict[str, str]
    source: str
    notes: tuple[str, ...] = _USUAL
    method: str = ""
    result: str = ""
    together: bool = False
    skips: bool = True
    fixed: dict[str, Any] = {}
    document: tuple[str, str, str, str] = ("", "", "", "")


LIBRARIES = msgspec.convert(
    tomllib.loads(Path(__file__).with_name("functions.toml").read_text(encoding="utf-8")), dict[str, Library]
)
"""Prefix that users type -> library."""


class Asked(NamedTuple):
    """Input of a library function: the judgments of a topic's documents, and the ranking to score."""

    judged: dict[str, float]
    ranking: list[str]

    @property
    def relevant(self) -> list[str]:
        """Documents with a positive judgment."""
        return [name for name, judgment in self.judged.items() if judgment > 0]

    @property
    def items(self) -> list[str]:
        """Documents of the ranking, followed by the other judged documents."""
        return list(dict.fromkeys([*self.ranking, *self.judged]))


class LibraryFunctionMetric(LibraryMetric):
    """Metric that calls a library function from the table, with its parameters."""

    def __init__(self, label: str, library: Library, name: str, named: dict[str, Any]) -> None:
        self.described, self.row, self.named, self.function_name = library, library.functions[name], named, name
        self.target = getattr(import_module(library.module), name)
        self.package, self.source, self.companions = library.package, library.source, tuple(library.functions)[:2]
        self.summary = f"a function from {library.package}"
        self.judgments = LibraryJudgments(threshold=1 if self.row.takes == "0 and 1" else None)
        as_graded = self.row.takes == "grades"
        notes = (
            f"computed by {self.library}",
            "the gain is the grade itself" if as_graded else self.judgments.note,
            *library.notes,
            *([_SKIPPED] if library.skips else []),
            *self.row.notes,
        )
        super().__init__(
            label,
            cutoff=named.get(self.row.cutoff, self.row.ranks),
            binary_only=self.judgments.binary,
            single_aspect=True,
            abilities=Abilities(weights=False, notes=notes) if as_graded else self.judgments.abilities(*notes),
            claims=Claims(0.0, 1.0 if self.row.bounded else None, self.row.ideal),
        )

    @property
    def options(self) -> list[MeasureOption]:
        """Parameters that the function takes, with other values to try."""
        table, spell = self.row.parameters, functools.partial(spelled_call, self.function_name)
        return options_of(table, table, self.named, spell, self.row.divided)

    def call(self, cases: Sequence[Case]) -> list[float]:
        """Call the function once for all cases if it accepts several, otherwise once per case."""
        asked = []
        for topic, ranking in cases:
            grades = only_grade(topic)
            if self.row.takes != "grades":
                grades = {name: self.judgments.of(grade) for name, grade in grades.items()}
            asked.append(Asked(grades, list(ranking)))
        skips = self.described.skips
        given = [k for k, one in enumerate(asked) if (one.ranking and one.relevant) or not skips]
        scores = [0.0] * len(cases)
        for part in filter(None, [given]) if self.described.together else ([k] for k in given):
            for k, score in zip(part, self._scored([asked[k] for k in part]), strict=True):
                scores[k] = float(score)
        return scores

    def _scored(self, asked: list[Asked]) -> list[Any]:
        library = self.described
        kinds = self.row.arguments or library.arguments
        arguments = {name: KINDS[kind](library, asked) for name, kind in kinds.items()} | library.fixed
        if library.method:
            found = getattr(self.target(**self.named), library.method)(**arguments)
        else:
            found = self.target(**arguments, **self.named)
        if library.result:
            found = found[library.result] if isinstance(found, dict) else getattr(found, library.result)
        return list(found) if library.together else [found]


def _judgments(one: Asked) -> list[float]:
    return [one.judged.get(name, 0) for name in one.items]


def _in_a_row(values: Sequence[float]) -> list[list[float]]:
    """Return a matrix whose only row contains the values. A single value is followed by 0, an irrelevant document."""
    return [[*values, 0] if len(values) == 1 else [*values]]


def _documents(library: Library, asked: list[Asked], part: Callable[[Asked], list[str]]) -> list[list[Any]]:
    module, kind, name_key, judgment_key = library.document
    made = getattr(import_module(module), kind)
    return [[made(**{name_key: d, judgment_key: float(one.judged.get(d, 0))}) for d in part(one)] for one in asked]


def _rows(asked: list[Asked], part: Callable[[Asked], list[str]]) -> Any:
    rows = [(k, name, rank) for k, one in enumerate(asked) for rank, name in enumerate(part(one), start=1)]
    return import_module("pandas").DataFrame(rows, columns=["user_id", "item_id", "rank"])


def _matrix(one: Asked, chosen: list[str]) -> Any:
    columns = [k for k, name in enumerate(one.items) if name in chosen]
    entries = np.ones(len(columns)), ([0] * len(columns), columns)
    return import_module("scipy.sparse").csr_matrix(entries, shape=(1, len(one.items) + 1))


class _Model(NamedTuple):
    """Model for libraries that score models. It recommends the ranked documents, and then irrelevant ones."""

    asked: Asked

    def recommend(self, users: Sequence[int], seen: object, N: int, **options: object) -> tuple[Any, Any]:  # noqa: N803
        """Return the first N documents for each user, as indices into `Asked.items`, and zeros as their scores."""
        places = {name: k for k, name in enumerate(self.asked.items)}
        first = [*(places[name] for name in self.asked.ranking), *[len(places)] * N][:N]
        return np.tile(np.array(first, dtype=np.int32), (len(users), 1)), np.zeros((len(users), N))


KINDS: dict[str, Callable[[Library, list[Asked]], Any]] = {
    "relevant": lambda library, asked: asked[0].relevant,
    "ranking": lambda library, asked: asked[0].ranking,
    "items": lambda library, asked: asked[0].items,
    "scores": lambda library, asked: np.arange(len(asked[0].items), 0, -1.0),
    "judgments": lambda library, asked: _judgments(asked[0]),
    "judgments in a row": lambda library, asked: _in_a_row(_judgments(asked[0])),
    "scores in a row": lambda library, asked: _in_a_row(range(len(asked[0].items), 0, -1)),
    "relevant documents": lambda library, asked: _documents(library, asked, lambda one: one.relevant),
    "ranked documents": lambda library, asked: _documents(library, asked, lambda one: one.ranking),
    "relevant rows": lambda library, asked: _rows(asked, lambda one: one.relevant)[["user_id", "item_id"]],
    "ranked rows": lambda library, asked: _rows(asked, lambda one: one.ranking),
    "model": lambda library, asked: _Model(asked[0]),
    "nothing seen": lambda library, asked: _matrix(asked[0], []),
    "relevant matrix": lambda library, asked: _matrix(asked[0], asked[0].relevant),
}
"""Kind of argument -> function that creates it from the rankings of a call. Some kinds use only the first ranking."""


def measure(prefix: str, text: str, kind: type[LibraryFunctionMetric] = LibraryFunctionMetric) -> LibraryFunctionMetric:
    """Return the metric that calls a function in the table.

    Args:
        prefix: Prefix of the library in the table.
        text: Name of the function with its parameters, such as ``NDCG(k=10)``.
        kind: Class of the metric.

    Raises:
        InvalidInput: There is no such function or parameter, or the library rejects its value.

    """
    library = LIBRARIES[prefix]
    with quiet():  # a missing library is reported before a missing function
        import_module(library.module)
    call = known_call(prefix, text, f"function of {library.package}", tuple(library.functions), "NDCG(k=10)")
    takes = library.functions[call.name].parameters
    for name in call.named:
        if name not in takes:
            raise UnknownName(f"parameter of {call.name}", name, list(takes) or ["none"])
    found = kind(f"{prefix}:{text}", library, call.name, call.named)
    found.try_out()
    return found
