"""Every block of code in the documentation is one that some test runs."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.test_docs_pages import EXAMPLES, WRITTEN
from tests.docs.test_docs_pages import PAGES as FOLLOWED
from tests.support.transcripts import BLOCK, ROOT

OTHERWISE = {
    "docs/how-to/cluster.md",
    "docs/how-to/independence.md",
    "docs/how-to/plugins.md",
    "docs/how-to/pytest.md",
    "docs/install.md",
    "docs/lemmas/bounded.md",
}
"""Pages whose blocks are run by tests of their own, which name them."""


def blocks(page: Path) -> Iterator[tuple[str, str]]:
    """(language, code) of every fenced block but the site's tables of contents, which its build follows."""
    found = BLOCK.findall(page.read_text(encoding="utf-8"))
    yield from (block for block in found if block[0] != "{toctree}")


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def test_every_page_with_code_is_run_by_a_test() -> None:
    followed = {page.file for page in FOLLOWED}
    with_code = {name_of(page): {language for language, _ in blocks(page)} for page in WRITTEN}
    assert {name for name, languages in with_code.items() if languages} <= OTHERWISE | followed | {*EXAMPLES}
    assert {name for name, languages in with_code.items() if "console" in languages} <= OTHERWISE | followed
    tests = [file.read_text(encoding="utf-8") for file in (ROOT / "tests").rglob("test_*.py") if file != Path(__file__)]
    for name in OTHERWISE:
        assert any(Path(name).name in text for text in tests), name


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) < 150


@pytest.mark.parametrize("page", WRITTEN, ids=name_of)
def test_every_block_is_of_a_kind_that_is_run(page: Path) -> None:
    """Python: examples with their output, which a doctest of the page runs, or a file that is written and run."""
    for language, code in blocks(page):
        first = code.split("\n", 1)[0]
        if language in ("python", "pycon"):
            compile("" if code.startswith(">>> ") else code, name_of(page), "exec")
            assert code.startswith(">>> ") or re.fullmatch(r"# [\w/]+\.py", first), (name_of(page), first)
        elif language == "console":
            assert code.startswith("$ "), (name_of(page), first)
        elif language == "toml":
            assert first.startswith("# ")
            tomllib.loads(code)
        else:
            assert re.fullmatch(r"sh|json|text|yaml|[\w.]+\.(qrels|run)", language), language


@pytest.mark.extra("ruamel")
def test_every_block_of_yaml_is_read() -> None:
    from ruamel.yaml import YAML

    files = [code for page in WRITTEN for language, code in blocks(page) if language == "yaml"]
    assert len(files) >= 3
    for code in files:
        YAML(typ="safe").load(code)
