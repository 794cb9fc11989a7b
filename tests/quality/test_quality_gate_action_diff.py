"""The step of the GitHub action that compares a report with that of the base: what is rare of it."""

from __future__ import annotations

from pathlib import Path

from axiomcheck.core.verdict import Verdict
from tests.gating.test_gate_action_diff import MARKER, OTHERS, Job, is_updated, needs_jq, report


def test_without_a_report_at_the_base_there_is_nothing_to_compare(tmp_path: Path) -> None:
    job = Job(tmp_path, None, report(Verdict.HELD))
    assert job.run().returncode == 0
    assert job.told().endswith("\n\nThe base has no such report.\n")


def test_reports_that_cannot_be_compared_are_told_of(tmp_path: Path) -> None:
    job = Job(tmp_path, report(Verdict.HELD), report(Verdict.HELD, "finite"))
    done = job.run()
    assert done.returncode == 0
    assert "These reports were not compared.\n\n    Error: " in job.told()
    assert "verdicts.json is of finite, graded" in done.stderr


@needs_jq
def test_a_first_comment_is_posted(tmp_path: Path) -> None:
    job = Job(tmp_path, report(Verdict.HELD), report(Verdict.UNDECIDED))
    assert job.run("true", OTHERS).returncode == 0
    view, posted = job.called()
    assert view[:5] == ["pr", "view", "7", "--repo", "owner/name"]
    assert posted[:6] == ["pr", "comment", "7", "--repo", "owner/name", "--body-file"]
    text = job.posted.read_text(encoding="utf-8")
    assert text.startswith(f"{MARKER}\n### Verdicts in verdicts.json since the base\n\n**1 regression")
    assert text.removeprefix(f"{MARKER}\n") == job.told()


@needs_jq
def test_windows_line_ends_are_line_ends(tmp_path: Path) -> None:
    is_updated(tmp_path, "\r\n")


def test_a_comment_that_may_not_be_written_is_a_warning(tmp_path: Path) -> None:
    job = Job(tmp_path, report(Verdict.HELD), report(Verdict.UNDECIDED))
    done = job.run("true", fails=True)
    assert done.returncode == 0
    assert "::warning::The comparison was not posted" in done.stdout
    assert "1 regression" in job.told()
    assert not job.posted.exists()


@needs_jq
def test_a_long_comparison_is_cut_in_the_comment_alone(tmp_path: Path) -> None:
    name = "n" * 70_000
    job = Job(tmp_path, report(Verdict.HELD, metric=name), report(Verdict.UNDECIDED, metric=name))
    assert job.run("true").returncode == 0
    text = job.posted.read_text(encoding="utf-8")
    assert text.endswith("**1 regression; 0 cells as before.**\n\nThe rest is in the summary of the job.\n")
    assert name in job.told()
