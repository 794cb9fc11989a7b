"""docs/reference/inst.md: its examples are executed."""

from __future__ import annotations

import doctest
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "inst.md"


def failures(text: str) -> tuple[int, int]:
    """(failed, attempted) examples of a page."""
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(doctest.DocTestParser().get_doctest(text, {}, "page", None, 0), out=lambda _: None)
    result = runner.summarize(verbose=False)
    return result.failed, result.attempted


def test_the_examples_print_what_the_page_says() -> None:
    failed, attempted = failures(PAGE.read_text(encoding="utf-8"))
    assert attempted >= 14
    assert failed == 0


def test_a_changed_page_is_noticed() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for printed in ("0.306 + 0.100", "(105, 19)", "[0.667, 0.667, 0.667]"):
        assert printed in text
        assert failures(text.replace(printed, "0.307"))[0] == 1
