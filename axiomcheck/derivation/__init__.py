"""Derive a fold over ranks from a user's source code, so that proofs about the fold hold for the user's function."""
