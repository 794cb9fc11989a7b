"""Show the file name of blocks that are files: the fence has the name, such as ``good.run``."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

_FILE = re.compile(r"[\w.-]+\.(qrels|run)")


def name_files(app: Sphinx, document: nodes.document) -> None:
    """Give such blocks a caption and no highlighting."""
    for block in list(document.findall(nodes.literal_block)):
        name = block.get("language", "")
        if _FILE.fullmatch(name):
            block["language"] = "text"
            wrapper = nodes.container("", literal_block=True, classes=["literal-block-wrapper"])
            document.set_id(wrapper)
            block.replace_self(wrapper)
            wrapper += [nodes.caption("", name), block]


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension with Sphinx."""
    app.connect("doctree-read", name_files)
    return {"parallel_read_safe": True}
