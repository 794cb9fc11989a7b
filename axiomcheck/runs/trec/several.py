"""Several runs at once, from Python: a list of runs, or a dict of name -> run."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from axiomcheck.core.errors import InvalidInput
from axiomcheck.runs.trec.runs import Run
from axiomcheck.runs.trec.shapes import as_run


def several_runs(given: Any, ranks: bool) -> list[Run] | dict[str, Run] | None:
    """The runs, called as they are in reports; None where what is given is one run.

    Args:
        given: a list, or a dict whose keys are names, of what `axiomcheck.runs.trec.shapes.as_run` takes. (A dict of
            dicts, topic -> document -> score, is one run, and so is a list of named tuples.)
        ranks: whether their ranks are wanted.

    Raises:
        InvalidInput: as `axiomcheck.runs.trec.shapes.as_run`; the message says of which.

    """
    if isinstance(given, Mapping) and any(_is_run(run) for run in given.values()):
        return {str(name): replace(_named(run, str(name), ranks), name=str(name)) for name, run in given.items()}
    if isinstance(given, (list, tuple)) and given and all(_is_run(run) or isinstance(run, Mapping) for run in given):
        runs = [_named(run, f"run {number}", ranks) for number, run in enumerate(given, 1)]
        return [replace(run, name=f"run {n}") if run.name == "run" else run for n, run in enumerate(runs, 1)]
    return None


def _is_run(given: Any) -> bool:
    """Whether this is a run, rather than a part of one: a file's name, a DataFrame, a dict of dicts."""
    if isinstance(given, Mapping):
        return any(isinstance(inner, Mapping) for inner in given.values())
    return isinstance(given, (str, os.PathLike, Run)) or hasattr(given, "itertuples")


def _named(given: Any, name: str, ranks: bool) -> Run:
    try:
        return as_run(given, ranks)
    except InvalidInput as error:
        if isinstance(given, (str, os.PathLike)):
            raise
        raise InvalidInput(f"{name}: {str(error).removeprefix('run: ')}") from None
