"""Compare the cells of two JSON reports, or of two folders of them: verdicts, witnesses and certificates.

    python benchmarks/compare_reports.py BEFORE.json AFTER.json
    python benchmarks/compare_reports.py BEFORE/ AFTER/

Prints one line per report: how many cells it has, and how many of them differ in what. Names the cells that differ, and
ends with exit code 1 if a verdict, a witness or a certificate does, or if a cell is in one report only. Differences in
evidence alone (counts of instances) are printed and are no failure.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from axiomcheck.records.matrix import whole

#: Fields of a cell in which nothing may differ. Names are those of `axiomcheck.records.cells.Cell`.
PINNED = ("verdict", "witness", "certificate")


def cells_of(report: Path) -> dict[tuple[str, ...], dict[str, Any]]:
    """Return the cells of a report by metric and axiom, with certificates in place of their numbers."""
    document = json.loads(report.read_text(encoding="utf-8"))
    return {(cell["metric"], cell["axiom"]): cell for cell in whole(document["cells"], document)}


def compare(before: Path, after: Path) -> bool:
    """Print how two reports differ; return true if nothing that is pinned does."""
    old, new = cells_of(before), cells_of(after)
    one_sided = sorted(old.keys() ^ new.keys())
    shared = sorted(old.keys() & new.keys())
    differing = {
        field: [key for key in shared if old[key].get(field) != new[key].get(field)] for field in (*PINNED, "evidence")
    }
    counts = ", ".join(f"{field} {len(keys)}" for field, keys in differing.items())
    print(f"{after.name}: {len(shared)} cells; differing: {counts}; in one report only: {len(one_sided)}")
    for field in PINNED:
        for key in differing[field]:
            values = f": {old[key][field]} -> {new[key][field]}" if field == "verdict" else ""
            print(f"  {field} of {' on '.join(key)}{values}")
    for key in one_sided:
        print(f"  only {'before' if key in old else 'after'}: {' on '.join(key)}")
    return not one_sided and not any(differing[field] for field in PINNED)


def main(before: str, after: str) -> int:
    """Compare two reports, or the reports of one name in two folders; return the exit code."""
    old, new = Path(before), Path(after)
    if old.is_file():
        return 0 if compare(old, new) else 1
    names = sorted({path.name for folder in (old, new) for path in folder.glob("*.json")})
    if not names:
        print(f"no report in {old} or {new}")
        return 2
    missing = [name for name in names if not ((old / name).is_file() and (new / name).is_file())]
    for name in missing:
        print(f"{name}: in one folder only")
    same = [compare(old / name, new / name) for name in names if name not in missing]
    return 0 if all(same) and not missing else 1


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
