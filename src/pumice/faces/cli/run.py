"""Run a command: lazy imports, exit codes, errors as one line."""

import json
import os
import sys
from collections.abc import Mapping, Sequence

from cyclopts import App, CycloptsError, MissingArgumentError, Parameter, UnusedCliTokensError

import pumice
from pumice.errors import CannotFit, PumiceError

USAGE = {name: f"Usage: pumice {name} [OPTIONS] FILE..." for name in ("replay", "density", "tools", "cost", "tune", "probe")}
"""Where the one made from the signature says less."""
GROUPS = ("policy", "session", "bench")
"""Commands with commands of their own."""
HELP = """A context engine for LLM agents: what each model call should see, under a budget, with nothing lost.

Example: pumice replay examples/long-session/session.json --policy balanced --window 60000
"""


def app(commands: Mapping[str, str], *, is_overview: bool) -> App:
    """The command tree; a command's module is imported when it is called or its help is shown.

    The overview shows each command's one line; a command's own help is its docstring, example included.
    """
    root = App(
        "pumice",
        help=HELP,
        version=pumice.__version__,
        # As markdown a docstring's paragraphs flow with the terminal; the overview has single lines and starts without it.
        help_format="plaintext" if is_overview else "markdown",
        result_action="return_value",
        default_parameter=Parameter(negative=(), show_default=False),
    )
    for name, summary in commands.items():
        target = "app" if name in GROUPS else name
        about = {"help": summary} if is_overview else {"usage": USAGE[name]} if name in USAGE else {}
        root.command(f"pumice.faces.cli.{name}:{target}", name=name, **about)
    return root


def run(given: Sequence[str], commands: Mapping[str, str]) -> int:
    """Run a command line and return its exit code."""
    try:
        code = app(commands, is_overview=not any(name in given for name in commands))(
            given, exit_on_error=False, print_error=False
        )
        sys.stdout.flush()
    except CycloptsError as error:
        return _complain(_misuse(error), 2)
    except CannotFit as error:
        if "--json" in given:
            parts = [{"name": name, "tokens": tokens} for name, tokens in error.parts]
            sys.stdout.write(json.dumps({"error": "CannotFit", "budget": error.budget, "parts": parts}) + "\n")
        return _complain(str(error), 1)
    except PumiceError as error:
        return _complain(str(error), error.exit_code)
    except BrokenPipeError:
        return _unheard(1)
    except OSError as error:
        if error.filename is not None:
            raise
        return _unheard(_complain(f"standard output: cannot be written ({error.strerror}). Send it elsewhere.", 1))
    except KeyboardInterrupt:
        return _complain("interrupted", 130)
    return code if isinstance(code, int) else 0


def _misuse(error: CycloptsError) -> str:
    """What is wrong with the words given, and whose help says how they go."""
    said = " ".join(str(error).split())
    if isinstance(error, MissingArgumentError) and error.argument is not None:
        is_named = any(word in error.argument.names for word in error.root_input_tokens or ())
        said = f"{error.argument.name} {'needs a value' if is_named else 'is missing'}."
    elif isinstance(error, UnusedCliTokensError):
        said = f"{', '.join(map(repr, error.unused_tokens or ()))} given, expected nothing more."
    return f"{said} See {' '.join(('pumice', *(error.command_chain or ())))} --help."


def _unheard(code: int) -> int:
    """Nobody takes standard output any more: without this the interpreter would complain of it once again at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code


def _complain(line: str, code: int) -> int:
    sys.stderr.write(f"pumice: {' '.join(line.split())}\n")
    return code
