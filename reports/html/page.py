"""Render HTML pages from templates, with their styles and scripts inlined and all other loading blocked.

A page is one file. Its Content-Security-Policy lists the digests of the inlined styles and scripts, so that nothing
else runs, and allows no requests. It also forbids style attributes, so the sizes of drawings are in SVG attributes.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from axiomcheck.core.printable import escaped
from axiomcheck.records.certificates import proof_sentence
from axiomcheck.reports.html.drawing import drawing
from axiomcheck.reports.layout import caption, counts, hints, reasons_told_once
from axiomcheck.reports.symbols import EDITED, SYMBOLS, WORDS
from axiomcheck.reports.table import Report
from axiomcheck.reports.words import evidence_facts, finding_sentence, findings_headline

if TYPE_CHECKING:
    from jinja2 import Environment

_HERE = Path(__file__).parent

PUBLISHED_WORDS = {
    "yes": "yes",
    "no": "no",
    "u": "undefined for graded judgments",
    "yes?": "yes, as inferred where the paper is silent",
    "no?": "no, as inferred where the paper is silent",
    "contradictory": "two sentences that disagree",
}
"""Meanings of the claims in the published table."""

_TOLD = (
    *(caption, counts, drawing, evidence_facts, finding_sentence, findings_headline, hints, proof_sentence),
    reasons_told_once,
)
"""Functions that templates call with a plot, a ledger, a cell or a certificate."""


def render_page(template: str, *, styles: Sequence[str] = (), scripts: Sequence[str] = (), **data: Any) -> str:
    """Render a complete page from a template that extends ``base.html.j2``.

    Args:
        template: Name of the template in ``templates``.
        styles: Files in ``assets`` that are inlined after ``page.css``.
        scripts: Files in ``assets`` that are inlined after ``page.js``.
        data: Variables of the template; an undefined variable is an error.

    """
    css, js = (_joined(names) for names in (("page.css", *styles), ("page.js", *scripts)))
    policy = f"default-src 'none'; style-src {_digest(css)}; script-src {_digest(js)}; base-uri 'none'; "
    return render_fragment(template, **data, css=css, js=js, policy=f"{policy}form-action 'none'")


def report_page(report: Report) -> str:
    """Return a report as an HTML page with sortable tables and plots."""
    return render_page("report.html.j2", styles=("tables.css", "plots.css"), scripts=("sort.js",), report=report)


def report_fragment(report: Report) -> str:
    """Return a report as an HTML fragment for ``_repr_html_`` in notebooks; its styles apply to the fragment only."""
    _, _, rest = asset("page.css").partition(":root {")
    colours = rest.partition("}")[0].replace("light dark", "light")
    css = Markup("%s.axiomcheck-matrix { %s %s }") % (asset("fragment.css"), colours, asset("plots.css"))
    return render_fragment("fragment.html.j2", css=css, report=report)


def render_fragment(template: str, **data: Any) -> str:
    """Render a template as part of a page, without the styles and scripts of a page."""
    return environment().get_template(template).render(**data)


@cache
def environment() -> Environment:
    """Return the Jinja environment of the templates.

    It escapes HTML in pages and SVG, makes unprintable characters visible, and raises an error for undefined variables.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    made = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=lambda name: name is None or not name.endswith((".tex.j2", ".py.j2")),
        undefined=StrictUndefined,
        finalize=_printable,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.globals.update(symbols=SYMBOLS, words=WORDS, edited_mark=EDITED, published_words=PUBLISHED_WORDS)
    made.globals.update({told.__name__: told for told in _TOLD})
    made.filters.update(number="{:.6g}".format, symbols=_symbols)
    return made


def asset(name: str) -> Markup:
    """Read a file in ``assets`` as markup that templates do not escape."""
    return Markup((_HERE / "assets" / name).read_text(encoding="utf-8"))


def _joined(names: Sequence[str]) -> Markup:
    return Markup("\n").join(asset(name) for name in names)


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}'"


def _printable(value: Any) -> Any:
    return escaped(value) if isinstance(value, str) and not hasattr(value, "__html__") else value


def _symbols(text: str) -> Any:
    """Return text as markup. A verdict symbol at its start is styled, and named for screen readers."""
    verdict = next((verdict for verdict, symbol in SYMBOLS.items() if text.startswith(symbol)), None)
    if verdict is None or text[1:2].isalnum():
        return _printable(text)
    span = Markup('<span class="verdict v-{}"><span aria-hidden="true">{}</span><span class="hidden">{}</span></span>')
    return span.format(verdict.value, text[0], verdict.value.replace("-", " ")) + escape(escaped(text[1:]))
