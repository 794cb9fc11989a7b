"""Engine: plans cells, decides them in worker processes, and reports events."""
