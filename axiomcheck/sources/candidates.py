"""What of a Python file can be checked, as its text says: nothing is run."""

from __future__ import annotations

import ast
import shlex
from pathlib import Path

from axiomcheck.core.counting import counted
from axiomcheck.core.errors import InvalidInput

SIGNATURES = (("grades", "weights"), ("grades", "weights", "pool"), ("topic", "ranking"))
"""What a function that is a metric has to be given, by name."""

_BASES = ("Metric", "DeclaredFold")
_MOST = 12


def candidates(file: Path) -> list[str]:
    """The public functions of a file that have the parameters of a metric, and its classes of metrics, in its order.

    Raises:
        InvalidInput: it cannot be read, or is not Python.

    """
    try:
        tree = ast.parse(file.read_bytes(), str(file))
    except (OSError, SyntaxError, ValueError) as error:
        raise InvalidInput(f"{file} cannot be read as Python: {error}") from None
    found: list[str] = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            fits = _needed(node.args) in SIGNATURES
        else:
            fits = isinstance(node, ast.ClassDef) and any(_is_metric(base, found) for base in node.bases)
        if fits and isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            found.append(node.name)
    return found


def _needed(arguments: ast.arguments) -> tuple[str, ...]:
    names = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]
    return tuple(names[: len(names) - len(arguments.defaults)])


def _is_metric(base: ast.expr, before: list[str]) -> bool:
    name = base.attr if isinstance(base, ast.Attribute) else base.id if isinstance(base, ast.Name) else ""
    return name.endswith(_BASES) or name in before


def named_without_metric(text: str) -> InvalidInput:
    """The error of a file's name where a metric's is expected: what to type instead."""
    file = Path(text)
    if not file.is_file():
        return InvalidInput(f"there is no file {text}; a metric in a file is named as in path/to/file.py:my_metric")
    try:
        found = candidates(file)
    except InvalidInput as error:
        return error
    if not found:
        expected = " or ".join(f"({', '.join(names)})" for names in SIGNATURES)
        return InvalidInput(f"{text} is a file without a function {expected} or a class of metrics: nothing to check")
    commands = [f"  axiomcheck check {shlex.quote(f'{text}:{name}')}" for name in found[:_MOST]]
    more = [f"  and {len(found) - _MOST} more"] if len(found) > _MOST else []
    which = f"{found[0]} is the only metric in it" if len(found) == 1 else f"it has {counted(len(found), 'metric')}"
    return InvalidInput("\n".join([f"{text} is a file, and {which}; type", *commands, *more]))
