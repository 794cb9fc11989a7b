"""Run a command in this process, as a user types it."""

from functools import partial
from typing import Any

from click.testing import CliRunner, Result

from axiomcheck.cli.program import main


def command(*words: object, env: dict[str, str] | None = None, **given: Any) -> Result:
    """Run ``axiomcheck WORDS`` off a terminal."""
    return CliRunner(env=env).invoke(main, [*map(str, words)], **given)


plainly = partial(command, catch_exceptions=False)
"""Run a command whose exceptions are the test's."""
