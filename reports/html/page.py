"""Pages: templates filled in, with their style and scripts inside and no way to load anything else.

A page is one file. Its Content-Security-Policy names the digests of what is inlined, so that nothing else is run, and
allows no request; style attributes are not allowed either, so that what is drawn has its sizes in attributes of SVG.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from axiomcheck.core.printable import escaped
from axiomcheck.reports.html.drawing import drawing
from axiomcheck.reports.symbols import EDITED, SYMBOLS, WORDS
from axiomcheck.reports.table import Report

if TYPE_CHECKING:
    from jinja2 import Environment

_HERE = Path(__file__).parent


def render_page(template: str, *, styles: Sequence[str] = (), scripts: Sequence[str] = (), **data: Any) -> str:
    """A whole page: a template that extends ``base.html.j2``, filled in.

    Args:
        template: its name in ``templates``.
        styles: files of ``assets`` that are inlined after ``page.css``.
        scripts: files of ``assets`` that are inlined after ``page.js``.
        data: what the template speaks of; one that it names and that is not given is an error.

    """
    css, js = (_joined(names) for names in (("page.css", *styles), ("page.js", *scripts)))
    return (
        environment()
        .get_template(template)
        .render(
            **data,
            css=css,
            js=js,
            policy=f"default-src 'none'; style-src {_digest(css)}; script-src {_digest(js)}; base-uri 'none'; "
            "form-action 'none'",
        )
    )


def report_page(report: Report) -> str:
    """Return a report as a page: its tables, which can be sorted, and its plots."""
    return render_page("report.html.j2", styles=("tables.css", "plots.css"), scripts=("sort.js",), report=report)


def report_fragment(report: Report) -> str:
    """Return a report as a piece of HTML, for ``_repr_html_`` of notebooks; its style touches nothing else."""
    from markupsafe import Markup

    _, _, rest = asset("page.css").partition(":root {")
    colours = rest.partition("}")[0].replace("light dark", "light")
    css = Markup("%s.axiomcheck-matrix { %s %s }") % (asset("fragment.css"), colours, asset("plots.css"))
    return render_fragment("fragment.html.j2", css=css, report=report)


def render_fragment(template: str, **data: Any) -> str:
    """A piece of a page: a template filled in, without style or scripts but those of its own."""
    return environment().get_template(template).render(**data)


@cache
def environment() -> Environment:
    """The templates: what they show is text, whose characters all show; a name that is not given is an error."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    made = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_printable,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.globals.update(symbols=SYMBOLS, words=WORDS, edited_mark=EDITED, drawing=drawing)
    made.filters.update(number=_number, symbols=_symbols)
    return made


def asset(name: str) -> Any:
    """A file of ``assets``, as it goes into a page."""
    from markupsafe import Markup

    return Markup((_HERE / "assets" / name).read_text(encoding="utf-8"))


def _joined(names: Sequence[str]) -> Any:
    from markupsafe import Markup

    return Markup("\n").join(asset(name) for name in names)


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}'"


def _printable(value: Any) -> Any:
    return escaped(value) if isinstance(value, str) and not hasattr(value, "__html__") else value


def _number(value: float) -> str:
    """A number in floats, to six digits."""
    return f"{value:.6g}"


def _symbols(text: str) -> Any:
    """Return a text whose first character may be a verdict's symbol, which is drawn as one and said in words."""
    from markupsafe import Markup, escape

    verdict = next((verdict for verdict, symbol in SYMBOLS.items() if text.startswith(symbol)), None)
    if verdict is None or text[1:2].isalnum():
        return _printable(text)
    span = Markup('<span class="verdict v-{}"><span aria-hidden="true">{}</span><span class="hidden">{}</span></span>')
    return span.format(verdict.value, text[0], verdict.value.replace("-", " ")) + escape(escaped(text[1:]))
