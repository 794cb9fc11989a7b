"""Derive a fold over ranks from a user's function, so that proofs about the fold are about the function."""
