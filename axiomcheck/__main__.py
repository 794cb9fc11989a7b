"""``python -m axiomcheck``."""

from axiomcheck.cli import main

if __name__ == "__main__":
    main(prog_name="axiomcheck")
