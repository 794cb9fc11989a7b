"""Define the commands of the command line, one per module. A command imports its dependencies when it runs."""
