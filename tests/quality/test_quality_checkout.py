"""The GitHub action and the pre-commit hook on a clean checkout of a sample repository, from a clean one of this one.

What they need of a service is left out: actions/cache, and an index of packages, in place of which pip finds what is
installed here.
"""

import os
import re
import shlex
import subprocess
import sysconfig
import venv
from pathlib import Path

import pytest

from tests.gating.gate_projects import GOOD, NO_DISCOUNT
from tests.gating.test_gate_actions import ROOT, yaml_of
from tests.support.suites import quality

pytestmark = [
    quality,
    pytest.mark.extra("ruamel.yaml"),
    pytest.mark.skipif(not (ROOT / ".git").exists(), reason="needs the repository"),
]

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
"""Settings with which pip builds and installs with what is installed here, and asks no index."""


def shell(folder: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    environ = {key: value for key, value in os.environ.items() if not key.startswith(("GIT_", "GITHUB_"))}
    return subprocess.run(words, cwd=folder, env=environ | OFFLINE | more, capture_output=True, text=True, check=False)


def git(folder: Path, *words: str) -> None:
    quiet = ("-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "init.defaultBranch=main")
    done = shell(folder, "git", *quiet, *words)
    assert done.returncode == 0, done.stderr


class Job:
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
        script = ("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"])
        return shell(folder, *script, **environ, **github)

    def _filled(self, text: str, given: dict[str, str]) -> str:
        text = text.replace("${{ github.action_path }}", str(self.action))
        text = re.sub(r"\$\{\{ inputs\.(\w[\w-]*) \}\}", lambda found: given[found[1]], text)
        assert "${{" not in text
        return text


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> Job:
    """Make a job whose first step has installed the repository, as it does for the hook."""
    made = Job(tmp_path_factory.mktemp("job"))
    made.checkout()
    done = made.run("Install axiomcheck")
    assert done.returncode == 0, done.stderr
    return made


def test_the_action_holds_a_checkout_to_its_contract(job: Job) -> None:
    job.commit(GOOD + "\n")
    job.checkout()
    gate = job.run("Gate", junit="out.xml")
    assert gate.returncode == 0, gate.stdout + gate.stderr
    where = shell(job.work, str(job.bin / "python"), "-P", "-c", "import axiomcheck; print(axiomcheck.__file__)").stdout
    assert where.startswith(str(job.bin.parent))
    assert "as expected" in job.summary.read_text(encoding="utf-8")
    assert (job.work / "out.xml").is_file()
    job.commit(NO_DISCOUNT)
    job.checkout()
    gate = job.run("Gate")
    assert gate.returncode == 1
    assert "✗ Pri: expected to hold, but is violated" in gate.stdout
    assert "::error file=lab/gain.py,line=2,title=lab/gain.py%3Again%3A Pri::expected to hold" in gate.stdout


def test_the_hook_holds_a_commit_to_the_contract(job: Job) -> None:
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
        ran = shell(job.work, *shlex.split(hook["entry"]), PATH=path)
        assert ("✗ Pri: expected to hold" in ran.stdout) == (metric is NO_DISCOUNT), ran.stdout + ran.stderr
        codes.append(ran.returncode)
    assert codes == [0, 1]
