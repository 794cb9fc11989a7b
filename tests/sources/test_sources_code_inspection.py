"""Instructions that a call runs: those of the call, whatever is collected meanwhile."""

import gc

from axiomcheck.sources.code_inspection import instructions


class Leaving:
    """Garbage that only the collector finds, with a finalizer."""

    def __init__(self) -> None:
        self.itself = self

    def __del__(self) -> None:
        self.left = True


def allocating() -> None:
    """Allocate enough for the collector to run."""
    kept = [[k] for k in range(500)]
    assert kept


def test_finalizers_of_others_are_not_the_calls() -> None:
    threshold = gc.get_threshold()
    alone = instructions(allocating)
    gc.set_threshold(200)
    gc.collect()
    try:
        for _ in range(5):
            Leaving()
        beside = instructions(allocating)
        assert gc.isenabled()
    finally:
        gc.set_threshold(*threshold)
    assert alone
    assert beside == alone


def test_a_collector_that_was_off_stays_off() -> None:
    gc.disable()
    try:
        instructions(allocating)
        assert not gc.isenabled()
    finally:
        gc.enable()
