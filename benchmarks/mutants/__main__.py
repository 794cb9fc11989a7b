"""`python benchmarks/mutants`: see `mutants.command`."""

import sys
from pathlib import Path


def run() -> int:
    """Makes the package importable here and in worker processes, and runs the command."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    from mutants.command import main

    return main()


if __name__ == "__main__":
    sys.exit(run())
