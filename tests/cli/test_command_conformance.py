"""Every command keeps the same promises: formats, `--output`, usage errors, unusable files, lost streams, Ctrl-C, help.

A new command is covered by its line in `COMMANDS`: the smallest words that run it. Its formats, choices and the files
that it reads are found in its own declaration and among those words.
"""

import ast
import csv
import errno
import inspect
import io
import json
import os
import re
import resource
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator

from axiomcheck import Reading, find_axiom, parse
from axiomcheck.cli import program
from axiomcheck.cli.program import main
from axiomcheck.core.documents import document_of
from axiomcheck.decide import budgets
from axiomcheck.decide.search import Settings
from axiomcheck.engine.run import run_matrix
from axiomcheck.ledger.file import LedgerFile
from axiomcheck.records.matrix import to_json
from axiomcheck.reports.documents import SCHEMAS, schema
from tests.support.suites import each

COMMANDS = {
    "check": "P@1 -a Conf --examples 1 -j 1",
    "matrix": "P@1 -a Conf --examples 1 -j 1 --no-proofs",
    "report": "matrix.json",
    "explain": "Pri",
    "list": "axioms",
    "prove": "RBP Pri --examples 1",
    "replay": "witness.json",
    "gate": "--contract axiomcheck.toml -j 1",
    "diff": "matrix.json matrix.json",
    "score": "P@1 --qrels qrels --run one.run",
    "weakest": "P@1 Conf --examples 1",
    "region": "RBP@2 CloseTh --over p=0.5:0.9:2 --examples 1 -j 1",
    "identity": "P@1 P@2",
    "ledger show": "",
    "ledger gc": "",
}
"""A command -> the smallest words that run it, in a folder of `FILES`."""

FULL = Path("/dev/full")
NO_SPACE = "Error: cannot write to standard output: No space left on device"


def command_of(name: str) -> click.Command:
    """Return the click command of a name, such as ``ledger show``."""
    found: Any = main
    for word in name.split():
        found = found.get_command(click.Context(found), word)
        assert found is not None, name
    return found  # type: ignore[no-any-return]


def choices_of(name: str) -> dict[str, list[str]]:
    """Return what each option of a command may be, of those that have a list of choices: its spelling -> them."""
    options = [one for one in command_of(name).params if isinstance(one, click.Option)]
    return {one.opts[-1]: list(one.type.choices) for one in options if isinstance(one.type, click.Choice)}


def writes(name: str) -> bool:
    """Say whether a command has an ``--output`` that is a file of its own."""
    return any("--output" in one.opts and not one.multiple for one in command_of(name).params)


@cache
def contents() -> dict[str, str]:
    """Return the files that the commands read: name -> text."""
    few = Settings(0, 1, proofs=False)
    ledger = run_matrix([parse("P@2")], [find_axiom("Conf")], Reading(), few)
    (violation,) = ledger.cells
    assert violation.witness is not None
    return {
        "qrels": "1 0 a 1\n2 0 a 1\n",
        "one.run": "1 Q0 a 1 2 t\n2 Q0 a 1 2 t\n",
        "axiomcheck.toml": 'examples = 1\n[metrics."P@2".axioms]\nConf = {expect = "violated", reason = "free"}\n',
        "own.py": "def gain(grades, weights):\n    return grades[:, 0, 0]\n",
        "matrix.json": to_json(ledger),
        "witness.json": json.dumps(document_of(violation.witness)),
    }


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a folder with what the commands read; leave out what takes them long."""
    for name, text in contents().items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AXIOMCHECK_LEDGER", str(tmp_path / ".ledger"))
    kept = LedgerFile(tmp_path / ".ledger")
    kept.put("key", "content", about={"kind": "test"})
    kept.close()
    monkeypatch.setattr("axiomcheck.checks.metric.run_contract", lambda *_, **__: [])
    monkeypatch.setattr("axiomcheck.gating.run.check_outcomes", lambda *_: [])
    return tmp_path


def invoke(name: str, *more: str) -> Result:
    """Run a command with its smallest words and more, off a terminal."""
    return CliRunner(env={"COLUMNS": "120"}).invoke(main, [*name.split(), *shlex.split(COMMANDS[name]), *more])


def refused(done: Result, said: str) -> None:
    """Hold a result to what every refusal is: exit code 2, one error that says it, no traceback, nothing printed."""
    assert isinstance(done.exception, SystemExit), done.exception
    assert (done.exit_code, done.stdout) == (2, ""), done.output
    assert len(re.findall(r"^Error: ", done.stderr, re.MULTILINE)) == 1, done.stderr
    assert said in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


def files(folder: Path) -> dict[str, bytes]:
    """Return what lies in a folder, but for the ledger."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.startswith(".ledger")
    }


def test_every_command_is_listed_with_the_words_that_run_it() -> None:
    assert {name.split()[0] for name in COMMANDS} == {*main.list_commands(click.Context(main))}
    ledger = command_of("ledger")
    assert isinstance(ledger, click.Group)
    assert {f"ledger {name}" for name in ledger.commands} <= {*COMMANDS}


def is_json(name: str, text: str) -> None:
    document = json.loads(text)
    known = document.get("schema", "") if isinstance(document, dict) else ""
    kind = known.removeprefix("axiomcheck/")
    assert known == "" or (known != kind and isinstance(document["version"], int))
    if kind in SCHEMAS:
        assert [error.message for error in Draft202012Validator(schema(kind)).iter_errors(document)] == []
    assert (kind in SCHEMAS) or name not in SCHEMAS


def is_csv(name: str, text: str) -> None:
    rows = list(csv.reader(io.StringIO(text)))
    assert len(rows) > 1
    assert {len(row) for row in rows} == {len(rows[0])}


def is_html(name: str, text: str) -> None:
    assert text.lower().startswith("<!doctype html>")
    assert text.rstrip().endswith("</html>")


FORMS: dict[str, Callable[[str, str], Any]] = {
    "table": lambda name, text: text.strip(),
    "json": is_json,
    "csv": is_csv,
    "html": is_html,
    "markdown": lambda name, text: re.search(r"^(\||#|\*\*)", text, re.MULTILINE),
    "python": lambda name, text: ast.parse(text),
    "latex": lambda name, text: re.search(r"\\begin\{tabular", text),
    "trec": lambda name, text: all(len(line.split("\t")) == 3 for line in text.splitlines()),
}
"""A format -> what fails, or is false, of a text that is none of it."""


@pytest.mark.parametrize("name", COMMANDS)
def test_command_prints_each_format_without_control_characters_and_writes_the_same_bytes(
    name: str, place: Path
) -> None:
    for form in choices_of(name).get("--format", [""]):
        more = ("--format", form) if form else ()
        done = invoke(name, *more)
        assert done.exit_code == 0, done.output
        assert done.stdout.strip() or form in ("python", "smt2")
        assert done.output.replace("\n", "").replace("\t", "").isprintable()
        assert FORMS.get(form, FORMS["table"])(name, done.stdout) is not False, form
        if writes(name) and (done.stdout or form != "smt2"):  # of what is refuted there is no proof
            (place / "out").write_text("old", encoding="utf-8")
            written = invoke(name, *more, "-o", "out")
            assert (written.exit_code, written.stdout) == (0, "")
            assert "wrote out\n" in written.stderr
            assert (place / "out").read_bytes() == done.stdout_bytes, form


@contextmanager
def no_room() -> Iterator[None]:
    """Have files be full after 10 bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@each("name", [name for name in COMMANDS if writes(name)], 2)
def test_output_that_cannot_be_written_whole_leaves_the_folder_as_it_was(
    name: str, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AXIOMCHECK_LEDGER", "off" if "ledger" not in name else ".ledger")
    (place / "out").write_text("old", encoding="utf-8")
    (place / "folder").mkdir()
    no_space = "disk I/O error" if name.startswith("ledger") else os.strerror(errno.EFBIG)
    before = files(place)
    for form in choices_of(name)["--format"]:
        refused(invoke(name, "-f", form, "-o", "no/where"), "cannot write no/where")
        refused(invoke(name, "-f", form, "-o", "n" * 300), os.strerror(errno.ENAMETOOLONG))
        with no_room():
            refused(invoke(name, "-f", form, "-o", "out"), no_space)
        if form != "html":
            refused(invoke(name, "-f", form, "-o", "folder"), "folder")
    for word in read_by(name):
        refused(
            invoke(name, "-f", "json", "-o", f"./{word}"), "the same command reads it, or writes it for another option"
        )
    assert files(place) == before
    assert list((place / "folder").iterdir()) == []


def read_by(name: str) -> list[str]:
    """Return the files among the smallest words of a command."""
    return [word for word in dict.fromkeys(COMMANDS[name].split()) if word in contents()]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("check own.py:gain -f python -o own.py", "the same command reads it, or writes it for another option"),
        ("gate --contract axiomcheck.toml -f json -o axiomcheck.toml", "the same command reads it"),
        (f"report matrix.json -o {'n' * 300}", os.strerror(errno.ENAMETOOLONG)),
        (f"gate --contract {'n' * 300}", "there is no contract nnn"),
        ("report matrix.json --output=", "cannot write .: it is a directory"),
        ("report matrix.json -o /dev/stdin", "cannot write /dev/stdin: it is not a regular file"),
    ],
)
def test_file_that_is_no_place_for_the_output_is_not_written(words: str, said: str, place: Path) -> None:
    before = files(place)
    refused(CliRunner().invoke(main, words.split()), said)
    assert files(place) == before


@each("name", [name for name in COMMANDS if writes(name)], 4)
def test_form_follows_the_ending_of_the_file_and_another_one_is_refused(name: str, place: Path) -> None:
    form = invoke(name, "-f", "markdown").stdout_bytes
    done = invoke(name, "-o", "out.MD")
    assert (done.exit_code, done.stdout, (place / "out.MD").read_bytes()) == (0, "", form)
    before = files(place)
    for words, said in (
        ("-f json -o out.md", ".md does not fit --format json; omit --format, or use the extension .json"),
        ("-f table -o out.svg", ".svg does not fit --format table"),
        ("-f html -o out.py", ".py does not fit --format html"),
        ("-o out.run", "no format of this command has the extension .run; expected one of .txt, .json, .md, .html"),
    ):
        refused(invoke(name, *words.split()), said)
    assert files(place) == before


@pytest.mark.parametrize("name", COMMANDS)
def test_unknown_option_and_misspelled_choice_are_usage_errors(name: str, place: Path) -> None:
    refused(invoke(name, "--no-such-option"), "No such option")
    for option, known in choices_of(name).items():
        refused(invoke(name, option, f"{known[0]}x"), f"'{known[0]}x' is not ")


@pytest.mark.parametrize("name", [name for name in COMMANDS if read_by(name)])
def test_absent_and_unusable_input_files_are_named(name: str, place: Path) -> None:
    for word in read_by(name):
        file, kept = place / word, (place / word).read_bytes()
        if word.endswith(".json"):
            file.write_bytes(b"\xef\xbb\xbf" + kept)
            assert invoke(name).exit_code == 0
        for content in (None, b"\xff\xfe\x00", b"garbage {", b"[]"):
            file.unlink()
            if content is not None:
                file.write_bytes(content)
            refused(invoke(name), word)
            file.write_bytes(kept)
        file.unlink()
        file.mkdir()
        refused(invoke(name), word)
        file.rmdir()
        file.write_bytes(kept)


def run_into(stream: Any, words: list[str], monkeypatch: pytest.MonkeyPatch) -> tuple[int, str]:
    """Return the exit code and stderr of a command whose standard output is that stream."""
    said = io.BytesIO()
    with monkeypatch.context() as context, stream:
        context.setattr(sys, "stdout", stream)
        context.setattr(sys, "stderr", io.TextIOWrapper(said, "utf-8"))
        with pytest.raises(SystemExit) as ended:
            main(words, prog_name="axiomcheck")
        code, text = ended.value.code or 0, said.getvalue().decode()
    assert isinstance(code, int)
    return code, text


PRINTING = [["--help"], ["--version"], *([*name.split(), *shlex.split(words)] for name, words in COMMANDS.items())]
PRINTING += [[*words, "--format", "json"] for words in PRINTING[2:] if "--format" in choices_of(words[0])]


@pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")
@each("words", PRINTING, 6, ids=" ".join)
def test_full_disk_is_said_and_is_no_verdict(words: list[str], place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code, said = run_into(FULL.open("w", encoding="utf-8"), words, monkeypatch)
    assert (code, said.splitlines()[-1]) == (2, NO_SPACE)
    assert "Traceback" not in said


@each("words", PRINTING, 5, ids=" ".join)
def test_reader_that_went_away_ends_the_command_quietly(
    words: list[str], place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    code, said = run_into(os.fdopen(writing, "w", encoding="utf-8"), words, monkeypatch)
    assert (code, "Traceback" in said, "Error" in said) == (141, False, False)


WORKING = ("api", "checks", "decide", "engine", "gating", "proof", "replay", "runs", "studies")
"""The rooms in which commands work, and can be interrupted."""


@contextmanager
def interrupted_after(calls: int) -> Iterator[list[int]]:
    """Have Ctrl-C come at that call of a function in one of those rooms; count the calls."""
    counted, rooms = [0], tuple(f"{Path(program.__file__).parents[1] / room}{os.sep}" for room in WORKING)

    def watch(frame: Any, event: str, _: Any) -> None:
        # What is raised in a generator that is being thrown away goes nowhere.
        code = frame.f_code
        if event == "call" and not code.co_flags & inspect.CO_GENERATOR and code.co_filename.startswith(rooms):
            counted[0] += 1
            if counted[0] == calls:
                raise KeyboardInterrupt

    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        yield counted
    finally:
        sys.setprofile(before)


LONG = ["check", "matrix", "prove", "replay", "gate"]
LONG += ["weakest", "region", "score", "identity"]


@each("name", LONG, 4)
def test_ctrl_c_at_work_ends_with_130_and_leaves_no_half_file(
    name: str, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert invoke(name).exit_code == 0  # what is kept for good is kept from here on
    with interrupted_after(0) as counted:
        assert invoke(name, "-f", "json").exit_code == 0
    for part in (1, 3):
        with interrupted_after(max(1, counted[0] * part // 4)):
            done = invoke(name, "-f", "json", *(["-o", "out"] if writes(name) else []))
        assert isinstance(done.exception, SystemExit), (name, part, counted, done.exception)
        assert done.exit_code == 130, done.output
        assert "interrupted" in done.stderr
        assert "Traceback" not in done.output
        assert not list(place.glob(".*.tmp"))
        if (place / "out").exists():
            is_json(name, (place / "out").read_text(encoding="utf-8"))


def help_of(name: str) -> str:
    return CliRunner().invoke(main, [*name.split(), "--help"], terminal_width=80).output


def examples_of(text: str) -> list[str]:
    """Return the commands of the section, each as it is typed, continued lines joined."""
    section = re.search(r"^  Examples:\n((?:    .*\n)+)", text, re.MULTILINE)
    lines = re.sub(r" \\\n +", " ", section[1]).splitlines()
    return [line.strip() for line in lines]


def parsed(example: str) -> None:
    """Have click read a command without running it; files that it names are there.

    Raises:
        click.UsageError: it cannot be read.

    """
    program, name, *words = shlex.split(re.split(r" >+ | \| ", example)[0])
    assert program == "axiomcheck"
    for word in words:
        if re.fullmatch(r"[\w./=,-]*(\.(run|json)|qrels)", word) and not word.startswith("-"):
            Path(word).parent.mkdir(exist_ok=True)
            Path(word).touch()
    command = main.get_command(click.Context(main), name)
    while isinstance(command, click.Group):
        name, *words = words
        command = command.get_command(click.Context(command), name)
    if command is None:
        raise click.UsageError(f"no command {name}")
    command.make_context(name, words)


@pytest.mark.parametrize("name", ["", "ledger", *COMMANDS])
def test_help_fits_80_columns_and_its_examples_parse(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = help_of(name)
    assert max(map(len, text.splitlines())) <= 80
    assert "\\b" not in text
    assert "\b" not in text
    assert not re.search(r"^  [a-z].*\.\.\.$", text, re.MULTILINE), "the line of a command is cut"
    found = examples_of(text)
    assert len(found) >= 2
    for example in found:
        parsed(example)
        assert example.startswith(f"axiomcheck {name}")


OPTIONAL = ["ledger gc"]
"""The commands that have nothing to format."""


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in OPTIONAL])
def test_command_spells_its_options_as_the_others_do(name: str) -> None:
    parameters = command_of(name).params
    named = {parameter.name: parameter for parameter in parameters}
    options = {spelled: parameter for parameter in parameters for spelled in parameter.opts}
    style = options["--format"]
    assert isinstance(style.type, click.Choice)
    assert list(style.type.choices)[:2] == ["table", "json"]
    assert (options["-f"], options.get("-o")) == (style, options.get("--output"))
    assert "--json" not in options
    if {"metric", "axiom"} <= {*named}:
        assert list(named).index("metric") < list(named).index("axiom")
    if "examples" in named:
        assert named["examples"].default in (budgets.PUBLISHED, budgets.AWAITED, budgets.REPEATED)
    if "seed" in named:
        assert named["seed"].default == 0
    for parameter in parameters:
        if parameter.name in ("metric", "metrics", "axiom", "axioms", "first", "second", "reference"):
            assert parameter._custom_shell_complete is not None, "it completes no names"
