"""From what a user types to a metric: the catalogue, a file, a module, an installed library, a plugin."""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path
from typing import Any

from axiomcheck.core.entry_points import EntryPoint, shipped, shipper
from axiomcheck.core.errors import InvalidInput, UnknownName
from axiomcheck.metrics import Metric, parse
from axiomcheck.metrics.spelling import spelled
from axiomcheck.sources.adapters import adapter_names, measure
from axiomcheck.sources.candidates import named_without_metric
from axiomcheck.sources.files import load_file, load_packaged, without_package
from axiomcheck.sources.installed import installed_places
from axiomcheck.sources.names import GROUP, Home, TypedName, read_name
from axiomcheck.sources.own import as_metric
from axiomcheck.sources.provenance import means_catalogue


def resolve(text: str) -> Metric:
    """The metric of a name; loads the file, module or library that the name says, and nothing else.

    Args:
        text: a catalogue name (``RBU(p=0.9)@10``), ``path/to/file.py:name``, ``package.module:name``, either of them
            with parameters and cutoff where it is a class (``file.py:MyRBU(p=0.9)@10``), a library's measure
            (``ir_measures:nDCG@10``), or the name of an installed plugin. A file of a package is loaded as its
            module; modules are searched in the current directory first, as by ``python -m``.

    Raises:
        InvalidInput: nothing there, it cannot be loaded, or it is not a metric.
        UnknownName: no such metric; the message has the nearest names.

    """
    named = read_name(text)
    if named.home is Home.CATALOGUE:
        return _of_catalogue(text)
    from axiomcheck.sources.declarations import declared  # what reads configurations is not needed for the catalogue

    if named.home is Home.PLUGIN:
        return declared(_from_plugin(text, shipped(GROUP)[text]), named)
    if named.home is Home.LIBRARY:
        return declared(measure(named.prefix, named.name), named)
    if named.home is Home.FILE:
        return _declared_of(_from_file(named), named)
    return _declared_of(_from_module(named), named)


def _of_catalogue(text: str) -> Metric:
    try:
        return parse(text)
    except UnknownName as error:
        if text.endswith(".py"):
            raise named_without_metric(text) from None
        if plugins := shipped(GROUP):
            raise InvalidInput(f"{error}; installed plugins: {', '.join(sorted(plugins))}") from None
        raise


def resolve_named(text: str) -> Metric:
    """As `resolve`, of a name that came out of a document rather than from the user: no file or module is loaded.

    Raises:
        InvalidInput: as `resolve`; the name is a file or module.

    """
    if read_name(text).loads_code:
        raise InvalidInput(f"metric is {text!r}, which would load code; name it yourself, as in --metric {text}")
    return resolve(text)


def _from_plugin(name: str, points: list[EntryPoint]) -> Metric:
    """An installed metric, if its name means nothing else and is its own.

    Raises:
        InvalidInput: another plugin, an adapter or the catalogue has that name; it cannot be loaded; it is no metric.

    """
    where = f"plugin {name!r} ({shipper(*points)})"
    if len(points) > 1:
        raise InvalidInput(f"{where}: several packages ship a metric of that name; all but one have to go")
    if ":" in name:
        raise InvalidInput(f"{where}: a name with ':' means a file, module or library; it has to be called otherwise")
    if name.casefold() in {adapter.casefold() for adapter in adapter_names()}:
        raise InvalidInput(f"{where}: its name is that of the adapter of a library; it has to be called otherwise")
    if means_catalogue(name):
        raise InvalidInput(f"{where}: its name is that of a metric of the catalogue; it has to be called otherwise")
    try:
        found = points[0].load()
    except Exception as error:
        raise InvalidInput(f"{where} cannot be loaded: {type(error).__name__}: {error}") from None
    try:
        return taken_as_metric(found, name)
    except InvalidInput as error:
        raise InvalidInput(f"{where}: {error}") from None


def taken_as_metric(found: Any, label: str) -> Metric:
    """As `as_metric`, which cannot tell of a class that is none of metrics more than what it is made of.

    Raises:
        InvalidInput: as `as_metric`; the message says what a class has to be.

    """
    try:
        return as_metric(found, label)
    except InvalidInput:
        if not isinstance(found, type) or issubclass(found, Metric):
            raise
        raise InvalidInput(
            f"{label} is a class, and not of a metric; expected one derived from axiomcheck.Metric or "
            "axiomcheck.metrics.DeclaredFold, a function, or an object that is called like one"
        ) from None


def _declared_of(module: Any, named: TypedName) -> Metric:
    """What a module has under a name, with what is declared of it.

    Raises:
        InvalidInput: nothing there, or it is not a metric; a table names what the module does not have.

    """
    from axiomcheck.sources.declarations import declared, named_beside

    for key, where in named_beside(named):
        said = spelled(key.name)
        try:
            _attribute(module, key.prefix, key.name if said is None else said.name)
        except UnknownName as error:
            raise InvalidInput(f"{where}: {error}") from None
    return declared(_from_code(module, named), named)


def load_object(text: str) -> Any:
    """Return what a file or module has under a name, whatever it is.

    Args:
        text: ``path/to/file.py:name`` or ``package.module:name``.

    Raises:
        InvalidInput: nothing there, or it cannot be loaded.
        UnknownName: the file or module has no such name.

    """
    named = read_name(text)
    module = _from_file(named) if named.home is Home.FILE else _from_module(named)
    return _attribute(module, named.prefix, named.name)


def _from_code(module: Any, named: TypedName) -> Metric:
    """What a module has under a name, with the parameters and the cutoff that the name has."""
    said = spelled(named.name)
    if said is None or said.is_plain:
        return taken_as_metric(_attribute(module, named.prefix, named.name), named.text)
    metric = taken_as_metric(_attribute(module, named.prefix, said.name), f"{named.prefix}:{said.name}")
    cutoff = said.cutoff()
    made = metric.remade(metric.cutoff if cutoff == "default" else cutoff, metric.values | said.parameters())
    made.label = named.text
    return made


def _attribute(module: Any, home: str, name: str) -> Any:
    found = module
    for part in name.split("."):
        try:
            found = getattr(found, part)
        except AttributeError:
            public = [key for key in vars(module) if not key.startswith("_")]
            raise UnknownName(f"name in {home}", name, public) from None
    return found


def _from_file(named: TypedName) -> Any:
    text, path, file = named.text, named.prefix, Path(named.prefix)
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


def _from_module(named: TypedName) -> Any:
    text, name = named.text, named.prefix
    _search_current_directory()
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and f"{name}.".startswith(f"{error.name}."):
            raise InvalidInput(
                f"{text}: there is no module {error.name}; expected package.module:name, file.py:name, "
                f"or one of {', '.join(f'{adapter}:measure' for adapter in adapter_names())}"
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
