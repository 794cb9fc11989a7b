"""From what a user types to a metric: the catalogue, a file, a module, an installed library, a plugin."""

from __future__ import annotations

import contextlib
import importlib
import importlib.metadata
import os
import re
import sys
from pathlib import Path
from typing import Any

from axiomcheck.core.errors import InvalidInput, UnknownName
from axiomcheck.metrics import Metric, parse
from axiomcheck.sources.adapters import ADAPTERS, measure
from axiomcheck.sources.files import load_file, load_packaged, without_package
from axiomcheck.sources.installed import installed_places
from axiomcheck.sources.own import as_metric

__all__ = ["is_foreign", "library_of", "resolve", "resolve_named"]

GROUP = "axiomcheck.metrics"
"""The entry-point group of installed metrics."""


def is_foreign(text: str) -> bool:
    """Whether a name is not of the catalogue, so that code from elsewhere would run."""
    return ":" in text or text in _plugins()


def library_of(text: str) -> str:
    """The module that a measure of an installed library needs; empty for other metrics."""
    return ADAPTERS.get(text.partition(":")[0], "")


def resolve(text: str) -> Metric:
    """The metric of a name; loads the file, module or library that the name says, and nothing else.

    Args:
        text: a catalogue name (``RBU(p=0.9)@10``), ``path/to/file.py:name``, ``package.module:name``, a library's
            measure (``ir_measures:nDCG@10``), or the name of an installed plugin. A file of a package is loaded as its
            module; modules are searched in the current directory first, as by ``python -m``.

    Raises:
        InvalidInput: nothing there, it cannot be loaded, or it is not a metric.
        UnknownName: no such metric; the message has the nearest names.

    """
    plugins = _plugins()
    if text in plugins:
        return _from_plugin(text, plugins[text])
    prefix, colon, name = text.partition(":")
    if colon and prefix in ADAPTERS:
        return measure(prefix, name)
    if colon:
        module = _from_file(prefix, text) if prefix.endswith(".py") else _from_module(prefix, text)
        return as_metric(_attribute(module, name, text), text)
    try:
        return parse(text)
    except UnknownName as error:
        if plugins:
            raise InvalidInput(f"{error}; installed plugins: {', '.join(sorted(plugins))}") from None
        raise


def resolve_named(text: str) -> Metric:
    """As `resolve`, of a name that came out of a document rather than from the user: no file or module is loaded.

    Raises:
        InvalidInput: as `resolve`; the name is a file or module.

    """
    prefix, colon, _ = text.partition(":")
    if colon and prefix not in ADAPTERS:
        raise InvalidInput(f"metric is {text!r}, which would load code; name it yourself, as in --metric {text}")
    return resolve(text)


def _plugins() -> dict[str, list[importlib.metadata.EntryPoint]]:
    """Name -> the entry points of that name; one is as it should be."""
    found: dict[str, list[importlib.metadata.EntryPoint]] = {}
    for point in importlib.metadata.entry_points(group=GROUP):
        found.setdefault(point.name, []).append(point)
    return found


def _from_plugin(name: str, points: list[importlib.metadata.EntryPoint]) -> Metric:
    """An installed metric, if its name means nothing else and is its own.

    Raises:
        InvalidInput: another plugin, an adapter or the catalogue has that name; it cannot be loaded; it is no metric.

    """
    where = f"plugin {name!r} ({', '.join(_package(point) for point in points)})"
    if len(points) > 1:
        raise InvalidInput(f"{where}: several packages ship a metric of that name; all but one have to go")
    if ":" in name:
        raise InvalidInput(f"{where}: a name with ':' means a file, module or library; it has to be called otherwise")
    if name.casefold() in {adapter.casefold() for adapter in ADAPTERS}:
        raise InvalidInput(f"{where}: its name is that of the adapter of a library; it has to be called otherwise")
    if _means_catalogue(name):
        raise InvalidInput(f"{where}: its name is that of a metric of the catalogue; it has to be called otherwise")
    try:
        found = points[0].load()
    except Exception as error:
        raise InvalidInput(f"{where} cannot be loaded: {type(error).__name__}: {error}") from None
    try:
        return as_metric(found, name)
    except InvalidInput as error:
        raise InvalidInput(f"{where}: {error}") from None


def _means_catalogue(name: str) -> bool:
    """Whether a name, or what stands before its parameters and cutoff, is one of the catalogue."""
    for text in (name, re.split("[(@]", name)[0]):
        with contextlib.suppress(InvalidInput):
            parse(text)
            return True
    return False


def _package(point: importlib.metadata.EntryPoint) -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist else point.value


def _attribute(module: Any, name: str, text: str) -> Any:
    found = module
    for part in name.split("."):
        try:
            found = getattr(found, part)
        except AttributeError:
            public = [key for key in vars(module) if not key.startswith("_")]
            raise UnknownName(f"name in {text.partition(':')[0]}", name, public) from None
    return found


def _from_file(path: str, text: str) -> Any:
    file = Path(path)
    if not file.is_file():
        raise InvalidInput(f"{text}: there is no file {path}")
    packaged = _place_in_package(file)
    try:
        return load_file(file) if packaged is None else load_packaged(file, *packaged)
    except Exception as error:
        where = "" if packaged is None else f" as {packaged[1]} of {packaged[0]}"
        raised = f"{type(error).__name__}: {without_package(str(error))}"
        raise InvalidInput(f"{text}: {path} cannot be loaded{where}: {raised}") from None


def _place_in_package(file: Path) -> tuple[str, str] | None:
    """The folder that holds a file's outermost package, and the module's name in there; None if in no package."""
    full = file.resolve()
    parts, folder = [] if full.stem == "__init__" else [full.stem], full.parent
    while (folder / "__init__.py").is_file():
        parts.append(folder.name)
        folder = folder.parent
    name = ".".join(reversed(parts))
    if folder == full.parent or any("." in part for part in parts):
        return None
    places = installed_places(parts[-1])  # its name may be taken
    return (str(folder), name) if not places or str(folder / parts[-1]) in places else None


def _from_module(name: str, text: str) -> Any:
    _search_current_directory()
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and f"{name}.".startswith(f"{error.name}."):
            raise InvalidInput(
                f"{text}: there is no module {error.name}; expected package.module:name, file.py:name, "
                f"or one of {', '.join(f'{p}:measure' for p in ADAPTERS)}"
            ) from None
        raise InvalidInput(f"{text}: {name} cannot be loaded: {error}") from None
    except Exception as error:
        raise InvalidInput(f"{text}: {name} cannot be loaded: {type(error).__name__}: {error}") from None


def _search_current_directory() -> None:
    """Puts the current directory first, where ``python -m`` puts it and the console script does not.

    With ``-P`` or PYTHONSAFEPATH neither does.
    """
    try:
        here = os.getcwd()
    except OSError:  # it was deleted: nothing is in it
        return
    if not sys.flags.safe_path and not {"", here} & set(sys.path):
        sys.path.insert(0, here)
