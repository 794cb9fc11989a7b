"""Read a project's metric declarations from axiomcheck.toml or pyproject.toml.

The code of a metric that is declared there need not import axiomcheck.

A table such as ``[declared."metrics.py:ndcg"]`` holds the arguments for the `axiomcheck.metric` decorator. Tables are
searched for in the folder of the metric's file and its parent folders. For metrics in modules, the search starts in the
working directory.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import FunctionType
from typing import Any

from axiomcheck.core.documents import read
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.printable import shown
from axiomcheck.metrics.base import Abilities, Claims, Metric
from axiomcheck.metrics.spelling import bare
from axiomcheck.sources.external_metrics import Declared, OwnMetric
from axiomcheck.sources.function_metrics import CallableMetric, FunctionMetric
from axiomcheck.sources.names import Home, TypedName, read_name

OWN_FILE = "axiomcheck.toml"
SHARED_FILE = "pyproject.toml"


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file.

    Raises:
        InvalidInput: The file cannot be read, or is not TOML.

    """
    import tomllib  # lazy: few metrics have a file of declarations

    try:
        return tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InvalidInput(f"{path}: not UTF-8 text") from None
    except (ValueError, RecursionError) as error:  # TOMLDecodeError, too many digits, or too deep nesting
        quoted = '; names of metrics need quotes, as in [metrics."my.py:gain"]' * ("table declaration" in str(error))
        raise InvalidInput(f"{path} is not valid TOML: {error}{quoted}") from None


def section(path: Path, document: dict[str, Any]) -> Any:
    """Return the ``tool.axiomcheck`` entry of a parsed pyproject.toml, or None if there is no such entry.

    Raises:
        InvalidInput: ``tool`` is not a table.

    """
    tool = document.get("tool", {})
    if not isinstance(tool, dict):
        raise InvalidInput(f"{path}: tool is {shown(tool)}; expected a table")
    return tool.get("axiomcheck")


def declared(metric: Metric, named: TypedName) -> Metric:
    """Apply the declarations in a project's configuration files to a metric.

    Args:
        metric: Newly loaded metric, which is modified and must not be shared.
        named: Name that the user typed.

    Returns:
        The same metric.

    Raises:
        InvalidInput: The table is invalid or does not suit the metric, or the metric has declarations in its code.

    """
    found = table_of(named)
    if found is None:
        return metric
    said, where = found
    if not isinstance(metric, OwnMetric) or declares_itself(metric):
        raise InvalidInput(f"{where}: {named.text} also has declarations in its code; remove one of the two")
    if said.orientation == "lower" and not isinstance(metric, CallableMetric | FunctionMetric):
        raise InvalidInput(f"{where}: orientation is {said.orientation!r}; only a function's scores can be negated")
    try:
        metric.declare(said)
    except InvalidInput as error:
        raise InvalidInput(f"{where}: {error}") from None
    return metric


def declared_object(metric: Metric, given: object) -> Metric:
    """Apply the declarations in configuration files to a metric that was made from a user's object, and return it.

    Args:
        metric: New metric made from the object.
        given: Object that the user passed. If it is not a function, the metric is returned unchanged.

    """
    if isinstance(given, FunctionType):
        for home in (given.__code__.co_filename, given.__module__):
            named = read_name(f"{home}:{given.__qualname__}")
            if named.loads_code and table_of(named) is not None:
                return declared(metric, named)
    return metric


def declares_itself(metric: OwnMetric) -> bool:
    """Return True if a new metric's code declares a cutoff, reference, definition, dtype, claim or ability."""
    said = (metric.cutoff, metric.reference, metric.definition, metric.claims, metric.abilities, metric.dtypes)
    return said != (None, None, None, Claims(), Abilities(), {"float64"})


def table_of(named: TypedName) -> tuple[Declared, str] | None:
    """Return the nearest table of declarations for a metric, and the table's name for messages; None if there is none.

    Raises:
        InvalidInput: A file that may contain the table cannot be read, or the table is invalid.

    """
    for path, tables in _files_with_tables(named):
        # a table about the metric at these values of its parameters comes before one about all values
        for key in sorted(tables, key=lambda key: read_name(key).name != named.name):
            if _is_same(read_name(key), named, path.parent):
                return read(Declared, tables[key], str(path), ("declared", key)), f"{path}: declared.{key!r}"
    return None


def named_beside(named: TypedName) -> Iterator[tuple[TypedName, str]]:
    """Yield the names declared for a metric's file or module, each with its table's name for messages.

    The caller checks that the named objects exist.

    Raises:
        InvalidInput: A file that may contain tables cannot be read, or a table refers to a missing file that has the
            same name as the metric's file.

    """
    for path, tables in _files_with_tables(named):
        for text in tables:
            key, where = read_name(text), f"{path}: declared.{text!r}"
            file = path.parent / key.prefix
            if _is_same(replace(key, name=named.name), named, path.parent):
                yield key, where
            elif key.home is named.home is Home.FILE and file.name == Path(named.prefix).name and not file.is_file():
                raise InvalidInput(f"{where}: there is no file {file}; paths are relative to the folder of {path.name}")


def table_for(named: TypedName) -> tuple[Path, str] | None:
    """Return the nearest file that may contain a table for a metric, and the TOML header of that table.

    Args:
        named: Name that the user typed. If the path in it is relative, so is the returned path.

    Returns:
        The file and the header, or None for metrics in the catalogue, which have no tables.

    """
    if named.home is Home.CATALOGUE:
        return None
    file = Path(named.prefix) if named.home is Home.FILE else Path()
    key = f"{file.name}:{named.name}" if named.home is Home.FILE else named.text
    import tomlkit

    return file.parent / OWN_FILE, f"[{tomlkit.key(['declared', key]).as_string()}]"


def _files_with_tables(named: TypedName) -> Iterator[tuple[Path, Mapping[str, object]]]:
    """Yield the files that may contain a table for a metric, each with its tables, nearest first."""
    if named.home is Home.CATALOGUE:
        return
    try:
        start = named.path.resolve().parent if named.home is Home.FILE else Path.cwd()
    except OSError:  # the working directory is gone
        return
    for folder in (start, *start.parents):
        for name in (OWN_FILE, SHARED_FILE):
            path = folder / name
            if not os.path.isfile(path):  # also false in a folder without permission
                continue
            whole = read_toml(path)
            document: object = whole if name == OWN_FILE else section(path, whole) or {}
            tables = document.get("declared", {}) if isinstance(document, dict) else {}
            if not isinstance(tables, dict):
                raise InvalidInput(f"{path}: declared is {shown(tables)}; expected a table")
            yield path, tables


def _is_same(key: TypedName, named: TypedName, folder: Path) -> bool:
    names = (named.name, bare(named.name)) if named.loads_code else (named.name,)
    if key.home is not named.home or key.name not in names:
        return False
    if key.home is not Home.FILE:
        return key.prefix == named.prefix
    return (folder / key.prefix).resolve() == named.path.resolve()
