"""Define the commands of the command line, one module each; a command imports its dependencies when it runs."""
