"""Write generated pages from templates into a folder that Sphinx reads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from axiomcheck.core.printable import escaped
from axiomcheck.core.writing import write_atomically
from axiomcheck.reports.table import as_markdown


def code(text: str) -> str:
    """Return a text as inline code of Markdown, which is also safe in a table."""
    opening, closing = ("`` ", " ``") if "`" in text else ("`", "`")
    return f"{opening}{escaped(' '.join(text.split()))}{closing}".replace("|", r"\|")


class Pages:
    """Writer of the generated pages.

    Args:
        folder: Folder of the pages. `forget_the_rest` deletes its other files, which earlier builds wrote.

    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._written: set[Path] = set()
        self._templates = Environment(
            loader=FileSystemLoader(Path(__file__).parent / "templates"),
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
            autoescape=False,  # Markdown: the filters below escape it
        )
        self._templates.filters |= {"md": as_markdown, "code": code}

    def fill(self, page: str, template: str, /, **values: Any) -> None:
        """Write a page from a template of `templates/`."""
        self.write(page, self._templates.get_template(template).render(values))

    def write(self, name: str, text: str) -> None:
        """Write a file unless its content is unchanged."""
        file = self.folder / name
        self._written.add(file)
        file.parent.mkdir(parents=True, exist_ok=True)
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            write_atomically(file, text)

    def forget_the_rest(self) -> None:
        """Delete the files that earlier builds wrote and this build did not."""
        for file in self.folder.rglob("*"):
            if file.is_file() and file not in self._written:
                file.unlink()
