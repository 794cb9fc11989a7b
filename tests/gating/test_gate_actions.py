"""The GitHub action, with a ``gh`` of its own, and the pre-commit hook, also on clean checkouts."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import venv
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from axiomcheck.core.verdict import Verdict
from axiomcheck.records.cells import Cell, Ledger, SettingsRecord
from axiomcheck.records.matrix import to_json
from tests.gating.gate_projects import GOOD, NO_DISCOUNT
from tests.support.made_records import because, pair_evidence
from tests.support.suites import quality

pytestmark = pytest.mark.extra("ruamel.yaml")

ROOT = Path(__file__).parents[2]


def yaml_of(name: str) -> Any:
    """Return the document of a file at the root."""
    from ruamel.yaml import YAML

    return YAML(typ="safe").load((ROOT / name).read_text(encoding="utf-8"))


def run_step(name: str, folder: Path, given: dict[str, str], **more: str) -> subprocess.CompletedProcess[str]:
    """Run the script of a step of the action with the variables that it is given, and more that GitHub sets."""
    (step,) = [step for step in yaml_of("action.yml")["runs"]["steps"] if step["name"] == name]
    assert set(given) >= set(step["env"])
    return shell(folder, "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"], **given, **more)


def shell(folder: Path, *words: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run a program that knows nothing of what git or GitHub tells the tests' own process."""
    plain = {key: value for key, value in os.environ.items() if not key.startswith(("GIT_", "GITHUB_"))}
    return subprocess.run(words, cwd=folder, env=plain | environ, capture_output=True, text=True, check=False)


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
    quiet = ("-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "init.defaultBranch=main")
    done = shell(directory, "git", *quiet, *words)
    assert done.returncode == 0, done.stderr
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


needs_repository = pytest.mark.skipif(not (ROOT / ".git").exists(), reason="needs the repository")
CONTRACT = """examples = 300

[metrics."lab/gain.py:gain".axioms]
Pri = "holds"
Conf = {expect = "violated", reason = "trailing documents are free"}
"""
OFFLINE = {
    "PYTHONPATH": sysconfig.get_path("purelib"),
    "PIP_NO_DEPS": "1",
    "PIP_NO_INDEX": "1",
    "PIP_NO_BUILD_ISOLATION": "0",  # which is how pip is told not to isolate
    "AXIOMCHECK_LEDGER": "off",
}
"""Settings with which pip builds and installs with what is installed here, and asks no index: no service is needed."""


class CleanJob:
    """A job of the action on a clean checkout.

    Args:
        folder: An empty folder for both checkouts and an interpreter without packages of its own.

    """

    def __init__(self, folder: Path) -> None:
        self.action, self.origin, self.work = folder / "action", folder / "origin", folder / "work"
        git(folder, "clone", "-q", "--depth", "1", f"file://{ROOT}", str(self.action))
        venv.create(folder / "env", with_pip=False, symlinks=True)
        self.bin = folder / "env" / "bin"
        (self.origin / "lab").mkdir(parents=True)
        git(self.origin, "init", "-q")
        (self.origin / "axiomcheck.toml").write_text(CONTRACT, encoding="utf-8")
        self.commit(GOOD)
        self.summary = folder / "summary.md"

    def commit(self, metric: str) -> None:
        (self.origin / "lab" / "gain.py").write_text(metric, encoding="utf-8")
        git(self.origin, "add", ".")
        git(self.origin, "commit", "-qm", "a version")

    def checkout(self) -> None:
        if self.work.exists():
            subprocess.run(["rm", "-r", str(self.work)], check=True)
        git(self.origin, "clone", "-q", "--depth", "1", f"file://{self.origin}", str(self.work))

    def run(self, name: str, **inputs: str) -> subprocess.CompletedProcess[str]:
        """Run the script of a step of the action for a push."""
        action = yaml_of("action.yml")
        given = {name: said.get("default", "") for name, said in action["inputs"].items()}
        given |= {"python": str(self.bin / "python")} | inputs
        github = {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(self.summary)}
        (step,) = [step for step in action["runs"]["steps"] if step["name"] == name]
        environ = {key: self._filled(value, given) for key, value in step["env"].items()}
        folder = self.work / self._filled(step.get("working-directory", "."), given)
        return run_step(name, folder, environ | OFFLINE, **github)

    def _filled(self, text: str, given: dict[str, str]) -> str:
        text = text.replace("${{ github.action_path }}", str(self.action))
        text = re.sub(r"\$\{\{ inputs\.(\w[\w-]*) \}\}", lambda found: given[found[1]], text)
        assert "${{" not in text
        return text


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> CleanJob:
    """Make a job whose first step has installed the repository, as it does for the hook."""
    made = CleanJob(tmp_path_factory.mktemp("job"))
    made.checkout()
    done = made.run("Install axiomcheck")
    assert done.returncode == 0, done.stderr
    return made


@quality
@needs_repository
def test_the_action_holds_a_checkout_to_its_contract(job: CleanJob) -> None:
    job.commit(GOOD + "\n")
    job.checkout()
    gate = job.run("Gate", junit="out.xml")
    assert gate.returncode == 0, gate.stdout + gate.stderr
    where = shell(
        job.work, str(job.bin / "python"), "-P", "-c", "import axiomcheck; print(axiomcheck.__file__)", **OFFLINE
    ).stdout
    assert where.startswith(str(job.bin.parent))
    assert "as expected" in job.summary.read_text(encoding="utf-8")
    assert (job.work / "out.xml").is_file()
    job.commit(NO_DISCOUNT)
    job.checkout()
    gate = job.run("Gate")
    assert gate.returncode == 1
    assert "✗ Pri: expected to hold, but is violated" in gate.stdout
    assert "::error file=lab/gain.py,line=2,title=lab/gain.py%3Again%3A Pri::expected to hold" in gate.stdout


@quality
@needs_repository
def test_the_hook_holds_a_commit_to_the_contract(job: CleanJob) -> None:
    """Run the entry where a staged file matches, as pre-commit does where it has installed the repository."""
    (hook,) = yaml_of(".pre-commit-hooks.yaml")
    assert hook["language"] == "python"
    assert re.search(hook["files"], "lab/gain.py")
    assert not re.search(hook["files"], "README.md")
    path = f"{job.bin}{os.pathsep}{os.environ['PATH']}"
    codes = []
    for metric in (GOOD, NO_DISCOUNT):
        job.commit(metric + "\n\n")
        job.checkout()
        ran = shell(job.work, *shlex.split(hook["entry"]), PATH=path, **OFFLINE)
        assert ("✗ Pri: expected to hold" in ran.stdout) == (metric is NO_DISCOUNT), ran.stdout + ran.stderr
        codes.append(ran.returncode)
    assert codes == [0, 1]
