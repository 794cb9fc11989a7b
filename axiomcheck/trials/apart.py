"""An entry point called in a process of its own, because what it is asked may end the process that asks."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from types import TracebackType
from typing import Any

from axiomcheck.core.errors import OverLimit
from axiomcheck.sources.evaluators import Evaluator
from axiomcheck.sources.resolve import resolve
from axiomcheck.trials.calls import Asking, NativeAnswer, NativeCall
from axiomcheck.trials.subject import Subject

SECONDS = 30.0
"""How long a call may take."""

MOST_DEATHS = 40
"""Then nothing more is asked."""

_PROGRAM = "from axiomcheck.trials.apart import serve; serve()"
_DIED = "its process "


def died(raised: str) -> bool:
    """Whether what a call raised says that it ended its process."""
    return raised.startswith(_DIED)


class AskingApart(Asking):
    """As `Asking`, in another process, which is started again where a call ends it.

    Args:
        subject: the metric under check.
        evaluator: its entry point.
        label: the name by which the other process loads the metric.

    Attributes:
        ended: the calls of the process that was last ended by one, from its beginning; the last is that one.

    """

    def __init__(self, subject: Subject, evaluator: Evaluator, label: str) -> None:
        super().__init__(subject, evaluator)
        self.label = label
        self.deaths = 0
        self.ended: list[NativeCall] = []
        self._calls: list[NativeCall] = []
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> AskingApart:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def answer(self, call: NativeCall) -> NativeAnswer:
        """Return what comes of a call; of one that ends its process, that it did.

        Raises:
            OverLimit: it takes too long.

        """
        if self.deaths >= MOST_DEATHS:
            return NativeAnswer({}, f"not asked, for {MOST_DEATHS} calls before ended their processes")
        process = self._process = self._process or self._started()
        self._calls.append(call)
        assert process.stdin is not None
        assert process.stdout is not None
        late = threading.Timer(SECONDS, process.kill)
        late.start()
        try:
            process.stdin.write(json.dumps([call.qrels, call.run, call.measures]) + "\n")
            process.stdin.flush()
            said = process.stdout.readline()
        except (BrokenPipeError, OSError):
            said = ""
        finally:
            in_time = late.is_alive()
            late.cancel()
        if said.endswith("\n"):
            scores, raised = json.loads(said)
            if raised:
                self.subject.first_message = self.subject.first_message or raised
            return NativeAnswer(scores, raised)
        self.deaths += 1
        self.ended = self._calls
        code = process.wait()
        self._end()
        if not in_time:
            raise OverLimit(f"a call took longer than {SECONDS:g} s in a process of its own")
        how = f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"
        return NativeAnswer({}, f"{_DIED}{how}")

    def end_with(self, calls: Sequence[NativeCall]) -> str:
        """What is said of the first of some calls that ends a process in which nothing was called before; or empty."""
        self._end()
        return next((said for call in calls if died(said := self.answer(call).raised)), "")

    def _started(self) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-P", "-c", _PROGRAM],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        assert process.stdin is not None
        process.stdin.write(json.dumps([self.label, sys.path]) + "\n")
        return process

    def _end(self) -> None:
        process, self._process, self._calls = self._process, None, []
        if process is not None:
            process.kill()
            with process:  # closes its pipes and waits
                pass


def serve() -> None:
    """In the other process: answers calls, a line each, until there are no more."""
    answers_to = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what the library prints is not an answer
    label, path = json.loads(sys.stdin.readline())
    sys.path[:] = path
    metric: Any = resolve(label)
    asking = Asking(Subject(metric), metric.native)
    for line in sys.stdin:
        qrels, run, measures = json.loads(line)
        found = asking.answer(NativeCall(qrels, run, tuple(measures)))
        answers_to.write(json.dumps([found.scores, found.raised]) + "\n")
        answers_to.flush()
