"""The step of the GitHub action that compares a report with that of the base: offline, with a ``gh`` of its own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from axiomcheck.core.verdict import Verdict
from axiomcheck.records.cells import Cell, Ledger, SettingsRecord
from axiomcheck.reports import to_json
from tests.gating.test_gate_actions import ROOT
from tests.support.made_records import pair_evidence

STEP = "Compare with the base"
GH = """#!/usr/bin/env bash
# Notes its words, one call to a line, and the text that it would post; lists the comments of a file through the filter.
printf '%s\\t' "$@" >> "$GH_CALLS"; echo >> "$GH_CALLS"
if [ -n "$GH_FAILS" ]; then echo "HTTP 403: Resource not accessible by integration" >&2; exit 1; fi
for word in "$@"; do
  case "$word" in
    body=@*) cp "${word#body=@}" "$GH_POSTED" ;;
  esac
done
while [ $# -gt 0 ]; do
  case "$1" in
    --jq) jq -r "$2" "$GH_COMMENTS" ;;
    --body-file) cp "$2" "$GH_POSTED" ;;
  esac
  shift
done
"""
"""A stand-in for GitHub's program, whose ``--jq`` is jq's language."""
MARKER = "<!-- axiomcheck diff: verdicts.json -->"


def report(verdict: Verdict, regime: str = "stated", metric: str = "m") -> str:
    evidence = pair_evidence() if verdict is Verdict.HELD else None
    cell = Cell(metric, None, "Deep", verdict, None, "as it was found", evidence=evidence)
    return to_json(Ledger(regime, "graded", SettingsRecord(7, 1200, False, False), (cell,)))


def git(directory: Path, *words: str) -> str:
    quiet = ["-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "init.defaultBranch=main"]
    done = subprocess.run(["git", *quiet, *words], cwd=directory, capture_output=True, text=True, check=True)
    return done.stdout.strip()


class Job:
    """A pull request's checkout, as actions/checkout makes it: of one commit, the base not in it.

    Args:
        directory: an empty one.
        base: the report at the base; None where it has none.
        head: the report of the pull request.

    """

    def __init__(self, directory: Path, base: str | None, head: str) -> None:
        origin, self.work = directory / "origin", directory / "work"
        origin.mkdir()
        git(origin, "init", "-q")
        (origin / "sub").mkdir()
        (origin / "sub" / "other").write_text("x")
        if base is not None:
            (origin / "sub" / "verdicts.json").write_text(base)
        git(origin, "add", ".")
        git(origin, "commit", "-qm", "base")
        self.base = git(origin, "rev-parse", "HEAD")
        (origin / "sub" / "verdicts.json").write_text(head)
        git(origin, "add", ".")
        git(origin, "commit", "-qm", "head", "--allow-empty")
        git(directory, "clone", "-q", "--depth", "1", f"file://{origin}", str(self.work))
        self.summary, self.calls, self.posted = (directory / name for name in ("summary.md", "calls", "posted.md"))
        self.comments = directory / "comments.json"
        self.calls.touch()
        bin_ = directory / "bin"
        bin_.mkdir()
        (bin_ / "gh").write_text(GH)
        (bin_ / "gh").chmod(0o755)
        self.path = f"{bin_}{os.pathsep}{os.environ['PATH']}"

    def run(self, comment: str = "false", comments: Any = (), fails: bool = False) -> subprocess.CompletedProcess[str]:
        """What the step's script does."""
        (step,) = [one for one in action()["runs"]["steps"] if one["name"] == STEP]
        given = {
            "PYTHON": sys.executable,
            "REPORT": "verdicts.json",
            "COMMENT": comment,
            "GH_TOKEN": "token",
            "BASE": self.base,
            "NUMBER": "7",
            "REPOSITORY": "owner/name",
        }
        assert set(given) == set(step["env"])
        self.comments.write_text(json.dumps({"comments": list(comments)}))
        ours = {"GH_CALLS": str(self.calls), "GH_POSTED": str(self.posted), "GH_COMMENTS": str(self.comments)}
        places = {"GITHUB_STEP_SUMMARY": str(self.summary), "PATH": self.path, "GH_FAILS": "1" if fails else ""}
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=self.work / "sub",
            env=os.environ | given | ours | places,
            capture_output=True,
            text=True,
            check=False,
        )

    def told(self) -> str:
        """The job's summary."""
        return self.summary.read_text(encoding="utf-8")

    def called(self) -> list[list[str]]:
        """The words of every call of ``gh``."""
        return [line.rstrip("\t").split("\t") for line in self.calls.read_text(encoding="utf-8").splitlines()]


def action() -> Any:
    return YAML(typ="safe").load((ROOT / "action.yml").read_text(encoding="utf-8"))


def comment(number: int, body: str, mine: bool = True) -> Any:
    return {"url": f"https://github.com/owner/name/pull/7#issuecomment-{number}", "body": body, "viewerDidAuthor": mine}


def test_the_summary_has_what_changed_and_nobody_is_written_to(tmp_path: Path) -> None:
    job = Job(tmp_path, report(Verdict.HELD), report(Verdict.UNDECIDED))
    done = job.run()
    assert done.returncode == 0, done.stderr  # which is for people to judge
    assert job.told().startswith("### Verdicts in verdicts.json since the base\n\n**1 regression; 0 cells as before.**")
    assert "| **regression** | <code>m</code> | Deep | ◐ held | ? undecided |" in job.told()
    assert job.called() == []


needs_jq = pytest.mark.skipif(shutil.which("jq") is None, reason="jq is not installed")


OTHERS = [
    comment(1, "hello"),
    comment(2, f"{MARKER}\n", mine=False),
    comment(3, f"quoted:\n{MARKER}"),
    comment(4, "<!-- axiomcheck diff: other.json -->\n### Verdicts"),
]
"""Comments that are not the one of this report, by this author."""


def is_updated(directory: Path, ending: str) -> None:
    job = Job(directory, report(Verdict.UNDECIDED), report(Verdict.HELD))
    assert job.run("true", [*OTHERS, comment(22, f"{MARKER}{ending}### Verdicts"), comment(5, "bye")]).returncode == 0
    _, patched = job.called()
    assert patched[:5] == ["api", "--silent", "--method", "PATCH", "repos/owner/name/issues/comments/22"]
    assert "1 improvement" in job.posted.read_text(encoding="utf-8")


@needs_jq
def test_a_comment_that_is_there_is_updated(tmp_path: Path) -> None:
    is_updated(tmp_path, "\n")


def test_the_step_is_for_pull_requests_that_were_asked_for() -> None:
    (step,) = [one for one in action()["runs"]["steps"] if one["name"] == STEP]
    assert "github.event_name == 'pull_request' &&" in step["if"]
    assert "inputs.report != ''" in step["if"]
    assert action()["inputs"]["comment"]["default"] == "false"
