"""Pages and transcripts print what they show: each is followed from top to bottom, in a folder of its own.

python -m tests.docs.test_docs_pages --update [PAGE ...]    writes the outputs of these pages, or of all, anew

A line ``...`` in an output stands for any lines. An output whose other lines are still right stays as it is.
"""

import doctest
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import ModuleType

import hypothesis
import pytest

import axiomcheck
from axiomcheck import score, strategies
from tests.support.plugin_packages import documented
from tests.support.suites import quality
from tests.support.transcripts import ROOT, followed, is_as_shown, pip_install, run, write_files


@dataclass(frozen=True)
class Page:
    """A page or transcript, and what there is to know for following it."""

    file: str
    everyday: bool = False
    extras: tuple[str, ...] = ()
    """Modules that its commands need."""
    ledger: bool = False
    """Whether commands find what those before them kept; else each says what it does by itself."""

    @property
    def path(self) -> Path:
        return ROOT / self.file

    @property
    def kept(self) -> str:
        return "ledger.sqlite" if self.ledger else "off"

    def followed(self, directory: Path, site: Path | None = None) -> str:
        """Return the page with what its commands print now.

        Args:
            directory: an empty folder, in which the page is followed.
            site: where the package that its files make is installed.

        """

        def steady(printed: str) -> str:
            printed = printed.replace(f"{directory}/", "")
            if not self.ledger:  # which tests of pages share
                printed = re.sub(r"^\d+ search(es)? loaded from the ledger .*\n", "", printed, flags=re.MULTILINE)
            return printed

        text = self.path.read_text(encoding="utf-8")
        return followed(text, directory, self.file.endswith(".md"), site, steady)


def install_package(folder: Path) -> Path:
    """Install the package of the page on own metrics, whose files go to ``project`` beside it, and return where."""
    project = folder / "project"
    project.mkdir()
    write_files(OWN_METRIC.path.read_text(encoding="utf-8"), project)
    return pip_install(project, folder / "site")


OWN_METRIC = Page("docs/how-to/your-own-metric.md")
"""The page whose files make a package, which is installed first."""
PAGES = [
    Page("README.md"),
    Page("tests/cli/errors.transcript", everyday=True),
    Page("tests/cli/replay.transcript"),
    Page("docs/explanation/limit.md"),
    Page("docs/how-to/bundle.md", extras=("ir_measures",)),
    Page("docs/how-to/campaigns.md"),
    Page("docs/how-to/check.md", ledger=True),
    Page("docs/how-to/diff.md"),
    Page("docs/how-to/gate.md", ledger=True),
    Page("docs/how-to/html-report.md"),
    Page("docs/how-to/identities.md"),
    Page("docs/how-to/informativeness.md"),
    Page("docs/how-to/ledger.md", ledger=True),
    Page("docs/how-to/paper.md"),
    Page("docs/how-to/regions.md"),
    Page("docs/how-to/score.md", everyday=True),
    Page("docs/how-to/weakest.md"),
    OWN_METRIC,
    Page("docs/how-to/your-own-axiom.md"),
    Page("docs/reference/definitions.md"),
    Page("docs/reference/p-at-h.md"),
    Page("docs/tutorials/gate.md", ledger=True),
    Page("docs/tutorials/matrix.md"),
    Page("docs/tutorials/your-metric.md", ledger=True),
]
"""Whatever has commands whose output it shows."""

WRITTEN = [
    ROOT / "README.md",
    *sorted(page for page in (ROOT / "docs").rglob("*.md") if "generated" not in page.relative_to(ROOT).parts),
]
"""The pages of the documentation that somebody wrote."""
EXAMPLES = [
    page.relative_to(ROOT).as_posix()
    for page in WRITTEN
    if re.search("^>>> ", page.read_text(encoding="utf-8"), re.MULTILINE)
]
"""Those with examples in Python."""
NEEDED = {"docs/how-to/python.md": ("pandas",), "docs/how-to/score.md": ("pandas",)}
"""The modules that examples need."""


def extras(names: tuple[str, ...]) -> list[pytest.MarkDecorator]:
    return [pytest.mark.extra(name) for name in names]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install_package(tmp_path_factory.mktemp("installed"))


@pytest.fixture(scope="module")
def shared_ledger(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The ledger of pages that need none of their own: what two commands search for is searched for once."""
    return str(tmp_path_factory.mktemp("shared") / "ledger.sqlite")


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=[*extras(page.extras), *([] if page.everyday else [quality])], id=page.file)
        for page in PAGES
    ],
)
def test_a_page_shows_what_its_commands_print(
    page: Page, shared_ledger: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)  # or annotations are printed as well
    monkeypatch.setenv("AXIOMCHECK_LEDGER", page.kept if page.ledger else shared_ledger)
    here = tmp_path / "here"
    here.mkdir()
    text = page.path.read_text(encoding="utf-8")
    now = page.followed(here, request.getfixturevalue("site") if page is OWN_METRIC else None)
    assert now == text


def test_a_page_that_shows_something_else_is_noticed(tmp_path: Path) -> None:
    said = "$ axiomcheck --version\naxiomcheck, version 0.0.0\n"
    text = "```a.qrels\n1 0 a 1\n```\n```a.run\n1 Q0 a 1 1 t\n```\n```console\n"
    text += "$ axiomcheck score RR --qrels a.qrels --run a.run --format csv\nrun,topic,metric,score,residual\n"
    assert followed(said, tmp_path, fenced=False) == said.replace("0.0.0", axiomcheck.__version__)
    assert followed(f"```console\n{said}```\n", tmp_path) != f"```console\n{said}```\n"
    assert followed(f"{text}t,all,RR,1.0,\n```\n", tmp_path) == f"{text}t,all,RR,1.0,\n```\n"
    assert followed(f"{text}t,all,RR,0.9,\n```\n", tmp_path) != f"{text}t,all,RR,0.9,\n```\n"


def test_a_line_of_dots_stands_for_any_lines_and_the_rest_has_to_be_there() -> None:
    for shown in ("...\n", "a\n...\n", "...\nc\n", "a\n...\nc\n", "a\n...\nb\nc\n"):
        assert is_as_shown("a\nb\nc\n", shown)
    for shown in ("", "b\n...\n", "...\nb\n", "a\n...\nd\n", "a...\n", "a\nb\nc\nd\n"):
        assert not is_as_shown("a\nb\nc\n", shown)


@pytest.mark.parametrize(
    "file",
    [
        pytest.param(
            file, marks=[*extras(NEEDED.get(file, ())), *([] if file == "docs/reference/names.md" else [quality])]
        )
        for file in EXAMPLES
    ],
)
def test_python_examples_of_a_page_print_what_it_shows(
    file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "__main__", ModuleType("__main__"))  # as where they are typed: of no file
    monkeypatch.setattr("axiomcheck.checks.metric.run_contract", lambda *_, **__: [])  # of which they show nothing
    monkeypatch.setattr("axiomcheck.checks.metric.known_definition", lambda metric: None)
    outcome = doctest.testfile(str(ROOT / file), module_relative=False)
    assert outcome.attempted == len(re.findall(r"^>>> ", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE)) > 0
    assert outcome.failed == 0


@quality
def test_the_package_of_the_page_on_plugins_is_installed_and_found(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "how-to" / "plugins.md").read_text(encoding="utf-8")
    (table,) = re.findall(r"^```toml\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    project = tmp_path / "project"
    for name, code in {**documented(), "pyproject.toml": table}.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(code, encoding="utf-8")
    site = pip_install(project, tmp_path / "site")
    first, *others = re.findall(r"^    axiomcheck (.*)$", text, re.MULTILINE)
    assert [first, *others] == [
        'check "lab:precision(k=2)"',
        "list axioms",
        "explain Mono",
        "matrix RBP RBU@20 -a Mono",
    ]
    assert "Mono  Monotonicity" in run(f"axiomcheck {others[0]}", tmp_path, site)
    checked = run(f"axiomcheck {first} -a Pri --examples 50", tmp_path, site)
    assert "[exit" not in checked
    assert "P@2" in checked  # which it resembles
    assert "lab-gain" in run("axiomcheck matrix lab-gain -a Mono --examples 50", tmp_path, site)


@quality
@pytest.mark.parametrize(("module", "least"), [(axiomcheck, 3), (strategies, 4), (sys.modules[score.__module__], 5)])
def test_python_examples_of_a_module(module: ModuleType, least: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hypothesis, "find", partial(hypothesis.find, settings=hypothesis.settings(max_examples=20)))
    outcome = doctest.testmod(module)
    assert outcome.attempted >= least
    assert outcome.failed == 0


@quality
def test_the_script_of_the_page_on_campaigns_says_how_long_it_took(tmp_path: Path) -> None:
    write_files((ROOT / "docs" / "how-to" / "campaigns.md").read_text(encoding="utf-8"), tmp_path)
    words = [sys.executable, "campaign.py"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=True)
    assert "until 0.5 s had passed" in done.stdout


if __name__ == "__main__":
    if "--update" not in sys.argv:
        sys.exit(__doc__)
    os.environ.pop("GITHUB_ACTIONS", None)
    asked = {str(Path(word).resolve().relative_to(ROOT)) for word in sys.argv[1:] if word != "--update"}
    for one in PAGES:
        if not asked or one.file in asked:
            with tempfile.TemporaryDirectory() as made:
                os.environ["AXIOMCHECK_LEDGER"] = one.kept
                (Path(made) / "here").mkdir()
                package = install_package(Path(made)) if one is OWN_METRIC else None
                one.path.write_text(one.followed(Path(made) / "here", package), encoding="utf-8")
