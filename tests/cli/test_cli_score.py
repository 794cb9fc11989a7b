"""`axiomcheck score` as a user runs it; and asked as trec_eval is: its names, its options, its lines."""

import csv
import gzip
import io
import json
from functools import partial
from pathlib import Path

import pytest
from click.testing import Result

from axiomcheck import InvalidInput, score
from axiomcheck.runs.trec import measures_named
from axiomcheck.runs.trec.trec_names import expanded
from tests.cli.test_command_conformance import refused
from tests.support.commands import command

QRELS = "1 0 a 1\n1 0 b 0\n1 0 c 2\n2 0 a 1\n3 0 a 1\n"
RUN = "1 Q0 c 1 3.0 mine\n1 Q0 u 2 2.0 mine\n1 Q0 a 3 1.0 mine\n2 Q0 b 1 2.0 mine\n2 Q0 a 2 1.0 mine\n9 Q0 a 1 1 mine\n"

SAID = (
    "mine: no scores for 1 topic without judgments: 9\n"
    "mine: 1 topic judged but not in the run, omitted from the mean: 3\n"
    "mine: 2 of 5 documents without a judgment, counted as not relevant\n"
)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "run").write_text(RUN)
    return tmp_path


invoke = partial(command, "score")


def scored(*words: str) -> Result:
    result = invoke(*words, "--qrels", "qrels", "--run", "run")
    assert result.exit_code == 0, result.output
    return result


def test_csv_and_json_have_all_digits(here: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(scored("nDCG", "RBP", "--format", "csv", "-q").stdout)))
    (document,) = json.loads(scored("nDCG", "RBP", "--format", "json", "-q").stdout)
    assert [row["topic"] for row in rows] == ["1", "1", "2", "2", "all", "all"]
    for row in rows:
        values = document["mean"] if row["topic"] == "all" else document["per_topic"][row["topic"]]
        residuals = document["residual"] if row["topic"] == "all" else document["residual_per_topic"][row["topic"]]
        assert float(row["score"]) == values[row["metric"]]
        assert (float(row["residual"]) if row["residual"] else None) == residuals.get(row["metric"])
    assert document["upper"]["RBP(p=0.8)"] == document["mean"]["RBP(p=0.8)"] + document["residual"]["RBP(p=0.8)"]
    assert (document["run"], document["tag"], document["topics"]) == ("mine", "mine", 2)
    assert (document["unscored"], document["missing"]) == (["9"], ["3"])
    assert "".join(f"mine: {note}\n" for note in document["notes"]) == SAID


def test_several_runs_are_a_table_of_runs_and_metrics(here: Path) -> None:
    (here / "other").write_text(RUN.replace("1 Q0 c", "1 Q0 z"))
    words = ["--qrels", "qrels", "--run", "run", "--run", "other"]
    assert invoke("RR", "RBP(p=0.5)", *words).stdout == (
        "Run        RR      RBP(p=0.5)\n"
        "─────────────────────────────\n"
        "run    0.7500  0.3438 +0.5625\n"
        "other  0.4167  0.0938 +0.8125\n"
    )
    topics = invoke("RR", *words, "-q").stdout.splitlines()
    assert topics[0] == "Run    Topic      RR"
    assert topics[2:] == [
        *("run    1      1.0000", "run    2      0.5000", "run    all    0.7500"),
        *("other  1      0.3333", "other  2      0.5000", "other  all    0.4167"),
    ]
    # both have the tag "mine", so that the files' names tell them apart
    assert invoke("RR", *words, "--format", "trec").stdout.split("\n")[::3][:2] == [
        "runid                 \tall\trun",
        "runid                 \tall\tother",
    ]
    documents = json.loads(invoke("RR", *words, "--format", "json").stdout)
    assert [(one["run"], one["tag"], round(one["mean"]["RR"], 4)) for one in documents] == [
        ("run", "mine", 0.75),
        ("other", "mine", 0.4167),
    ]


def test_aspects_weights_and_kinds(here: Path) -> None:
    (here / "qrels").write_text("1 1 a 1\n1 2 a 0\n1 1 c 0\n1 2 c 1\n")
    (here / "weights").write_text("1 1 3\n1 2 1\n")
    means = json.loads(scored("RR-IA", "--weights", "weights", "--format", "json").stdout)[0]["mean"]
    assert means == {"RR-IA": 0.25 * 1 + 0.75 / 3}
    given = ("RR", "--qrels", "qrels", "--run", "run")
    refused(invoke(*given), "RR supports only one aspect, but topic '1' has 2; lift it to the largest grade")
    said = "qrels, line 2: document 'a' of topic '1' has grade 0 here, but 1 on line 1"
    refused(invoke(*given, "--qrels-kind", "adhoc"), said)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("RR", "--qrels", "qrels", "--run", "qrels"), "4 columns contains judgments, so use --qrels"),
        (("RR", "--qrels", "qrels", "--run", "run", "qrels"), "qrels is a file, but a metric is expected"),
        (("RR", "--qrels", "-", "--run", "-"), "standard input ('-') is named twice"),
        (("RR", "--qrels", "qrels", "--run", "run", "--run", "run"), "run was given twice; expected different runs"),
        (("RR", "--qrels", "qrels", "--run", "run", "--gmax", "1"), "a grade of 2; expected at most gmax 1"),
    ],
)
def test_unusable_input_is_one_line_and_exit_2(here: Path, words: tuple[str, ...], message: str) -> None:
    refused(invoke(*words), message)


def test_runs_go_by_tags_or_else_by_files(here: Path) -> None:
    def names(*runs: str) -> list[str]:
        given = [word for run in runs for word in ("--run", run)]
        return [run["run"] for run in json.loads(invoke("RR", "--qrels", "qrels", *given, "-f", "json").stdout)]

    (here / "deep").mkdir()
    (here / "other").write_text(RUN.replace("mine", "yours"))
    for copy in ("again", "deep/run"):
        (here / copy).write_text(RUN)
    assert names("run", "other") == ["mine", "yours"]
    assert names("run", "other", "again") == ["run", "other", "again"]
    assert names("run", "deep/run") == ["run", "deep/run"]


def test_a_pattern_is_the_runs_that_match_it_and_csv_and_utf_16_are_named(here: Path) -> None:
    (here / "runner").write_text(RUN)
    assert invoke("RR", "--qrels", "qrels", "--run", "run*", "-f", "csv").stdout.count(",all,") == 2
    for content, message in (
        (b"1,Q0,a,1,2,t\n", "line 1: 1 column; expected 6: topic Q0 document rank score tag, separated by spaces; a"),
        (b"1,a,1\n", "a CSV file needs a header such as query_id,doc_id,score"),
        (RUN.encode("utf-16"), "run is UTF-16 text; expected UTF-8. To convert it, run: iconv"),
    ):
        (here / "run").write_bytes(content)
        refused(invoke("RR", "--qrels", "qrels", "--run", "run"), message)


@pytest.mark.parametrize("packed", [True, False])
def test_standard_input_may_be_packed(here: Path, packed: bool) -> None:
    text = gzip.compress(RUN.encode()) if packed else RUN.encode()
    done = invoke("RR", "--qrels", "qrels", "--run", "-", "--format", "trec", input=text)
    assert done.exit_code == 0, done.stderr
    assert "RR                    \tall\t0.7500" in done.stdout
    assert done.stderr == SAID


MEASURED = Path(__file__).resolve().parents[1] / "runs/measured"
MEASURES = ("map", "map_cut.3", "ndcg", "ndcg_cut.3", "P.3", "recip_rank")


def asked(*words: str) -> Result:
    given = ["--qrels", str(MEASURED / "adhoc.qrels"), "--run", str(MEASURED / "nasty.run"), "--format", "trec"]
    return invoke(*words, *given)


def lines(result: Result) -> dict[tuple[str, str], float]:
    """Return (topic, measure) -> value, without residuals, which trec_eval has none of."""
    assert result.exit_code == 0, result.output
    rows = [line.split("\t") for line in result.stdout.splitlines()]
    return {
        (topic, name.strip()): float(value)
        for name, topic, value in rows
        if name.strip() != "runid" and ":residual" not in name
    }


@pytest.mark.parametrize("options", ["-c", "-l 2", "-M 3"])
def test_the_lines_are_those_of_trec_eval(options: str) -> None:
    ours = lines(asked(*MEASURES, "-q", *options.split()))
    said = json.loads((MEASURED / "values.json").read_text(encoding="utf-8"))["trec_eval-9"]["values"][options]
    names = {name for _, name in ours}
    theirs = {(topic, name): value for topic, row in said.items() for name, value in row.items() if name in names}
    if options == "-c":  # which counts topics that the run lacks and does not print them
        ours = {key: value for key, value in ours.items() if key[0] != "7"}
    assert ours == theirs


@pytest.mark.extra("ir_measures")
@pytest.mark.extra("pytrec_eval")
def test_families_say_what_is_not_computed() -> None:
    result = asked("official")
    assert len([key for key in lines(result) if key[1].startswith("P_")]) == 9
    others = "gm_map (nearest: map, of which it is the geometric mean)"
    assert f"official includes measures that are not computed here: {others}\n" in result.stderr
    names, others_of_all = expanded("all_trec")
    assert len(measures_named(names)) == len(names) == 64
    assert {"relstring", "utility (nearest: num_rel_ret and num_ret)"} < set(others_of_all)
    assert lines(asked("iprec_at_recall.0.1,0.50")).keys() - {("all", "num_q")} == {
        ("all", "iprec_at_recall_0.10"),
        ("all", "iprec_at_recall_0.50"),
    }


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("gm_map",), "gm_map is not computed by ir_measures; the nearest measure is map, of which it is the"),
        (("iprec_at_recall.2",), "iprec_at_recall.2: recall levels '2'; expected numbers from 0 to 1"),
        (("P.5,x",), "P.5,x: cutoffs '5,x'; expected integers of at least 1, as in P.10,20"),
        (("ndcg", "--gain", "exponential"), "ndcg uses linear gains in trec_eval; for exponential gains, use nDCG"),
    ],
)
def test_measures_not_computed_here_are_one_line_and_exit_2(words: tuple[str, ...], message: str) -> None:
    refused(asked(*words), message)


def test_scores_of_python_have_our_names() -> None:
    found = score(["map", "ndcg_cut_5"], {"q": {"a": 1}}, {"q": {"a": 1.0}})
    assert found.mean == {"AP": 1.0, "nDCG@5": 1.0}
    with_parameter = score("ndcg_cut_5(aggregate=max)", {"q": {"a": 1}}, {"q": {"a": 1.0}})
    assert with_parameter.mean == {"nDCG(aggregate=max)@5": 1.0}
    with pytest.raises(InvalidInput, match="rbp is not computed by ir_measures; the nearest measure is RBP"):
        score("rbp", {"q": {"a": 1}}, {"q": {"a": 1.0}})
