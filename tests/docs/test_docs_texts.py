"""Texts of the documentation, and what the site is made with: code is run, links lead somewhere, tables are right."""

import re
import tomllib
import typing
from collections.abc import Iterator
from pathlib import Path

import cells
import click
import findings_pages
import identity_claims
import pytest
import runs
from pages import Pages
from pages import code as as_code

from axiomcheck import AXIOMS, Cell, Ledger, Verdict, parse
from axiomcheck.checks.contract import CHECKS
from axiomcheck.cli.help import MEANINGS
from axiomcheck.decide.search import Settings
from axiomcheck.engine.run import run_matrix
from axiomcheck.records.certificates import Certificate
from axiomcheck.studies.weakest.assumptions import ASSUMPTIONS
from axiomcheck.studies.weakest.search import FEWEST, MOST
from research.claims import Claim
from tests.docs.test_docs_pages import EXAMPLES, WRITTEN
from tests.docs.test_docs_pages import PAGES as FOLLOWED
from tests.reports.reports_ledgers import made_up
from tests.support.made_records import because
from tests.support.transcripts import BLOCK, ROOT

OTHERWISE = {
    "docs/how-to/cluster.md",
    "docs/how-to/independence.md",
    "docs/how-to/plugins.md",
    "docs/how-to/pytest.md",
    "docs/lemmas/bounded.md",
}
"""Pages whose blocks are run by tests of their own, which name them."""
HERE = "docs/install.md"
"""The page whose commands install axiomcheck, as the script of continuous integration does."""


def blocks(page: Path) -> Iterator[tuple[str, str]]:
    """(language, code) of every fenced block but the site's tables of contents, which its build follows."""
    found = BLOCK.findall(page.read_text(encoding="utf-8"))
    yield from (block for block in found if block[0] != "{toctree}")


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def test_every_page_with_code_is_run_by_a_test() -> None:
    followed = {page.file for page in FOLLOWED}
    with_code = {name_of(page): {language for language, _ in blocks(page)} for page in WRITTEN}
    assert {name for name, languages in with_code.items() if languages} <= OTHERWISE | followed | {*EXAMPLES, HERE}
    assert {name for name, languages in with_code.items() if "console" in languages} <= OTHERWISE | followed
    tests = [file.read_text(encoding="utf-8") for file in (ROOT / "tests").rglob("test_*.py") if file != Path(__file__)]
    for name in OTHERWISE:
        assert any(Path(name).name in text for text in tests), name


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
        elif language == "yaml":
            pytest.importorskip("ruamel.yaml").YAML(typ="safe").load(code)
        else:
            assert re.fullmatch(r"sh|json|text|[\w.]+\.(qrels|run)", language), language


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


@pytest.mark.parametrize(
    "page",
    [*WRITTEN[1:], *sorted(ROOT.glob("*.md")), *sorted((ROOT / "research" / "output").glob("*.md"))],
    ids=name_of,
)
def test_links_lead_somewhere_for_a_reader_of_the_repository(page: Path) -> None:
    """The site's index leads to pages that are made with the site; nothing else does."""
    wrong = leads_nowhere(page, page.read_text(encoding="utf-8"))
    assert all(link.startswith("generated/") for link in wrong) if page == ROOT / "docs" / "index.md" else not wrong


def page(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def test_the_page_on_reports_has_every_exit_code() -> None:
    codes = re.findall(r"^\| (\d+) \|", page("reference/report.md"), re.MULTILINE)
    assert [int(code) for code in codes] == list(MEANINGS)


def test_the_page_on_contract_checks_says_what_each_asks() -> None:
    text = page("reference/contract-checks.md")
    for check in CHECKS.values():
        assert f"| `{check.name}` | {check.asks} |" in text


def test_the_page_on_the_weakest_assumptions_has_every_assumption() -> None:
    text = page("how-to/weakest.md")
    rows = [line.split(" | ")[0] for line in text.splitlines() if line.startswith("| `")]
    assert {name for name in ASSUMPTIONS if any(f"`{name}`" in row for row in rows)} == set(ASSUMPTIONS)
    assert f"at least {FEWEST} of them" in text
    assert len(["single assumptions", "pairs", "triples"]) == MOST


def test_the_changelog_has_one_section_that_is_not_released() -> None:
    headings = re.findall(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert headings[0] == "[Unreleased]"
    assert all(re.fullmatch(r"\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d", heading) for heading in headings[1:])


def unknown_options(text: str) -> list[str]:
    from axiomcheck.cli.program import main

    commands = {name: main.get_command(click.Context(main), name) for name in main.list_commands(click.Context(main))}
    wrong = []
    for name, words in re.findall(r"axiomcheck ([a-z]+) ([^`\n]*)", text):
        command = commands.get(name)
        if command is None or isinstance(command, click.Group):
            continue
        known = {option for parameter in command.params for option in parameter.opts} | {"-h", "--help"}
        wrong += [
            f"{name} {word}" for word in re.findall(r"(?<=\s)--?[a-zA-Z][\w-]*", f" {words}") if word not in known
        ]
    return wrong


@pytest.mark.parametrize("page", WRITTEN, ids=name_of)
def test_every_option_that_a_page_gives_to_a_command_is_there(page: Path) -> None:
    assert unknown_options(page.read_text(encoding="utf-8")) == []


INSTALLING = (ROOT / HERE).read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_page_has_every_extra() -> None:
    named = re.findall(r"`([\w-]+)`", INSTALLING.partition("| extra |")[2].partition("\n\n")[0].replace("`--", ""))
    assert set(named) == set(PROJECT["optional-dependencies"])


@pytest.fixture(scope="module")
def ledger() -> Ledger:
    cells = [
        run_matrix([parse(metric)], [AXIOMS[axiom]], settings=Settings(examples=50)).cells[0]
        for metric, axiom in (("RBU", "Red"), ("RBP", "Pri"))
    ]
    return made_up(*cells)


def made(verdict: Verdict, published: typing.Any) -> Cell:
    return Cell("RBP(p=0.8)", "RBP", "CloseTh", verdict, published, because("because"))


@pytest.mark.parametrize(
    ("published", "verdict", "status"),
    [
        ("yes", Verdict.PROVED, findings_pages.CONFIRMED),
        ("yes", Verdict.HELD, findings_pages.NOT_REFUTED),
        ("yes", Verdict.REFUTED, findings_pages.REFUTED),
        ("no", Verdict.REFUTED, findings_pages.CONFIRMED),
        ("no", Verdict.PROVED, findings_pages.REFUTED),
        ("no", Verdict.HELD, findings_pages.NOT_CONFIRMED),
        ("yes", Verdict.UNDECIDED, findings_pages.OPEN),
        ("yes?", Verdict.PROVED, findings_pages.OPEN),
        ("contradictory", Verdict.PROVED, findings_pages.OPEN),
    ],
)
def test_a_claim_has_the_status_that_its_verdict_gives_it(published: str, verdict: Verdict, status: str) -> None:
    cell = made(verdict, published)
    assert findings_pages.table_status(cell, []) == status
    # What the matrix calls a finding is refuted here, or not confirmed, and nothing else is.
    assert cell.finding == (status in (findings_pages.REFUTED, findings_pages.NOT_CONFIRMED))


def test_a_claim_that_depends_on_a_parameter() -> None:
    """The study is the real one, which takes a tenth of a second."""
    study = runs._study(AXIOMS["CloseTh"], parse("RBP"), "p=0:1")
    assert study.depends
    assert study.sentence.startswith("proved for p in (p*, 1), refuted for p in (0, p*]; p* = 0.7548776662")
    assert findings_pages.table_status(made(Verdict.PROVED, "yes"), [study]) == findings_pages.DEPENDS
    assert not runs._study(AXIOMS["DeepTh"], parse("RBP"), "p=0:1").depends


def test_numbers_are_confirmed_or_refuted() -> None:
    assert [
        findings_pages.number_status(Claim("INST", "here", "it", "1", found, agrees))
        for found, agrees in (("1", True), ("2", False))
    ] == [findings_pages.CONFIRMED, findings_pages.REFUTED]


def test_metrics_that_are_said_to_be_one() -> None:
    claim = identity_claims.CLAIMS[1]
    relation, text = identity_claims.decided(claim)
    assert (relation, text.splitlines()[1]) == ("different", f"B = {claim.second}")
    statuses = [findings_pages.identity_status(one) for one in (relation, "equal", "proportional", "undecided")]
    confirmed, refuted = findings_pages.CONFIRMED, findings_pages.REFUTED
    assert statuses == [refuted, confirmed, confirmed, findings_pages.OPEN]


def test_a_cell_in_words_has_its_counterexample_or_the_way_to_its_argument(ledger: Ledger) -> None:
    said = {(cell.metric, cell.axiom): cells.because(cell, "../../") for cell in ledger.cells}
    assert "must score above" in said["RBU(p=0.8, e=0.05)@20", "Red"]
    assert said["RBP(p=0.8)", "Pri"].endswith("([induction](../../lemmas/induction.md)).")
    shown = {
        (cell.metric, answer.axiom): answer
        for cell, answer in zip(ledger.cells, cells.answers(ledger.cells, ""), strict=True)
    }
    red = shown["RBU(p=0.8, e=0.05)@20", "[Red](generated/axioms/Red.md)"]
    assert red.verdict == "○\N{NO-BREAK SPACE}refuted\N{NO-BREAK SPACE}\\*"
    assert red.metric == "[RBU(p=0.8, e=0.05)@20](generated/metrics/RBU.md)"


def test_every_kind_of_certificate_says_where_its_lemmas_are() -> None:
    kinds = typing.get_args(typing.get_args(Certificate)[0]) or typing.get_args(Certificate)
    assert len(kinds) >= 4
    for kind in kinds:
        named = re.search(r"docs/lemmas/(\w+)\.md", kind.__doc__ or "")
        assert named, kind
        assert (ROOT / "docs" / "lemmas" / f"{named[1]}.md").is_file()


def test_text_is_text(tmp_path: Path) -> None:
    pages = Pages(tmp_path)
    hostile = "<script>|`*[x](y)\u202e"
    pages.fill("a.md", "exit-codes.md.j2", meanings={0: hostile})
    written = (tmp_path / "a.md").read_text(encoding="utf-8")
    assert r"\<script>\|\`\*\[x](y)\\u202e" in written
    assert as_code("a | b `c`") == r"`` a \| b `c` ``"
