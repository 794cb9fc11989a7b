"""Convert lines of a command's help after click's mark for verbatim text to blocks of code."""

from __future__ import annotations

from itertools import groupby
from typing import Any

import click
from sphinx.application import Sphinx

_BAR = "| "
"""Beginning of such lines in sphinx-click."""


def in_blocks(app: Sphinx, context: click.Context, lines: list[str]) -> None:
    """Rewrite the lines of a description in place."""
    made: list[str] = []
    for kept, group in groupby(list(lines), key=lambda line: line.startswith(_BAR)):
        if kept:
            made += ["", ".. code-block:: text", "", *("   " + line.removeprefix(_BAR) for line in group), ""]
        else:
            made += group
    lines[:] = made


def with_patterns(app: Sphinx, context: click.Context, lines: list[str]) -> None:
    """Escape the star of a pattern such as '*.run' in options and examples, in place: it would start emphasis."""
    lines[:] = [line.replace("'*", r"'\*") for line in lines]


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension with Sphinx."""
    app.connect("sphinx-click-process-description", in_blocks)
    app.connect("sphinx-click-process-options", with_patterns)
    app.connect("sphinx-click-process-epilog", with_patterns)
    return {"parallel_read_safe": True}
