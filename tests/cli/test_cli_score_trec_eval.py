"""`axiomcheck score` asked as trec_eval is: its names, its options, its lines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from axiomcheck.api.score import score
from axiomcheck.cli.program import main
from axiomcheck.core.errors import InvalidInput
from axiomcheck.runs.trec import measures_named
from axiomcheck.runs.trec.trec_names import expanded
from tests.cli.test_command_conformance import refused

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
    others = "num_ret, num_rel, num_rel_ret, gm_map, iprec_at_recall"
    assert f"official: not computed here: {others}\n" in result.stderr
    names, others_of_all = expanded("all_trec")
    assert len(measures_named(names)) == len(names) == 49
    assert {"11pt_avg", "utility"} < set(others_of_all)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("gm_map",), "gm_map: of trec_eval's measures these are computed here: map, ndcg, recip_rank"),
        (("num_ret",), "num_ret: of trec_eval's measures these are"),
        (("map.3",), "map.3: of trec_eval's measures these are"),
        (("P.5,x",), "P.5,x: cutoffs '5,x'; expected whole numbers from 1 on, as in P.10,20"),
        (("P.0",), "P.0: cutoffs '0'"),
        (("ndcg", "--gain", "exponential"), "ndcg of trec_eval has linear gains; expected nDCG with exponential ones"),
        ((), "Missing argument 'METRIC...'"),
    ],
)
def test_measures_not_computed_here_are_one_line_and_exit_2(words: tuple[str, ...], message: str) -> None:
    refused(invoke(*words), message)


def test_scores_of_python_have_our_names() -> None:
    found = score(["map", "ndcg_cut_5"], {"q": {"a": 1}}, {"q": {"a": 1.0}})
    assert found.mean == {"AP": 1.0, "nDCG@5": 1.0}
    with pytest.raises(InvalidInput, match="rbp: of trec_eval's measures"):
        score("rbp", {"q": {"a": 1}}, {"q": {"a": 1.0}})
