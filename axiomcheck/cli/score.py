"""The command `axiomcheck score`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from axiomcheck.api.options import options_of
from axiomcheck.api.score import ScoreOptions, ScoringOptions
from axiomcheck.cli.console import check_writable, deliver, say
from axiomcheck.cli.exits import epilog
from axiomcheck.cli.options import asks, complete_metric, formats
from axiomcheck.cli.progress import Counted
from axiomcheck.cli.runs import Given, scores_runs
from axiomcheck.reports.score_report import scores_csv, scores_json, scores_report, scores_trec
from axiomcheck.runs.trec import Scores, measures_named, score_runs
from axiomcheck.runs.trec.trec_names import expanded


@click.command(
    "score",
    epilog=epilog(
        'axiomcheck score nDCG@20 "AP(rel=2)" --qrels qrels --run my.run',
        'axiomcheck score RBU@20 "INST(aggregate=max)" --qrels qrels --run my.run -q',
        "axiomcheck score -m map -m ndcg_cut.10,20 --qrels qrels --run my.run -f trec",
    ),
)
@click.argument("metrics", nargs=-1, metavar="METRIC...", shell_complete=complete_metric)
@click.option(
    "-m",
    "--measure",
    "families",
    multiple=True,
    metavar="NAME",
    help="Measures as trec_eval -m names them: map, ndcg_cut.10,20, P, official, all_trec; may be repeated.",
)
@scores_runs
@asks(ScoreOptions, without=tuple(options_of(ScoringOptions)))
@click.option("-q", "--per-topic", is_flag=True, help="Print every topic, too.")
@formats("trec", "csv", "markdown", "html")
def command(
    metrics: tuple[str, ...],
    families: tuple[str, ...],
    given: Given,
    complete: bool,
    per_topic: bool,
    format_: str,
    output: Path | None,
) -> None:
    """Score runs against judgments by METRIC..., such as nDCG@20, "AP(rel=2)" or "alpha-nDCG(alpha=0.5)@20".

    Measures that the catalogue lacks, such as R@k, Rprec, Bpref and Judged@k, are computed by ir_measures under its own
    names. Names of trec_eval, such as map or ndcg_cut_10, are accepted, too.

    Topics without judgments or results, and documents without a judgment, are reported on stderr, since the scores
    depend on them. The format trec is that of trec_eval's output.
    """
    check_writable(output, read=[*given.files, *metrics])
    options = replace(given.options, complete=complete)
    members = [expanded(family) for family in families]
    chosen = measures_named([*metrics, *(name for names, _ in members for name in names)])
    with Counted() as show:
        judgments, read = given.read(show)
        found = score_runs(chosen, judgments, read, options, show.of("topics"))
    tags, typed = [run.tag for run in read], {str(one): one.typed for one in chosen if one.typed}
    writers = {
        "trec": lambda: scores_trec(found, tags, per_topic, typed),
        "csv": lambda: scores_csv(found, per_topic),
        "json": lambda: scores_json(found, tags, per_topic),
    }
    _say(found)
    for family, (_, others) in zip(families, members, strict=True):
        if others:
            say(f"-m {family}: not computed here: {', '.join(others)}")
    deliver(format_, lambda: scores_report(found, per_topic), writers, output)


def _say(found: Sequence[Scores]) -> None:
    for scores in found:
        for note in scores.notes:
            say(f"{scores.run}: {note}")
