"""Functions that are planted to be derived or refused: those in the files of ``idioms/``.

The files have tables. A table is a text of rows. A row begins with a comment, ``# name: expected``, and its code is
the body of a function. What is expected is a part of the fold, or a part of the reason why there is none. The
parameters of the function are those that the code uses: a topic and a ranking, or arrays. Others are in the comment,
as in ``# name(k=10): expected``. A table may begin with a body that its rows share, in which the line ``ROW`` stands
for the code of a row.
"""

import ast
import re
import sys
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from textwrap import indent
from types import ModuleType

from axiomcheck import as_metric
from axiomcheck.sources.function_metrics import CallableMetric, FunctionMetric

__all__ = ["Row", "rows_of"]

HEAD = """
import functools, heapq, itertools, math, operator, statistics
from abc import ABC, abstractmethod
from collections import Counter, defaultdict, namedtuple
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np


def _hits(topic, documents):
    return sum(1 for d in documents if topic.pool[d][0] > 0)


def _first_relevant(topic):
    return [d for d, grades in topic.pool.items() if grades[0] > 0]


def _relevant(topic):
    return {d for d, grades in topic.pool.items() if grades[0] > 0}


def discounted(gains):
    return sum(g / math.log2(i + 2) for i, g in enumerate(gains))


def flags(topic, ranking, dtype):
    return np.array([topic.pool[d][0] > 0 for d in ranking], dtype=dtype)


def by_rank(values):
    return np.sum(values / np.arange(1, len(values) + 1))
"""
"""The beginning of each file."""

_ROW = re.compile(r"^# (\w+)(?:\((.*)\))?: (.*(?:\n#   .*)*)\n", re.MULTILINE)


@dataclass(frozen=True)
class Row:
    """One planted function.

    Args:
        name: its name.
        expected: a part of its fold, or of the reason why it has none.
        file: the name of the file that it is written to.
        text: the content of that file, with all functions of the table.

    """

    name: str
    expected: str
    file: str
    text: str

    def metric(self, folder: Path) -> FunctionMetric | CallableMetric:
        """Write the file to a folder, and return the function as a user's metric."""
        return as_metric(getattr(_loaded(folder / self.file, self.text), self.name))


@cache
def _loaded(file: Path, text: str) -> ModuleType:
    file.write_text(text, encoding="utf-8")
    spec = spec_from_file_location(f"planted_{file.stem}", file)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def rows_of(kind: str) -> list[Row]:
    """Return all rows of one kind.

    Args:
        kind: ``FOLLOWED`` or ``REFUSED``, the name of a table or of a tuple of tables in a file of ``idioms/``.

    """
    found = []
    for file in sorted((Path(__file__).parent / "idioms").glob("[a-z]*.py")):
        found += _rows_of_tables(import_module(f"tests.natural.idioms.{file.stem}"), kind)
    return found


def _rows_of_tables(module: ModuleType, kind: str) -> list[Row]:
    tables = vars(module).get(kind, ())
    found = []
    for number, table in enumerate((tables,) if isinstance(tables, str) else tables):
        shared, *parts = _ROW.split(table)
        rows = list(zip(*(parts[place::4] for place in range(4)), strict=True))
        functions = (_function(name, others, shared, code) for name, others, _, code in rows)
        text = "\n\n".join((HEAD, vars(module).get("GIVEN", ""), *functions))
        file = f"{module.__name__.rpartition('.')[2]}_{kind.lower()}_{number}.py"
        found += [Row(name, " ".join(expected.replace("\n#", "").split()), file, text) for name, _, expected, _ in rows]
    return found


def _function(name: str, others: str | None, shared: str, code: str) -> str:
    if place := re.search(r"^( *)ROW\n", shared, re.MULTILINE):
        code = shared[: place.start()] + indent(code, place[1]) + shared[place.end() :]
    used = {node.id for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name)}
    arrays = "grades, weights, pool" if "pool" in used else "grades, weights"
    given = "topic, ranking" if used & {"topic", "ranking"} else arrays
    return f"def {name}({given}{', ' + others if others else ''}):\n{indent(code, '    ')}"
