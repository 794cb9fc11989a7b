"""Cache of finished work in a file, which lets a repeated run resume."""

from __future__ import annotations

from axiomcheck.ledger.file import LedgerFile, default_path, ledger_of_user
from axiomcheck.ledger.keys import key_of

__all__ = ["LedgerFile", "default_path", "key_of", "ledger_of_user"]
