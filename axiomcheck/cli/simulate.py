"""The command `axiomcheck simulate`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TypedDict, Unpack

import click

from axiomcheck.api.options import Seed
from axiomcheck.cli.console import check_picture, check_writable, deliver
from axiomcheck.cli.exits import epilog
from axiomcheck.cli.options import asks, formats
from axiomcheck.core.counting import counted
from axiomcheck.core.errors import InvalidInput, UnknownName
from axiomcheck.metrics import CATALOGUE, parse
from axiomcheck.metrics.browsing import CascadeModel, Explicit, User
from axiomcheck.metrics.stopping import StoppingMetric
from axiomcheck.reports.simulate_report import study_json, study_report
from axiomcheck.runs.simulate import study

_MOST_DOCUMENTS = 200
"""Maximum number of documents; the exact computation uses rational arithmetic in at least quadratic time."""
_MOST_USERS = 10_000_000
_LARGEST = 10**9
_NUMBER = re.compile(r"[+-]?(\d{1,50}(\.\d{0,50})?|\.\d{1,50})([eE][+-]?\d{1,3})?|\d{1,50}/\d{1,50}", re.ASCII)


class SimulateOptions(TypedDict, total=False):
    """Options of ``axiomcheck simulate`` that are shared with other commands."""

    seed: Seed


@click.command(
    "simulate",
    epilog=epilog(
        "axiomcheck simulate --run 1,0,0,1,0,0,1,0,0,1 --run 0,1,1,1,1,0,0,0,0,0",
        'axiomcheck simulate --run 1,0,1 --browsing "RBP(p=0.8)" -o rbp.svg',
        "axiomcheck simulate --run 1,0,1 --forward 0.9,0.5,0 --backward 0,0.2,0.3",
    ),
)
@click.option(
    "--run",
    "runs",
    multiple=True,
    required=True,
    metavar="GRADES",
    help="Grades in rank order, such as 1,0,0,1 or 1/2,0.25; once or twice.",
)
@click.option(
    "--browsing",
    metavar="NAME",
    default=None,
    help="A P@H metric, such as AP, RBP(p=0.8) or P@H-walk(p=0.5,q=0.25,loss=0.25). Default: walk.",
)
@click.option(
    "--forward", metavar="P1,...,PN", default=None, help="A chain by its probabilities of going on; P_N is 0."
)
@click.option(
    "--backward", metavar="Q1,...,QN", default=None, help="And of going back; Q_1 is 0. Default: nobody goes back."
)
@click.option("--loss", default=None, metavar="X", help="With --forward: the utility lost at every visit. Default: 0.")
@click.option("--users", type=click.IntRange(2, _MOST_USERS), default=100_000, show_default=True, help="Users per run.")
@asks(SimulateOptions)
@formats("markdown", "html", picture=True)
def command(
    runs: tuple[str, ...],
    browsing: str | None,
    forward: str | None,
    backward: str | None,
    loss: str | None,
    users: int,
    format_: str,
    output: Path | None,
    **options: Unpack[SimulateOptions],
) -> None:
    """Simulate users who browse one or two rankings, and compare P@H of both."""
    if len(runs) > 2:
        raise InvalidInput(f"--run is given {counted(len(runs), 'time')}; expected one or two runs")
    seed = options["seed"]
    if seed < 0:
        raise InvalidInput(f"--seed {seed}: expected 0 or more")
    name, user, cutoff = _user(browsing, forward, backward, loss, runs)
    read = [_run(text, user)[:cutoff] for text in runs]
    check_writable(output)
    check_picture(output, format_)
    found = study(name, user, read, users, seed)
    writers = {"json": lambda: study_json(found)}
    deliver(format_, lambda: study_report(found), writers, output)


def _user(
    browsing: str | None, forward: str | None, backward: str | None, loss: str | None, runs: Sequence[str]
) -> tuple[str, User, int | None]:
    """Return the name, the user model and the cutoff selected by the options."""
    if forward is not None:
        if browsing is not None:
            raise InvalidInput("--browsing and --forward are both given; expected one of them")
        on = _numbers("--forward", forward)
        back = _numbers("--backward", backward) if backward is not None else [Fraction(0)] * len(on)
        _check_lengths(runs, {"--forward": on, "--backward": back})
        lost = _numbers("--loss", loss or "0")
        if len(lost) != 1:
            raise InvalidInput(f"--loss {loss}: expected one number from 0 to 1")
        return "a chain of its own", User(Explicit(tuple(on), tuple(back)), lost[0]), None
    if backward is not None or loss is not None:
        raise InvalidInput("--backward and --loss go with --forward; a named model has parameters, as in walk(loss=0)")
    asked = (browsing or "walk").strip()
    bare = asked[4:] if asked.casefold().startswith("p@h-") else asked
    models = [name.removeprefix("P@H-") for name, cls in CATALOGUE.items() if issubclass(cls, StoppingMetric)]
    word = bare.partition("(")[0].partition("@")[0].strip()
    if word.casefold() not in {name.casefold() for name in models}:
        raise UnknownName("browsing model", word, models)
    metric = parse(f"P@H-{bare}")
    assert isinstance(metric, StoppingMetric)
    # All three orders are shown, so the name omits the order.
    order = f"order={metric.values['order']}"
    name = metric.canonical.replace(f", {order}", "").replace(f"({order})", "")
    return name, metric.user(), metric.cutoff


def _check_lengths(runs: Sequence[str], chain: Mapping[str, Sequence[Fraction]]) -> None:
    """Check that a chain has one probability per rank, as p_N = 0 and q_1 = 0 require."""
    for text in runs:
        documents = len(_numbers("--run", text))
        for option, values in chain.items():
            if len(values) != documents:
                given = f"{len(values)} probabilit{'y' if len(values) == 1 else 'ies'}"
                ranks = counted(documents, "document")
                raise InvalidInput(f"{option} has {given} and --run {text} {ranks}; expected one for every rank")


def _numbers(option: str, text: str) -> list[Fraction]:
    out = []
    for place, part in enumerate(text.split(","), 1):
        try:
            if not _NUMBER.fullmatch(part.strip()):
                raise ValueError
            value = Fraction(part.strip())
        except (ValueError, ZeroDivisionError):
            raise InvalidInput(
                f"{option}: cannot read {part.strip()!r} at place {place}; expected numbers and commas"
            ) from None
        if abs(value) > _LARGEST:
            raise InvalidInput(f"{option}: {part.strip()} at place {place} is too large; expected at most {_LARGEST:,}")
        out.append(value)
    return out


def _run(text: str, user: User) -> list[Fraction]:
    grades = _numbers("--run", text)
    if len(grades) > _MOST_DOCUMENTS:
        raise InvalidInput(f"--run: {counted(len(grades), 'document')}; expected at most {_MOST_DOCUMENTS}")
    probability = isinstance(user.browsing, CascadeModel)
    for place, grade in enumerate(grades, 1):
        if grade < 0 or (probability and grade > 1):
            wanted = "a probability, 0 to 1" if probability else "0 or more"
            raise InvalidInput(f"--run: grade {grade} at rank {place}; expected {wanted}")
    return grades
