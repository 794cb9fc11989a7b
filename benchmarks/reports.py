"""Every difference between two matrix reports, cell by cell and entry by entry; exit code 1 if there is one.

Shows whether a change of axiomcheck changed what it finds: write a report with each, of the same seed, and compare.
Entries that only the newer form of reports has are announced with ``--new`` and left out.

    python benchmarks/reports.py BEFORE.json AFTER.json [--new failure ...]
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_ABSENT = object()


def differences(before: Any, after: Any, path: str = "") -> Iterator[str]:
    """Where two JSON values differ, and what stands there; 1 and 1.0 differ, and so does another order of entries."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in dict.fromkeys((*before, *after)):
            yield from differences(before.get(key, _ABSENT), after.get(key, _ABSENT), f"{path}.{key}" if path else key)
        if before.keys() == after.keys() and [*before] != [*after]:
            yield f"{path}: the order of its entries: {[*before]} / {[*after]}"
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for number, pair in enumerate(zip(before, after, strict=True)):
            yield from differences(*pair, f"{path}[{number}]")
    elif type(before) is not type(after) or before != after:
        yield f"{path}: {_shown(before)} / {_shown(after)}"


def _shown(value: Any) -> str:
    return "absent" if value is _ABSENT else json.dumps(value)[:120]


def cells_of(report: dict[str, Any], new: list[str]) -> dict[tuple[str, str], dict[str, Any]]:
    """A report's cells by metric and axiom, without the announced entries."""
    found = {(cell["metric"], cell["axiom"]): cell for cell in report["cells"]}
    if len(found) < len(report["cells"]):
        raise SystemExit("a cell is there twice")
    return {key: {k: v for k, v in cell.items() if k not in new} for key, cell in found.items()}


def main() -> int:
    """Compares two reports."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--new", nargs="*", default=[], help="entries of cells that only the newer form has")
    options = parser.parse_args()
    before, after = (json.loads(file.read_text(encoding="utf-8")) for file in (options.before, options.after))
    found = list(differences(*({k: v for k, v in report.items() if k != "cells"} for report in (before, after))))
    cells = [cells_of(report, options.new) for report in (before, after)]
    different = set()
    for key in dict.fromkeys((*cells[0], *cells[1])):
        lines = list(differences(cells[0].get(key, _ABSENT), cells[1].get(key, _ABSENT), " on ".join(key)))
        different |= {key} if lines else set()
        found += lines
    if [*cells[0]] != [*cells[1]]:
        found.append("the order of the cells")
    print("\n".join(found[:200]))
    verdicts = Counter(cell["verdict"] for cell in cells[1].values())
    with_parts = {
        part: sum(cell[part] is not None for cell in cells[1].values()) for part in ("witness", "certificate")
    }
    print(
        f"{len(cells[1])} cells ({', '.join(f'{number} {name}' for name, number in sorted(verdicts.items()))}; "
        f"{with_parts['witness']} witnesses, {with_parts['certificate']} certificates): "
        f"{len(found)} differences in {len(different)} cells"
    )
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
