"""The GitHub action and the pre-commit hook at the repository's root."""

import json
import os
import re
import subprocess
import sys
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from jsonschema import Draft7Validator

from axiomcheck.cli.program import main
from tests.gating.gate_projects import NO_DISCOUNT, project
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


@pytest.mark.parametrize("name", ["Install axiomcheck", "Gate", "Compare with the base"])
def test_modules_of_the_folder_are_not_run_by_the_action(name: str, tmp_path: Path) -> None:
    for module in ("json", "pip", "click", "axiomcheck", "subprocess", "numpy"):
        (tmp_path / f"{module}.py").write_text("open('executed', 'w').close()\n", encoding="utf-8")
    (tmp_path / "verdicts.json").write_text("{}", encoding="utf-8")
    for words in (["init", "-q"], ["add", "."], ["-c", "user.name=n", "-c", "user.email=e@e", "commit", "-qm", "x"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    given = dict.fromkeys(("CONTRACT", "JOBS", "JUNIT", "SARIF"), "") | {"SOURCE": "--version"}
    given |= {"PYTHON": sys.executable, "REPORT": "verdicts.json", "BASE": "HEAD"}
    said = str(tmp_path / "said")
    done = run_step(name, tmp_path, given, GITHUB_STEP_SUMMARY=said, GITHUB_OUTPUT=said)
    assert not (tmp_path / "executed").exists()
    expected = {"Gate": "no contract in", "Compare with the base": "base.json is not a report"}.get(name, "")
    assert expected in done.stderr, done.stderr
    assert "Traceback" not in done.stderr


@quality
@pytest.mark.parametrize(("metric", "code"), [(None, 0), (NO_DISCOUNT, 1)])
def test_the_script_of_the_action(metric: str | None, code: int, tmp_path: Path) -> None:
    project(tmp_path, CONTRACT, **({"gain": metric} if metric else {}))
    summary = tmp_path / "summary.md"
    summary.write_text("before\n", encoding="utf-8")
    given = {"PYTHON": sys.executable, "CONTRACT": "axiomcheck.toml", "JOBS": "1", "JUNIT": "out.xml", "SARIF": ""}
    done = run_step("Gate", tmp_path, given, GITHUB_ACTIONS="true", GITHUB_STEP_SUMMARY=str(summary))
    assert done.returncode == code, done.stdout + done.stderr
    text = summary.read_text(encoding="utf-8")
    assert text.startswith("before\n")
    assert ("worse than expected" in text) == bool(code)
    assert ("::error file=gain.py,line=2," in done.stdout) == bool(code)
    assert (tmp_path / "out.xml").is_file()


def test_the_hook_runs_the_gate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (hook,) = yaml_of(".pre-commit-hooks.yaml")
    assert {"id", "name", "entry", "language", "files", "pass_filenames"} <= set(hook)
    assert hook["pass_filenames"] is False
    program, *words = hook["entry"].split()
    assert program == "axiomcheck"
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 2
    assert "no contract in" in done.output
