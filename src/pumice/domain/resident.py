"""Resident content: what a session keeps in the head of every request besides the client's own (DESIGN §2)."""

import msgspec

from pumice.domain.block import Trust

PLATFORM = "platform_policy"
EXAMPLES = "few_shot"
NAMES = (PLATFORM, "agent_contract", "glossary", EXAMPLES, "tool_manifest", "project_rules", "skill_index")
"""What may be resident, in the order of DESIGN §3."""
STABLE, SEMI_STABLE = "stable", "semi-stable"
ZONES = {name: SEMI_STABLE if name in ("tool_manifest", "project_rules", "skill_index") else STABLE for name in NAMES}
"""Where each stands unless a policy says otherwise."""


class Part(msgspec.Struct, frozen=True):
    """One text in the block, or the line that stands for it."""

    name: str
    """`glossary`, or `few_shot-2` for the second example."""
    zone: str
    digest: str
    """sha256 hex of the whole text."""
    tokens: int
    """o200k tokens of its lines in the block."""
    reason: str = ""
    pointer: str = ""
    """Address of the whole text where only a line stands for it; empty where all of it stands."""

    @property
    def kind(self) -> str:
        return self.name.partition("-")[0]

    @property
    def authority(self) -> str:
        return "platform" if self.kind == PLATFORM else "agent"

    @property
    def trust(self) -> Trust:
        return Trust.PLATFORM if self.kind == PLATFORM else Trust.AGENT


class Given(msgspec.Struct, frozen=True):
    """What a caller had given when a block was made."""

    name: str
    zone: str
    digest: str
    """sha256 hex of all its texts."""


class Resident(msgspec.Struct, frozen=True):
    """The one block of a lane's epoch: its bytes are on record, so no later version renders it again."""

    text: str
    parts: tuple[Part, ...]
    given: tuple[Given, ...]
    basis: str
    """Identity of what it was made of, the policy's part in it included."""
    rebinds: bool = False
    """The conversation held reasoning that was signed over another head (K-A35)."""
