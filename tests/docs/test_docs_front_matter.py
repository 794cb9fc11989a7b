"""The front matter: CITATION.cff and the forms for issues are of their formats, the changelog is of its form."""

from __future__ import annotations

import json
import re
import tomllib
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator, ValidationError

from tests.support.transcripts import ROOT

FORMS = sorted(file for file in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml") if file.name != "config.yml")


needs_schemas = pytest.mark.extra("check_jsonschema")


def validate(file: Path, schema: str) -> Any:
    from ruamel.yaml import YAML

    folder = resources.files("check_jsonschema") / "builtin_schemas" / "vendor"
    found = YAML(typ="safe").load(file.read_text(encoding="utf-8"))
    Draft7Validator(json.loads((folder / f"{schema}.json").read_text(encoding="utf-8"))).validate(found)
    return found


@needs_schemas
def test_the_citation_is_of_its_format_and_about_this_project() -> None:
    citation = validate(ROOT / "CITATION.cff", "citation-file-format")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert (citation["title"], citation["license"]) == (project["name"], project["license"])
    assert citation["keywords"] == project["keywords"]


@needs_schemas
@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.stem)
def test_a_form_is_of_its_format(form: Path) -> None:
    assert [one["id"] for one in validate(form, "github-issue-forms")["body"]]


@needs_schemas
def test_there_are_three_forms_and_a_wrong_one_is_noticed(tmp_path: Path) -> None:
    assert {form.stem for form in FORMS} == {"documentation", "metric-or-library", "wrong-verdict"}
    validate(ROOT / ".github" / "ISSUE_TEMPLATE" / "config.yml", "github-issue-config")
    wrong = tmp_path / "form.yml"
    wrong.write_text(FORMS[0].read_text(encoding="utf-8").replace("type: input", "type: inputs"), encoding="utf-8")
    with pytest.raises(ValidationError):
        validate(wrong, "github-issue-forms")


def test_the_changelog_has_one_section_that_is_not_released() -> None:
    headings = re.findall(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert headings[0] == "[Unreleased]"
    assert all(re.fullmatch(r"\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d", heading) for heading in headings[1:])


def test_every_command_of_the_changelog_is_there() -> None:
    from axiomcheck.cli.program import main

    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert {name for name in main.list_commands(None) if f"`{name}`" not in text} <= {"completion"}
