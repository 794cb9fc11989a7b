"""What TREC's own tools say of the nasty run in tests/runs/measured, written beside it as values.json.

    python benchmarks/tool_values.py trec_eval-9=PATH trec_eval-10=PATH ndeval=PATH gdeval=PATH rbu=PATH

PATH is the program (trec_eval, ndeval), the Perl script (gdeval.pl) or the Java archive (of the program released with
RBU's paper), installed by whoever runs this. Tools that are not named keep the values that the file has. The tests hold
`axiomcheck score` to the file, so that they need no tool.
"""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parents[1] / "tests/runs/measured"
MEASURES = (
    "map",
    "map_cut.3",
    "ndcg",
    "ndcg_cut.3",
    "P.3",
    "recip_rank",
    "recall.3",
    "Rprec",
    "bpref",
    "success.1,3",
    "infAP",
    "num_q",
)
OPTIONS = [[], ["-c"], ["-l", "2"], ["-M", "3"]]
CALLS: dict[str, tuple[list[str], str, list[list[str]]]] = {
    "trec_eval-9": (["--version"], "adhoc.qrels", OPTIONS),
    # without -c version 10 ends with an error where the run lacks a judged topic
    "trec_eval-10": (["--version"], "adhoc.qrels", [["-c", *more] for more in OPTIONS if more != ["-c"]]),
    "ndeval": (["-version"], "diversity.qrels", [[], ["-traditional"], ["-c"], ["-M", "2"]]),
    "gdeval": (["-version"], "adhoc.qrels", [["-k", "20"], ["-k", "3"], ["-c"]]),
}
"""Tool -> how it tells its version, the judgments that it reads, and the options of each call."""


def told(words: list[str], check: bool = True) -> str:
    """What a program prints."""
    done = subprocess.run(words, capture_output=True, text=True, check=check, cwd=HERE)
    return done.stdout + ("" if check else done.stderr)


def number(text: str) -> float | None:
    """A value; None where a tool says nan."""
    value = float(text)
    return value if math.isfinite(value) else None


def by_topic(tool: str, text: str) -> dict[str, dict[str, float | None]]:
    """Topic ('all' for the mean) -> measure -> value."""
    out: dict[str, dict[str, float | None]] = {}
    lines = text.splitlines()
    if tool.startswith("trec_eval"):
        for line in lines:
            measure, topic, value = line.split()
            out.setdefault(topic, {})[measure] = number(value)
        return out
    head = lines[0].split(",")[2:]
    for line in lines[1:]:
        _, topic, *values = line.split(",")
        out["all" if topic == "amean" else topic] = dict(zip(head, map(number, values), strict=True))
    return out


def of_rbu(archive: str) -> dict[str, object]:
    """What RBU's program says of the run in the order of its ranks, with uniform weights."""
    judged = [line.split() for line in (HERE / "diversity.qrels").read_text(encoding="utf-8").splitlines()]
    ranked = [line.split() for line in (HERE / "nasty.run").read_text(encoding="utf-8").splitlines()]
    aspects: dict[str, set[str]] = {}
    for topic, aspect, _, _ in judged:
        aspects.setdefault(topic, set()).add(aspect)
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        gold = [f"{t}\t{name}\t{grade}\t{a}\t{1 / len(aspects[t])}\n" for t, a, name, grade in judged]
        (here / "gold").write_text("".join(gold), encoding="utf-8")
        ranked.sort(key=lambda row: int(row[3]))
        (here / "run").write_text("".join(f"{row[0]}\t{row[2]}\n" for row in ranked), encoding="utf-8")
        words = ["java", "-Duser.language=en", "-jar", archive, "0.8", "0.03", "gold", "run"]
        subprocess.run(words, check=True, capture_output=True, cwd=here)
        lines = (here / "Results.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.replace('"', "").split("\t") for line in lines if line and not line.startswith("#")]
    topics = {topic: {"RBU": number(value)} for topic, value in rows if topic in aspects}
    return {"version": "rbu 0.1", "qrels": "diversity.qrels", "values": {"0.8 0.03": topics}}


def main(given: list[str]) -> None:
    """Calls the tools and writes what they say."""
    path = HERE / "values.json"
    known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    for word in given:
        tool, _, program = word.partition("=")
        if tool == "rbu" and Path(program).is_file():
            known[tool] = of_rbu(str(Path(program).resolve()))
            continue
        if tool not in CALLS or not Path(program).is_file():
            raise SystemExit(f"{word}: expected {', '.join(CALLS)} or rbu, '=' and the program's path")
        version, qrels, calls = CALLS[tool]
        start = ["perl", str(Path(program).resolve())] if tool == "gdeval" else [str(Path(program).resolve())]
        asked = ["-q", *(word for name in MEASURES for word in ("-m", name))] if tool.startswith("trec_eval") else []
        known[tool] = {
            "version": told([*start, *version], check=False).strip().split(": ")[-1].splitlines()[0],
            "qrels": qrels,
            "values": {
                " ".join(options): by_topic(tool, told([*start, *asked, *options, qrels, "nasty.run"]))
                for options in calls
            },
        }
    text = re.sub(r"\{\s*([^{}]*?)\s*\}", lambda row: f"{{{' '.join(row[1].split())}}}", json.dumps(known, indent=1))
    path.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
