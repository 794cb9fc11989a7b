"""Engine that plans the cells of a run, decides them in worker processes and reports events."""
