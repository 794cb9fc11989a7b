"""The runner: decides the questions of a plan in pieces, and puts their cells together.

Whatever asks for cells fills a queue of pieces here: every question's first block, and the later blocks of those that
are to have more. `axiomcheck.engine.campaign` and `axiomcheck.engine.budget` fill it as long as there is time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress

from axiomcheck.axioms import axiom_names
from axiomcheck.core.domain import Reading
from axiomcheck.core.errors import AxiomcheckError, InvalidInput
from axiomcheck.engine.answers import Answers, Key, key_of, parts
from axiomcheck.engine.blocks import first_block, later_examples
from axiomcheck.engine.budget import Growing
from axiomcheck.engine.campaign import Campaign
from axiomcheck.engine.deadline import TimeUp
from axiomcheck.engine.events import Listener
from axiomcheck.engine.foreign import Elsewhere, probed
from axiomcheck.engine.machine import Machine, Places
from axiomcheck.engine.memory import Memory, Nothing
from axiomcheck.engine.places import Place, Pool
from axiomcheck.engine.tasks import Foreign, Plan, Question, Task
from axiomcheck.metrics import Metric
from axiomcheck.records.cells import Cell
from axiomcheck.sources.provenance import each_once
from axiomcheck.trials.fresh_process import fork_again_in_this_run


class Stopped(AxiomcheckError):
    """The run was interrupted; `cells` are as far as they were decided, in the order of the plan's questions."""

    def __init__(self, cells: Sequence[Cell]) -> None:
        super().__init__("interrupted")
        self.cells = tuple(cells)


def run(
    plan: Plan,
    machine: Machine = Machine(),  # noqa: B008 - immutable
    memory: Memory = Nothing(),  # noqa: B008 - immutable
    listen: Listener = lambda event: None,
) -> tuple[Cell, ...]:
    """Decide every question of a plan, and return their cells in its order.

    The outcome depends on the plan alone, and on limits where they are met; with a limit on its time also on the
    machine.

    Args:
        plan: what is to be decided. Catalogue metrics and metric objects are trusted with this process and its workers;
            `Foreign` ones are isolated.
        machine: where it is decided.
        memory: of what was decided before, which is not decided again. A run with a budget has none.
        listen: called with every event.

    Raises:
        Stopped: on KeyboardInterrupt, with what was decided so far.
        InvalidInput: a budget was given, and a metric object that is not the catalogue's.
        InvalidInput: two different metrics have one name; one that is not of the catalogue has a name of the
            catalogue's; all metrics are foreign, and none is there or can be loaded. One that cannot be loaded among
            others has cells in error.

    """
    if not plan.questions:
        return ()
    _check_axioms_have_names(plan)
    each_once((metric.canonical, metric, metric) for metric in plan.objects)
    answers = Answers(plan, memory, listen)
    try:
        with suppress(TimeUp), machine.entered(plan) as places:
            if plan.budget is not None:
                Growing(answers, plan.budget, places).go_on()
            else:
                fork_again_in_this_run([metric for metric in plan.metrics if isinstance(metric, Metric)])
                for place, questions in places.own:
                    decide_objects(answers, questions, place)
                    if plan.until is None and isinstance(place, Pool):
                        place.end_workers()  # the others need the memory
                decide_by_name(answers, places)
                if plan.until is not None:
                    Campaign(answers, plan.until, places).go_on()
    except KeyboardInterrupt:
        raise Stopped(answers.cells(interrupted=True)) from None
    return answers.cells()


def decide_objects(answers: Answers, questions: Sequence[Question], place: Place) -> None:
    """Decide the cells of the catalogue's metrics and of metric objects."""
    together: dict[tuple[str, Reading], list[Question]] = defaultdict(list)
    # The longest first.
    for question in sorted(questions, key=lambda question: question.axiom.group == "relevance"):
        together[question.axiom.name, question.reading].append(question)
    first = first_block(answers.plan.settings)
    tasks = [
        Task(same[0].axiom, part, same[0].reading, first)
        for same in together.values()
        for part in parts([question.metric for question in same], len(together), place.jobs)
    ]
    answers.search(tasks, place, answers.take_first)
    _search_later(answers, [question.key for question in questions], place)


def decide_by_name(answers: Answers, places: Places) -> None:
    """Decide the cells of metrics by their names, each of which is tried first and has its row of errors.

    Raises:
        InvalidInput: there are no other metrics, and none of these can be loaded.

    """
    place, questions = places.by_name
    if not questions:
        return
    names = dict.fromkeys(question.metric for question in questions if isinstance(question.metric, Foreign))
    tried = probed(list(names), places.workers)
    usable = answers.usable(questions, tried, alone=not places.own)
    first, elsewhere = first_block(answers.plan.settings), Elsewhere(places.workers)

    def take(task: Task, cell: Cell) -> None:
        if cell.certificate is None:
            answers.take_first(task, cell)
        else:
            answers.await_more(task, cell)

    tasks = [Task(question.axiom, (question.metric,), question.reading, first) for question in usable]
    answers.search(tasks, place, take)
    proved = [question for question in usable if answers.is_proved(question.key)]
    for question in proved:
        elsewhere.begin(question.metric.canonical)
    for question in proved:
        cell = elsewhere.checked(answers.so_far[question.key])
        answers.take_first(Task(question.axiom, (question.metric,), question.reading, first), cell)
    _search_later(answers, [question.key for question in usable], place)


def _search_later(answers: Answers, keys: Sequence[Key], place: Place) -> None:
    """Have the later blocks decided of those cells that are to have some, and put them together."""
    examples = {
        key: later_examples(answers.so_far[key], answers.plan.settings) for key in keys if key in answers.so_far
    }
    searches = {key: answers.search_of(key, answers.so_far[key]) for key in examples}
    left = {key: len(counts) for key, counts in examples.items()}

    def take(task: Task, block: Cell) -> None:
        key = key_of(task, block)
        searches[key].add(task.block, block)
        left[key] -= 1
        if not left[key]:
            search = searches.pop(key)
            answers.settle(key, search.cell, search)

    groups: dict[tuple[str, Reading, int, int], list[Key]] = defaultdict(list)
    for key, counts in examples.items():
        for block, count in enumerate(counts, start=1):
            groups[key[1], key[2], block, count].append(key)
    tasks = []
    for (_, _, block, count), same in groups.items():
        tasks += answers.later_tasks(same, block, count, len(groups), place.jobs)
    answers.search(tasks, place, take)
    for key in examples:
        answers.so_far.pop(key, None)  # what is left had a worker that died


def _check_axioms_have_names(plan: Plan) -> None:
    """Refuse axiom objects for metrics that are decided in other processes, which find axioms by their names.

    Raises:
        InvalidInput: an axiom has a name that says nothing there.

    """
    known = axiom_names()
    for question in plan.questions:
        name = question.axiom.name
        if isinstance(question.metric, Foreign) and name not in known and ":" not in name:
            raise InvalidInput(
                f"the axiom {name} is an object of this process, and {question.metric.canonical} is decided in others; "
                f"expected the axiom by name, such as 'my_axioms.py:{name}', or the metric as an object"
            )
