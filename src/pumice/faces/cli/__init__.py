"""The command line: each command in a file of its own, imported when it is called."""

import sys
from collections.abc import Sequence

import pumice

COMMANDS = {
    "replay": "Replay recorded sessions call by call under policies and compare.",
    "compact": "Make one smaller, still valid session out of a recorded one.",
    "validate": "Check a request body against its provider's rules.",
    "prefix": "Compare two consecutive requests: does the second extend the first?",
    "density": "How much of what a model was shown was worth showing, call by call and by tool.",
    "probe": "Ask the same questions before and after every cut, and name what was lost.",
    "tools": "What tool definitions cost, which of them nobody uses, and whether they stand still.",
    "bench": "Repeat the field's experiments on recorded sessions, with tables and charts.",
    "tune": "Search the thresholds of a policy on your own recordings; show what each trade costs.",
    "cost": "What sessions cost by part, with and without management, and how resending adds up.",
    "explain": "Why a block was, or was not, in the view of a call.",
    "serve": "Stand between any agent and its model: the proxy.",
    "setup": "Point an agent client at the proxy, or take that back.",
    "demo": "Watch a long session go through the proxy: one command, no key, no network.",
    "stats": "Money and tokens saved and lost, by day, project, model, policy or session.",
    "policy": "List, show and check policies.",
    "session": "List, rebuild, roll back and forget stored sessions.",
    "mcp": "Serve read-back, search, notes, pins and reasons to clients of the Model Context Protocol.",
    "doctor": "Check that everything pumice needs is here and works.",
}
"""Names and, for the overview, what each does: a command's module is only imported when it is called."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `pumice`; exits 0, 1 on a failed check, 2 on wrong use."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given == ["--version"]:
        # Answered before anything heavier than the interpreter is imported.
        sys.stdout.write(f"{pumice.__version__}\n")
        return 0
    from pumice.faces.cli import run

    return run.run(given, COMMANDS)
