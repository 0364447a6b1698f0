"""How the client at hand fetches what has left the window: by a tool, as a file of its own machine, or not at all."""

import re
from collections.abc import Mapping

import msgspec

POINTER, FILES, NONE, TOOL = "pointer", "files", "none", "tool"
_NAME = re.compile(r"b\d+")


class Redeem(msgspec.Struct, frozen=True):
    """What marks and notes say of it; recorded per lane, since bytes that were shown depend on it."""

    by: str = POINTER
    """`pointer`: the address, for a tool; `tool`: the same, and its calls are answered here; `files`: a path in `folder`;
    `none`: nothing, for nothing could fetch it."""
    folder: str = ""
    """Absolute path of the folder in which each block that has left the view is a file of its name."""
    tool: str = ""
    """The tool that reads back, by the name the request declares it under; empty where it declares none."""

    def mark(self, block: str, address: str) -> Mapping[str, str]:
        """The attribute of a mark that says where the rest of a block is; empty where it cannot be fetched."""
        if self.by == NONE:
            return {}
        return {"read": f"{self.folder}/{block}" if self.by == FILES else address}

    def block_in(self, words: str) -> str:
        """The block whose file some words name, as a path or within a command; empty for none."""
        _, found, rest = words.partition(f"{self.folder}/") if self.folder else ("", "", "")
        name = _NAME.match(rest) if found else None
        return name[0] if name is not None else ""


POINTERS = Redeem()
