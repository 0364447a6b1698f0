"""A process of its own that matches a regular expression, to be killed where that takes too long: nothing of pumice in it.

Standard input: {"pattern", "texts", "longest", "most"} as JSON. Standard output: {"total", "found"}, of each match the place of
its text, its line from 1 and where in that it begins; or {"error"}.
"""

import json
import re
import sys
from typing import Any


def matched(pattern: str, texts: list[str], longest: int, most: int) -> dict[str, Any]:
    """Lines that match, of each no more characters than `longest`."""
    try:
        search = re.compile(pattern, re.IGNORECASE).search
    except (re.error, OverflowError, RecursionError) as error:
        return {"error": str(error)}
    found: list[tuple[int, int, int]] = []
    total = 0
    for at, text in enumerate(texts):
        for number, line in enumerate(text.split("\n"), 1):
            match = search(line[:longest])
            if match is not None:
                total += 1
                found += [(at, number, match.start())] if total <= most else []
    return {"total": total, "found": found}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(matched(**json.load(sys.stdin))))
