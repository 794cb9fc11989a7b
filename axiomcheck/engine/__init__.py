"""Engine that plans the cells of a run, decides them in this process or in workers, and reports events."""
