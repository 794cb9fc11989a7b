"""Generate pages from the code and its results when the site is built, and copy the pages of `research/output`.

The pages are written to `docs/generated`, which is not committed. Unchanged pages are not touched, so that Sphinx reads
only changed pages again.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import api_page
import axiom_pages
import command_pages
import findings_pages
import gallery
import metric_pages
import schema_pages
import table_picture
from pages import Pages
from runs import default_matrix, matrix_words, parameter_studies
from sphinx.application import Sphinx


def write_pages(app: Sphinx) -> None:
    """Compute the results, and write every page."""
    kept = Path(app.doctreedir) / "runs"
    ledger = default_matrix(kept, app.config.rows, app.config.examples)
    studies = parameter_studies(kept, app.config.step)
    table_picture.hold(Path(app.srcdir), ledger)
    pages = Pages(Path(app.srcdir) / "generated")
    axiom_pages.write(pages, ledger)
    metric_pages.write(pages, ledger, studies)
    command_pages.write(pages)
    api_page.write(pages)
    schema_pages.write(pages)
    findings_pages.write(pages, ledger, studies)
    gallery.write(pages, ledger, kept, matrix_words(app.config.rows, app.config.examples))
    for page in sorted((Path(app.srcdir).parent / "research" / "output").glob("*.md")):
        pages.write(f"results/{page.name}", page.read_text(encoding="utf-8"))
    pages.forget_the_rest()


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension with Sphinx."""
    (Path(app.srcdir) / "generated" / "files").mkdir(
        parents=True, exist_ok=True
    )  # Sphinx needs it before it has content
    app.add_config_value("rows", "all", "env", str)
    app.add_config_value("examples", None, "env", [int, str])
    app.add_config_value("step", 1, "env", int)  # of the studies of parameters
    app.connect("builder-inited", write_pages)
    app.connect("missing-reference", api_page.as_text)
    return {"parallel_read_safe": True}
