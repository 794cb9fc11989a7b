"""Links of pages lead to files and headings that a reader of the repository finds."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.test_docs_blocks import name_of
from tests.docs.test_docs_pages import WRITTEN
from tests.support.transcripts import ROOT


def _anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    plain = [re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading) for heading in headings]
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in plain}


def leads_nowhere(page: Path, text: str) -> list[str]:
    """The links of a page to files and headings that a reader of the repository does not find."""
    wrong = []
    for link in re.findall(r"\]\((?!https?:)([^)\s]+)\)", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)):
        file, _, anchor = link.partition("#")
        target = (page.parent / file).resolve() if file else page
        if "generated" in target.parts or not target.exists() or (anchor and anchor not in _anchors(target)):
            wrong.append(link)
    return wrong


@pytest.mark.parametrize("page", [*WRITTEN[1:], *sorted(ROOT.glob("*.md"))], ids=name_of)
def test_links_lead_somewhere_for_a_reader_of_the_repository(page: Path) -> None:
    """The site's index leads to pages that are made with the site; nothing else does."""
    wrong = leads_nowhere(page, page.read_text(encoding="utf-8"))
    assert all(link.startswith("generated/") for link in wrong) if page == ROOT / "docs" / "index.md" else not wrong


def test_a_link_that_leads_nowhere_is_noticed() -> None:
    text = "[a](install.md) [b](install.md#extras) [c](install.md#no-such) [d](no-such.md) [e](generated/api.md)"
    assert leads_nowhere(ROOT / "docs" / "index.md", text) == ["install.md#no-such", "no-such.md", "generated/api.md"]
