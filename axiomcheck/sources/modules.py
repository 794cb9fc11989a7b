"""Load metrics from Python files, and distinguish installed code from user code.

The modules of a folder are loaded into a generated package for that folder, so that two folders may have modules of the
same name. An ``import helpers`` in one of them looks in that package first. To this end, their code runs with its own
builtins, whose ``__import__`` is replaced. Imports of other code and `sys.path` are not affected. Names of the standard
library and of installed packages keep their meaning.
"""

from __future__ import annotations

import builtins
import functools
import hashlib
import os
import re
import site
import sys
import sysconfig
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType


def file_name(file: str) -> str:
    """Return the name of a code file for messages. A notebook cell, whose name is generated, is called ``its cell``."""
    return "its cell" if "/ipykernel_" in file or file.startswith("<ipython-input") else os.path.basename(file)


@functools.cache
def is_installed(file: str) -> bool:
    """Return True if a code file belongs to the standard library, axiomcheck or an installed package."""
    if file.startswith("<frozen "):
        return True
    real = os.path.realpath(file)
    return any(real.startswith(folder + os.sep) for folder in _folders())


@functools.cache
def _folders() -> frozenset[str]:
    paths = sysconfig.get_paths()
    folders = [*site_folders(), paths["stdlib"], paths["platstdlib"]]
    for name in ("axiomcheck", "axiomcheck.axioms", "axiomcheck.metrics"):
        folders += [folder for folder in import_module(name).__path__ if os.path.isdir(folder)]
    return frozenset(os.path.realpath(folder) for folder in folders)


@functools.cache
def site_folders() -> tuple[str, ...]:
    """Return the folders of installed packages: those of this environment, of the user and of the base environments.

    If an environment is layered on another one, only `sys.path` names the folder of the underlying environment.
    """
    paths = sysconfig.get_paths()
    layered = [entry for entry in sys.path if os.path.basename(entry) in ("site-packages", "dist-packages")]
    named = [paths["purelib"], paths["platlib"], *site.getsitepackages(), site.getusersitepackages(), *layered]
    return tuple(dict.fromkeys(os.path.realpath(folder) for folder in named))


def installed_places(top: str) -> list[str]:
    """Return the locations of an installed top-level module.

    The result is [""] for modules of the standard library, and empty for modules that are not installed.
    """
    if top in sys.stdlib_module_names:
        return [""]
    spec = getattr(sys.modules.get(top), "__spec__", None) or PathFinder.find_spec(top)
    places = list((spec.submodule_search_locations or [spec.origin]) if spec is not None else [])
    return [os.path.realpath(place) for place in places if place is not None and is_installed(place)]


def codes_of(code: CodeType) -> Iterator[CodeType]:
    """Yield a code object and all code objects nested in it."""
    yield code
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from codes_of(inner)


def names_in(code: CodeType) -> set[str]:
    """Return the names of globals and attributes in a code object and in those nested in it."""
    return {name for part in codes_of(code) for name in part.co_names}


_PREFIX = "axiomcheck_user_"
_PACKAGE = re.compile(rf"\b{_PREFIX}[0-9a-f]{{12}}\.")


def load_file(file: Path) -> ModuleType:
    """Load a file as a module with a generated name. The module can import the modules next to it.

    Raises:
        Exception: Any exception that the file raises.

    """
    package = _package_of(str(file.parent.resolve()))
    name = f"{_PREFIX}{file.stem}_{_mark(file.resolve())}"
    spec = spec_from_file_location(name, file, loader=_Loader(name, str(file), package))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[name] = module  # needed by dataclasses and pickle
    spec.loader.exec_module(module)
    return module


def load_packaged(file: Path, root: str, name: str) -> ModuleType:
    """Load a file as a module of its package. The module can import that package and the modules next to it.

    Args:
        file: File to load.
        root: Folder that contains its outermost package.
        name: Full name of the module within that folder.

    Raises:
        Exception: Any exception that the file or the package raises.

    """
    package = _package_of(root)
    path, own = sys.modules[package].__path__, str(file.resolve().parent)
    if own not in path:
        path.append(own)
    sys.modules.pop(f"{package}.{name}", None)  # the file may have been edited
    return import_module(f"{package}.{name}")


def without_package(text: str) -> str:
    """Return a string without the prefixes of generated packages in module names."""
    return _PACKAGE.sub("", text)


def plain_name(name: str) -> str:
    """Return a module's name without generated prefixes and suffixes."""
    name = without_package(name)
    return name.rpartition("_")[0] if name.startswith(_PREFIX) else name


def _mark(path: os.PathLike[str] | str) -> str:
    return hashlib.sha256(os.fsencode(path)).hexdigest()[:12]


def _package_of(folder: str) -> str:
    """Return the name of the generated package of a folder, which is created if necessary.

    The folder's path must be absolute and without symbolic links.
    """
    if _Finder not in sys.meta_path:
        sys.meta_path.insert(0, _Finder)
    name = _PREFIX + _mark(folder)
    if name not in sys.modules:
        spec = ModuleSpec(name, None, is_package=True)
        spec.submodule_search_locations = [folder]
        sys.modules[name] = module_from_spec(spec)
    return name


class _Loader(SourceFileLoader):
    """Loader that compiles a module's current source and runs it so that its imports find the modules of its folder."""

    def __init__(self, name: str, path: str, package: str) -> None:
        super().__init__(name, path)
        self.package = package

    def exec_module(self, module: ModuleType) -> None:
        """Execute the module with the builtins of its package."""
        vars(module)["__builtins__"] = _builtins(self.package)
        super().exec_module(module)

    def get_code(self, fullname: str) -> CodeType:
        """Compile the file without using cached bytecode.

        The bytecode cache misses an edit that changes neither the size of a file nor its modification time in seconds.
        """
        path = self.get_filename(fullname)
        code: CodeType = self.source_to_code(self.get_data(path), path)
        return code


class _Finder:
    """Finder for the modules in generated packages, which ignores all other modules."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return the spec of a module in a generated package, or None for other modules."""
        if path is None or not _PACKAGE.match(name):
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _Loader(name, spec.loader.path, name.partition(".")[0])
        return spec


@cache
def _builtins(package: str) -> dict[str, object]:
    """Return Python's builtins with an ``__import__`` that finds a package's modules by their names within it."""

    def import_at_home(
        name: str,
        globals: Mapping[str, object] | None = None,  # noqa: A002 - as the function that it stands for
        locals: Mapping[str, object] | None = None,  # noqa: A002
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        top = name.partition(".")[0]
        own = level == 0 and _is_own(package, top)
        try:
            found = builtins.__import__(f"{package}.{name}" if own else name, globals, locals, fromlist or (), level)
        except ModuleNotFoundError as error:
            raise ModuleNotFoundError(
                plain_name(str(error)), name=plain_name(error.name or ""), path=error.path
            ) from None
        return sys.modules[f"{package}.{top}"] if own and not fromlist else found

    return {**vars(builtins), "__import__": import_at_home}


def _is_own(package: str, top: str) -> bool:
    """Return True if importing a top-level name in a module of a generated package finds a module of that package."""
    if f"{package}.{top}" in sys.modules:
        return True
    found = PathFinder.find_spec(f"{package}.{top}", sys.modules[package].__path__)
    if found is None or installed_places(top):
        return False
    # A folder without __init__.py yields to a module of the same name elsewhere.
    return found.loader is not None or (top not in sys.modules and PathFinder.find_spec(top) is None)
