"""Lets `python -m hippograph` do what the `hippograph` command does."""

from hippograph.api.cli.main import main

if __name__ == "__main__":
    main()
