"""Whole projects: a contract is recorded, something changes, the gate says what."""

import json
import shutil
from pathlib import Path

import pytest

from axiomcheck.engine.events import Event, Progress
from axiomcheck.gating.config import load_contract
from axiomcheck.gating.run import run_gate
from axiomcheck.processes.limits import Deadline
from tests.gating.gate_projects import (
    CONTRACT,
    COSTLY,
    GOOD,
    cell,
    gated,
    leave_checks_out,
    project,
    statuses,
    updated,
)
from tests.support.commands import command
from tests.support.suites import each, quality
from tests.support.tampering import put

PIN = "axiomcheck-witnesses/gain.py_gain-Conf.json"


@pytest.fixture
def no_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    leave_checks_out(monkeypatch)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a project whose contract is recorded."""
    directory = tmp_path_factory.mktemp("recorded")
    with pytest.MonkeyPatch.context() as patch:
        leave_checks_out(patch)
        updated(project(directory))
    return directory


@pytest.fixture
def copied(recorded: Path, tmp_path: Path, no_checks: None) -> Path:
    """Make a copy to change; return the contract's path."""
    shutil.copytree(recorded, tmp_path / "copy", dirs_exist_ok=True)
    return tmp_path / "copy" / "axiomcheck.toml"


def test_update_keeps_comments_and_reasons_and_pins_witnesses(recorded: Path) -> None:
    text = (recorded / "axiomcheck.toml").read_text(encoding="utf-8")
    assert "# what we promise" in text
    assert 'Conf = {expect = "violated", reason = "trailing documents are free"}  # settled in March' in text
    contract = load_contract(recorded / "axiomcheck.toml")
    assert (contract.recorded.seed, contract.recorded.examples) == (0, 300)
    assert "numpy" in contract.recorded.packages
    assert contract.metrics[0].source is not None
    assert contract.metrics[0].axioms["Conf"].witness is not None
    assert json.loads((recorded / PIN).read_text(encoding="utf-8"))["metric"] == "gain.py:gain"


def test_an_unchanged_project_is_as_expected_and_decided_again(copied: Path) -> None:
    result = gated(copied, jobs=2)
    assert (result.exit_code, result.broken) == (0, [])
    assert result.cached == 0
    assert cell(result, "Conf").replayed
    assert cell(result, "Conf").instances == 1
    assert cell(result, "Pri").instances > 100


@quality
def test_a_violation_that_went_away_fails_until_it_is_recorded(copied: Path) -> None:
    (copied.parent / "gain.py").write_text(COSTLY, encoding="utf-8")
    result = gated(copied)
    assert result.exit_code == 1
    assert statuses(result) == {"Pri": "as-expected", "Conf": "better"}
    assert "expected to be violated (trailing documents are free), but holds" in cell(result, "Conf").message
    assert "no longer a violation" in cell(result, "Conf").message.split("About the pinned witness")[1]
    updated(copied)
    assert 'Conf = "holds"' in copied.read_text(encoding="utf-8")
    assert not (copied.parent / PIN).exists()
    assert gated(copied).exit_code == 0


@pytest.mark.usefixtures("no_checks")
def test_a_pinned_threshold_witness_is_scored_as_the_search_scored_it(tmp_path: Path) -> None:
    """The search decides CloseTh by the fold that the function's source is derived to be."""
    cut = "def cut(topic, ranking):\n    return sum(topic.pool[d][0] / i for i, d in enumerate(ranking[:3], 1))\n"
    contract = 'examples = 20\n[metrics."cut.py:cut".axioms]\nCloseTh = {expect = "violated", reason = "a cutoff"}\n'
    path = project(tmp_path, contract, cut=cut)
    updated(path)
    result = gated(path)
    assert (result.exit_code, result.broken) == (0, [])
    assert cell(result, "CloseTh", "cut.py:cut").replayed


RECIPROCAL = """
def rank(topic, ranking):
    for i, d in enumerate(ranking, 1):
        if topic.pool[d][0] > 0:
            return 1 / i
    return 0.0
"""
STEEP = "def rank(topic, ranking):\n    return sum(topic.pool[d][0] * 0.5 ** (i**1.5) for i, d in enumerate(ranking))\n"
VIOLATED = """
examples = 20
[metrics."rank.py:rank".axioms]
CloseTh = {expect = "violated", reason = "the first document is enough"}
"""


@quality
@pytest.mark.usefixtures("no_checks")
def test_a_violation_at_every_n_is_one_for_the_gate_and_is_kept_where_it_is_undecided(tmp_path: Path) -> None:
    path = project(tmp_path, VIOLATED, rank=RECIPROCAL)
    result = gated(path)
    found = cell(result, "CloseTh", "rank.py:rank")
    assert (result.exit_code, found.remark, found.cell and found.cell.certificate is not None) == (0, "", True)
    (tmp_path / "rank.py").write_text(STEEP, encoding="utf-8")
    result = updated(path)
    assert statuses(result) == {"CloseTh": "worse"}
    assert 'write CloseTh = "undecided"' in cell(result, "CloseTh", "rank.py:rank").message
    assert VIOLATED.splitlines()[-1] in path.read_text(encoding="utf-8")
    (tmp_path / "rank.py").write_text(RECIPROCAL, encoding="utf-8")
    assert gated(path).exit_code == 0


@pytest.mark.usefixtures("no_checks")
def test_a_pinned_witness_that_was_edited(tmp_path: Path) -> None:
    path = project(tmp_path, 'examples = 20\n[metrics."P@2".axioms]\nConf = {expect = "violated", reason = "free"}\n')
    updated(path)
    pin = tmp_path / "axiomcheck-witnesses/P@2-Conf.json"
    for place, value, told in (
        ("scores.worse", "1/7", ["scores.worse", "was its file edited?"]),
        ("worse", ["d1"], ["delete its file and run axiomcheck gate --update"]),
    ):
        document = json.loads(pin.read_text(encoding="utf-8"))
        put(place, value)(document)
        pin.write_text(json.dumps(document), encoding="utf-8")
        result = gated(path)
        (judged,) = result.cells
        assert (result.exit_code, judged.status) == (1, "error")
        assert all(said in judged.message for said in told)
    for text in ("", "[]", '{"a": ' * 3000, '{"more": ' + "9" * 5000 + "}"):
        pin.write_text(text, encoding="utf-8")
        assert (done := command("gate", "--contract", path)).exit_code in (1, 2), done.exception
    pin.unlink()
    assert gated(path).cells[0].remark == "no witness is pinned"
    updated(path)
    assert gated(path).cells[0].replayed


SEVERAL = """
examples = 300
timeout = 5
[metrics."bad.py:crashing".axioms]
Pri = "holds"
[metrics."missing.py:gain".axioms]
Pri = "holds"
[metrics."RBP".axioms]
Pri = "holds"
"""
HANGING = """
timeout = 1
[metrics."bad.py:hanging".axioms]
Pri = "holds"
"""
BAD = """
import os, time
def hanging(topic, ranking):
    time.sleep(1000)
def slow(topic, ranking):
    time.sleep(0.02)
    return 1.0
def crashing(topic, ranking):
    os._exit(3)
"""


@pytest.mark.usefixtures("no_checks")
def test_bad_metrics_are_errors_and_do_not_stop_the_others(tmp_path: Path) -> None:
    path = project(tmp_path, SEVERAL, bad=BAD)
    before = path.read_bytes()
    done = command("gate", "--contract", path, "--update", "--format", "json")
    assert done.exit_code == 1
    document = json.loads(done.stdout)
    told = {entry["metric"]: (entry["status"], entry["message"]) for entry in document["cells"]}
    assert told["RBP"][0] == "as-expected"
    assert "exit code 3" in told["bad.py:crashing"][1]
    assert "there is no file" in told["missing.py:gain"][1]
    assert "was not written" in done.stderr
    assert path.read_bytes() == before
    assert not (tmp_path / "axiomcheck-witnesses").exists()


@pytest.mark.usefixtures("no_checks")
def test_a_hanging_metric_is_an_error_that_names_the_limit(tmp_path: Path) -> None:
    result = gated(project(tmp_path, HANGING, bad=BAD))
    assert result.exit_code == 1
    assert [(judged.status, judged.message) for judged in result.cells] == [
        ("error", "ran past the limit of 1 s (timeout in the contract)")
    ]


@pytest.mark.parametrize(("metric", "said"), [("hanging", ""), ("slow", "no answer within the budget of {} s: ")])
def test_what_a_budget_ends_names_the_budget(metric: str, said: str, tmp_path: Path) -> None:
    asked = HANGING.replace("hanging", metric).replace("timeout = 1", "timeout = 9")
    contract = load_contract(project(tmp_path, asked, bad=BAD))
    for seconds in (0.8, 1.6, 3.2):  # a busy machine may need the first one for loading the file
        last = run_gate(contract, cache=False, budget=Deadline.starting_now(seconds)).judged[-1]
        if last.message.startswith(told := f"{said.format(seconds)}ran past the limit of "):
            break
    assert last.message.startswith(told), last
    assert last.message.rstrip(".").endswith(" s (--budget)")


@pytest.mark.usefixtures("no_checks")
def test_progress_is_that_of_all_metrics(tmp_path: Path) -> None:
    contract = 'examples = 50\n[metrics."RBP".axioms]\nPri = "holds"\n[metrics."P@2".axioms]\nPri = "holds"\n'
    shares: list[float] = []
    gated(project(tmp_path, contract), listen=lambda e: shares.append(e.share) if isinstance(e, Progress) else None)
    assert shares == sorted(shares)
    assert {0.45, 0.95} < set(shares)


@pytest.mark.usefixtures("no_checks")
def test_what_was_judged_before_an_interruption_is_told(tmp_path: Path) -> None:
    contract = 'examples = 50\n[metrics."RBP".axioms]\nPri = "holds"\n[metrics."P@2".axioms]\nPri = "holds"\n'

    def stop(event: Event) -> None:
        if isinstance(event, Progress) and event.share > 0.46:
            raise KeyboardInterrupt

    result = gated(project(tmp_path, contract), listen=stop)
    assert (result.interrupted, result.exit_code) == (True, 130)
    assert [(one.metric, one.status) for one in result.cells] == [("RBP", "as-expected")]


SHARED = """# ours
[project]
name = "mine"

[tool.axiomcheck]
examples = 100  # few

ENTRY

[tool.other]
lines = [
    "one",
]
"""


@pytest.mark.usefixtures("no_checks")
@each(
    "entry",
    [
        '[tool.axiomcheck.metrics."RBP"] # a table\naxioms = {Pri = "undecided"}',
        '[tool.axiomcheck.metrics]\n"RBP" = {regime = "finite", axioms = {Conf = "holds"}}',
        'metrics = {"RBP" = {axioms = {Conf = "holds", Pri = "holds"}}}',
    ],
    2,
)
def test_update_of_any_spelling_of_a_shared_file(entry: str, tmp_path: Path) -> None:
    path = tmp_path / "pyproject.toml"
    path.write_text(SHARED.replace("ENTRY", entry), encoding="utf-8")
    assert updated(path).exit_code == 1
    text = path.read_text(encoding="utf-8")
    for kept in (
        "# ours",
        "examples = 100  # few",
        '[tool.other]\nlines = [\n    "one",\n]\n',
        entry.split(" = ")[0][:20],
    ):
        assert kept in text
    result = updated(path)
    assert result.exit_code == 0, text
    assert result.cells
    assert path.read_text(encoding="utf-8") == text


READS = "import os\n" + GOOD.replace("    return total", "    return -total if os.environ.get('REVERSED') else total")


@pytest.mark.usefixtures("no_checks")
def test_a_change_outside_the_source_of_a_metric_changes_its_verdict_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The gate cannot tell that the metric reads another environment variable than when it was recorded."""
    path = project(tmp_path, gain=READS)
    assert updated(path).exit_code == 0
    assert gated(path).exit_code == 0
    monkeypatch.setenv("REVERSED", "1")
    result = gated(path)
    assert (result.exit_code, result.cached) == (1, 0)
    assert statuses(result) == {"Pri": "worse", "Conf": "as-expected"}
    assert "are unchanged: the contract was edited by hand, or" in cell(result, "Pri").message


@pytest.mark.usefixtures("no_checks")
def test_other_scores_of_a_pinned_witness_are_a_remark_about_a_metric_that_reads_a_file(tmp_path: Path) -> None:
    """Its pinned witness was not edited."""
    reads = "import pathlib\nHERE = pathlib.Path(__file__).parent\n" + GOOD.replace(
        "    return total", "    return total + float((HERE / 'base').read_text())"
    )
    (tmp_path / "base").write_text("0", encoding="utf-8")
    path = project(tmp_path, CONTRACT.replace('Pri = "holds"\n', ""), gain=reads)
    updated(path)
    (tmp_path / "base").write_text("0.5", encoding="utf-8")
    result = gated(path)
    assert (result.exit_code, statuses(result)) == (0, {"Conf": "as-expected"})
    assert "scores" in cell(result, "Conf").remark


@pytest.mark.usefixtures("no_checks")
def test_the_code_of_a_contract_of_another_version_is_not_compared(copied: Path) -> None:
    text = copied.read_text(encoding="utf-8").replace('Conf = {expect = "violated"', 'Conf = {expect = "undecided"')
    assert 'source = "files-sha256:' in text
    copied.write_text(text.replace('source = "files-sha256:', 'source = "sha256:'), encoding="utf-8")
    message = cell(gated(copied), "Conf").message
    assert "Whether its code has changed is unknown" in message
    assert "changed since" not in message


@quality
def test_a_changed_setting_is_decided_anew_and_a_changed_search_is_named(copied: Path) -> None:
    text = copied.read_text(encoding="utf-8")
    assert 'Pri = "holds"' in text
    # As if the search of the recorded run had missed what this one finds.
    text = text.replace("examples = 300", "examples = 301", 1).replace(
        'Conf = {expect = "violated"', 'Conf = {expect = "undecided"'
    )
    copied.write_text(text, encoding="utf-8")
    result = gated(copied)
    assert cell(result, "Conf").status == "worse"
    assert "The metric's code is unchanged; the search changed (examples 300, now 301)." in (
        cell(result, "Conf").message
    )
    copied.write_text(text.replace("examples = 301", "examples = 300\nseed = 4", 1), encoding="utf-8")
    result = gated(copied)
    assert "the search changed (seed 0, now 4)." in cell(result, "Conf").message
    copied.write_text(text.replace("examples = 301", "examples = 300", 1), encoding="utf-8")
    assert "the contract was edited by hand" in cell(gated(copied), "Conf").message
    renumbered = text.replace('version = "0', 'version = "99.0').replace("examples = 301", "examples = 300", 1)
    copied.write_text(renumbered, encoding="utf-8")
    assert "the search changed (axiomcheck 99.0" in cell(gated(copied), "Conf").message
