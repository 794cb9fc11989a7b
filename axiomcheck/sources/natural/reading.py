"""A second reading of a user's source: the same code, over exact numbers.

The source is compiled again with its line numbers, and four things changed: a literal such as ``0.8`` is the decimal
that it spells, ``/`` and ``**`` are exact on whole numbers too, ``numpy``, ``math`` and the modules of the user's own
that it imports are stand-ins, or read in the same way, and handlers of errors let no refusal of exact numbers pass for
an error of the user's. Nothing else is: what it does is what the user wrote.
"""

from __future__ import annotations

import ast
import builtins
import io
import sys
import tokenize
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache, partial
from math import isinf
from pathlib import Path
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from flint import fmpq

from axiomcheck.core.errors import AxiomcheckError
from axiomcheck.numbers.natural import Number, in_order
from axiomcheck.numbers.refusals import Guarded, handled
from axiomcheck.sources.installed import is_installed
from axiomcheck.sources.natural.math_names import STAND_INS, divided, powered
from axiomcheck.sources.natural.numpy_names import numpy_names

_DIVIDED, _POWERED, _HANDLED, _GUARDED = "exact /", "exact **", "exact except", "exact with"
"""Names that no source can spell."""
_LITERAL = "exact "


class Unreadable(AxiomcheckError):
    """The source of a function cannot be read again; the message says why."""


class NoSource(Unreadable):
    """It was typed at a prompt, or comes out of an extension module: there is nothing to read."""


def read_again(function: Any) -> Any:
    """A user's function over exact numbers.

    Args:
        function: of a file: a function, a partial one, a method, an object that is called, by whatever name the file
            has it under.

    Raises:
        Unreadable: it is not to be found in a file, or the file cannot be run so.

    """
    if _LOADING:
        raise _Reentered
    module = sys.modules.get(getattr(_code_owner(function), "__module__", None) or "")
    if module is None or not _is_readable(module):
        raise NoSource("its source is in no file")
    for name, value in list(vars(module).items()):
        if value is function or getattr(value, "function", None) is function:
            found = getattr(_exact_module(module), name, None)
            if found is None:
                raise Unreadable(f'its file has no {name} when it is loaded, or only under if __name__ == "__main__":')
            return getattr(found, "function", found)
    found = _exact_module(module)
    path = getattr(function, "__qualname__", "<locals>").split(".")
    if "<locals>" in path:
        raise Unreadable("it is made within another function; give what is made a name in the file")
    for name in path:
        found = getattr(found, name, None)
    if found is None:
        raise Unreadable("its file has nothing of its name")
    return getattr(found, "function", found)


def _code_owner(function: Any) -> Any:
    if isinstance(function, partial):
        return _code_owner(function.func)
    return function if isinstance(function, FunctionType | MethodType) else type(function)


def _is_readable(module: ModuleType) -> bool:
    """Whether a module is a file of Python, and neither the standard library's nor axiomcheck's."""
    file, top = getattr(module, "__file__", None), _top(module)
    return isinstance(file, str) and file.endswith(".py") and top not in {*sys.stdlib_module_names, "axiomcheck"}


def _is_own(module: ModuleType, home: ModuleType) -> bool:
    """Whether a module belongs to whoever wrote another: it is no installed package, or the same."""
    return _is_readable(module) and (not is_installed(str(module.__file__)) or _top(module) == _top(home))


def _top(module: ModuleType) -> str:
    return module.__name__.partition(".")[0]


class _ExactModule(ModuleType):
    """A module of the user's, read again; submodules of a package are found where the package has them."""

    def __getattr__(self, name: str) -> Any:
        found = getattr(vars(self)["exact original"], name)
        if isinstance(found, ModuleType):
            return _stand_in(found, vars(self)["exact original"])
        raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")


_READ: dict[int, tuple[ModuleType, ModuleType]] = {}
"""By the object: a module loaded anew is another one."""

_LOADING: set[int] = set()
"""Modules whose second reading is being made."""


class _Reentered(BaseException):
    """A module that is being read again asks about a metric: it starts axiomcheck wherever it is loaded."""


def _exact_module(module: ModuleType) -> ModuleType:
    """A module of the user's, read again; once.

    Raises:
        Unreadable: it cannot be compiled, or raises.

    """
    known = _READ.get(id(module))
    if known is not None and known[0] is module:
        return known[1]
    # A script is not run again: it is loaded, as a process of multiprocessing loads it.
    made = _ExactModule("__mp_main__" if module.__name__ == "__main__" else module.__name__, module.__doc__)
    file = str(module.__file__)
    names = ("__file__", "__package__", "__path__", "__spec__", "__loader__")
    vars(made).update({name: getattr(module, name) for name in names if hasattr(module, name)})
    vars(made)["exact original"] = module
    try:
        # by the name that the first reading's code has, so that lines of the two are the same lines
        code = _compiled(Path(file).read_bytes(), getattr(vars(module).get("__loader__"), "path", file))
    except (OSError, SyntaxError, ValueError) as error:
        raise Unreadable(f"{Path(file).name} cannot be read again: {error}") from None
    vars(made).update(_names_of(code))
    vars(made)["__builtins__"] = _builtins_of(module)
    _READ[id(module)] = (module, made)  # before it runs: modules may import each other
    _LOADING.add(id(module))
    try:
        exec(code, vars(made))
    except BaseException as error:
        del _READ[id(module)]
        if isinstance(error, _Reentered):
            raise Unreadable(
                f"{Path(file).name} starts axiomcheck wherever it is loaded; "
                'that belongs under if __name__ == "__main__":'
            ) from None
        raise
    finally:
        _LOADING.discard(id(module))
    return made


def _stand_in(module: ModuleType, home: ModuleType) -> Any:
    name = module.__name__
    if name == "numpy" or name in STAND_INS:
        return of_library(name)
    if name.startswith("numpy."):
        found: Any = of_library("numpy")
        for part in name.split(".")[1:]:
            found = getattr(found, part)
        return found
    return _exact_module(module) if _is_own(module, home) else module


@cache
def of_library(name: str) -> ModuleType:
    """What stands in for numpy, or for another library that is known."""
    return numpy_names() if name == "numpy" else STAND_INS[name]()


def _builtins_of(module: ModuleType) -> dict[str, Any]:
    """The module's own builtins, but for imports, and for what makes floats."""
    own = vars(module).get("__builtins__", builtins)
    before: Mapping[str, Any] = own if isinstance(own, dict) else vars(own)
    load = before["__import__"]

    def import_again(
        name: str,
        globals: Mapping[str, object] | None = None,  # noqa: A002 - as the function that it stands for
        locals: Mapping[str, object] | None = None,  # noqa: A002
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> Any:
        return _stand_in(load(name, vars(module), None, fromlist or (), level), module)

    return {**before, "__import__": import_again, "float": Number, "pow": _pow, "sorted": _sorted}


def _pow(base: Any, exponent: Any, modulus: Any = None) -> Any:
    return powered(base, exponent) if modulus is None else pow(base, exponent, modulus)


def _sorted(values: Any, /, *, key: Any = None, reverse: bool = False) -> list[Any]:
    rows = list(values)
    if key is not None or not all(isinstance(v, Number) for v in rows):
        return sorted(rows, key=key, reverse=reverse)
    ordered = in_order(rows)
    return ordered[::-1] if reverse else ordered


@cache
def _compiled(source: bytes, file: str) -> CodeType:
    encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
    text = source.decode(encoding)
    tree = ast.parse(text, file)
    return compile(ast.fix_missing_locations(_Exactly().visit(tree)), file, "exec", dont_inherit=True)


def _names_of(code: CodeType) -> dict[str, Any]:
    """What the names stand for that no source can spell."""
    found: dict[str, Any] = {_DIVIDED: divided, _POWERED: powered, _HANDLED: handled, _GUARDED: Guarded}
    pending = [code]
    while pending:
        part = pending.pop()
        pending += [inner for inner in part.co_consts if isinstance(inner, CodeType)]
        for name in part.co_names:
            if name.startswith(_LITERAL) and name not in found:
                exact = Fraction(name.removeprefix(_LITERAL))
                found[name] = Number(fmpq(exact.numerator, exact.denominator))
    return found


class _Exactly(ast.NodeTransformer):
    """Literals by their decimal text, quotients and powers by name."""

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        """A float's literal, which the compiled code finds under its shortest text: no float has more."""
        if type(node.value) is not float or isinf(node.value):
            return node
        return ast.copy_location(ast.Name(_LITERAL + repr(node.value), ast.Load()), node)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        """What handles an error looks first whether it is one of its own."""
        self.generic_visit(node)
        call = ast.Expr(ast.Call(ast.Name(_HANDLED, ast.Load()), [], []))
        for made in ast.walk(call):
            ast.copy_location(made, node.body[0])
        node.body.insert(0, call)
        return node

    def visit_withitem(self, node: ast.withitem) -> ast.AST:
        """A context manager may end an error as well."""
        self.generic_visit(node)
        manager = node.context_expr
        call = ast.Call(ast.Name(_GUARDED, ast.Load()), [manager], [])
        for made in (call, call.func):
            ast.copy_location(made, manager)
        node.context_expr = call
        return node

    def visit_Try(self, node: ast.Try) -> ast.AST:
        """One that ends an error without handling it is not read."""
        for inner in node.finalbody:
            if any(isinstance(part, ast.Return | ast.Break | ast.Continue) for part in ast.walk(inner)):
                raise ValueError(f"line {inner.lineno}: what follows finally leaves it, whatever was raised")
        return self.generic_visit(node)

    def visit_MatchValue(self, node: ast.MatchValue) -> ast.AST:
        """A pattern has to stay a literal."""
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """A quotient or power."""
        self.generic_visit(node)
        return self._operation(node, node.left, node.op, node.right) or node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        """One that is assigned to what it is made of; of arrays, in place."""
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
