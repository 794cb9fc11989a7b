"""Have ranx run as the Python code that it is: numba takes a minute to compile what the tests ask it for."""

from collections.abc import Callable, Iterator

import pytest

from axiomcheck.processes.isolation import Limits, Workers
from axiomcheck.sources.fingerprint import Fingerprint, fingerprints


@pytest.fixture(scope="session", autouse=True)
def _ranx_is_not_compiled() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NUMBA_DISABLE_JIT", "1")
        yield


@pytest.fixture(scope="session")
def taken() -> Iterator[Callable[[str], Fingerprint]]:
    """Give a function that takes the fingerprint of a name, in a worker process of its own that begins as a fork."""
    with Workers(1, Limits()) as workers:

        def of(name: str) -> Fingerprint:
            found = fingerprints([name], workers)[name]
            if isinstance(found, Exception):
                raise found
            return found

        yield of
