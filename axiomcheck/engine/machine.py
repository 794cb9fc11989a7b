"""Where the pieces of a run are decided: on this machine, or, with a cluster, as far as metrics can be sent there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from axiomcheck.decide.search import BLOCK
from axiomcheck.engine.foreign import Isolated
from axiomcheck.engine.places import Place, Pool, ThisProcess
from axiomcheck.engine.tasks import Foreign, Plan, Question
from axiomcheck.metrics import Metric
from axiomcheck.processes.isolation import Limits, Work, Workers
from axiomcheck.processes.workers import travels
from axiomcheck.sources.provenance import is_genuine


@dataclass(frozen=True)
class Places:
    """The places of a run, each with the questions that are decided there.

    Args:
        own: for metrics that are objects.
        by_name: for metrics by their names, each in a process of its own.
        workers: the processes of those, for what has to be known of a metric before and after.

    """

    own: Sequence[tuple[Place, Sequence[Question]]]
    by_name: tuple[Place, Sequence[Question]]
    workers: Workers


@dataclass(frozen=True)
class Machine:
    """Processes of this machine, and of others where there is a cluster.

    Args:
        jobs: worker processes; 1 works in this one, and so does any number if a metric object cannot be sent there,
            such as one made of a lambda, or of a function of the script or notebook at work.
        limits: on each cell of a metric from outside.
        workers: to decide such metrics in, within their limits; None starts as many as jobs.
        cluster: where cells are decided instead, entered and left by the caller. Metric objects that are not the
            catalogue's are decided on this machine all the same.
        beside: other work that the workers are at, each of which takes the place of a cell; fewer than ``jobs``.

    """

    jobs: int = 1
    limits: Limits = Limits()  # noqa: RUF009 - immutable
    workers: Workers | None = None
    cluster: Place | None = None
    beside: Sequence[Future[Work]] = ()

    @contextmanager
    def entered(self, plan: Plan) -> Iterator[Places]:
        """Start what a plan needs, and end it."""
        names: list[Question] = []
        sent: list[Question] = []
        rest: list[Question] = []
        away = self.cluster is not None and travels(plan.axioms)
        for metric, questions in _by_metric(tuple({question.key: question for question in plan.questions}.values())):
            if plan.budget is not None or not isinstance(metric, Metric):
                names += questions
            elif away and is_genuine(metric):
                sent += questions
            else:
                rest += questions
        with ExitStack() as entered:
            own: list[tuple[Place, Sequence[Question]]] = []
            if self.cluster is not None and sent:
                own.append((self.cluster, sent))
            if rest:
                own.append((entered.enter_context(self._local(plan, rest)), rest))
            workers = self.workers or entered.enter_context(Workers(self.jobs, self.limits))
            isolated = self.cluster or Isolated(workers, self.jobs, self.beside)
            yield Places(own, (isolated, names), workers)

    @contextmanager
    def _local(self, plan: Plan, questions: Sequence[Question]) -> Iterator[Place]:
        """Return this process, or a pool of several."""
        metrics = [metric for metric, _ in _by_metric(questions)]
        several = plan.until is not None or plan.settings.examples > BLOCK  # blocks of a cell at a time
        jobs = self.jobs if several else min(self.jobs, len(questions))
        if jobs == 1 or not travels((metrics, plan.axioms)):
            yield ThisProcess()
            return
        with Pool(jobs) as pool:
            yield pool


def _by_metric(questions: Sequence[Question]) -> list[tuple[Metric | Foreign, list[Question]]]:
    """Return the questions of every metric, together; metrics may have an equality of their own."""
    found: dict[int, tuple[Metric | Foreign, list[Question]]] = {}
    for question in questions:
        found.setdefault(id(question.metric), (question.metric, []))[1].append(question)
    return list(found.values())
