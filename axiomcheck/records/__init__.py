"""What is written down and read again: reports as JSON."""
