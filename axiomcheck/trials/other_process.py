"""Score metrics in other processes, which can have a different hash seed and can crash without harm."""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import signal
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from axiomcheck.core.errors import InvalidInput, MetricError, OverLimit
from axiomcheck.metrics.base import Metric
from axiomcheck.metrics.catalogue import parse
from axiomcheck.processes.descendants import end_with
from axiomcheck.processes.interpreters import Interpreter
from axiomcheck.processes.keeper import SIZE, read_message, streams_of_its_own, write_message
from axiomcheck.sources.evaluators import Evaluator
from axiomcheck.sources.external_metrics import OwnMetric
from axiomcheck.sources.names import is_foreign
from axiomcheck.sources.probes import CaseBlock
from axiomcheck.sources.resolve import resolve
from axiomcheck.trials.calls import Asking, NativeAnswer, NativeCall
from axiomcheck.trials.subject import BlockScores, Subject

HASH_SEEDS = ("1", "2")

CASES_SECONDS = 120.0
"""Timeout, in seconds, for all cases in one process."""

CALL_SECONDS = 30.0
"""Timeout, in seconds, for a call to an entry point."""

MOST_DEATHS = 40
"""Number of crashed processes after which an entry point is not called again."""

_DIED = "its process "


def label_of(metric: Metric) -> str | None:
    """Return the name by which another process can load a metric, or None if there is no such name."""
    if metric.label is not None or isinstance(metric, OwnMetric):
        return metric.label if metric.label is not None and is_foreign(metric.label) else None
    try:
        return metric.canonical if parse(metric.canonical) == metric else None
    except InvalidInput:
        return None


class ProcessEnded(MetricError):
    """Raised when a process dies instead of answering.

    Args:
        how: How the process ended, such as ``was ended by SIGSEGV``.
        said: Last line that the process wrote to standard error; empty if there is none.

    """

    def __init__(self, how: str, said: str) -> None:
        super().__init__(said or how)
        self.how = how


class OtherProcess:
    """Metric in another interpreter, which is started on demand and restarted if it dies.

    Args:
        label: Name by which the process loads the metric.
        hash_seed: Value of PYTHONHASHSEED; empty to inherit that of this process.

    """

    def __init__(self, label: str, hash_seed: str = "") -> None:
        self._program = f"from axiomcheck.trials.other_process import serve; serve({label!r})"
        self._environ = {"PYTHONHASHSEED": hash_seed} if hash_seed else {}
        self._interpreter: Interpreter | None = None

    def ask(self, question: Sequence[CaseBlock] | NativeCall, seconds: float) -> Any:
        """Return the scores of blocks of one ranking each, or of a call to the metric's entry point.

        The question is pickled. The answer is JSON, because decoding JSON cannot run code.

        Raises:
            OverLimit: The answer takes longer than ``seconds``.
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
    """Load a metric in the other process, and answer the questions of `OtherProcess.ask` until standard input ends."""
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
        MetricError: A process failed.

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
    """Return True if the error message of a call says that the process died."""
    return raised.startswith(_DIED)


class AskingInOtherProcess(Asking):
    """Caller that runs an entry point in another process, because a call may crash its process.

    Attributes:
        ended: Calls received by the process that died last, in order. The last of them crashed it.

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
        """Return the scores of a call, or an error message if its process died.

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
        """Make calls in a new process, and return the message of the first one that crashes it, or an empty string."""
        self.close()
        return next((said for call in calls if died(said := self.answer(call).raised)), "")
