"""Makes the modules that tests share (such as ``planted``) importable from every folder of the tests."""

from __future__ import annotations

import sys
from pathlib import Path

pytest_plugins = ["pytester"]

_HERE = str(Path(__file__).parent)
if _HERE not in sys.path:
    sys.path.insert(0, _HERE)
