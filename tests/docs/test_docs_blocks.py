"""Every block of code in the documentation is one that some test runs: which, is listed here and looked up there."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from tests.support.transcripts import ROOT, default_files

PAGES = [
    ROOT / "README.md",
    *sorted(page for page in (ROOT / "docs").rglob("*.md") if "generated" not in page.relative_to(ROOT).parts),
]

RUN_BY = {
    "README.md": "tests/docs/test_docs_examples.py",
    "docs/how-to/bundle.md": "tests/docs/test_docs_bundle.py",
    "docs/install.md": "tests/docs/test_docs_install.py",
    "docs/tutorials/gate.md": "tests/quality/test_quality_docs.py",
    "docs/tutorials/matrix.md": "tests/docs/test_docs_pages.py",
    "docs/tutorials/your-metric.md": "tests/quality/test_quality_docs.py",
    "docs/how-to/campaigns.md": "tests/quality/test_quality_campaigns.py",
    "docs/how-to/check.md": "tests/quality/test_quality_docs.py",
    "docs/how-to/cluster.md": "tests/quality/test_quality_engine_cluster.py",
    "docs/how-to/compare.md": "tests/runs/test_comparison_command.py",
    "docs/reference/contract-checks.md": "tests/docs/test_docs_contract_checks.py",
    "docs/how-to/diff.md": "tests/studies/test_difference_docs.py",
    "docs/how-to/gate.md": "tests/quality/test_quality_docs.py",
    "docs/how-to/html-report.md": "tests/reports/test_html_docs.py",
    "docs/how-to/identities.md": "tests/studies/test_identity_docs.py",
    "docs/how-to/independence.md": "tests/studies/test_independence_docs.py",
    "docs/how-to/informativeness.md": "tests/cli/test_cli_informativeness.py",
    "docs/how-to/ledger.md": "tests/ledger/test_ledger_docs.py",
    "docs/reference/inst.md": "tests/metrics/test_inst_docs.py",
    "docs/lemmas/bounded.md": "tests/proof/test_proof_bounded.py",
    "docs/how-to/one-table.md": "tests/studies/test_joined.py",
    "docs/reference/names.md": "tests/docs/test_docs_pages.py",
    "docs/reference/p-at-h.md": "tests/cli/test_cli_simulate.py",
    "docs/how-to/plugins.md": "tests/quality/test_quality_docs_plugins.py",
    "docs/explanation/limit.md": "tests/docs/test_docs_pages.py",
    "docs/how-to/paper.md": "tests/reports/test_paper_docs.py",
    "docs/explanation/proofs.md": "tests/support/transcripts.py",
    "docs/how-to/python.md": "tests/docs/test_docs_python.py",
    "docs/how-to/pytest.md": "tests/pytest_plugin/test_pytest_plugin.py",
    "docs/how-to/regions.md": "tests/studies/test_region_command.py",
    "docs/how-to/score.md": "tests/runs/test_trec_docs.py",
    "docs/how-to/unanimity.md": "tests/runs/test_unanimity_docs.py",
    "docs/how-to/weakest.md": "tests/studies/test_weakest_docs.py",
    "docs/how-to/wide.md": "tests/studies/test_wide_command.py",
    "docs/how-to/wild.md": "tests/runs/test_wild_docs.py",
    "docs/how-to/your-own-metric.md": "tests/quality/test_quality_docs_your_own_metric.py",
}
"""Page -> the file of the tests that runs its blocks."""


def blocks(page: Path) -> Iterator[tuple[str, str]]:
    """(language, code) of every fenced block but the site's tables of contents, which its build follows."""
    found = re.findall(r"^```([^\n]*)\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)
    yield from (block for block in found if block[0] != "{toctree}")


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def test_every_page_with_code_has_a_test_that_reads_it() -> None:
    assert {name_of(page) for page in PAGES if list(blocks(page))} == set(RUN_BY)
    for page, file in RUN_BY.items():
        text = (ROOT / file).read_text(encoding="utf-8")
        assert Path(page).name in text, file
    assert ROOT / "docs" / "explanation" / "proofs.md" in default_files()


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_block_is_of_a_kind_that_is_run(page: Path) -> None:
    """Python: examples with their output, which a doctest of the page runs, or a file that is written and run."""
    for language, code in blocks(page):
        first = code.split("\n", 1)[0]
        if language in ("python", "pycon"):
            compile("" if code.startswith(">>> ") else code, name_of(page), "exec")
            assert code.startswith(">>> ") or re.fullmatch(r"# [\w/]+\.py", first), (name_of(page), first)
            if code.startswith(">>> "):
                runner = (ROOT / RUN_BY[name_of(page)]).read_text(encoding="utf-8")
                assert "doctest" in runner, (name_of(page), "has examples that no doctest runs")
        elif language == "console":
            assert code.startswith("$ "), (name_of(page), first)
        elif language == "toml":
            assert first.startswith("# ")
            tomllib.loads(code)
        elif language == "yaml":
            YAML(typ="safe").load(code)
        else:
            assert language in ("sh", "json", "text") or re.fullmatch(r"[\w.]+\.(qrels|run)", language), language
