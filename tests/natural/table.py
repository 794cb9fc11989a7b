"""The table of ``docs/reference/natural-code.md``: functions that do not run exactly. As a program, writes it."""

import re
from pathlib import Path

from tests.natural.corpus import CORPUS, Written

__all__ = ["TABLE", "table"]

TABLE = Path(__file__).parents[2] / "docs" / "reference" / "natural-code.md"
_HEAD = "| function | why it runs in floats only |\n| --- | --- |\n"


def _line(written: Written, why: str) -> str:
    return f"| `{written.name}` | {re.sub(r'[|]', '', why)} |\n"


def table() -> str:
    """Return how many functions run exactly by what the corpus says of them, and the others with the reason."""
    reasons = {written: written.metric().numerical(False) for written in CORPUS if not written.exact}
    exact = len(CORPUS) - len(reasons)
    share = f"{exact} of {len(CORPUS)} run exactly ({100 * exact // len(CORPUS)} %). The others:\n\n"
    return share + _HEAD + "".join(_line(written, why) for written, why in reasons.items())


if __name__ == "__main__":
    text = TABLE.read_text()
    start = re.search(r"^\d+ of \d+ run exactly", text, re.M)
    TABLE.write_text(text[: start.start()] + table())
