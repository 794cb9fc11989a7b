"""Resolve a typed name to a metric or axiom from the catalogue, a file, a module, a library or a plugin."""

from __future__ import annotations

import ast
import copy
import copyreg
import importlib
import os
import shlex
import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from axiomcheck.axioms import AXIOMS, Axiom, find_axiom
from axiomcheck.axioms.names import register
from axiomcheck.axioms.pair_functions import DEFERS, FunctionAxiom, renamed
from axiomcheck.axioms.validation import checked
from axiomcheck.core.directory import running_file
from axiomcheck.core.errors import InvalidInput, UnknownName
from axiomcheck.core.packages import shipped, shipper
from axiomcheck.core.printable import counted
from axiomcheck.metrics import Metric, parse
from axiomcheck.metrics.spelling import spelled
from axiomcheck.processes.limits import Limits, supervised
from axiomcheck.sources.adapters import adapter_names, load_shipped, measure
from axiomcheck.sources.external_metrics import OwnMetric
from axiomcheck.sources.function_metrics import SIGNATURES, as_metric, takes_rankings
from axiomcheck.sources.modules import installed_places, load_file, load_packaged, without_package
from axiomcheck.sources.names import GROUP, Home, TypedName, read_name
from axiomcheck.sources.provenance import means_catalogue

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


def resolve(text: str) -> Metric:
    """Return the metric that a name refers to, loading only the file, module or library in the name.

    Args:
        text: A catalogue name (``RBU(p=0.9)@10``), a name in a file or module (``path/to/file.py:name``,
            ``package.module:name``), optionally with parameters and, for a class, a cutoff
            (``file.py:MyRBU(p=0.9)@10``), a library measure (``ir_measures:nDCG@10``), or the name of an installed
            plugin. A file in a package is loaded as a module of that package. Modules are searched for in the current
            directory first, as with ``python -m``.

    Raises:
        InvalidInput: There is no such object, it cannot be loaded, or it is not a metric.
        UnknownName: There is no such metric. The message suggests the closest names.

    """
    named = read_name(text)
    if named.home is Home.CATALOGUE:
        return _of_catalogue(text)
    from axiomcheck.sources.declarations import declared  # lazy: the catalogue needs no configuration files

    if named.home is Home.PLUGIN:
        return declared(_from_plugin(text, shipped(GROUP)[text]), named)
    if named.home is Home.LIBRARY:
        return declared(measure(named.prefix, named.name), named)
    return _declared_of(_module_of(named), named)


def _module_of(named: TypedName) -> ModuleType:
    """Load the file or module in a name. Metrics in it can be used even if it also defines an invalid axiom."""
    token = DEFERS.set(True)
    try:
        with running_file():
            return _from_file(named) if named.home is Home.FILE else _from_module(named)
    finally:
        DEFERS.reset(token)


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
    """Return the metric that a document names, without loading files or modules.

    Raises:
        InvalidInput: `resolve` rejects the name, or the name refers to a file or module.

    """
    named = read_name(text)
    if named.loads_code:
        moved = ", with the present path of its file" if named.home is Home.FILE else ""
        raise InvalidInput(f"metric is {text!r}, which would load code; name it with --metric {text}{moved}")
    return resolve(text)


def _from_plugin(name: str, points: list[EntryPoint]) -> Metric:
    """Return the metric of an installed plugin, after checking that its name is unambiguous.

    Raises:
        InvalidInput: Another plugin, an adapter or the catalogue has the same name, the plugin cannot be loaded, or it
            is not a metric.

    """
    where = f"plugin {name!r} ({shipper(*points)})"
    if ":" in name:
        raise InvalidInput(f"{where}: names with ':' are reserved for files, modules and libraries; rename the plugin")
    if name.casefold() in {adapter.casefold() for adapter in adapter_names()}:
        raise InvalidInput(f"{where}: an adapter has this name; rename the plugin")
    if means_catalogue(name):
        raise InvalidInput(f"{where}: a metric in the catalogue has this name; rename the plugin")
    found = load_shipped(where, points, "a metric")
    try:
        return as_metric(found, name)
    except InvalidInput as error:
        raise InvalidInput(f"{where}: {error}") from None


def _declared_of(module: ModuleType, named: TypedName) -> Metric:
    """Return the metric that a user's module defines, with its declarations from configuration files.

    Raises:
        InvalidInput: There is no such object, it is not a metric, or a table refers to a name that the module lacks.

    """
    from axiomcheck.sources.declarations import declared, named_beside

    for key, where in named_beside(named):
        said = spelled(key.name)
        try:
            _attribute(module, key.prefix, key.name if said is None else said.name)
        except UnknownName as error:
            raise InvalidInput(f"{where}: {error}") from None
    return declared(_from_code(module, named), named)


def load_object(text: str) -> object:
    """Return any object from a file or module by name.

    Args:
        text: ``path/to/file.py:name`` or ``package.module:name``.

    Raises:
        InvalidInput: The file or module does not exist or cannot be loaded.
        UnknownName: The file or module does not define this name.

    """
    named = read_name(text)
    return _attribute(_module_of(named), named.prefix, named.name)


def _from_code(module: ModuleType, named: TypedName) -> Metric:
    """Return the metric that a user's module defines, with the parameters and the cutoff that its typed name gives."""
    said = spelled(named.name)
    if said is None or said.is_plain:
        return as_metric(_attribute(module, named.prefix, named.name), named.text)
    metric = as_metric(_attribute(module, named.prefix, said.name), f"{named.prefix}:{said.name}")
    cutoff = said.cutoff()
    made = metric.remade(metric.cutoff if cutoff == "default" else cutoff, metric.values | said.parameters())
    made.label = named.text
    if isinstance(made, OwnMetric):
        made.name = named.text
    return made


def _attribute(module: ModuleType, home: str, name: str) -> object:
    found: object = module
    for part in name.split("."):
        try:
            found = getattr(found, part)
        except AttributeError:
            named = vars(module).items()
            public = [key for key, value in named if not (key.startswith("_") or isinstance(value, ModuleType))]
            raise UnknownName(f"name in {home}", name, public) from None
    if isinstance(found, InvalidInput):  # an axiom that `pair_axiom` refused
        raise found
    return found


def _from_file(named: TypedName) -> ModuleType:
    text, path, file = named.text, named.prefix, named.path
    if not os.path.isfile(file):
        raise InvalidInput(f"{text}: there is no file {path}")
    packaged = _place_in_package(file)
    try:
        return load_file(file) if packaged is None else load_packaged(file, *packaged)
    except Exception as error:
        where = "" if packaged is None else f" as {packaged[1]} of {packaged[0]}"
        raise InvalidInput(f"{text}: {path} cannot be loaded{where}: {_described(error)}") from None


def _described(error: Exception) -> str:
    """Describe an error in a user's file by its class and message, or an `InvalidInput` by its message alone."""
    message = without_package(str(error))
    return message if isinstance(error, InvalidInput) else f"{type(error).__name__}: {message}"


def _place_in_package(file: Path) -> tuple[str, str] | None:
    """Return the parent folder of a file's outermost package and the full name of the file's module.

    The result is None if the file is in no importable package, or if another package of this name is installed.
    """
    full = file.resolve()
    parts, folder = [] if full.stem == "__init__" else [full.stem], full.parent
    while (folder / "__init__.py").is_file():
        parts.append(folder.name)
        folder = folder.parent
    name = ".".join(reversed(parts))
    if folder == full.parent or any("." in part for part in parts):
        return None
    places = installed_places(parts[-1])  # an installed package may have the same name
    return (str(folder), name) if not places or str(folder / parts[-1]) in places else None


def _from_module(named: TypedName) -> ModuleType:
    text, name = named.text, named.prefix
    _search_current_directory()
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and f"{name}.".startswith(f"{error.name}."):
            if text.partition(":")[0].endswith(".ipynb"):
                raise InvalidInput(f"{text}: notebooks are not loaded; copy the function to a .py file") from None
            raise InvalidInput(
                f"{text}: there is no module {error.name}; expected package.module:name, file.py:name, "
                f"or one of {', '.join(f'{adapter}:measure' for adapter in adapter_names())}"
            ) from None
        raise InvalidInput(f"{text}: {name} cannot be loaded: {error}") from None
    except Exception as error:
        raise InvalidInput(f"{text}: {name} cannot be loaded: {_described(error)}") from None


def _search_current_directory() -> None:
    """Put the current directory first on `sys.path`, as ``python -m`` does and the console script does not.

    With ``-P`` or PYTHONSAFEPATH, `sys.path` is not changed.
    """
    try:
        here = os.getcwd()
    except OSError:  # the directory was deleted
        return
    if not sys.flags.safe_path and not {"", here} & set(sys.path):
        sys.path.insert(0, here)


_MOST = 12


def candidates(file: Path) -> list[str]:
    """List the names of metric classes in a file, and of public functions and callable classes that fit `metric`.

    Raises:
        InvalidInput: The file cannot be read, or is not Python.

    """
    try:
        tree = ast.parse(file.read_bytes(), str(file))
    except (OSError, SyntaxError, ValueError) as error:
        raise InvalidInput(f"{file} cannot be read as Python: {error}") from None
    found: list[str] = []
    for node in tree.body:
        fits = isinstance(node, ast.ClassDef) and any(_is_metric(base, found) for base in node.bases)
        body = node.body if isinstance(node, ast.ClassDef) else [node]
        for call in body:
            if isinstance(call, ast.FunctionDef) and (call is node or call.name == "__call__"):
                names = [argument.arg for argument in (*call.args.posonlyargs, *call.args.args)]
                fits |= takes_rankings(tuple(names[call is not node : len(names) - len(call.args.defaults)]))
        if fits and isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            found.append(node.name)
    return found


def _is_metric(base: ast.expr, before: list[str]) -> bool:
    name = base.attr if isinstance(base, ast.Attribute) else base.id if isinstance(base, ast.Name) else ""
    return name.endswith("Metric") or name in before


def named_without_metric(text: str) -> InvalidInput:
    """Return the error for a file name without a metric's name. The message suggests names to type."""
    file = Path(text)
    if not os.path.isfile(file):
        return InvalidInput(f"there is no file {text}; a metric in a file is named as in path/to/file.py:my_metric")
    try:
        found = candidates(file)
    except InvalidInput as error:
        return error
    if not found:
        expected = " or ".join(f"({', '.join(names)})" for names in SIGNATURES)
        return InvalidInput(f"{text} is a file without a metric; expected a function {expected} or a metric class")
    commands = [f"  axiomcheck check {shlex.quote(f'{text}:{name}')}" for name in found[:_MOST]]
    more = [f"  and {len(found) - _MOST} more"] if len(found) > _MOST else []
    which = f"{found[0]} is the only metric in it" if len(found) == 1 else f"it has {counted(len(found), 'metric')}"
    return InvalidInput("\n".join([f"{text} is a file, and {which}; type:", *commands, *more]))


_LOADED: dict[str, tuple[object, Axiom]] = {}
"""Name -> object in the file, and the axiom created from it."""


def axiom_of(given: object, limits: Limits = Limits()) -> Axiom:  # noqa: B008 - immutable
    """Return the axiom for a name, an axiom or its class, or a function decorated with `pair_axiom`.

    Args:
        given: Name, axiom, class or function.
        limits: Limits on loading and trying an axiom that is given by name.

    Raises:
        InvalidInput: `resolve_axiom` rejects the name, the axiom is inconsistent, or the object is not an axiom.

    """
    if isinstance(given, FunctionAxiom):
        return register(given)
    if isinstance(given, type) and issubclass(given, Axiom):
        return register(checked(given, getattr(given, "name", given.__name__), f"axiom {given.__name__}"))
    if isinstance(given, Axiom):
        if type(AXIOMS.get(given.name)) is type(given):
            return given
        return register(checked(given, given.name, f"axiom {given.name}"))
    if isinstance(given, str):
        return resolve_axiom(given, limits)
    hint = "; decorate it with @axiomcheck.pair_axiom" if callable(given) else ""
    raise InvalidInput(f"expected the name of an axiom, such as 'Red', got {type(given).__name__}{hint}")


def resolve_axiom(text: str, limits: Limits = Limits()) -> Axiom:  # noqa: B008 - immutable
    """Return the axiom that a name refers to, loading the file or module in the name.

    Args:
        text: Name of one of the ten axioms or of an installed plugin, ``path/to/file.py:name`` or
            ``package.module:name``.
        limits: Limits on loading and trying it.

    Raises:
        InvalidInput: There is no such object, it cannot be loaded within the limits, it prints output, or it is not an
            axiom.
        UnknownName: There is no such axiom. The message suggests the closest names.

    """
    if text.endswith(".py"):
        raise InvalidInput(f"axiom {text}: it is a file; expected the name of an axiom in it, as in {text}:name")
    if ":" not in text or read_name(text).home not in (Home.FILE, Home.MODULE):
        return find_axiom(text)
    if text in _LOADED:
        return _LOADED[text][1]
    with supervised(f"axiom {text}", limits):
        found = load_object(text)
        axiom = _axiom_from(found, text)
    _LOADED[text] = found, axiom
    # Worker processes load the axiom by its name, too.
    copyreg.pickle(type(axiom), lambda axiom: (resolve_axiom, (axiom.name,)))
    return register(axiom)


def _axiom_from(found: object, text: str) -> Axiom:
    """Convert an object that was loaded by name to an axiom, or raise InvalidInput if it is not one."""
    if isinstance(found, FunctionAxiom):
        return renamed(found, text)
    if isinstance(found, Axiom) or (isinstance(found, type) and issubclass(found, Axiom)):
        return checked(_copy_named(found, text), text, f"axiom {text}")
    if callable(found):
        raise InvalidInput(f"axiom {text}: it is a function; decorate it with @axiomcheck.pair_axiom")
    raise InvalidInput(f"axiom {text}: it is {found!r:.60}; expected a function with @axiomcheck.pair_axiom")


def _copy_named(found: Axiom | type[Axiom], name: str) -> Axiom | type[Axiom]:
    """Return a subclass of an axiom class, or a copy of an axiom object, with another name for the axiom."""
    kind = found if isinstance(found, type) else type(found)
    named = type(kind.__name__, (kind,), {"name": name})
    if isinstance(found, type):
        return named
    again = copy.copy(found)
    again.__class__ = named
    return again
