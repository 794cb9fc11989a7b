"""Read what a project declares of metrics, in axiomcheck.toml or pyproject.toml: their code need not import axiomcheck.

``[declared."metrics.py:ndcg"]`` says what `axiomcheck.metric` says as a decorator, and what an adapter says besides. It
is looked for next to a metric's file and in the folders above; of metrics of modules, from the working directory on.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import tomlkit

from axiomcheck.core.documents import read
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.printable import shown
from axiomcheck.metrics.base import Abilities, Claims, Metric
from axiomcheck.sources.external_metrics import Declared, OwnMetric
from axiomcheck.sources.function_metrics import CallableMetric, FunctionMetric
from axiomcheck.sources.names import Home, TypedName, read_name

OWN_FILE = "axiomcheck.toml"
SHARED_FILE = "pyproject.toml"
WITNESSES = "axiomcheck-witnesses"
"""The folder of the gate's pinned witnesses, unless a contract names another."""


def read_toml(path: Path) -> dict[str, Any]:
    """A TOML file.

    Raises:
        InvalidInput: it cannot be read, or is not TOML.

    """
    try:
        return tomllib.loads(path.read_bytes().decode("utf-8"))
    except OSError as error:
        raise InvalidInput(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InvalidInput(f"{path}: not UTF-8 text") from None
    except (ValueError, RecursionError) as error:  # other than TOMLDecodeError: too many digits; too deep
        raise InvalidInput(f"{path}: not TOML that can be read: {error}") from None


def section(path: Path, document: dict[str, Any]) -> Any:
    """Return what pyproject.toml has as ``tool.axiomcheck``; None where it has nothing of that name.

    Raises:
        InvalidInput: ``tool`` is no table.

    """
    tool = document.get("tool", {})
    if not isinstance(tool, dict):
        raise InvalidInput(f"{path}: tool is {shown(tool)}; expected a table")
    return tool.get("axiomcheck")


def declared(metric: Metric, named: TypedName) -> Metric:
    """A metric with what its project declares of it.

    Args:
        metric: as its code makes it; changed, so nobody else's.
        named: what the user typed.

    Raises:
        InvalidInput: the table is not of that form, or is about a metric that declares itself in its code.

    """
    found = table_of(named)
    if found is None:
        return metric
    said, where = found
    if not isinstance(metric, OwnMetric) or (
        (metric.cutoff, metric.reference, metric.claims, metric.abilities, metric.dtypes)
        != (None, None, Claims(), Abilities(), {"float64"})
    ):
        raise InvalidInput(f"{where}: {named.text} declares itself in its code; one of the two has to go")
    if said.orientation == "lower" and not isinstance(metric, CallableMetric | FunctionMetric):
        raise InvalidInput(f"{where}: orientation is {said.orientation!r}; only a function's scores can be negated")
    try:
        metric.declare(said)
    except InvalidInput as error:
        raise InvalidInput(f"{where}: {error}") from None
    return metric


def table_of(named: TypedName) -> tuple[Declared, str] | None:
    """The nearest table about a metric, and what messages call it; None where there is none.

    Raises:
        InvalidInput: a file that may have it cannot be read, or the table is not of its form.

    """
    for path, tables in _files_with_tables(named):
        for key, table in tables.items():
            if _is_same(read_name(key), named, path.parent):
                return read(Declared, table, str(path), ("declared", key)), f"{path}: declared.{key!r}"
    return None


def named_beside(named: TypedName) -> Iterator[tuple[TypedName, str]]:
    """Give what tables name of a metric's file or module, and what messages call each: there has to be such a thing.

    Raises:
        InvalidInput: a file that may have tables cannot be read, or a table is about a file of that name elsewhere,
            where there is none.

    """
    for path, tables in _files_with_tables(named):
        for text in tables:
            key, where = read_name(text), f"{path}: declared.{text!r}"
            file = path.parent / key.prefix
            if _is_same(replace(key, name=named.name), named, path.parent):
                yield key, where
            elif key.home is named.home is Home.FILE and file.name == Path(named.prefix).name and not file.is_file():
                raise InvalidInput(f"{where}: there is no file {file}; paths begin in the folder of {path.name}")


def table_for(named: TypedName) -> tuple[Path, str] | None:
    """A file in which a table about a metric is found, the nearest one, and as TOML what the table begins with.

    Args:
        named: what the user typed; the file is where that is from.

    Returns:
        None of the catalogue's metrics, which have no tables.

    """
    if named.home is Home.CATALOGUE:
        return None
    file = Path(named.prefix) if named.home is Home.FILE else Path()
    key = f"{file.name}:{named.name}" if named.home is Home.FILE else named.text
    return file.parent / OWN_FILE, f"[{tomlkit.key(['declared', key]).as_string()}]"


def _files_with_tables(named: TypedName) -> Iterator[tuple[Path, Mapping[str, object]]]:
    """Files that may have a table about a metric, nearest first, with what they have of tables."""
    if named.home is Home.CATALOGUE:
        return
    try:
        start = Path(named.prefix).resolve().parent if named.home is Home.FILE else Path.cwd()
    except OSError:  # the working directory is gone
        return
    for folder in (start, *start.parents):
        for name in (OWN_FILE, SHARED_FILE):
            path = folder / name
            if not os.path.isfile(path):  # which a folder that may not be looked into has none of
                continue
            document: object = read_toml(path)
            if name == SHARED_FILE:
                document = section(path, read_toml(path)) or {}
            tables = document.get("declared", {}) if isinstance(document, dict) else {}
            if not isinstance(tables, dict):
                raise InvalidInput(f"{path}: declared is {shown(tables)}; expected a table")
            yield path, tables


def _is_same(key: TypedName, named: TypedName, folder: Path) -> bool:
    if key.home is not named.home or key.name != named.name:
        return False
    if key.home is not Home.FILE:
        return key.prefix == named.prefix
    return (folder / key.prefix).resolve() == Path(named.prefix).resolve()
