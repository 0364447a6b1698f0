"""A policy: every choice of the engine as small frozen parts with their units."""

import msgspec

from pumice.domain.effect import Effect
from pumice.domain.policy.budget import Breaker, Budget, Cold, Questions, Triggers
from pumice.domain.policy.governed import Audit, Commit, Head, Knowledge, Shares
from pumice.domain.policy.keep import (
    FewShot,
    FirstSight,
    Keep,
    MediaKeep,
    Notes,
    Pins,
    Pointers,
    Preface,
    Reasoning,
    Reminder,
    UserWords,
)
from pumice.domain.policy.levels import (
    Extract,
    Isolate,
    Judge,
    Lines,
    Mechanical,
    Offload,
    ReadBack,
    Recall,
    Recent,
    Summarize,
    Summary,
)
from pumice.domain.policy.limits import FLOOR
from pumice.domain.policy.tools import Tools

__all__ = [
    "Audit",
    "Breaker",
    "Budget",
    "Cold",
    "Commit",
    "Extract",
    "FewShot",
    "FirstSight",
    "Head",
    "Isolate",
    "Judge",
    "Keep",
    "Knowledge",
    "Lines",
    "Mechanical",
    "MediaKeep",
    "Notes",
    "Offload",
    "Pins",
    "Pointers",
    "Policy",
    "Preface",
    "Questions",
    "ReadBack",
    "Reasoning",
    "Recall",
    "Recent",
    "Reminder",
    "Shares",
    "Summarize",
    "Summary",
    "Tools",
    "Triggers",
    "UserWords",
]


class Policy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    task: str = "any"
    """What it is made for: `any`, `coding`, `research`, `support`."""
    budget: Budget = Budget()
    triggers: Triggers = Triggers()
    cold: Cold | None = None
    questions: Questions = Questions()
    breaker: Breaker = Breaker()
    order: tuple[str, ...] = ("mechanical", "offload", "summarize")
    """Levels, cheapest first (F-C11); empty: the full history is sent."""
    cut: str = "step_boundary"
    """Where a cut may fall; between a call and its results it never does."""
    every_call: bool = False
    """The cut is made anew at every call (sliding windows)."""
    strict: bool = False
    """Where nothing fits, a proxy refuses the call instead of sending the smallest valid view."""

    first_sight: FirstSight | None = None
    """None: nothing is excerpted on arrival."""
    keep: Keep = Keep()
    user_words: UserWords = UserWords()
    pins: Pins = Pins()
    pointers: Pointers = Pointers()
    preface: Preface = Preface()
    media: MediaKeep = MediaKeep()
    reasoning: Reasoning = Reasoning()
    few_shot: FewShot = FewShot()
    notes: Notes = Notes()
    reminder: Reminder = Reminder()

    mechanical: Mechanical = Mechanical()
    recent: Recent = Recent()
    offload: Offload = Offload()
    lines: Lines = Lines()
    judge: Judge = Judge()
    summarize: Summarize = Summarize()
    extract: Extract = Extract()
    recall: Recall = Recall()
    isolate: Isolate = Isolate()

    stable: tuple[str, ...] = ("platform_policy", "agent_contract", "glossary")
    semi_stable: tuple[str, ...] = ("tool_manifest", "project_rules")
    dynamic: tuple[str, ...] = ("task_state", "retrieved_knowledge", "memory_hits", "recent_turns")
    """What stands in which zone (DESIGN §3)."""
    shares: Shares = Shares()
    cut_order: tuple[str, ...] = ()
    """Partitions in the order they give way; empty: as `order` has it. System, goal, pins and `never_compress` never do."""
    never_compress: tuple[str, ...] = ()
    """Added to the floor no policy can lower: goal, plan, permissions, approvals, pins, children."""
    commit_before_compact: Commit = Commit()
    validate: tuple[str, ...] = ()
    """Checks named by a policy beyond those every cut passes; all of them are always run."""
    probes: tuple[str, ...] = ()
    """Probe sets asked before and after every cut, by the names of shipped ones or of files; a loss fails it."""
    probe_texts: tuple[str, ...] = ()
    """Of each set the text of its file, in the order of `probes`; empty for a shipped one."""
    manifest_audit: Audit = Audit()
    knowledge: Knowledge = Knowledge()
    head: Head = Head()
    effects: dict[str, Effect] = {}
    """What a tool does if it runs again, by its name or a pattern; `tools: {refund: write}` says the same."""
    tools: Tools | None = None
    """None: tool definitions leave as the client sends them."""

    @property
    def never(self) -> tuple[str, ...]:
        """Kinds of state that stand whole after every cut; fields that are required are among them."""
        required = ("facts",) if self.commit_before_compact.required_fields else ()
        return (*FLOOR, *self.never_compress, *required)
