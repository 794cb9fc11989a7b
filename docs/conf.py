"""The documentation site: `sphinx-build -W --keep-going -n docs OUT`. It needs no network."""

import sys
from importlib.metadata import version as version_of
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_extensions"))
sys.path.insert(0, str(Path(__file__).parents[1]))  # where `research` is

project = "axiomcheck"
author = project_copyright = "The axiomcheck developers"
release = version = version_of("axiomcheck")

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_click",
    "sphinx_copybutton",
    "command_help",
    "generated",
    "named_files",
]
exclude_patterns = ["_extensions", "generated/files"]

# Links between pages are written as GitHub understands them: page.md#heading-in-lower-case.
myst_heading_anchors = 6
html_theme = "furo"
html_title = f"axiomcheck {release}"
html_copy_source = False
html_extra_path = ["generated/files"]

# What is copied from a console block is what one types.
copybutton_prompt_text = "$ "
copybutton_only_copy_prompt_lines = True

autodoc_member_order = "bysource"
