"""Define the command `axiomcheck score`."""

from __future__ import annotations

from pathlib import Path

import click

from axiomcheck.cli.console import check_writable, deliver, say
from axiomcheck.cli.forms import formats
from axiomcheck.cli.help import command_named
from axiomcheck.cli.options import metrics_argument
from axiomcheck.cli.progress import parts_done, progress_bar
from axiomcheck.cli.runs import Given, reads_runs
from axiomcheck.reports.score_report import scores_csv, scores_json, scores_report, scores_trec
from axiomcheck.runs.trec import measures_asked, score_runs


@command_named(
    "score",
    'axiomcheck score nDCG@20 "AP(rel=2)" --qrels qrels --run my.run',
    'axiomcheck score RBU@20 "INST(aggregate=max)" --qrels qrels --run my.run -q',
    "axiomcheck score map ndcg_cut.10,20 --qrels qrels --run my.run -f trec",
)
@metrics_argument
@reads_runs
@click.option("-q", "--per-topic", is_flag=True, help="Also print the scores for every topic.")
@formats("trec", "csv")
def command(
    metrics: tuple[str, ...],
    given: Given,
    per_topic: bool,
    format_: str,
    output: Path | None,
) -> None:
    """Score runs against judgments.

    METRIC is a metric in the catalogue, such as nDCG@20 or "AP(rel=2)", an ir_measures measure, such as Rprec, Bpref or
    Judged@10, or a trec_eval name: map, ndcg_cut_10, or a family such as P.5,10, recall or official.

    Topics without judgments or results, and documents without a judgment, are reported on standard error. The trec
    format is the output format of trec_eval.
    """
    check_writable(output, read=[*given.files, *metrics])
    with progress_bar() as listen:
        chosen, notes = measures_asked(metrics)
        judgments, read = given.read(listen)
        found = score_runs(chosen, judgments, read, given.options, parts_done(listen, "topics"))
    tags, typed = [run.tag for run in read], {str(one): one.typed for one in chosen if one.typed}
    writers = {
        "trec": lambda: scores_trec(found, tags, per_topic, typed),
        "csv": lambda: scores_csv(found, per_topic),
        "json": lambda: scores_json(found, tags, per_topic),
    }
    for note in [*(f"{scores.run}: {note}" for scores in found for note in scores.notes), *notes]:
        say(note)
    deliver(format_, lambda: scores_report(found, per_topic), writers, output)
