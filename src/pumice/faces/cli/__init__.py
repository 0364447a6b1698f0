"""The command line: each command in a file of its own, imported when it is called."""

import sys
from collections.abc import Sequence

import pumice

COMMANDS = ("replay", "compact", "validate", "prefix", "policy", "session", "doctor")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `pumice`; exits 0, 1 on a failed check, 2 on wrong use."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given == ["--version"]:
        # Answered before anything heavier than the interpreter is imported.
        sys.stdout.write(f"{pumice.__version__}\n")
        return 0
    from pumice.faces.cli import run

    return run.run(given, COMMANDS)
