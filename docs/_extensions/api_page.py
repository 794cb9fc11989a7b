"""Write the page on the public names of the package."""

from __future__ import annotations

import inspect
from typing import Any

from docutils import nodes
from pages import Pages
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

import axiomcheck
from axiomcheck import strategies

PAGE = "generated/api"


def write(pages: Pages) -> None:
    """Write one page with all public names."""
    values = {name: getattr(axiomcheck, name) for name in axiomcheck.__all__}
    values |= {f"strategies.{name}": getattr(strategies, name) for name in strategies.__all__}
    pages.fill("api.md", "api.md.j2", kinds={name: _kind(value) for name, value in values.items()}, values=values)


def _kind(value: Any) -> str:
    """Return the Sphinx directive that documents a value."""
    if inspect.isclass(value):
        return "autoexception" if issubclass(value, Exception) else "autoclass"
    return "autofunction" if callable(value) else "py:data"


def as_text(app: Sphinx, env: BuildEnvironment, node: Any, shown: nodes.TextElement) -> nodes.Node | None:
    """Return the node for a type in a signature: a link to its public name, or else its name as text.

    Types are defined in various modules of the package, in Python or in numpy; only public names have entries.
    """
    if node.get("refdomain") != "py" or node.get("refdoc") != PAGE:
        return None
    name = node["reftarget"].rsplit(".", 1)[-1]
    if name in axiomcheck.__all__ and node["reftarget"] != f"axiomcheck.{name}":
        domain = env.domains.python_domain
        return domain.resolve_xref(env, PAGE, app.builder, "obj", f"axiomcheck.{name}", node, shown)
    return shown
