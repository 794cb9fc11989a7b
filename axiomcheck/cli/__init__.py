"""Define the commands of the command line, one per module, which `axiomcheck.cli.program` imports on demand."""
