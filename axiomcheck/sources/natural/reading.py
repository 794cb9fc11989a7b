"""Recompile a user's source to use exact numbers.

The source is compiled again with the same line numbers and four changes. A literal such as ``0.8`` becomes the exact
decimal. ``/`` and ``**`` are also exact on integers. Imports of ``numpy`` and ``math`` return stand-ins, and the user's
own modules are recompiled in the same way. Exception handlers do not catch the errors of exact numbers. Otherwise the
code does exactly what the user wrote.
"""

from __future__ import annotations
import __future__

import ast
import builtins
import io
import linecache
import sys
import tokenize
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import cache, partial
from math import isinf
from pathlib import Path
from types import CellType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any, TypeGuard

import numpy as np
from flint import fmpq

from axiomcheck.core.directory import running_file
from axiomcheck.core.typing import Array
from axiomcheck.numbers.natural import Number, in_order
from axiomcheck.numbers.refusals import Guarded, handled
from axiomcheck.sources.modules import codes_of, is_installed, names_in
from axiomcheck.sources.natural.same_reading import Unreadable, check_same_source, globals_of
from axiomcheck.sources.natural.stand_ins import STAND_INS, divided, numpy_names, powered

_DIVIDED, _POWERED, _HANDLED, _GUARDED = "exact /", "exact **", "exact except", "exact with"
"""Names that cannot occur in source code."""
_LITERAL = "exact "
_TYPED_DIGITS = 15
"""Number of digits up to which every decimal survives conversion to a float. A float with more digits must have been
computed."""
_NOWHERE = ModuleType("nowhere")
_CACHED = type(cache(len))
_OF_CLASSES = frozenset(("__module__", "__dict__", "__weakref__", "__doc__", "__annotations__", "__firstlineno__"))


def read_again(function: object) -> Any:
    """Recompile a user's function to use exact numbers.

    Args:
        function: Function, partial function, method or callable object in a file, under any name in that file.

    Raises:
        Unreadable: The function is not found in a file, the file cannot be recompiled, or it now defines something
            different.

    """
    if _LOADING:
        raise _Reentered
    module = sys.modules.get(getattr(_code_owner(function), "__module__", None) or "")
    if module is None or not _is_readable(module):
        return _read_alone(function)
    if module.__name__ == "__main__":  # running the script again could request the same verdict
        try:
            return _read_alone(function)
        except Unreadable:
            pass
    try:
        found = _of_module(function, module)
    except Unreadable:
        if isinstance(function, partial):  # it has no name in its file
            return _read_alone(function)
        raise
    check_same_source(function, found)
    return found


def _of_module(function: object, module: ModuleType) -> Any:
    """Return the object in a recompiled module that corresponds to a function in the original module."""
    for name, value in list(vars(module).items()):
        if value is function or getattr(value, "function", None) is function:
            found = getattr(_exact_module(module), name, None)
            if found is None:
                raise Unreadable(
                    f'its file does not define {name} when it is loaded, or only under if __name__ == "__main__":'
                )
            return getattr(found, "function", found)
    found = _exact_module(module)
    path = getattr(function, "__qualname__", "").split(".")
    if path == [""]:
        raise Unreadable("it is an object without a name in its file; give it a name at the top level of the file")
    if "<locals>" in path:
        raise Unreadable("it is defined inside another function; define it at the top level of the file")
    for name in path:
        found = getattr(found, name, None)
    if found is None:
        raise Unreadable(f"its file does not define {'.'.join(path)}")
    return getattr(found, "function", found)


def _read_alone(function: object) -> Any:
    """Recompile a function with the functions and values that it uses, without rerunning other code in its file.

    Raises:
        Unreadable: The object is not a function, its source is unavailable, or it uses a value that cannot be
            recompiled alone.

    """
    if not isinstance(function, FunctionType | partial | type) and type(function).__module__ != "__main__":
        raise Unreadable("its source is neither in a file nor in a notebook cell")
    return _Alone().value("it", function)


class _Alone:
    """Recompiler for single functions. Floats that the functions use become the exact values of their decimal texts."""

    def __init__(self) -> None:
        self.made: dict[int, tuple[FunctionType, FunctionType]] = {}
        self.homes: dict[int, tuple[ModuleType, dict[str, object]]] = {}
        self.kinds: dict[type, type] = {}

    def function(self, function: FunctionType) -> FunctionType:
        """Recompile a function. The globals of the result contain only the names that recompiled functions use."""
        if id(function) in self.made:
            return self.made[id(function)][1]
        original, code = function.__code__, _exact_code(function.__code__)
        changed = globals_of(original, "STORE_GLOBAL", "DELETE_GLOBAL")
        outer = [name for name in globals_of(original, "STORE_DEREF", "DELETE_DEREF") if name in original.co_freevars]
        for name in (*changed, *outer):
            raise Unreadable(f"it changes {name}, which belongs to another scope")
        home, names = self._home_of(function)
        names.update(_names_of(code))
        cells = dict(zip(original.co_freevars, function.__closure__ or (), strict=True))
        again = FunctionType(code, names, function.__name__, None, tuple(CellType() for _ in cells))
        self.made[id(function)] = function, again  # stored before its names, because functions may call each other
        for name in globals_of(original):
            if name not in names and name in function.__globals__:
                names[name] = self.value(name, function.__globals__[name], home)
        for (name, cell), made in zip(cells.items(), again.__closure__ or (), strict=True):
            made.cell_contents = self.value(name, cell.cell_contents, home)
        # Defaults are converted, not evaluated again, because their expressions may have other values now.
        again.__defaults__ = self.value("a default", function.__defaults__, home)
        again.__kwdefaults__ = function.__kwdefaults__ and {
            name: self.value(name, value, home) for name, value in function.__kwdefaults__.items()
        }
        return again

    def _home_of(self, function: FunctionType) -> tuple[ModuleType, dict[str, object]]:
        """Return a stand-in for a function's module, and the globals of recompiled functions from that module."""
        space = function.__globals__
        if id(space) not in self.homes:
            home = ModuleType(str(space.get("__name__")))
            vars(home)["__builtins__"] = space.get("__builtins__", builtins)
            self.homes[id(space)] = home, {"__name__": home.__name__, "__builtins__": _builtins_of(home)}
        return self.homes[id(space)]

    def value(self, name: str, value: Any, home: ModuleType = _NOWHERE) -> Any:
        """Return the exact value of a global name, a default or a variable of an enclosing function.

        Raises:
            Unreadable: The value has so many digits that it must have been computed from unknown values, or its type is
                unsupported.

        """
        if value is None or isinstance(value, bool | int | str):
            return value
        if type(value) in (float, np.float64) and len(Decimal(repr(float(value))).as_tuple().digits) <= _TYPED_DIGITS:
            exact = Fraction(repr(float(value)))
            return Number(fmpq(exact.numerator, exact.denominator))
        if type(value) is tuple or (type(value) is list and value):  # calls may fill an empty list
            return type(value)(self.value(name, inner, home) for inner in value)
        if type(value) is dict and value:
            return {self.value(name, key, home): self.value(name, inner, home) for key, inner in value.items()}
        if type(value) is np.ndarray and value.dtype.kind in "biuf":
            return of_library("numpy").array(self.value(name, value.tolist(), home), dtype=value.dtype)
        if type(value) is partial:
            named = {key: self.value(key, inner, home) for key, inner in value.keywords.items()}
            return partial(self.value(name, value.func, home), *self.value(name, value.args, home), **named)
        if isinstance(value, ModuleType):
            return _stand_in(value, home)
        if isinstance(value, _CACHED):
            return cache(self.value(name, value.__wrapped__, home))
        module, known = sys.modules.get(str(getattr(value, "__module__", ""))), str(getattr(value, "__name__", ""))
        if _is_of_library(module, home) and getattr(module, known, None) is value:
            return getattr(_stand_in(module, home), known)
        if isinstance(value, FunctionType):
            module = sys.modules.get(str(value.__globals__.get("__name__")))
            if value.__closure__ or module is None or module.__name__ == "__main__":
                return self.function(value)
            return read_again(value) if _is_own(module, home) else value
        if getattr(value, "__module__", None) == "__main__" and type(type(value)) is type:
            return self.kind(name, value, home) if type(value) is type else self.instance(name, value, home)
        raise Unreadable(f"it uses {name} ({type(value).__name__}), which cannot be recompiled on its own")

    def kind(self, name: str, cls: type, home: ModuleType) -> type:
        """Return the recompiled version of a class that a notebook or script defines."""
        if cls not in self.kinds:
            bases = tuple(base if base is object else self.value(name, base, home) for base in cls.__bases__)
            again: Any = type(cls.__name__, bases, {"__module__": cls.__module__})
            self.kinds[cls] = again
            for key, part in vars(cls).items():
                if isinstance(part, staticmethod | classmethod):
                    setattr(again, key, type(part)(self.value(key, part.__func__, home)))
                elif isinstance(part, property):
                    setattr(again, key, property(*(self.value(key, f, home) for f in (part.fget, part.fset))))
                elif key not in _OF_CLASSES:
                    setattr(again, key, self.value(key, part, home))
        return self.kinds[cls]

    def instance(self, name: str, value: object, home: ModuleType) -> object:
        """Return a copy of an object, as an instance of its recompiled class and with exact attributes."""
        again: object = object.__new__(self.kind(name, type(value), home))
        vars(again).update({key: self.value(key, part, home) for key, part in vars(value).items()})
        return again


def _exact_code(code: CodeType) -> CodeType:
    """Return the recompiled version of a function's code."""
    lines, file = linecache.getlines(code.co_filename), code.co_filename
    if not lines:
        raise Unreadable("its source is neither in a file nor in a notebook cell")
    try:
        plain, exact = _compiled_twice("".join(lines), file, code.co_flags & __future__.annotations.compiler_flag)
    except (SyntaxError, ValueError) as error:
        raise Unreadable(f"{Path(file).name} cannot be recompiled: {error}") from None
    if code not in plain:
        raise Unreadable("its source has changed since it was defined; run that code again")

    def place(one: CodeType) -> tuple[object, ...]:
        return one.co_firstlineno, one.co_qualname, one.co_varnames, one.co_freevars

    found = [one for one in exact if place(one) == place(code)]
    if len(found) != 1:
        raise Unreadable(f"line {code.co_firstlineno} has {len(found)} functions named {code.co_name}; expected one")
    return found[0]


def is_compiled_from_its_text(code: CodeType) -> bool:
    """Return True if compiling a function's file or notebook cell with Python gives the function's code.

    Raises:
        SyntaxError: The text is not Python code.

    """
    linecache.checkcache(code.co_filename)  # another file may have had its name
    text = "".join(linecache.getlines(code.co_filename))
    return code in _compiled_twice(text, code.co_filename, code.co_flags & __future__.annotations.compiler_flag)[0]


@cache
def _compiled_twice(text: str, file: str, flags: int) -> tuple[frozenset[CodeType], Sequence[CodeType]]:
    """Compile a file or notebook cell as Python does, and again to use exact numbers. Return all code objects of each.

    A notebook compiles each statement of a cell separately, which may produce different instructions from those in a
    file.
    """
    tree = ast.parse(text, file)
    flags |= ast.PyCF_ALLOW_TOP_LEVEL_AWAIT

    def codes(part: ast.Module) -> Sequence[CodeType]:
        return list(codes_of(compile(part, file, "exec", flags, dont_inherit=True)))

    plain = frozenset(code for part in (tree, *(ast.Module([one], []) for one in tree.body)) for code in codes(part))
    return plain, codes(ast.fix_missing_locations(_Exactly().visit(tree)))


def _code_owner(function: object) -> object:
    if isinstance(function, partial):
        return _code_owner(function.func)
    return function if isinstance(function, FunctionType | MethodType | type) else type(function)


def _is_readable(module: ModuleType) -> bool:
    """Return True if a module is a Python file outside the standard library and axiomcheck."""
    file, top = getattr(module, "__file__", None), _top(module)
    return isinstance(file, str) and file.endswith(".py") and top not in {*sys.stdlib_module_names, "axiomcheck"}


def _is_own(module: ModuleType, home: ModuleType) -> bool:
    """Return True if a module is the user's own: it is not installed, or is in the same package as ``home``."""
    return _is_readable(module) and (not is_installed(str(module.__file__)) or _top(module) == _top(home))


def _is_of_library(module: ModuleType | None, home: ModuleType) -> TypeGuard[ModuleType]:
    """Return True if recompiled code calls a module's functions unchanged, or through a stand-in."""
    return module is not None and module.__name__ not in ("__main__", "builtins") and not _is_own(module, home)


def _top(module: ModuleType) -> str:
    return module.__name__.partition(".")[0]


class _ExactModule(ModuleType):
    """Recompiled user module. The submodules of a package are recompiled on access."""

    def __getattr__(self, name: str) -> object:
        found = getattr(vars(self)["exact original"], name)
        if isinstance(found, ModuleType):
            return _stand_in(found, vars(self)["exact original"])
        raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")


_READ: dict[int, tuple[ModuleType, ModuleType]] = {}
"""Id of a module -> the module and its recompiled version. A reloaded module has a different id."""

_LOADING: set[int] = set()
"""Ids of the modules that are being recompiled."""


class _Reentered(BaseException):
    """Raised when a module that is being recompiled requests a metric, because it starts axiomcheck on import."""


def _exact_module(module: ModuleType) -> ModuleType:
    """Return the recompiled version of a user module. The result is cached.

    Raises:
        Unreadable: The module cannot be compiled, or starts axiomcheck when it is imported.
        BaseException: Any exception that the module raises.

    """
    known = _READ.get(id(module))
    if known is not None and known[0] is module:
        return known[1]
    # A script is imported as in a multiprocessing worker, so that its main block does not run again.
    made = _ExactModule("__mp_main__" if module.__name__ == "__main__" else module.__name__, module.__doc__)
    file = str(module.__file__)
    names = ("__file__", "__package__", "__path__", "__spec__", "__loader__")
    vars(made).update({name: getattr(module, name) for name in names if hasattr(module, name)})
    vars(made)["exact original"] = module
    try:
        # compiled under the file name of the original code, so that positions of both versions agree
        code = _compiled(Path(file).read_bytes(), getattr(vars(module).get("__loader__"), "path", file))
    except (OSError, SyntaxError, ValueError) as error:
        raise Unreadable(f"{Path(file).name} cannot be recompiled: {error}") from None
    vars(made).update(_names_of(code))
    vars(made)["__builtins__"] = _builtins_of(module)
    _READ[id(module)] = (module, made)  # stored before it runs, because modules may import each other
    _LOADING.add(id(module))
    try:
        with running_file():
            exec(code, vars(made))
    except BaseException as error:
        del _READ[id(module)]
        if isinstance(error, _Reentered):
            raise Unreadable(
                f'{Path(file).name} starts axiomcheck whenever it is loaded; put this under if __name__ == "__main__":'
            ) from None
        raise
    finally:
        _LOADING.discard(id(module))
    return made


def _stand_in(module: ModuleType, home: ModuleType) -> object:
    name = module.__name__
    if name == "numpy" or name in STAND_INS:
        return of_library(name)
    if name.startswith("numpy."):
        found: object = of_library("numpy")
        for part in name.split(".")[1:]:
            found = getattr(found, part)
        return found
    return _exact_module(module) if _is_own(module, home) else module


@cache
def of_library(name: str) -> ModuleType:
    """Return the stand-in for NumPy or another supported library."""
    return numpy_names() if name == "numpy" else STAND_INS[name]()


def _builtins_of(module: ModuleType) -> dict[str, object]:
    """Return a module's builtins, with versions of `__import__`, `float`, `pow` and `sorted` for exact numbers."""
    own = vars(module).get("__builtins__", builtins)
    before: Mapping[str, Any] = own if isinstance(own, dict) else vars(own)
    load = before["__import__"]

    def import_again(
        name: str,
        globals: Mapping[str, object] | None = None,  # noqa: A002 - as the function that it stands for
        locals: Mapping[str, object] | None = None,  # noqa: A002
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> object:
        return _stand_in(load(name, vars(module), None, fromlist or (), level), module)

    def power(base: Array, exponent: Array, modulus: Array = None) -> Array:
        return powered(base, exponent) if modulus is None else pow(base, exponent, modulus)

    return {**before, "__import__": import_again, "float": Number, "pow": power, "sorted": _sorted}


def _sorted(
    values: Iterable[Array], /, *, key: Callable[[Array], Array] | None = None, reverse: bool = False
) -> list[Array]:
    rows = list(values)
    if key is not None or not all(isinstance(v, Number) for v in rows):
        return sorted(rows, key=key, reverse=reverse)
    ordered = in_order(rows)
    return ordered[::-1] if reverse else ordered


@cache
def _compiled(source: bytes, file: str) -> CodeType:
    encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
    text = source.decode(encoding)
    tree = ast.fix_missing_locations(_Exactly().visit(ast.parse(text, file)))
    flags = __future__.annotations.compiler_flag  # annotations, such as np.random.Generator, need no exact value
    code: CodeType = compile(tree, file, "exec", flags, dont_inherit=True)
    return code


def _names_of(code: CodeType) -> dict[str, object]:
    """Map the generated names in recompiled code to the helpers and exact literals that they stand for."""
    found: dict[str, object] = {_DIVIDED: divided, _POWERED: powered, _HANDLED: handled, _GUARDED: Guarded}
    for name in names_in(code):
        if name.startswith(_LITERAL) and name not in found:
            exact = Fraction(name.removeprefix(_LITERAL))
            found[name] = Number(fmpq(exact.numerator, exact.denominator))
    return found


class _Exactly(ast.NodeTransformer):
    """Transformer that makes literals, quotients and powers exact, and guards exception handlers."""

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        """Replace a float literal with a name made from its shortest decimal text."""
        if type(node.value) is not float or isinf(node.value):
            return node
        return ast.copy_location(ast.Name(_LITERAL + repr(node.value), ast.Load()), node)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        """Insert a check that re-raises the errors of exact numbers at the beginning of an exception handler."""
        self.generic_visit(node)
        call = ast.Expr(ast.Call(ast.Name(_HANDLED, ast.Load()), [], []))
        for made in ast.walk(call):
            ast.copy_location(made, node.body[0])
        node.body.insert(0, call)
        return node

    def visit_withitem(self, node: ast.withitem) -> ast.AST:
        """Wrap a context manager, so that it cannot suppress the errors of exact numbers."""
        self.generic_visit(node)
        manager = node.context_expr
        call = ast.Call(ast.Name(_GUARDED, ast.Load()), [manager], [])
        for made in (call, call.func):
            ast.copy_location(made, manager)
        node.context_expr = call
        return node

    def visit_Try(self, node: ast.Try) -> ast.AST:
        """Reject a finally block that discards an exception by exiting with return, break or continue."""
        for inner in node.finalbody:
            if any(isinstance(part, ast.Return | ast.Break | ast.Continue) for part in ast.walk(inner)):
                raise ValueError(
                    f"line {inner.lineno}: the finally block discards exceptions by returning or leaving a loop"
                )
        return self.generic_visit(node)

    def visit_MatchValue(self, node: ast.MatchValue) -> ast.AST:
        """Keep the pattern, which must remain a literal."""
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """Replace a quotient or power with a call that is exact for integers, too."""
        self.generic_visit(node)
        return self._operation(node, node.left, node.op, node.right) or node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        """Replace ``x /= y`` and ``x **= y`` with an assignment from a call that works in place on arrays."""
        target = node.target
        simple = not any(isinstance(n, ast.Call | ast.NamedExpr | ast.Await) for n in ast.walk(target))
        self.generic_visit(node)
        if not simple or not isinstance(node.op, ast.Div | ast.Pow):
            return node
        source = ast.parse(ast.unparse(target), mode="eval").body
        for inner in ast.walk(source):
            ast.copy_location(inner, node)
        value = self._operation(node, self.visit(source), node.op, node.value)
        assert value is not None
        value.keywords = [ast.keyword("inside", ast.Constant(True))]
        return ast.copy_location(ast.Assign([target], value), node)

    @staticmethod
    def _operation(node: ast.AST, left: ast.expr, op: ast.operator, right: ast.expr) -> ast.Call | None:
        name = _DIVIDED if isinstance(op, ast.Div) else _POWERED if isinstance(op, ast.Pow) else None
        if name is None:
            return None
        call = ast.Call(ast.Name(name, ast.Load()), [left, right], [])
        for made in (call, call.func):
            ast.copy_location(made, node)
        return call
