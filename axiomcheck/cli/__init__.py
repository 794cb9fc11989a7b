"""Define the command-line commands, one per module. A command imports its dependencies when it runs."""
