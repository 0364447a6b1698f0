"""The tool an agent keeps notes with: they stand in every view after a cut, before anything that was folded (F-C14).

The notes are folded from the tool's calls in the conversation itself (`commit.notes`), so that they are right on every branch;
the tool only answers what it took.
"""

from typing import Annotated

import msgspec
from msgspec import Meta

from pumice.toolkit.tool import Tool

NAME = "update_notes"
WORDS = "Keep notes by topic: facts, decisions and findings you will need after older steps have been folded out of view."


class Notes(msgspec.Struct, forbid_unknown_fields=True):
    notes: Annotated[
        dict[str, str],
        Meta(description="Text by topic. A topic given again is replaced, an empty text removes it, others stay."),
    ]


def tool() -> Tool:
    """`update_notes`."""

    async def run(asked: Notes) -> str:
        return answer(asked)

    return Tool(NAME, WORDS, Notes, run, adds=True)


def answer(asked: Notes) -> str:
    """What came of a call."""
    kept = [topic for topic, text in asked.notes.items() if text.strip()]
    gone = [topic for topic, text in asked.notes.items() if not text.strip()]
    said = [f"Noted: {', '.join(kept)}." if kept else "", f"Removed: {', '.join(gone)}." if gone else ""]
    return " ".join(part for part in said if part) or "Nothing noted: no topic was given."
