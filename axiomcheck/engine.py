"""Decides cells: plans them, searches constraint by constraint (in worker processes if asked), and reports events."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, as_completed, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, nullcontext
from dataclasses import asdict, dataclass, replace
from multiprocessing.process import BaseProcess
from multiprocessing.queues import SimpleQueue
from typing import Any

import numpy as np

from axiomcheck import reasons
from axiomcheck.axioms import Axiom, PairAxiom, ThresholdAxiom, find_axiom
from axiomcheck.batch import Batch
from axiomcheck.contract.undeclared import evidence_past_cutoff
from axiomcheck.domain import Domain, Reading, assumes_small
from axiomcheck.errors import AxiomcheckError, InternalDisagreement, InvalidInput, MetricError
from axiomcheck.faithful import check_metric_is_one_function
from axiomcheck.interrupts import deaf_births
from axiomcheck.isolation import Limits, Workers, outcome_of
from axiomcheck.metrics import Abilities, Metric, row_of
from axiomcheck.metrics.provenance import check_name, identity_of, runs_catalogue_code
from axiomcheck.numeric import ACROSS
from axiomcheck.proof.contradictions import contradiction
from axiomcheck.proof.induction import prove_by_induction
from axiomcheck.proof.proving import Proof, proof_sentence, prove, scope_text
from axiomcheck.published import published_claim
from axiomcheck.received import as_asked
from axiomcheck.resolve import library_of, resolve
from axiomcheck.search import DEEPEST, Coverage, Settings, domain_seen, search_group
from axiomcheck.shrink import shrink
from axiomcheck.tally import Tally
from axiomcheck.threshold_witness import ThresholdWitness
from axiomcheck.thresholds import Tried, decide_threshold
from axiomcheck.verdict import Cell, Ledger, Verdict, hinted
from axiomcheck.witness import witness_of
from axiomcheck.worker.sweep import end_with

__all__ = ["CellDecided", "Event", "Foreign", "Interrupted", "Limits", "Progress", "run_matrix", "with_proof"]

Array = Any


_MOST_UNRESOLVED = 0.05
"""A search in floats, or for dominance, that leaves more than this share of its instances open has not shown that a
constraint held."""


_ELSEWHERE = 1e-9
"""Scores in two processes may differ by this: a library need not add up in the same order."""

_UNREADABLE = "unreadable"
"""For the identity of a metric whose attributes raise when they are read, or go on without end."""


@dataclass(frozen=True)
class Progress:
    """A share of the whole work is done.

    Args:
        share: from 0 to 1.
        doing: the constraints that are being searched.

    """

    share: float
    doing: str


@dataclass(frozen=True)
class CellDecided:
    """A cell has its verdict."""

    cell: Cell


Event = Progress | CellDecided
Listener = Callable[[Event], None]


class Interrupted(AxiomcheckError):
    """The run was interrupted; `ledger` holds what was decided, the other cells as undecided."""

    def __init__(self, ledger: Ledger) -> None:
        super().__init__("interrupted")
        self.ledger = ledger


@dataclass(frozen=True)
class _Task:
    axiom: Axiom
    metrics: tuple[Metric, ...]
    reading: Reading
    settings: Settings


@dataclass(frozen=True)
class Foreign:
    """A metric from outside the catalogue, by name: loaded and run in worker processes only.

    Args:
        canonical: as `axiomcheck.resolve.resolve` takes it.

    """

    canonical: str


def run_matrix(
    metrics: Sequence[Metric | Foreign],
    axioms: Sequence[Axiom],
    reading: Reading = Reading(),  # noqa: B008 - immutable
    settings: Settings = Settings(),  # noqa: B008 - immutable
    jobs: int = 1,
    listen: Listener = lambda event: None,
    limits: Limits = Limits(),  # noqa: B008 - immutable
    workers: Workers | None = None,
) -> Ledger:
    """Decides every metric x constraint cell.

    The outcome depends on everything but ``jobs`` and ``listen``.

    Args:
        metrics: in report order. Catalogue metrics and metric objects are trusted with this process and its workers;
            `Foreign` ones are isolated.
        axioms: in report order.
        reading: regime and domain.
        settings: seed and budgets.
        jobs: worker processes; 1 works in this one, and so does any number if a metric object cannot be pickled,
            such as one made of a lambda.
        listen: called with every event.
        limits: on each cell of a foreign metric.
        workers: to decide foreign metrics in, within their limits; None starts as many as jobs.

    Raises:
        Interrupted: on KeyboardInterrupt, with what was decided so far.
        InvalidInput: two different metrics have one name; one that is not of the catalogue has a name of the
            catalogue's; all metrics are foreign, and none is there or can be loaded. One that cannot be loaded among
            others has cells in error.

    """
    named: dict[str, Metric | Foreign] = {}
    for metric in metrics:
        if isinstance(metric, Metric):
            check_name(metric)
        if named.setdefault(metric.canonical, metric) != metric:
            raise InvalidInput(f"two metrics are called {metric.canonical!r}; cells are told apart by name")
    own = tuple(m for m in metrics if isinstance(m, Metric))
    foreign = [m for m in metrics if isinstance(m, Foreign)]
    tasks = [_Task(axiom, own, reading, settings) for axiom in axioms] if own else []
    share = len(own) / len(metrics) if metrics else 1.0
    done: dict[tuple[str, str], Cell] = {}

    def heard(event: Event) -> None:
        if isinstance(event, CellDecided):
            done[event.cell.metric, event.cell.axiom] = event.cell
        elif own and foreign:
            event = Progress(share * event.share, event.doing)
        listen(event)

    try:
        if jobs == 1 or len(tasks) == 1 or not _picklable(tasks):
            _in_this_process(tasks, heard)
        elif tasks:
            _in_workers(tasks, jobs, heard)
        if foreign:
            with (
                nullcontext(workers) if workers else Workers(min(jobs, len(foreign) * len(axioms)), limits) as place,
                closing(_isolated(foreign, axioms, reading, settings, place, not own)) as events,
            ):
                for event in events:
                    if isinstance(event, CellDecided):
                        done[event.cell.metric, event.cell.axiom] = event.cell
                    else:
                        event = Progress(share + (1 - share) * event.share, event.doing)
                    listen(event)
    except KeyboardInterrupt:
        cells = [
            done.get((m.canonical, a.name)) or _missing(m, a, Verdict.UNDECIDED, "interrupted before it was decided")
            for m in metrics
            for a in axioms
        ]
        raise Interrupted(_ledger(cells, reading, settings)) from None
    return _ledger(
        [
            done.get((m.canonical, a.name)) or _missing(m, a, Verdict.ERROR, "its worker process died")
            for m in metrics
            for a in axioms
        ],
        reading,
        settings,
    )


def _missing(metric: Metric | Foreign, axiom: Axiom, verdict: Verdict, reason: str) -> Cell:
    if isinstance(metric, Metric):
        return _cell(metric, axiom, verdict, reason)
    return Cell(metric.canonical, None, axiom.name, verdict, None, reason)


def _isolated(
    metrics: Sequence[Foreign],
    axioms: Sequence[Axiom],
    reading: Reading,
    settings: Settings,
    workers: Workers,
    alone: bool,
) -> Generator[Event, None, None]:
    """Decides the cells of foreign metrics, each in a process of its own, whatever they do to that.

    A metric that cannot be loaded has its row of errors.

    Raises:
        InvalidInput: they are alone in the run, and none of them can be loaded.

    """
    planned = len(metrics) * len(axioms)
    ended = 0
    # What hangs or crashes on one small ranking is not asked about every cell.
    probes = [
        (metric, workers.submit(_probe, metric.canonical, needs=library_of(metric.canonical))) for metric in metrics
    ]
    asked: dict[Any, tuple[Foreign, Axiom]] = {}
    unusable: list[tuple[Foreign, InvalidInput | MetricError]] = []
    for metric, probe in probes:
        try:
            outcome_of(probe, workers.limits)
        except (InvalidInput, MetricError) as error:
            unusable.append((metric, error))
            continue
        for axiom in axioms:
            work = (_decide_foreign, metric.canonical, axiom.name, reading, settings)
            asked[workers.submit(*work, needs=library_of(metric.canonical))] = (metric, axiom)
    if alone and len(unusable) == len(metrics) and isinstance(unusable[0][1], InvalidInput):
        raise unusable[0][1]
    for metric, why in unusable:
        yield from (CellDecided(_missing(metric, axiom, Verdict.ERROR, str(why))) for axiom in axioms)
        ended += len(axioms)
        yield Progress(ended / planned, axioms[-1].name)
    proved: dict[Foreign, list[Cell]] = {}
    for decided in as_completed(asked):
        metric, axiom = asked[decided]
        try:
            cell = as_asked(
                outcome_of(decided, workers.limits), metric.canonical, axiom.name, _ledger([], reading, settings)
            )
        except (InvalidInput, MetricError) as error:
            cell = _missing(metric, axiom, Verdict.ERROR, str(error))
        if cell.certificate is None:
            yield CellDecided(cell)
        else:
            proved.setdefault(metric, []).append(cell)
        ended += 1
        yield Progress(ended / planned, axiom.name)
    yield from _proved_of_functions(proved, workers)


def _proved_of_functions(proved: dict[Foreign, list[Cell]], workers: Workers) -> Iterator[Event]:
    """Cells with a proof, or errors where the metric has other scores in another process."""
    again = {metric: workers.submit(_check_elsewhere, metric.canonical) for metric in proved}
    for metric, cells in proved.items():
        try:
            outcome_of(again[metric], workers.limits)
        except (InvalidInput, MetricError) as error:
            cells = [
                replace(c, verdict=Verdict.ERROR, reason=str(error), witness=None, certificate=None) for c in cells
            ]
        yield from map(CellDecided, cells)


def _check_elsewhere(name: str) -> None:
    """In a worker: a handful of rankings, and the same in a process of its own with another hash seed.

    Raises:
        MetricError: they score otherwise there.

    """
    from axiomcheck.contract.elsewhere import scores_elsewhere
    from axiomcheck.contract.subject import Subject

    subject = Subject(resolve(name))
    singles = subject.singles()
    (elsewhere,) = scores_elsewhere(name, singles, ["1"])
    for here, there in zip(subject.score(singles), elsewhere, strict=True):
        if not np.allclose(here.values, there.values, rtol=0, atol=_ELSEWHERE, equal_nan=True):
            raise MetricError(f"{name} scores the same rankings differently in another process")


def _probe(name: str) -> None:
    """In a worker: loads a foreign metric and has it score a ranking of one document."""
    metric = resolve(name)
    try:
        metric.evaluate(np.ones((1, 1, 1)), np.ones((1, 1)), np.zeros((1, 1), dtype=np.int64))
    except MetricError:
        raise
    except Exception as error:
        raise MetricError(f"{metric} raised {type(error).__name__}: {error}") from error


def _decide_foreign(name: str, axiom: str, reading: Reading, settings: Settings) -> Cell:
    """In a worker: one cell of a foreign metric."""
    (decided,) = _decide(_Task(find_axiom(axiom), (resolve(name),), reading, settings), lambda share: None)
    return decided.cell


def _ledger(cells: Sequence[Cell], reading: Reading, settings: Settings) -> Ledger:
    return Ledger(reading.regime.value, reading.domain.value, asdict(settings), tuple(cells))


def _in_this_process(tasks: Sequence[_Task], heard: Listener) -> None:
    for number, task in enumerate(tasks):

        def progress(share: float, done: int = number, name: str = task.axiom.name) -> None:
            heard(Progress((done + share) / len(tasks), name))

        progress(0.0)
        for event in _decide(task, progress):
            heard(event)


def _picklable(tasks: Sequence[_Task]) -> bool:
    try:
        pickle.dumps(tasks)
    except Exception:  # which one it is depends on what the metric holds
        return False
    return True


def _in_workers(tasks: Sequence[_Task], jobs: int, heard: Listener) -> None:
    """Runs tasks in processes, longest first, passing on their events as they come."""
    context = multiprocessing.get_context("spawn")
    events = context.SimpleQueue()
    longest_first = sorted(tasks, key=lambda t: t.axiom.group == "relevance")
    pool = ProcessPoolExecutor(min(jobs, len(tasks)), context, _start_worker, (events,))
    shares: dict[str, float] = {}
    try:
        with deaf_births():
            running = {pool.submit(_decide_in_worker, task) for task in longest_first}
        while running:
            ended, running = wait(running, timeout=0.2, return_when=FIRST_COMPLETED)
            while not events.empty():
                event = events.get()
                if isinstance(event, Progress):
                    shares[event.doing] = event.share
                    event = Progress(sum(shares.values()) / len(tasks), event.doing)
                heard(event)
            for future in ended:
                future.result()
    except BrokenProcessPool:  # out of memory, killed: the cells that are missing say so
        pool.shutdown(cancel_futures=True)
        return
    except BaseException:
        for process in multiprocessing.active_children():
            process.terminate()
        # Waited for: at the interpreter's exit, an executor that is half closed is a traceback.
        pool.shutdown(cancel_futures=True)
        raise
    pool.shutdown()


_events: SimpleQueue[Event] | None = None
"""In a worker: where its events go."""


def _start_worker(events: SimpleQueue[Event]) -> None:
    global _events
    _events = events
    # Where processes are not born deaf, Ctrl-C reaches the whole group; only the parent is to act on it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None
    assert parent.pid is not None
    end_with(parent.pid)
    threading.Thread(target=_end_after, args=(parent,), daemon=True).start()


def _end_after(parent: BaseProcess) -> None:
    """Ends this process with its parent, where the system does not."""
    parent.join()
    os._exit(1)


def _decide_in_worker(task: _Task) -> None:
    assert _events is not None
    events = _events
    for event in _decide(task, lambda share: events.put(Progress(share, task.axiom.name))):
        events.put(event)
    events.put(Progress(1.0, task.axiom.name))


def _decide(task: _Task, progress: Callable[[float], None]) -> Iterator[CellDecided]:
    if isinstance(task.axiom, ThresholdAxiom):
        for number, metric in enumerate(task.metrics):
            yield CellDecided(_threshold_cell(task, task.axiom, metric))
            progress((number + 1) / len(task.metrics))
        return
    assert isinstance(task.axiom, PairAxiom)
    axiom, small = task.axiom, assumes_small(task.axiom, task.reading)
    before: dict[Metric, str | None] = {}
    groups: dict[tuple[Domain, int, bool, Abilities, int | None], list[Metric]] = {}
    for metric in task.metrics:
        why_not = reasons.not_applicable(metric, axiom, small)
        if why_not:
            yield CellDecided(_cell(metric, axiom, Verdict.NOT_APPLICABLE, why_not))
            continue
        try:
            check_metric_is_one_function(metric, small)
            before[metric] = _identity(task, metric)
        except MetricError as error:
            yield CellDecided(_cell(metric, axiom, Verdict.ERROR, str(error)))
            continue
        domain = domain_seen(metric, task.reading)
        depth = min(metric.cutoff or DEEPEST, DEEPEST)
        key = (domain, depth, metric.binary_only, metric.abilities, metric.most_examples)
        groups.setdefault(key, []).append(metric)
    for number, ((domain, depth, support_only, _, _), metrics) in enumerate(groups.items()):

        def share(s: float, number: int = number) -> None:
            progress((number + s) / len(groups))

        tallies, coverage = search_group(axiom, metrics, domain, small, depth, support_only, task.settings, share)
        for tally in tallies:
            yield CellDecided(_pair_cell(task, axiom, tally, coverage, before[tally.metric]))


def _cell(metric: Metric, axiom: Axiom, verdict: Verdict, reason: str, **more: Any) -> Cell:
    row = row_of(metric)
    return Cell(metric.canonical, row, axiom.name, verdict, published_claim(row, axiom.name), reason, **more)


def _threshold_cell(task: _Task, axiom: ThresholdAxiom, metric: Metric) -> Cell:
    start = time.perf_counter()
    small = assumes_small(axiom, task.reading)
    why_not = reasons.not_applicable(metric, axiom, small)
    if why_not:
        return _cell(metric, axiom, Verdict.NOT_APPLICABLE, why_not)
    try:
        check_metric_is_one_function(metric, small)
        before = _identity(task, metric)
        outcome = decide_threshold(axiom, metric, small, task.settings.seed)
    except MetricError as error:
        return _cell(metric, axiom, Verdict.ERROR, str(error), seconds=time.perf_counter() - start)
    except InternalDisagreement as error:
        return _cell(
            metric,
            axiom,
            Verdict.ERROR,
            f"internal disagreement: {error}",
            seconds=time.perf_counter() - start,
        )
    witness = None
    if outcome.refuting is not None:
        witness = ThresholdWitness(axiom, metric, task.reading, small, outcome.refuting).to_json()
    cell = _cell(
        metric,
        axiom,
        outcome.verdict,
        outcome.reason,
        evidence=outcome.evidence | {"seed": task.settings.seed},
        witness=witness,
        seconds=time.perf_counter() - start,
    )
    return _proved(task, metric, cell, before, outcome.tried) if task.settings.proofs else cell


def _identity(task: _Task, metric: Metric) -> str | None:
    """What a metric is at this moment, if it is from outside and something may be proved of it."""
    if not task.settings.proofs or metric.numerical(False):
        return None
    try:
        return identity_of(metric)
    except MetricError:
        return _UNREADABLE


def _proved(task: _Task, metric: Metric, cell: Cell, before: str | None, tried: Sequence[Tried] = ()) -> Cell:
    """The cell with the verdict that a proof gives it, if there is one; of a threshold with the signs tried."""
    try:
        if before == _UNREADABLE or before != _identity(task, metric):
            how = "cannot be read" if before == _UNREADABLE else "changed while it was scored"
            return replace(cell, reason=f"{cell.reason}; {reasons.unproved(how)}")
        proof = prove(task.axiom, metric, task.reading)
    except MetricError as error:
        return replace(cell, verdict=Verdict.ERROR, reason=str(error))
    except InternalDisagreement as error:
        return replace(cell, verdict=Verdict.ERROR, reason=f"internal disagreement: {error}")
    return cell if proof is None else with_proof(cell, proof, runs_catalogue_code(metric), tried)


def _proof_tried(task: _Task, metric: Metric, cell: Cell, before: str | None) -> Cell:
    """A refuted cell; should a prover come up with a proof all the same, the two are shown to contradict each other."""
    assert isinstance(task.axiom, PairAxiom)
    small = assumes_small(task.axiom, task.reading)
    if (
        metric.numerical(small)
        or metric.partial
        or prove_by_induction(task.axiom, metric, small, task.reading.domain) is None
    ):
        return cell
    return _proved(task, metric, cell, before)


def with_proof(cell: Cell, proof: Proof, genuine: bool = True, tried: Sequence[Tried] = ()) -> Cell:
    """A searched cell with a proof: its verdict, or an error where search and proof contradict each other.

    Args:
        cell: as searched.
        proof: of the same cell.
        genuine: whether the metric is the catalogue's. The proof of another one rests on its code doing with numbers
            what it does with symbols; where its scores say otherwise, they are what counts, and there is no proof.
        tried: of a threshold constraint, the exact signs, which a proof must not contradict whatever the verdict.

    """
    clash = contradiction(proof.certificate, tried) if tried else ""
    if not clash and cell.verdict.satisfied != proof.holds and cell.verdict is not Verdict.UNDECIDED:
        clash = f"a proof says {proof.verdict}, the search {cell.verdict}"
    if clash and genuine:
        reason = f"internal disagreement: {clash} ({cell.reason})"
        return replace(cell, verdict=Verdict.ERROR, reason=reason, certificate=proof.certificate)
    if clash:
        refuted = cell.verdict is Verdict.REFUTED
        reason = f"{cell.reason}; {reasons.BROKEN}{clash}"
        return replace(cell, verdict=cell.verdict if refuted else Verdict.ERROR, reason=reason)
    searched = reasons.beside_proof(cell.reason, cell.evidence) if tried else cell.reason
    return replace(
        cell,
        verdict=proof.verdict,
        reason=f"{proof_sentence(proof.certificate)}; {searched}",
        evidence=cell.evidence | {"proof": {"scope": scope_text(proof.certificate), "bytes": proof.size}},
        certificate=proof.certificate,
        proof_seconds=proof.seconds,
        check_seconds=proof.check_seconds,
    )


def _pair_cell(task: _Task, axiom: PairAxiom, tally: Tally, coverage: Coverage, before: str | None) -> Cell:
    start = time.perf_counter()
    metric = tally.metric
    evidence = _evidence(task, tally, coverage)

    def cell(verdict: Verdict, reason: str, witness: dict[str, Any] | None = None) -> Cell:
        seconds = tally.seconds + time.perf_counter() - start
        return _cell(metric, axiom, verdict, reason, evidence=evidence, witness=witness, seconds=seconds)

    try:
        if tally.error:
            return cell(Verdict.ERROR, tally.error)
        if tally.disagreement:
            raise InternalDisagreement(tally.disagreement)
        violating = tally.grid_witness or tally.confirm()
        if violating is not None:
            if tally.grid_witness is None:
                violating = shrink(metric, violating, metric.cutoff)
            witness = witness_of(metric, violating, task.reading, _minimal(tally, coverage, violating))
            evidence.update(evidence_past_cutoff(metric, max(ranked.shape[1] for ranked in violating.rankings)))
            refuted = cell(
                Verdict.REFUTED, hinted(reasons.refuted(evidence, witness.kind), evidence), witness.to_json()
            )
            return _proof_tried(task, metric, refuted, before) if task.settings.proofs else refuted
        apart = tally.grid_apart or tally.confirm_apart()
        if apart is not None and not tally.violated:
            if tally.grid_apart is None:
                apart = shrink(metric, apart, metric.cutoff, apart=True)
            witness = witness_of(metric, apart, task.reading, _minimal(tally, coverage, apart))
            return cell(Verdict.INCOMPARABLE, reasons.incomparable(evidence), witness.to_json())
    except MetricError as error:
        return cell(Verdict.ERROR, str(error))
    except InternalDisagreement as error:
        return cell(Verdict.ERROR, f"internal disagreement: {error}")
    if tally.violated and evidence["numerical"]:
        shapes = len(tally.tied_shapes)
        return cell(Verdict.UNDECIDED, f"scores tie in floats on {shapes} shapes only; {ACROSS} make a refutation")
    if tally.violated:
        return cell(
            Verdict.UNDECIDED,
            "violations seen in floating point only; exact arithmetic could not decide them",
        )
    if evidence["instances"] == 0 and tally.unresolved:
        what = "dominance could not be decided" if metric.partial else "floats could not tell the scores apart"
        return cell(Verdict.UNDECIDED, f"{what}, and the exact budget ran out")
    if evidence["instances"] == 0:
        return cell(Verdict.UNDECIDED, "vacuous: no instance that was tried met the premises")
    if metric.partial and tally.unresolved > _MOST_UNRESOLVED * (tally.unresolved + evidence["instances"]):
        return cell(Verdict.UNDECIDED, f"dominance could not be decided in {tally.unresolved:,} instances")
    if evidence["numerical"]:
        verdict, reason = _held_in_floats(tally, evidence)
        if verdict is Verdict.UNDECIDED:
            evidence.update(evidence_past_cutoff(metric, coverage.ranked[1]))
        return cell(verdict, hinted(reason, evidence))
    held = cell(Verdict.HELD, reasons.held(evidence))
    return _proved(task, metric, held, before) if task.settings.proofs else held


def _minimal(tally: Tally, coverage: Coverage, witness: Batch) -> str | None:
    """As `Coverage.minimal`; None where a smaller instance may have been left undecided, which paths left out do."""
    return None if tally.rest else coverage.minimal(witness)


def _held_in_floats(tally: Tally, evidence: dict[str, Any]) -> tuple[Verdict, str]:
    """Whether floats told enough instances apart to speak of a search, of a black box that was not seen to violate."""
    if tally.vanishing:
        return Verdict.UNDECIDED, (
            f"{tally.vanishing:,} instances tie only as long as grades are 1: floats do not tell whether nothing is "
            "left for what comes later, which violates the constraint, or too little to show"
        )
    instances = evidence["instances"]
    share = tally.unresolved / (tally.unresolved + instances)
    if share > _MOST_UNRESOLVED:
        return Verdict.UNDECIDED, (
            f"floats could not tell {tally.unresolved:,} instances apart; no violation in the other {instances:,}"
        )
    return Verdict.HELD, reasons.held(evidence)


def _evidence(task: _Task, tally: Tally, coverage: Coverage) -> dict[str, Any]:
    tried = tally.satisfied + tally.reversals + tally.ties + tally.apart
    broken = tally.reversals + tally.ties
    evidence: dict[str, Any] = {
        "instances": max(0, coverage.distinct + tally.focused - tally.unresolved),
        "enumerated": coverage.enumerated,
        "sampled": coverage.sampled,
        "focused": tally.focused,
        "unresolved": tally.unresolved,
        "decided_exactly": tally.exactly,
        "audited": tally.audited,
        "small_grades": assumes_small(tally.axiom, task.reading),
        "binary": tally.metric.binary_only or tally.axiom.domain_of(task.reading.domain) is Domain.BINARY,
        "shapes": {"ranked": list(coverage.ranked), "aspects": list(coverage.aspects)},
        "grid": coverage.grid.text(),
        "exhausted": [{"documents": p, "aspects": m, "instances": n} for p, m, n in coverage.exhausted],
        "nearly_all_sampled": coverage.saturated,
        "seed": task.settings.seed,
        "numerical": tally.metric.numerical(assumes_small(tally.axiom, task.reading)) or None,
    }
    if tally.metric.partial:
        share = _rounded(tally.apart / tried) if tried else None
        evidence["incomparable"] = {"share": share, "left_out": tally.rest}
    if tally.violated:
        evidence["violations"] = {
            "share": _rounded(broken / tried) if tried else None,
            "reversals": tally.reversals,
            "ties": tally.ties,
            "largest_relative_margin": _rounded(tally.worst),
        }
    return evidence


def _rounded(value: float) -> float:
    return float(f"{value:.4g}")
