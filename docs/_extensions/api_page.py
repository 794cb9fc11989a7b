"""The public names of the package, read from the package."""

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
    """Writes one page of them all."""
    values = {name: getattr(axiomcheck, name) for name in axiomcheck.__all__}
    values |= {f"strategies.{name}": getattr(strategies, name) for name in strategies.__all__}
    pages.fill("api.md", "api.md.j2", kinds={name: _kind(value) for name, value in values.items()}, values=values)


def _kind(value: Any) -> str:
    """The directive that documents a value."""
    if inspect.isclass(value):
        return "autoexception" if issubclass(value, Exception) else "autoclass"
    return "autofunction" if callable(value) else "py:data"


def as_text(app: Sphinx, env: BuildEnvironment, node: Any, shown: nodes.TextElement) -> nodes.Node | None:
    """What stands for a type that signatures name: a link to the public name, else its name as text.

    Types live in the rooms of the package, and some are Python's or numpy's; only the public names have entries here.
    """
    if node.get("refdomain") != "py" or node.get("refdoc") != PAGE:
        return None
    name = node["reftarget"].rsplit(".", 1)[-1]
    if name in axiomcheck.__all__ and node["reftarget"] != f"axiomcheck.{name}":
        domain = env.domains.python_domain
        return domain.resolve_xref(env, PAGE, app.builder, "obj", f"axiomcheck.{name}", node, shown)
    return shown
