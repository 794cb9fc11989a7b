"""Locate metrics and axioms: their files from the current directory, and their lines for reports."""

from __future__ import annotations

import ast
import os
from pathlib import Path

from axiomcheck.gating.expectations import Contract
from axiomcheck.sources.names import Home, read_name


def locate(contract: Contract, name: str) -> str:
    """Return a metric's or axiom's name from the current directory: a contract's files are relative to its own."""
    named = read_name(name)
    if named.home is not Home.FILE or Path(named.prefix).is_absolute() or contract.directory == Path.cwd():
        return name
    return f"{os.path.relpath(contract.directory / named.prefix)}:{named.name}"


def where(contract: Contract, metric: str) -> tuple[str, int]:
    """The file and line (from 1) of a metric's definition; of its entry in the contract if it is not in a file.

    The file is relative to the current directory where it is below it, with forward slashes.
    """
    named = read_name(metric)
    file = contract.directory / named.prefix
    if named.home is Home.FILE and file.is_file():
        return _shown(file), _line_of(file, named.name.partition(".")[0])
    line = 1
    for number, text in enumerate(_text(contract.path).splitlines(), start=1):
        if metric in text and text.lstrip().startswith("["):
            line = number
            break
    return _shown(contract.path), line


def _shown(file: Path) -> str:
    full = Path(os.path.abspath(file))  # not resolved: a link is shown where it is
    return (full.relative_to(Path.cwd()) if full.is_relative_to(Path.cwd()) else full).as_posix()


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _line_of(file: Path, name: str) -> int:
    try:
        body = ast.parse(_text(file)).body
    except (SyntaxError, ValueError) as error:
        return getattr(error, "lineno", None) or 1
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name:
            return node.lineno
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            return node.lineno
    return 1
