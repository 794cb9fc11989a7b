"""Set up what every test has: settings of nobody, interpreters that are forked, compiled code that is kept."""

import gc
import importlib.util
import os
import signal
import sys
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from axiomcheck.processes import interpreters
from tests.support import nursery

pytest_plugins = ["pytester"]

# The processes that tests start, of which there are hundreds, read what was compiled instead of compiling it again.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
# What a shell starts in the background ignores Ctrl-C; tests that send it would wait for ever.
signal.signal(signal.SIGINT, signal.default_int_handler)
# The same examples each time: no change is stopped by an example that another one let pass. On a busy machine, drawing
# two examples has taken over a second.
settings.register_profile("suite", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("suite")


def pytest_collection_finish() -> None:
    """What was imported and collected stays: there is no use in looking through it each time memory is cleared."""
    gc.collect()
    gc.freeze()


def _is_installed(name: str) -> bool:
    """Say whether a module can be imported; ``find_spec`` itself raises where the package around one is missing."""
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test marked ``extra(name)`` where no module of that name is installed."""
    for mark in item.iter_markers("extra"):
        (name,) = mark.args
        if not _is_installed(name):
            pytest.skip(f"needs {name}, of an extra in pyproject.toml")


@pytest.fixture(scope="session", autouse=True)
def _settings_of_nobody(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What is kept for a user is made for the tests, and the processes that they start; a ledger if they name one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))
        patch.setenv("AXIOMCHECK_LEDGER", "off")  # no test reads what another found
        patch.setattr("axiomcheck.cli.progress.PERIOD", 1e6)  # what is printed does not depend on the machine's load
        yield


@pytest.fixture(scope="session", autouse=True)
def _nurseries() -> Iterator[None]:
    yield
    nursery.close()


@pytest.fixture(scope="module", autouse=True)
def _forked_interpreters(request: pytest.FixtureRequest) -> Iterator[None]:
    """Have interpreters that axiomcheck starts forked from loaded ones; tests/quality starts them as users do."""
    if request.path.parent.name == "quality":
        yield
        return
    with pytest.MonkeyPatch.context() as patch:
        programs = ("keeper import serve; serve()", "serve_calls; serve_calls()", "calls import serve; serve(")
        patch.setattr(interpreters, "subprocess", nursery.fresh(*programs))
        yield


@pytest.fixture
def origin_unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let planted metrics stand for the catalogue's, so that the checks of their folds have something to find."""
    for module in ("induction", "thresholds"):
        monkeypatch.setattr(f"axiomcheck.proof.check.{module}.check_origin", lambda metric: None)
