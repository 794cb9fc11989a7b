"""What ir_measures says of the nasty run through each library that it calls, against the rule of ties named for it."""

from __future__ import annotations

import logging
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from axiomcheck.runs.trec import Options, measures_named, read_qrels, read_run, score_runs
from tests.runs.test_trec_measured import MEASURED

ir_measures = pytest.importorskip("ir_measures")

ALIKE = (
    *("AP", "AP(rel=2)", "AP(rel=2)@3", "P@3", "P(rel=3)@3", "RR", "RR(rel=2)", "nDCG", "nDCG@3", "Rprec", "R@3"),
    *("Bpref", "Bpref(rel=2)", "Success@1", "Success(rel=2)@3", "infAP", "infAP(rel=2)", "SetP", "SetR", "SetF"),
    "SetAP(rel=2)",
)
"""What is spelled as in ir_measures."""
PYTREC_EVAL = dict(zip(ALIKE, ALIKE, strict=True))
PYNDEVAL = {
    "trec-ERR-IA@5": "ERR_IA@5",
    "trec-nERR-IA@20": "nERR_IA@20",
    "trec-alpha-DCG@5": "alpha_DCG@5",
    "trec-alpha-nDCG@10": "alpha_nDCG@10",
    "trec-NRBP": "NRBP",
    "trec-AP-IA": "AP_IA",
    "trec-P-IA@5": "P_IA@5",
    "trec-S-Recall@5": "StRecall@5",
}
GDEVAL = {"nDCG(gain=exponential)@3": "nDCG(dcg='exp-log2')@3", "ERR(gain=exponential)@20": "ERR@20"}
CWL = {"P@3": "P@3", "RR": "RR", "RBP(p=0.8, rel=2)": "RBP(p=0.8,rel=2)"}


@pytest.mark.parametrize(
    ("provider", "ties", "qrels", "names", "close"),
    [
        ("pytrec_eval", "trec_eval", "adhoc", PYTREC_EVAL, 1e-9),
        ("pyndeval", "pyndeval", "diversity", PYNDEVAL, 1e-9),
        # by itself, for ir_measures reads the run to its end for the first level of relevance
        ("pyndeval", "pyndeval", "diversity", {"trec-alpha-nDCG(rel=2)@10": "alpha_nDCG(rel=2)@10"}, 1e-9),
        ("judged", "pyndeval", "adhoc", {"Judged@1": "Judged@1", "Judged@20": "Judged@20"}, 1e-12),
        ("msmarco", "pyndeval", "adhoc", {"RR(rel=1)@3": "RR(rel=1)@3", "RR(rel=2)": "RR(rel=2)"}, 1e-12),
        ("gdeval", "gdeval", "adhoc", GDEVAL, 5.1e-6),
        ("cwl_eval", "score", "adhoc", CWL, 1e-12),
    ],
)
def test_every_provider(provider: str, ties: Any, qrels: str, names: dict[str, str], close: float) -> None:
    if provider == "gdeval" and shutil.which("perl") is None:
        pytest.skip("gdeval.pl needs perl")
    logging.getLogger("cwl").disabled = True
    ours = of_ours(ties, qrels, names)
    measures = {ir_measures.parse_measure(theirs): name for name, theirs in names.items()}
    theirs = list(
        getattr(ir_measures, provider).iter_calc(
            list(measures),
            list(ir_measures.read_trec_qrels(str(MEASURED / f"{qrels}.qrels"))),
            grouped(),
        )
    )
    found = [(row.query_id, measures[row.measure], row.value) for row in theirs if row.query_id in ours]
    assert len(found) >= 8 * len(names)
    assert max(abs(ours[topic][name] - value) for topic, name, value in found) < close
    other = of_ours("file" if ties != "file" else "trec_eval", qrels, names)
    assert max(abs(other[topic][name] - value) for topic, name, value in found) > 1e-3


def of_ours(ties: Any, qrels: str, names: dict[str, str]) -> dict[str, dict[str, float]]:
    """Topic -> name as typed -> score."""
    measures = measures_named(names)
    judgments, run = read_qrels(MEASURED / f"{qrels}.qrels"), read_run(MEASURED / "nasty.run", ranks=True)
    highest: Any = 4 if ties == "gdeval" else "file"
    (scores,) = score_runs(measures, judgments, [run], Options(ties, highest=highest))
    typed = dict(zip(map(str, measures), names, strict=True))
    return {t: {typed[name]: value for name, value in row.items()} for t, row in scores.per_topic.items()}


def grouped() -> list[Any]:
    """The run with every topic in one place: pyndeval and cwl-eval take a topic that comes again for another one."""
    rows = list(ir_measures.read_trec_run(str(MEASURED / "nasty.run")))
    return sorted(rows, key=lambda row: int(row.query_id))


@pytest.mark.parametrize("lines", ["of MS MARCO", "of TREC"])
def test_ms_marcos_script_reads_ranks(lines: str, tmp_path: Path) -> None:
    """The functions of its script that read files, as ir_measures has them; scores that say otherwise are not read."""
    script = pytest.importorskip("ir_measures.bin.msmarco_eval")
    rng = np.random.default_rng(3)
    judged = [(topic, document) for topic in range(1, 9) for document in rng.permutation(40)[:2] + 1]
    ranked = [(t, d + 1, rank) for t in range(1, 9) for rank, d in enumerate(rng.permutation(40)[:25], 1)]
    shuffled = [ranked[k] for k in rng.permutation(len(ranked))]
    (tmp_path / "qrels").write_text("".join(f"{t}\t0\t{d}\t1\n" for t, d in judged))
    (tmp_path / "candidate").write_text("".join(f"{t}\t{d}\t{rank}\n" for t, d, rank in shuffled))
    (tmp_path / "run").write_text("".join(f"{t} Q0 {d} {rank} {rank % 3} x\n" for t, d, rank in shuffled))
    theirs = script.compute_metrics(
        script.load_reference(str(tmp_path / "qrels")), script.load_candidate(str(tmp_path / "candidate"))
    )["MRR @10 by query"]
    run = read_run(tmp_path / ("run" if lines == "of TREC" else "candidate"), ranks=True)
    (found,) = score_runs(measures_named(["RR@10"]), read_qrels(tmp_path / "qrels"), [run], Options("msmarco"))
    assert {int(topic): row["RR@10"] for topic, row in found.per_topic.items()} == theirs
    assert len(set(theirs.values())) > 3
    if lines == "of TREC":
        (other,) = score_runs(measures_named(["RR@10"]), read_qrels(tmp_path / "qrels"), [run], Options())
        assert other.per_topic != found.per_topic


def test_cwl_eval_takes_the_lines_as_they_come(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    program = pytest.importorskip("cwl.cwl_eval")
    monkeypatch.chdir(tmp_path)  # it writes a log there
    judged = [line.split() for line in (MEASURED / "adhoc.qrels").read_text(encoding="utf-8").splitlines()]
    gains = "".join(f"{t} 0 {name} {max(int(grade), 0) / 4}\n" for t, _, name, grade in judged)
    (tmp_path / "gains").write_text(gains, encoding="utf-8")
    lines = (MEASURED / "nasty.run").read_text(encoding="utf-8").splitlines()
    lines = sorted((line for line in lines if not line.startswith("8 ")), key=lambda line: int(line.split()[0]))
    (tmp_path / "run").write_text(
        "\n".join(lines) + "\n", encoding="utf-8"
    )  # a topic that comes again is another there
    log = logging.getLogger("cwl")
    try:
        program.main("run", "gains")
    finally:
        for handler in list(log.handlers):
            log.removeHandler(handler)
            handler.close()
    rows = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    theirs = {row[0]: float(row[2]) for row in rows if row[1] == "RBP@0.8"}
    judgments, run = read_qrels(MEASURED / "adhoc.qrels"), read_run(tmp_path / "run")
    for ties, close in (("file", True), ("trec_eval", False)):
        (found,) = score_runs(measures_named(["RBP(p=0.8)"]), judgments, [run], Options(ties))  # type: ignore[arg-type]
        ours = {topic: row["RBP(p=0.8)"] for topic, row in found.per_topic.items()}
        assert ours.keys() == theirs.keys()
        assert (max(abs(ours[topic] - value) for topic, value in theirs.items()) < 5.1e-5) is close
