"""A contract's beginning: a file that names metrics, for a run to fill in."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import tomlkit

from axiomcheck.core.errors import InvalidInput
from axiomcheck.sources.declarations import OWN_FILE, SHARED_FILE, read_toml, section
from axiomcheck.sources.names import Home, read_name


def write_first(metrics: Sequence[str], path: Path | None = None) -> Path:
    """Writes a contract file with a table for every metric, and nothing in it.

    Args:
        metrics: as they are typed here.
        path: the new file; None for axiomcheck.toml in the current directory.

    Returns:
        Where it is.

    Raises:
        InvalidInput: a contract is there, which is never written over, or the file cannot be made.

    """
    path = (Path.cwd() / OWN_FILE if path is None else path).absolute()
    names = [_from(path.parent, metric) for metric in metrics]
    document = tomlkit.document()
    document.add(tomlkit.comment("What axiomcheck gate holds metrics to."))
    document["metrics"] = tomlkit.table(is_super_table=True)
    for name in names:
        document["metrics"][name] = tomlkit.table()
    heading = f"[metrics.{tomlkit.key(names[0]).as_string()}]"
    shared = path.parent / SHARED_FILE
    if path.name == SHARED_FILE or (shared.is_file() and _holds_contract(shared)):
        raise InvalidInput(
            f"{shared}: the contract belongs there; add [tool.axiomcheck.{heading[1:]} and run axiomcheck gate --update"
        )
    try:
        with open(path, "x", encoding="utf-8") as file:
            file.write(tomlkit.dumps(document))
    except FileExistsError:
        raise InvalidInput(
            f"{path} is there already and is not written over; add {heading} to it and run axiomcheck gate --update"
        ) from None
    except OSError as error:
        raise InvalidInput(f"cannot write {path}: {error.strerror}") from None
    return path


def _holds_contract(shared: Path) -> bool:
    found = section(shared, read_toml(shared))
    return isinstance(found, dict) and "metrics" in found


def _from(directory: Path, metric: str) -> str:
    """A metric's name as it is in a contract in a directory, to which files are relative."""
    named = read_name(metric)
    if named.home is not Home.FILE or Path(named.prefix).is_absolute():
        return metric
    return f"{Path(os.path.relpath(named.prefix, directory)).as_posix()}:{named.name}"
