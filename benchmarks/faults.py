"""Misbehaving metrics beside honest ones, and commands that are sent signals: a table of tried, survived and lost.

    python benchmarks/faults.py [--seed N] [matrix|check|gate|signals ...]

Takes some fifteen minutes. Exits with 1 if anything was lost. docs/how-to/isolation.md has its table.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.faults.beside import COMMANDS, Command, beside
from tests.faults.misbehaving import FAULTS, GOOD
from tests.faults.signalled import SIGNALS, signalled

_TOGETHER = 12
_LIMIT = 4
"""Seconds for each piece of work, which metrics that hang take in full."""
_MOMENTS = 10
_LOADING = 0.8
"""Seconds in which a command loads its modules; half of the moments lie there."""


def faults_of(command: Command, folder: Path) -> Iterator[tuple[str, str]]:
    """Every fault with what was lost to it; those of a run in which something was are tried again, one by one."""
    clean = beside(command, [], folder / "clean", limit=_LIMIT)
    assert clean.code is not None
    if clean.lost(clean):
        raise AssertionError(f"{command} without faults: {clean.lost(clean)}\n{clean.stderr}")
    for start in range(0, len(FAULTS), _TOGETHER):
        part = FAULTS[start : start + _TOGETHER]
        together = beside(command, part, folder / f"from{start}", limit=_LIMIT)
        if not together.lost(clean):
            for fault in part:
                yield fault.name, ""
            continue
        print(f"{command}: {together.lost(clean)}\n{together.stderr[-2000:]}", file=sys.stderr)
        alone = [
            beside(command, [fault], folder / f"alone{start}-{n}", limit=_LIMIT).lost(clean)
            for n, fault in enumerate(part)
        ]
        for fault, lost in zip(part, alone, strict=True):
            yield fault.name, lost or ("" if any(alone) else f"together: {together.lost(clean)}")


def moments(seed: int, name: str, longest: float) -> list[float]:
    """When to send a signal: half of the time while modules are loaded, half of the time whenever."""
    rng = random.Random(f"{seed} {name}")
    return [rng.uniform(0, _LOADING if k % 2 else longest) for k in range(_MOMENTS)]


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("parts", nargs="*", default=[*COMMANDS, "signals"])
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    rows: list[tuple[str, int, int]] = []
    with tempfile.TemporaryDirectory() as folder:
        for command in (c for c in COMMANDS if c in arguments.parts):
            outcomes = list(faults_of(command, Path(folder, command)))
            for name, lost in outcomes:
                print(f"{command}: {name}: {lost or 'survived'}", flush=True)
            rows.append(
                (f"`{command}` beside misbehaving metrics", len(outcomes), sum(not lost for _, lost in outcomes))
            )
        if "signals" in arguments.parts:
            longest = signalled(None, 0, Path(folder, "undisturbed"), GOOD).seconds
            for number in SIGNALS:
                survived = 0
                for k, moment in enumerate(moments(arguments.seed, number.name, longest)):
                    stopped = signalled(number, moment, Path(folder, f"{number.name}{k}"), GOOD)
                    survived += not stopped.wrong
                    print(f"{number.name} after {moment:.2f} s: {stopped.wrong or 'survived'}", flush=True)
                rows.append((f"{number.name} to `matrix`", _MOMENTS, survived))
    print("\n| | tried | survived | lost |\n| --- | --- | --- | --- |")
    for what, tried, survived in rows:
        print(f"| {what} | {tried} | {survived} | {tried - survived} |")
    return int(any(tried > survived for _, tried, survived in rows))


if __name__ == "__main__":
    sys.exit(main())
