import doctest
from pathlib import Path

import pytest

import axiomcheck
from tests.support.transcripts import ROOT, default_files, replayed


@pytest.mark.parametrize("path", default_files(), ids=lambda p: p.name)
def test_transcript_is_what_the_commands_print(path: Path) -> None:
    assert replayed(path) == path.read_text(encoding="utf-8")


def test_a_changed_transcript_is_noticed(tmp_path: Path) -> None:
    altered = tmp_path / "altered.transcript"
    altered.write_text("$ axiomcheck --version\naxiomcheck, version 0.0.0\n", encoding="utf-8")
    assert replayed(altered) != altered.read_text(encoding="utf-8")


def test_python_examples_of_the_readme() -> None:
    outcome = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert outcome.attempted >= 6
    assert outcome.failed == 0


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) < 150


def test_python_examples_of_the_package() -> None:
    outcome = doctest.testmod(axiomcheck)
    assert outcome.attempted >= 3
    assert outcome.failed == 0


def test_ci_runs_the_test_command_of_the_readme() -> None:
    commands = [
        line.strip() for line in (ROOT / "README.md").read_text().splitlines() if line.startswith("    python3 -m")
    ]
    assert len(commands) == 2
    assert commands[1] in (ROOT / ".ci" / "run").read_text().splitlines()


def test_all_public_names_exist() -> None:
    for name in axiomcheck.__all__:
        assert getattr(axiomcheck, name) is not None
    with pytest.raises(AttributeError):
        _ = axiomcheck.no_such_name  # type: ignore[attr-defined]
