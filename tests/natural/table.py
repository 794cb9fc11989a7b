"""The table of ``docs/reference/natural-code.md``: every function, and how it runs. As a program, writes it."""

from __future__ import annotations

import re
from pathlib import Path

from tests.natural.corpus import CORPUS, Written

__all__ = ["TABLE", "table"]

TABLE = Path(__file__).parents[2] / "docs" / "reference" / "natural-code.md"
_HEAD = "| function | runs | what is true of it |\n| --- | --- | --- |\n"


def _truth(written: Written) -> str:
    parts = [f"scores as {written.twin}"] if written.twin else []
    parts += [f"violates {', '.join(written.breaks)}"] if written.breaks else []
    parts += [f"satisfies {', '.join(written.keeps)} where r << 1"] if written.keeps else []
    return "; ".join(parts)


def _line(written: Written) -> str:
    why = written.metric().numerical(False)
    runs = "exactly" if not why else f"in floats: {re.sub(r'[|]', '', why)}"
    return f"| `{written.name}` | {runs} | {_truth(written)} |\n"


def table() -> str:
    """The table, and how many run exactly."""
    exact = sum(not written.metric().numerical(False) for written in CORPUS)
    share = f"{exact} of {len(CORPUS)} run exactly ({100 * exact // len(CORPUS)} %).\n\n"
    return share + _HEAD + "".join(map(_line, CORPUS))


if __name__ == "__main__":
    text = TABLE.read_text()
    start = re.search(r"^\d+ of \d+ run exactly", text, re.M)
    assert start is not None
    TABLE.write_text(text[: start.start()] + table())
