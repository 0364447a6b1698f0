"""Match a regular expression somebody else wrote, within a time: a bad one runs for years and holds up the whole process."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pumice.errors import InvalidInput

SECONDS = 2.0
"""For all of a session: 10 MB of lines take a tenth of that with a pattern that is none of the bad ones."""
_CHILD = Path(__file__).with_name("matching_child.py")
_HINT = "Correct it, or search without regex."


async def matched(
    pattern: str, texts: Sequence[str], *, longest: int, most: int, seconds: float = SECONDS
) -> tuple[int, list[tuple[int, int, int]]]:
    """How many lines match, and the first `most` of them: text, line from 1, and where in its first `longest` characters.

    Raises InvalidInput for a pattern that is none, or that takes too long.
    """
    asked = json.dumps({"pattern": pattern, "texts": texts, "longest": longest, "most": most})
    # The module `re` neither stops nor lets other threads run: only a process can be left.
    command = [sys.executable, "-I", "-S", str(_CHILD)]
    try:
        told = await asyncio.to_thread(
            subprocess.run, command, input=asked.encode(), capture_output=True, timeout=seconds, check=True
        )
    except subprocess.TimeoutExpired as error:
        raise InvalidInput(f"regular expression {pattern[:60]!r} took more than {seconds:g} s.", hint=_HINT) from error
    except (OSError, subprocess.CalledProcessError) as error:
        raise InvalidInput("regular expressions cannot be run here.", hint="Search without regex.") from error
    found: dict[str, Any] = json.loads(told.stdout)
    if "error" in found:
        raise InvalidInput(f"regular expression {pattern!r}: {found['error']}.", hint=_HINT)
    return found["total"], [(at, line, start) for at, line, start in found["found"]]
