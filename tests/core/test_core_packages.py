"""What to say where a library is missing: a command that works wherever axiomcheck was installed from."""

import re
import sys
import tomllib

import pytest

from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.packages import not_installed, requirements
from axiomcheck.sources.adapters import ADAPTERS
from tests.support.transcripts import ROOT

EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]


@pytest.mark.parametrize("extra", ["plot", *ADAPTERS])
def test_an_extra_is_what_the_project_says(extra: str) -> None:
    assert requirements(extra) == EXTRAS[extra.replace("_", "-")]


def test_the_message_has_the_command() -> None:
    told = str(not_installed("ranx:ndcg", "ranx", "ranx"))
    assert (
        told == f"ranx:ndcg needs ranx, which is not installed; to install it, run: pip install '{EXTRAS['ranx'][0]}'"
    )
    assert str(not_installed("a frame", "pandas")).endswith("; to install it, run: pip install pandas")


def test_nothing_tells_people_to_install_a_name_that_no_index_has() -> None:
    """From an index there is no axiomcheck: it comes from a repository, a wheel, or a checkout."""
    from_index = re.compile(r"pip install[^\n`#]*?['\"\s]axiomcheck(?:\[[\w,]+\])?(?=['\"`\s])(?! @)")
    assert from_index.search("`pip install 'axiomcheck[plot]'`")
    assert from_index.search("pip install axiomcheck beside")
    assert not from_index.search("pip install 'axiomcheck[plot] @ git+https://...'")
    folders = ("axiomcheck", "axioms", "metrics", "reports", "docs")
    files = [f for folder in folders for f in (ROOT / folder).rglob("*") if f.suffix in (".py", ".md", ".j2", ".ipynb")]
    for file in [*files, *ROOT.glob("*.md"), ROOT / "action.yml"]:
        assert not from_index.search(file.read_text(encoding="utf-8")), file


def test_parametrize_without_pytest_says_that_it_needs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    import axiomcheck

    monkeypatch.setitem(sys.modules, "pytest", None)
    for name in [name for name in sys.modules if name.startswith("axiomcheck.pytest_plugin")]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(InvalidInput, match=r"axiomcheck\.parametrize needs pytest, .* pip install pytest"):
        axiomcheck.__getattr__("parametrize")
