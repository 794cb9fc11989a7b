"""Cache of finished work in a file, which lets a repeated run resume."""

from __future__ import annotations

from axiomcheck.ledger.file import LedgerFile
from axiomcheck.ledger.keys import key_of
from axiomcheck.ledger.place import default_path, ledger_of_user

__all__ = ["LedgerFile", "default_path", "key_of", "ledger_of_user"]
