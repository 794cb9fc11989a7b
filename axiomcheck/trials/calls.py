"""Generate topics and runs, call entry points with them, and score metrics in other processes.

Small topics are enumerated exhaustively, and larger ones are drawn at random. Another process can have a different hash
seed, and can crash without ending this process.
"""

from __future__ import annotations

import contextlib
import copy
import itertools
import json
import os
import pickle
import signal
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from axiomcheck.core.errors import InvalidInput, MetricError, OverLimit
from axiomcheck.metrics.base import Metric
from axiomcheck.metrics.catalogue import parse
from axiomcheck.processes.descendants import end_with
from axiomcheck.processes.interpreters import Interpreter
from axiomcheck.processes.keeper import SIZE, read_message, streams_of_its_own, write_message
from axiomcheck.sources.evaluators import ByTopic, Evaluator, run_scores
from axiomcheck.sources.external_metrics import OwnMetric
from axiomcheck.sources.names import is_foreign
from axiomcheck.sources.probes import CaseBlock
from axiomcheck.sources.resolve import resolve
from axiomcheck.trials.subject import BlockScores, Score, Subject

HASH_SEEDS = ("1", "2")

CASES_SECONDS = 120.0
"""Timeout, in seconds, for all cases in one process."""

CALL_SECONDS = 30.0
"""Timeout, in seconds, for a call to an entry point."""

MOST_DEATHS = 40
"""Number of crashed processes after which an entry point is not called again."""

_DIED = "its process "


@dataclass(frozen=True)
class RunTopic:
    """One topic of a call: its judgments, and the scores of its documents in the run.

    Args:
        judged: Judgments by document; None if the topic is missing from the judgments.
        scored: Run scores by document, in the order of the run; None if the topic is missing from the run.

    """

    judged: Mapping[str, float] | None
    scored: Mapping[str, float] | None

    @property
    def size(self) -> tuple[int, float]:
        """Key that sorts small topics first: the number of documents, and the sum of the absolute judgments."""
        judged, scored = self.judged or {}, self.scored or {}
        return len({*judged, *scored}), sum(map(abs, judged.values()))


@dataclass(frozen=True)
class NativeCall:
    """Arguments for one call to an entry point. Topics are named by consecutive numbers."""

    qrels: ByTopic
    run: ByTopic
    measures: tuple[str, ...]

    @property
    def arguments(self) -> tuple[dict[str, Any], dict[str, Any], list[str]]:
        """New copies of the arguments, which the entry point may modify."""
        return copy.deepcopy((dict(self.qrels), dict(self.run), list(self.measures)))


def call_of(
    topics: Sequence[RunTopic], measures: Sequence[str], *, first: int = 1, run_reversed: bool = False
) -> NativeCall:
    """Return a call with the given topics, numbered from ``first``. ``run_reversed`` reverses the topics in the run."""
    names = [str(number) for number in range(first, len(topics) + first)]
    qrels = {name: topic.judged for name, topic in zip(names, topics, strict=True) if topic.judged is not None}
    run = {name: topic.scored for name, topic in zip(names, topics, strict=True) if topic.scored is not None}
    if run_reversed:
        run = dict(reversed(run.items()))
    return NativeCall(qrels, run, tuple(measures))


@dataclass(frozen=True)
class NativeAnswer:
    """Result of one call to an entry point.

    Args:
        scores: Scores by measure and topic.
        raised: Message of an exception, or about an invalid return value; empty if there is neither.
        changed: Name of the argument that the call modified; empty if there is none.

    """

    scores: Mapping[str, Mapping[str, float]]
    raised: str
    changed: str = ""

    def value(self, measure: str, query: str) -> Score:
        """Return a topic's score under a measure. It has no value if the topic is missing or the call failed."""
        return Score(None if self.raised else self.scores[measure].get(query), self.raised)


class Asking:
    """Caller of an entry point. If a call raises an exception, the answer contains the message."""

    def __init__(self, subject: Subject, evaluator: Evaluator) -> None:
        self.subject = subject
        self.evaluator = evaluator

    def answer(self, call: NativeCall) -> NativeAnswer:
        """Call the entry point with copies of the arguments, and return the scores and any modified argument."""
        given = call.arguments
        found, raised = self.subject.guarded(lambda: self._scores(call, self.evaluator.evaluate(*given)))
        parts = zip(("qrels", "run", "measures"), call.arguments, given, strict=True)
        changed = next((name for name, was, now in parts if not _alike(was, now)), "")
        return NativeAnswer({} if raised else found, raised, changed)

    def mean(self, call: NativeCall) -> tuple[Mapping[str, float], str]:
        """Return the library's own means over topics by measure, and an error message, which is empty on success."""
        assert self.evaluator.mean is not None
        mean = self.evaluator.mean
        found, raised = self.subject.guarded(lambda: {m: float(x) for m, x in mean(*call.arguments).items()})
        return (found or {}), raised

    def _scores(self, call: NativeCall, found: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
        missing = [name for name in call.measures if name not in found]
        if missing:
            raise KeyError(f"the return value has no scores for {missing[0]}")
        defined = {name: self.evaluator.defined(name, call.qrels, found[name]) for name in call.measures}
        return {name: {str(q): float(score) for q, score in scores.items()} for name, scores in defined.items()}

    def alone(self, topic: RunTopic, measures: Sequence[str]) -> list[Score]:
        """Score a topic under several measures, in one call that contains no other topic."""
        found = self.answer(call_of([topic], measures))
        return [found.value(measure, "1") for measure in measures]

    def each(self, topics: Sequence[RunTopic], measure: str) -> list[Score]:
        """Return the score of each topic under a measure.

        All topics are scored in one call or, if that call raises an exception, in one call per topic.
        """
        found = self.answer(call_of(topics, [measure]))
        if found.raised and len(topics) > 1:
            return [self.alone(topic, [measure])[0] for topic in topics]
        return [found.value(measure, str(number)) for number in range(1, len(topics) + 1)]


def _alike(one: object, other: object) -> bool:
    """Return True if two values are equal, including the order of their keys."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return list(one) == list(other) and all(_alike(one[key], other[key]) for key in one)
    return bool(one == other)


def levels_of_scale(grades: Sequence[float]) -> tuple[float, ...]:
    """Return up to three judgments of a scale: 0, and the lowest and the highest positive judgment."""
    positive = sorted(grade for grade in grades if grade > 0)
    return (0, *dict.fromkeys([positive[0], positive[-1]]))


def weak_orders(n: int) -> Iterator[tuple[int, ...]]:
    """Yield all orders of n documents, including those with ties. Orders with fewer ties come first.

    An order is given as the position of each document, counted from 0.
    """
    patterns = [p for p in itertools.product(range(n), repeat=n) if set(p) == set(range(max(p, default=-1) + 1))]
    return iter(sorted(patterns, key=lambda p: -len(set(p))))


def small_topics(levels: Sequence[float], most: int, *, ties: bool) -> Iterator[RunTopic]:
    """Yield all topics with 1 to ``most`` documents d1, d2, ..., smallest first.

    Every document is judged and ranked. All orders without ties are yielded and, if ``ties``, also those with ties.
    """
    for n in range(1, most + 1):
        names = [f"d{k}" for k in range(1, n + 1)]
        for judged in itertools.product(levels, repeat=n):
            for places in weak_orders(n):
                if ties or len(set(places)) == n:
                    scored = {name: float(n - place) for name, place in zip(names, places, strict=True)}
                    yield RunTopic(dict(zip(names, judged, strict=True)), scored)


def random_topic(levels: Sequence[float], rng: np.random.Generator, documents: int, ranked: int) -> RunTopic:
    """Draw a topic of ``documents`` documents with random judgments, and a random ranking of ``ranked`` of them."""
    names = [f"d{k}" for k in range(1, documents + 1)]
    judged = {name: levels[int(rng.integers(0, len(levels)))] for name in names}
    order = [names[k] for k in rng.permutation(documents)[:ranked].tolist()]
    return RunTopic(judged, run_scores(order))


def label_of(metric: Metric) -> str | None:
    """Return the name under which another process can load a metric, or None if there is no such name."""
    if metric.label is not None or isinstance(metric, OwnMetric):
        return metric.label if metric.label is not None and is_foreign(metric.label) else None
    try:
        return metric.canonical if parse(metric.canonical) == metric else None
    except InvalidInput:
        return None


class ProcessEnded(MetricError):
    """Raised when a process ends without an answer.

    Args:
        how: Predicate that says how the process ended, such as ``was ended by SIGSEGV``.
        said: Last line that the process wrote to standard error; empty if there is none.

    """

    def __init__(self, how: str, said: str) -> None:
        super().__init__(said or how)
        self.how = how


class OtherProcess:
    """Metric in another interpreter, which is started when it is needed, and again if it has died.

    Args:
        label: Name under which the process loads the metric.
        hash_seed: Value of PYTHONHASHSEED; empty to inherit the value of this process.

    """

    def __init__(self, label: str, hash_seed: str = "") -> None:
        self._program = f"from axiomcheck.trials.calls import serve; serve({label!r})"
        self._environ = {"PYTHONHASHSEED": hash_seed} if hash_seed else {}
        self._interpreter: Interpreter | None = None

    def ask(self, question: Sequence[CaseBlock] | NativeCall, seconds: float) -> Any:
        """Score blocks of one ranking each, or call the metric's entry point, and return the answer of `serve`.

        The question is pickled. The answer is JSON, because decoding JSON cannot run code.

        Raises:
            OverLimit: There was no answer within ``seconds``.
            ProcessEnded: The process died.

        """
        if self._interpreter is None:
            self._interpreter = Interpreter(self._program, keeps_errors=True, environ=self._environ)
        asked, deadline = self._interpreter, time.monotonic() + seconds
        with contextlib.suppress(OSError):
            asked.write(pickle.dumps(question), deadline)
            head = asked.read(SIZE.size, deadline)
            if head is not None and (body := asked.read(SIZE.unpack(head)[0], deadline)) is not None:
                return json.loads(body)
        in_time = time.monotonic() < deadline
        code, said = asked.close(max(0.0, deadline - time.monotonic())), asked.errors()
        self.close()
        if not in_time:
            raise OverLimit(f"took longer than {seconds:g} s in a separate process")
        how = f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"
        raise ProcessEnded(how, said)

    def close(self) -> None:
        """Kill the process."""
        if self._interpreter is not None:
            self._interpreter.close()
            self._interpreter.release()
            self._interpreter = None


def serve(label: str) -> None:
    """Load a metric in the other process, and answer the questions of `OtherProcess.ask` until its input ends.

    The answer to a call is [scores, error message]. The answer to blocks is a list of [score, error message].
    """
    questions, answers = streams_of_its_own()
    end_with(os.getppid())
    subject = Subject(resolve(label))
    with open(questions, "rb") as reader, open(answers, "wb") as writer:
        while (text := read_message(reader)) is not None:
            question = pickle.loads(text)
            if isinstance(question, NativeCall):
                assert subject.native is not None
                found = Asking(subject, subject.native).answer(question)
                answer: object = [found.scores, found.raised]
            else:
                answer = [subject.score([block])[0].score(0) for block in question]
            write_message(writer, json.dumps(answer).encode())


def scores_by_hash_seed(
    label: str, blocks: Sequence[CaseBlock], hash_seeds: Sequence[str] = HASH_SEEDS
) -> list[list[BlockScores]]:
    """Score blocks of one ranking each, in a separate process for each hash seed, and return the scores by seed.

    Raises:
        OverLimit: A process exceeded the timeout.
        MetricError: A process died.

    """

    def scores(hash_seed: str) -> list[BlockScores]:
        with contextlib.closing(OtherProcess(label, hash_seed)) as process:
            try:
                found = process.ask(blocks, CASES_SECONDS)
            except OverLimit as error:
                raise OverLimit(f"{label} {error}") from None
            except ProcessEnded as error:
                raise MetricError(f"{label} failed in a separate process: {error}") from None
        return [BlockScores(np.array([score]), {0: message} if message else {}) for score, message in found]

    with ThreadPoolExecutor(len(hash_seeds)) as threads:
        return list(threads.map(scores, hash_seeds))


def died(raised: str) -> bool:
    """Return True if an error message from `AskingInOtherProcess` says that the process died."""
    return raised.startswith(_DIED)


class AskingInOtherProcess(Asking):
    """Caller that runs an entry point in another process, because a call may crash the process.

    Attributes:
        deaths: Number of processes that died.
        ended: Calls that were sent to the process that died last, in order. The last of them crashed the process.

    """

    def __init__(self, subject: Subject, evaluator: Evaluator, label: str) -> None:
        super().__init__(subject, evaluator)
        self.deaths = 0
        self.ended: list[NativeCall] = []
        self._calls: list[NativeCall] = []
        self._process = OtherProcess(label)

    def close(self) -> None:
        """Kill the other process."""
        self._process.close()
        self._calls = []

    def answer(self, call: NativeCall) -> NativeAnswer:
        """Call the entry point in the other process. If the process dies, the answer contains an error message.

        Raises:
            OverLimit: The call exceeds the timeout.

        """
        if self.deaths >= MOST_DEATHS:
            return NativeAnswer({}, f"not called, because {MOST_DEATHS} earlier calls crashed their processes")
        self._calls.append(call)
        try:
            scores, raised = self._process.ask(call, CALL_SECONDS)
        except OverLimit as error:
            raise OverLimit(f"a call {error}") from None
        except ProcessEnded as error:
            self.deaths += 1
            self.ended, self._calls = self._calls, []
            return NativeAnswer({}, f"{_DIED}{error.how}")
        self.subject.first_message = self.subject.first_message or raised
        return NativeAnswer(scores, raised)

    def end_with(self, calls: Sequence[NativeCall]) -> str:
        """Make calls in a new process, and return the error message of the first that crashes it, or an empty text."""
        self.close()
        return next((said for call in calls if died(said := self.answer(call).raised)), "")
