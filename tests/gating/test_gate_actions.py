"""The GitHub action, with a ``gh`` of its own, and the pre-commit hook at the repository's root."""

import json
import os
import re
import shutil
import subprocess
import sys
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from axiomcheck.core.verdict import Verdict
from axiomcheck.records.cells import Cell, Ledger, SettingsRecord
from axiomcheck.records.matrix import to_json
from tests.support.made_records import because, pair_evidence
from tests.support.suites import quality

pytestmark = pytest.mark.extra("ruamel.yaml")

ROOT = Path(__file__).parents[2]
CONTRACT = 'examples = 300\n[metrics."gain.py:gain".axioms]\nPri = "holds"\n'


def yaml_of(name: str) -> Any:
    """Return the document of a file at the root."""
    from ruamel.yaml import YAML

    return YAML(typ="safe").load((ROOT / name).read_text(encoding="utf-8"))


def run_step(name: str, folder: Path, given: dict[str, str], **more: str) -> subprocess.CompletedProcess[str]:
    """Run the script of a step of the action with the variables that it is given, and more that GitHub sets."""
    (step,) = [step for step in yaml_of("action.yml")["runs"]["steps"] if step["name"] == name]
    assert set(given) >= set(step["env"])
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=folder,
        env=os.environ | given | more,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.extra("check_jsonschema")
def test_the_action_is_of_its_format() -> None:
    folder = resources.files("check_jsonschema") / "builtin_schemas" / "vendor"
    schema = json.loads((folder / "github-actions.json").read_text(encoding="utf-8"))
    action = yaml_of("action.yml")
    Draft7Validator(schema).validate(action)
    used = "".join(str(value) for step in action["runs"]["steps"] for value in step.get("env", {}).values())
    used += "".join(str(step.get(key, "")) for key in ("working-directory", "if") for step in action["runs"]["steps"])
    for name in action["inputs"]:
        assert f"inputs.{name} " in used
    # What a caller passes reaches the shell as variables only, never as part of the script.
    assert not any("${{" in step.get("run", "") for step in action["runs"]["steps"])


def test_only_the_step_that_comments_has_a_token_and_it_starts_no_python() -> None:
    steps = [step for step in yaml_of("action.yml")["runs"]["steps"] if "run" in step]
    tokens = [step for step in steps if "token" in str(step.get("env", {})).lower()]
    assert [step["name"] for step in tokens] == ["Comment"]
    assert "working-directory" not in tokens[0]
    assert not {"PYTHON", "python"} & set(re.findall(r"\w+", tokens[0]["run"]))
    starts = [line for step in steps for line in step["run"].splitlines() if '"$PYTHON"' in line]
    assert len(starts) == 3
    assert all('"$PYTHON" -P -m ' in line for line in starts)


def test_modules_of_the_folder_are_not_run_by_the_action(tmp_path: Path) -> None:
    for module in ("json", "pip", "click", "axiomcheck", "subprocess", "numpy"):
        (tmp_path / f"{module}.py").write_text("open('executed', 'w').close()\n", encoding="utf-8")
    given = dict.fromkeys(("CONTRACT", "JOBS", "JUNIT", "SARIF"), "") | {"SOURCE": "--version"}
    given |= {"PYTHON": sys.executable, "REPORT": "verdicts.json", "BASE": "HEAD"}
    said = str(tmp_path / "said")
    done = run_step("Gate", tmp_path, given, GITHUB_STEP_SUMMARY=said, GITHUB_OUTPUT=said)
    assert not (tmp_path / "executed").exists()
    assert "no contract in" in done.stderr, done.stderr
    assert "Traceback" not in done.stderr


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


def report(verdict: Verdict, regime: str = "stated") -> str:
    evidence = pair_evidence() if verdict is Verdict.HELD else None
    cell = Cell("m", None, "Deep", verdict, None, because("as it was found"), evidence=evidence)
    return to_json(Ledger(regime, "graded", SettingsRecord(7, 1200, False, False), (cell,)))


def git(directory: Path, *words: str) -> str:
    quiet = ["-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "init.defaultBranch=main"]
    done = subprocess.run(["git", *quiet, *words], cwd=directory, capture_output=True, text=True, check=True)
    return done.stdout.strip()


class Job:
    """A pull request's checkout, as actions/checkout makes it: of one commit, the base not in it.

    Args:
        directory: an empty one.
        base, head: the reports at the base and of the pull request.

    """

    def __init__(self, directory: Path, base: str, head: str) -> None:
        origin, self.work = directory / "origin", directory / "work"
        origin.mkdir()
        git(origin, "init", "-q")
        (origin / "sub").mkdir()
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
        self.outputs = directory / "outputs"
        self.calls.touch()
        bin_ = directory / "bin"
        bin_.mkdir()
        (bin_ / "gh").write_text(GH)
        (bin_ / "gh").chmod(0o755)
        self.path = f"{bin_}{os.pathsep}{os.environ['PATH']}"

    def run(self, comment: str = "false", comments: Any = (), fails: bool = False) -> subprocess.CompletedProcess[str]:
        """Run the step's script, and that of the step that comments where it is asked for."""
        for file in (self.outputs, self.summary):
            file.unlink(missing_ok=True)
        self.comments.write_text(json.dumps({"comments": list(comments)}))
        given = {"PYTHON": sys.executable, "REPORT": "verdicts.json", "BASE": self.base}
        done = self._step(STEP, given, self.work / "sub")
        if comment != "true" or done.returncode:
            return done
        folder = self.outputs.read_text().strip().removeprefix("folder=")
        pull = {"GH_TOKEN": "token", "NUMBER": "7", "REPOSITORY": "owner/name", "GH_FAILS": "1" if fails else ""}
        return self._step("Comment", pull | {"REPORT": "verdicts.json", "FOLDER": folder}, self.work)

    def _step(self, name: str, given: dict[str, str], folder: Path) -> subprocess.CompletedProcess[str]:
        ours = {"GH_CALLS": str(self.calls), "GH_POSTED": str(self.posted), "GH_COMMENTS": str(self.comments)}
        places = {"GITHUB_STEP_SUMMARY": str(self.summary), "GITHUB_OUTPUT": str(self.outputs), "PATH": self.path}
        return run_step(name, folder, given, **ours, **places)

    def told(self) -> str:
        """Return the job's summary."""
        return self.summary.read_text(encoding="utf-8")

    def called(self) -> list[list[str]]:
        """Return the words of every call of ``gh``."""
        return [line.rstrip("\t").split("\t") for line in self.calls.read_text(encoding="utf-8").splitlines()]


def comment(number: int, body: str, mine: bool = True) -> Any:
    return {"url": f"https://github.com/owner/name/pull/7#issuecomment-{number}", "body": body, "viewerDidAuthor": mine}


def test_the_summary_has_what_changed_and_nobody_is_written_to(tmp_path: Path) -> None:
    job = Job(tmp_path, report(Verdict.HELD), report(Verdict.UNDECIDED))
    done = job.run()
    assert done.returncode == 0, done.stderr  # which is for people to judge
    assert job.told().startswith("### Verdicts in verdicts.json since the base\n\n**1 regression; 0 cells as before**")
    assert "| <code>m</code> | Deep | ◐ held | ? undecided |" in job.told()
    assert job.called() == []


OTHERS = [
    comment(1, "hello"),
    comment(2, f"{MARKER}\n", mine=False),
    comment(3, f"quoted:\n{MARKER}"),
    comment(4, "<!-- axiomcheck diff: other.json -->\n### Verdicts"),
]
"""Comments that are not the one of this report, by this author."""


@quality
@pytest.mark.skipif(shutil.which("jq") is None, reason="jq is not installed")
def test_a_first_comment_is_posted_and_then_updated_or_it_is_a_warning(tmp_path: Path) -> None:
    job = Job(tmp_path, report(Verdict.HELD), report(Verdict.UNDECIDED))
    done = job.run("true", fails=True)
    assert done.returncode == 0
    assert "::warning::The comparison was not posted" in done.stdout
    assert not job.posted.exists()
    summary = job.told()
    assert job.run("true", OTHERS).returncode == 0
    *_, view, posted = job.called()
    assert view[:5] == ["pr", "view", "7", "--repo", "owner/name"]
    assert posted[:6] == ["pr", "comment", "7", "--repo", "owner/name", "--body-file"]
    assert job.posted.read_text(encoding="utf-8") == f"{MARKER}\n{summary}"
    assert job.run("true", [*OTHERS, comment(22, f"{MARKER}\r\n### Verdicts"), comment(5, "bye")]).returncode == 0
    patched = job.called()[-1]
    assert patched[:5] == ["api", "--silent", "--method", "PATCH", "repos/owner/name/issues/comments/22"]
    assert job.posted.read_text(encoding="utf-8") == f"{MARKER}\n{summary}"


@quality
def test_a_base_that_cannot_be_compared_is_told_of(tmp_path: Path) -> None:
    job = Job(tmp_path, report(Verdict.HELD, "finite"), report(Verdict.HELD))
    assert job.run().returncode == 0
    assert "These reports were not compared.\n\n    Error: " in job.told()
