"""The pages that are made when the site is built: all that the code or a run of it knows better than a page could.

Results that somebody wrote down, of `research/output`, are among them.

They are written to `docs/generated`, which is not committed. A page that comes out as it was is not touched, so that
Sphinx reads again only what has changed.
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
from runs import default_matrix, parameter_studies
from sphinx.application import Sphinx


def write_pages(app: Sphinx) -> None:
    """Runs what has to be run, and writes every page."""
    kept = Path(app.doctreedir) / "runs"
    ledger = default_matrix(kept, app.config.examples)
    studies = parameter_studies(kept)
    table_picture.hold(Path(app.srcdir), ledger)
    pages = Pages(Path(app.srcdir) / "generated")
    axiom_pages.write(pages, ledger)
    metric_pages.write(pages, ledger, studies)
    command_pages.write(pages)
    api_page.write(pages)
    schema_pages.write(pages)
    findings_pages.write(pages, ledger, studies)
    gallery.write(pages, ledger, kept, app.config.examples)
    for page in sorted((Path(app.srcdir).parent / "research" / "output").glob("*.md")):
        pages.write(f"results/{page.name}", page.read_text(encoding="utf-8"))
    pages.forget_the_rest()


def setup(app: Sphinx) -> dict[str, Any]:
    """Registers with Sphinx."""
    (Path(app.srcdir) / "generated" / "files").mkdir(
        parents=True, exist_ok=True
    )  # Sphinx asks for it before it is filled
    app.add_config_value("examples", None, "env", [int, str])
    app.connect("builder-inited", write_pages)
    app.connect("missing-reference", api_page.as_text)
    return {"parallel_read_safe": True}
