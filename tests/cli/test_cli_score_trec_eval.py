"""`axiomcheck score` asked as trec_eval is: its names, its options, its lines."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from axiomcheck import InvalidInput, score
from axiomcheck.cli.program import main
from axiomcheck.runs.trec import measures_named
from axiomcheck.runs.trec.trec_names import COUNTS, expanded
from tests.cli.test_command_conformance import refused
from tests.runs.trec_data import QRELS, RUNS, needs_data
from tests.support.suites import quality

MEASURED = Path(__file__).resolve().parents[1] / "runs/measured"
MEASURES = ("map", "map_cut.3", "ndcg", "ndcg_cut.3", "P.3", "recip_rank", "recall.3", "Rprec", "bpref", "success.1,3")
OF_LIBRARY = ("recall.3", "Rprec", "bpref", "success.1,3")


def invoke(*words: str) -> Result:
    given = ["--qrels", str(MEASURED / "adhoc.qrels"), "--run", str(MEASURED / "nasty.run"), "--format", "trec"]
    return CliRunner().invoke(main, ["score", *words, *given])


def lines(result: Result) -> dict[tuple[str, str], float]:
    """Return (topic, measure) -> value, without residuals, which trec_eval has none of."""
    assert result.exit_code == 0, result.output
    rows = [line.split("\t") for line in result.stdout.splitlines()]
    return {
        (topic, name.strip()): float(value)
        for name, topic, value in rows
        if name.strip() != "runid" and ":residual" not in name
    }


of_library = [pytest.mark.extra("ir_measures"), pytest.mark.extra("pytrec_eval")]
"""Names of the libraries that compute the measures which the catalogue lacks."""


@pytest.mark.parametrize("options", ["", "-c", "-l 2", "-M 3"])
@pytest.mark.parametrize(
    "measures",
    [
        tuple(name for name in MEASURES if name not in OF_LIBRARY),
        pytest.param((*MEASURES, "infAP"), marks=of_library),
    ],
    ids=["catalogue", "all"],
)
def test_the_lines_are_those_of_trec_eval(options: str, measures: tuple[str, ...]) -> None:
    ours = lines(invoke(*measures, "-q", *options.split()))
    said = json.loads((MEASURED / "values.json").read_text(encoding="utf-8"))["trec_eval-9"]["values"][options]
    theirs = {(topic, name): value for topic, row in said.items() for name, value in row.items()}
    if "bpref" not in measures:
        names = {name for _, name in ours}
        theirs = {key: value for key, value in theirs.items() if key[1] in names}
    if options == "-c":  # which counts topics that the run lacks and does not print them
        ours = {key: value for key, value in ours.items() if key[0] != "7"}
    assert ours == theirs


def test_names_typed_one_by_one_are_printed_as_typed() -> None:
    found = lines(invoke("map", "AP@3", "ndcg_cut_3", "P@1"))
    assert [name for topic, name in found] == ["map", "AP@3", "ndcg_cut_3", "P@1", "num_q"]
    assert lines(invoke("map", "AP")).keys() == lines(invoke("map")).keys()


@pytest.mark.extra("ir_measures")
@pytest.mark.extra("pytrec_eval")
def test_families_say_what_is_not_computed() -> None:
    result = invoke("official")
    assert len([key for key in lines(result) if key[1].startswith("P_")]) == 9
    others = "gm_map (nearest: map, of which it is the geometric mean)"
    assert f"official includes measures that are not computed here: {others}\n" in result.stderr
    names, others_of_all = expanded("all_trec")
    assert len(measures_named(names)) == len(names) == 64
    assert {"relstring", "utility (nearest: num_rel_ret and num_ret)"} < set(others_of_all)
    assert lines(invoke("iprec_at_recall.0.1,0.50")).keys() - {("all", "num_q")} == {
        ("all", "iprec_at_recall_0.10"),
        ("all", "iprec_at_recall_0.50"),
    }


JUDGED = {
    "1": {"a": 2, "b": 1, "c": 0, "d": 1, "e": 3},
    "2": {"a": 1, "b": 0, "c": 2},
    "3": {"a": 0, "b": 0},
}
RANKED = {
    "1": {"a": 9.0, "x": 8.0, "c": 7.0, "e": 6.0},
    "2": {"x": 9.0, "c": 8.0},
    "3": {"b": 9.0, "y": 8.0},
}


def agree_with_pytrec_eval(found: dict[tuple[str, str], float], level: int, judged: Any, ranked: Any) -> set[str]:
    """Return the names of measures with other values than pytrec_eval's for some topic, or another sum of counts."""
    import pytrec_eval

    asked = pytrec_eval.RelevanceEvaluator(judged, pytrec_eval.supported_measures, relevance_level=level)
    theirs = asked.evaluate(ranked)
    other = {n for (topic, n), value in found.items() if topic != "all" and abs(theirs[topic][n] - value) > 5.1e-5}
    sums = {n: sum(row[n] for row in theirs.values()) for n in COUNTS}
    return other | {name for name, value in sums.items() if found["all", name] != value}


def written(judged: Any, ranked: Any, folder: Path) -> list[str]:
    qrels = "".join(f"{t} 0 {d} {g}\n" for t, row in judged.items() for d, g in row.items())
    run = "".join(f"{t} Q0 {d} 1 {s} tag\n" for t, row in ranked.items() for d, s in row.items())
    (folder / "qrels").write_text(qrels)
    (folder / "run").write_text(run)
    return ["--qrels", str(folder / "qrels"), "--run", str(folder / "run"), "-f", "trec", "-q"]


@pytest.mark.extra("ir_measures")
@pytest.mark.extra("pytrec_eval")
@pytest.mark.parametrize("level", [1, 2, 3])
def test_all_trec_is_what_pytrec_eval_computes(level: int, tmp_path: Path) -> None:
    """Beside the official ones: a level made NumRet count relevant documents, and NumRel had the level 1 only."""
    given = written(JUDGED, RANKED, tmp_path)
    found = lines(CliRunner().invoke(main, ["score", "all_trec", *given, "-l", str(level)]))
    assert len(found) == 64 * 4 + 1
    assert agree_with_pytrec_eval(found, level, JUDGED, RANKED) == set()
    for planted in ({("1", "num_ret"): 3.0}, {("all", "num_rel"): 0.0}, {("2", "iprec_at_recall_0.50"): 0.3}):
        ((_, name),) = planted
        assert agree_with_pytrec_eval(found | planted, level, JUDGED, RANKED) == {name}
    if level > 1:
        assert "num_rel" in agree_with_pytrec_eval(found, 1, JUDGED, RANKED)
    shown = CliRunner().invoke(main, ["score", "num_ret", *given]).stdout
    assert "num_ret               \tall\t8\n" in shown  # as trec_eval prints counts


@quality
@needs_data
@pytest.mark.extra("ir_measures")
@pytest.mark.extra("pytrec_eval")
def test_official_of_real_runs_is_what_pytrec_eval_computes(tmp_path: Path) -> None:
    judged: dict[str, dict[str, int]] = {}
    for line in gzip.decompress(QRELS.read_bytes()).decode().splitlines():
        topic, _, document, grade = line.split()
        grades = judged.setdefault(topic, {})
        grades[document] = max(grades.get(document, 0), int(grade))
    for path in RUNS[:2]:
        ranked: dict[str, dict[str, float]] = {}
        for line in gzip.decompress(path.read_bytes()).decode().splitlines():
            topic, _, document, _, score_, _ = line.split()
            ranked.setdefault(topic, {})[document] = float(score_)
        found = lines(CliRunner().invoke(main, ["score", "official", *written(judged, ranked, tmp_path)]))
        assert agree_with_pytrec_eval(found, 1, judged, ranked) == set()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("gm_map",),
            "gm_map is not computed by ir_measures; the nearest measure is map, of which it is the geometric",
        ),
        (("relstring",), "relstring is not computed here; expected one of trec_eval's measures map, ndcg, recip_rank"),
        (("iprec_at_recall.2",), "iprec_at_recall.2: levels of recall '2'; expected numbers from 0 to 1"),
        (("map.3",), "map.3 is not computed here"),
        (("P.5,x",), "P.5,x: cutoffs '5,x'; expected whole numbers of at least 1, as in P.10,20"),
        (("P.0",), "P.0: cutoffs '0'"),
        (("ndcg", "--gain", "exponential"), "ndcg uses linear gains in trec_eval; for exponential gains, use nDCG"),
        ((), "Missing argument 'METRIC...'"),
    ],
)
def test_measures_not_computed_here_are_one_line_and_exit_2(words: tuple[str, ...], message: str) -> None:
    refused(invoke(*words), message)


def test_scores_of_python_have_our_names() -> None:
    found = score(["map", "ndcg_cut_5"], {"q": {"a": 1}}, {"q": {"a": 1.0}})
    assert found.mean == {"AP": 1.0, "nDCG@5": 1.0}
    with pytest.raises(InvalidInput, match="rbp is not computed by ir_measures; the nearest measure is RBP"):
        score("rbp", {"q": {"a": 1}}, {"q": {"a": 1.0}})
