"""Adapters that installed packages ship (docs/how-to/plugins.md has one): their names, and what is wrong with some."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tests.support.plugin_packages import documented, install, refused, run

LAB = {"lab": "lab.adapter:measure"}
NAME = "lab:precision(k=2)"
SMALL = ["-a", "Pri", "--examples", "200"]


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    return install(tmp_path, documented(), adapters=LAB)


def test_a_measure_has_the_verdicts_of_the_same_metric_of_the_catalogue(lab: Path) -> None:
    axioms = [word for axiom in ("Pri", "Conf", "Deep") for word in ("-a", axiom)]
    words = ["matrix", "-m", NAME, "-m", "P@2", *axioms, "--regime", "finite", "--examples", "200", "-f", "csv"]
    rows = list(csv.DictReader(io.StringIO(run(lab, *words).stdout)))
    refuting = {
        name: {r["axiom"] for r in rows if r["metric"] == name and r["verdict"] == "refuted"} for name in (NAME, "P@2")
    }
    assert refuting[NAME] == refuting["P@2"] != set()


def test_a_witness_is_confirmed_where_the_adapter_is_and_refused_where_not(lab: Path, tmp_path: Path) -> None:
    report = run(lab, "matrix", "-m", NAME, *SMALL, "-f", "json").stdout
    witness = json.loads(report)["cells"][0]["witness"]
    (lab / "witness.json").write_text(json.dumps(witness), encoding="utf-8")
    assert NAME in run(lab, "replay", "witness.json").stdout
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "witness.json").write_text(json.dumps(witness), encoding="utf-8")
    assert "which would load code" in refused(elsewhere, "replay", "witness.json")


def test_its_measures_are_checked_against_each_other(lab: Path) -> None:
    done = run(lab, "check", NAME, *SMALL, "-f", "json")
    (metric,) = json.loads(done.stdout)["metrics"]
    outcomes = {outcome["check"]: outcome["status"] for outcome in metric["contract"]}
    assert outcomes["measures-together"] == "passed"


def test_its_code_is_in_the_fingerprint(lab: Path) -> None:
    code = f"from axiomcheck.sources.fingerprint import fingerprint; print(fingerprint({NAME!r}).code)"
    before = run(lab, code=code).stdout
    library = lab / "lab" / "library.py"
    library.write_text(library.read_text(encoding="utf-8").replace("> 0", ">= 1"), encoding="utf-8")
    after = run(lab, code=code).stdout
    assert before.startswith("sha256:")
    assert after.startswith("sha256:")
    assert before != after


def test_what_it_does_not_know_is_told_with_its_name(lab: Path) -> None:
    said = refused(lab, "matrix", "-m", "lab:recall(k=2)", *SMALL)
    assert "adapter 'lab' (lab 1.0): no measure 'recall(k=2)'; expected precision(k=K)" in said


def test_runs_are_not_scored_by_it(lab: Path) -> None:
    (lab / "qrels").write_text("1 0 a 1\n", encoding="utf-8")
    (lab / "run").write_text("1 Q0 a 1 2 t\n", encoding="utf-8")
    assert "a library's measure" in refused(lab, "score", NAME, "--qrels", "qrels", "--run", "run")


def test_an_unknown_prefix_is_told_with_all_there_are(lab: Path) -> None:
    said = refused(lab, "matrix", "-m", "lob:precision(k=2)", *SMALL)
    assert "there is no module lob" in said
    assert "cwl:measure, lab:measure" in said


ODD = documented() | {
    "lab/odd.py": "def raises(text):\n    raise KeyError(text)\n\ndef nothing(text):\n    return None\n"
}
UNUSABLE: list[tuple[dict[str, str], str]] = [
    ({"ranx": "lab.adapter:measure"}, "adapter 'ranx' (lab 1.0): its name is that of an adapter of axiomcheck's"),
    ({"Ranx": "lab.adapter:measure"}, "adapter 'Ranx' (lab 1.0): its name is that of an adapter of axiomcheck's"),
    ({"lab.py": "lab.adapter:measure"}, "a name that ends in .py means a file"),
    ({"lab": "nowhere.at:all"}, "adapter 'lab' (lab 1.0) cannot be loaded: ModuleNotFoundError"),
    ({"lab": "lab.library:__name__"}, "leads to str; expected a function that takes a measure's name"),
    ({"lab": "lab.odd:raises"}, "adapter 'lab' (lab 1.0) raised KeyError for 'precision(k=2)'"),
    ({"lab": "lab.odd:nothing"}, "adapter 'lab' (lab 1.0): lab:precision(k=2) is NoneType, not a metric"),
]


@pytest.mark.parametrize(("point", "message"), UNUSABLE)
def test_adapters_that_cannot_be_used(point: dict[str, str], message: str, tmp_path: Path) -> None:
    install(tmp_path, ODD, adapters=point)
    (prefix,) = point
    assert message in refused(tmp_path, "matrix", "-m", f"{prefix}:precision(k=2)", *SMALL)


def test_adapters_that_cannot_be_used_cost_other_metrics_nothing(tmp_path: Path) -> None:
    for number, (point, _) in enumerate(UNUSABLE):
        ((prefix, target),) = point.items()
        name = prefix if prefix != "lab" else f"lab{number}"
        install(tmp_path, ODD, adapters={name: target}, dist=f"odd{number}")
    assert run(tmp_path, "matrix", "-m", "P@2", *SMALL, "-f", "csv").returncode == 0


def test_two_packages_cannot_ship_one_prefix(tmp_path: Path) -> None:
    install(tmp_path, documented(), adapters=LAB)
    install(tmp_path, {}, adapters=LAB, dist="other")
    said = refused(tmp_path, "matrix", "-m", NAME, *SMALL)
    assert "(lab 1.0, other 1.0): several packages ship an adapter of that name" in said


def test_a_metric_cannot_have_the_name_of_a_shipped_adapter(tmp_path: Path) -> None:
    install(tmp_path, documented(), metrics={"LAB": "lab.metrics:gain"}, adapters=LAB)
    assert "of the adapter of a library" in refused(tmp_path, "matrix", "-m", "LAB", *SMALL)
