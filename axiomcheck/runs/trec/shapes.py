"""Judgments and runs from Python objects, in the shapes that ir_measures takes, or from files.

A dict of dicts (topic -> document -> grade or score), an iterable of named tuples (``query_id``, ``doc_id``,
``relevance`` or ``score``, and ``iteration`` for the aspect), or a DataFrame with columns of those names or of
PyTerrier's. A run may have a ``rank`` too.
"""

from __future__ import annotations

import os
import reprlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.typing import Integers, Reals
from axiomcheck.runs.trec.lines import name_of
from axiomcheck.runs.trec.qrels import Kind, Qrels, made_qrels, read_qrels
from axiomcheck.runs.trec.rows import MOST, column_of
from axiomcheck.runs.trec.runs import Run, read_run
from axiomcheck.runs.trec.store import Store


def as_qrels(given: Any, kind: Kind = "auto") -> Qrels:
    """Judgments of any shape.

    Raises:
        InvalidInput: another shape, a grade that is not a whole number, contradictions.

    """
    if isinstance(given, Qrels):
        return given
    if isinstance(given, (str, os.PathLike)):
        return read_qrels(given, kind)
    topics, documents, values, seconds = _columns(given, "relevance", "iteration", "qrels")
    if not topics:
        raise InvalidInput("qrels: no judgments in it")
    grades = _numbers(values, "qrels", "relevance")
    if not (np.all(grades == np.floor(grades)) and np.all(np.abs(grades) < 1e9)):
        row = int(np.flatnonzero((grades != np.floor(grades)) | (np.abs(grades) >= 1e9))[0])
        raise InvalidInput(f"qrels, row {row + 1}: relevance {values[row]!r}; expected a whole number")
    labels = _names(seconds, "qrels", "iteration") if seconds is not None else None
    return made_qrels("qrels", _rows(topics), topics, documents, labels, grades, kind)


def as_run(given: Any, ranks: bool = False) -> Run:
    """A run of any shape.

    Args:
        given: the run.
        ranks: whether its ranks are wanted.

    Raises:
        InvalidInput: another shape, a score that is not a number.

    """
    if isinstance(given, Run):
        return given
    if isinstance(given, (str, os.PathLike)):
        return read_run(given, ranks)
    topics, documents, values, places = _columns(given, "score", "rank", "run")
    scores = _numbers(values, "run", "score")
    order = None if places is None or not ranks else _numbers(places, "run", "rank")
    numbers = (_rows(topics), scores) if order is None else (_rows(topics), scores, order)
    named = _names(list(given), "run", "topic") if isinstance(given, Mapping) else []
    run = Run("run", "run", Store.of(topics, documents, numbers, named))
    if not run.store:
        raise InvalidInput("run: nothing retrieved in it")
    return run


def several_runs(given: Any, ranks: bool) -> list[Run] | dict[str, Run] | None:
    """The runs, called as they are in reports; None where what is given is one run.

    Args:
        given: a list, or a dict whose keys are names, of what `as_run` takes. (A dict of
            dicts, topic -> document -> score, is one run, and so is a list of named tuples.)
        ranks: whether their ranks are wanted.

    Raises:
        InvalidInput: as `as_run`; the message says of which.

    """
    if isinstance(given, Mapping) and any(_is_run(run) for run in given.values()):
        return {str(name): replace(_named(run, str(name), ranks), name=str(name)) for name, run in given.items()}
    if isinstance(given, (list, tuple)) and given and all(_is_run(run) or isinstance(run, Mapping) for run in given):
        runs = [_named(run, f"run {number}", ranks) for number, run in enumerate(given, 1)]
        return [replace(run, name=f"run {n}") if run.name == "run" else run for n, run in enumerate(runs, 1)]
    return None


def _is_run(given: Any) -> bool:
    """Return True if this is a run, rather than a part of one: a file's name, a DataFrame, a dict of dicts."""
    if isinstance(given, Mapping):
        return any(isinstance(inner, Mapping) for inner in given.values())
    return isinstance(given, (str, os.PathLike, Run)) or hasattr(given, "itertuples")


def _named(given: Any, name: str, ranks: bool) -> Run:
    try:
        return as_run(given, ranks)
    except InvalidInput as error:
        if isinstance(given, (str, os.PathLike)):
            raise
        raise InvalidInput(f"{name}: {str(error).removeprefix('run: ')}") from None


def _rows(topics: Sequence[bytes]) -> Integers:
    return np.arange(1, len(topics) + 1)


def _columns(given: Any, value: str, extra: str, what: str) -> tuple[list[bytes], list[bytes], list[Any], Any]:
    """The topics, documents, values and the extra column, None where there is none."""
    more: list[Any] | None = None
    if isinstance(given, Mapping):
        for topic, inner in given.items():
            if not isinstance(inner, Mapping):
                raise InvalidInput(f"{what}: topic {topic!r} has a {type(inner).__name__}; expected a dict by document")
        topics = [topic for topic, inner in given.items() for _ in inner]
        documents = [document for inner in given.values() for document in inner]
        values = [number for inner in given.values() for number in inner.values()]
    elif hasattr(given, "itertuples"):
        there = list(given.columns)
        if len(set(there)) < len(there):
            raise InvalidInput(f"{what}: two columns of one name among {', '.join(map(str, there))}")
        named = {wanted: column_of(there, wanted) for wanted in ("query_id", "doc_id", value, extra)}
        if absent := [wanted for wanted, name in named.items() if name is None and wanted != extra]:
            raise InvalidInput(f"{what}: no column {', '.join(absent)} among {', '.join(map(str, there))}")
        topics, documents, values = (given[named[wanted]].tolist() for wanted in ("query_id", "doc_id", value))
        more = None if named[extra] is None else given[named[extra]].tolist()
    elif isinstance(given, Iterable):
        rows = list(given)
        try:
            topics = [row.query_id for row in rows]
            documents = [row.doc_id for row in rows]
            values = [getattr(row, value) for row in rows]
        except AttributeError as error:
            raise InvalidInput(f"{what}: {error}; expected named tuples of query_id, doc_id, {value}") from None
        more = [getattr(row, extra) for row in rows] if rows and all(hasattr(row, extra) for row in rows) else None
    else:
        raise InvalidInput(
            f"{what}: {type(given).__name__}; expected a file's name, a dict of dicts, named tuples or a DataFrame"
        )
    return _names(topics, what, "query_id"), _names(documents, what, "doc_id"), values, more


def _names(values: Sequence[Any], what: str, column: str) -> list[bytes]:
    """Names as files have them; a whole number is its digits."""
    out = []
    for row, name in enumerate(values, 1):
        text = name if isinstance(name, str) else str(int(name)) if _is_whole(name) else None
        if not text or "\n" in text:
            raise InvalidInput(f"{what}, row {row}: {column} {name!r}; expected a text of one line")
        out.append(name_of(text))
    return out


def _is_whole(value: Any) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def _numbers(values: Sequence[Any], what: str, column: str) -> Reals:
    """Numbers; infinite ones order documents as well as others."""
    good = all(map(_is_number, values))
    numbers = np.array(values, dtype=np.float64) if good else np.array([np.nan])
    if np.isnan(numbers).any():
        row = next(r for r, value in enumerate(values, 1) if not (_is_number(value) and value == value))
        raise InvalidInput(f"{what}, row {row}: {column} {_shown(values[row - 1])}; expected a number")
    return numbers


def _is_number(value: Any) -> bool:
    if isinstance(value, int):
        return abs(value) <= MOST
    return isinstance(value, (float, np.integer, np.floating))


def _shown(value: Any) -> str:
    return reprlib.repr(value)
