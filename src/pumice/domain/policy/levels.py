"""The parts of a policy that the levels read, one each."""

import msgspec


class Mechanical(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rules: tuple[str, ...] = ("superseded", "duplicate", "fixed", "plans", "noise", "reasoning", "chatter")
    """What goes, of F-C2: results read again later, results that came twice, failed attempts that worked later, plans and
    notes replaced by newer ones, terminal noise, old reasoning, empty chatter."""


class Recent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    shape: str = "oldest"
    """`oldest` (oldest out), `middle` (middle out), `tool_rounds`, or `hybrid` (F-C3)."""
    first: int = 0
    """Oldest groups that stay."""
    groups: int | None = None
    """Newest groups that stay; None: as many as the target holds. The same for the next three."""
    turns: int | None = None
    tool_rounds: int | None = None
    tokens: int | None = None
    reduction_weight: float = 0.6
    retention_weight: float = 0.4


class Summary(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How much of an offloaded result stays in view."""

    head: int = 40
    """Lines."""
    tail: int = 40
    error_lines: str | int = "all"


class ReadBack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    mode: str = "auto"
    """How a proxy's client reads back: `tool` (one the proxy adds and answers), `files`, `mcp`, `none`, or what there is."""
    tool: str = "read_range"
    max_per_round: int = 2
    folder: str = ""
    """Where files lie; empty: in the store."""


class Offload(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    style: str = "results"
    """`results`: big or old results become excerpts with a pointer, oldest first; `lines`: everything old folds and the best
    single lines come back; `judged`: a judge decides call by call."""
    single_result_over: int | None = None
    """Tokens above which one result is offloaded whatever the budget says; None: `first_sight` alone decides."""
    newest: int = 3
    """Newest results that stay whole."""
    newest_tokens: int | None = None
    """Tokens of newest results that stay whole besides; None: `newest` alone."""
    kinds: tuple[str, ...] = ()
    """Which results go, by what their tool does (`file_read`, `shell`, `search`, `fetch`, …); empty: all."""
    spare: tuple[str, ...] = ()
    """Names of tools whose results stay."""
    at_least: int = 0
    """Tokens a pass must free, or nothing goes."""
    excerpt: bool = True
    """Whether an excerpt stays with the pointer; without, one line of ours."""
    summary: Summary = Summary()
    pointer: str = ""
    """Address of the first result offloaded, `workspace://area/name`; later ones get `-2`, `-3`; empty: the block's own."""
    read_back: ReadBack = ReadBack()
    repin_after_reads: int = 3
    """A section read so often stays in view from the next epoch on, within what pins leave of their budget (F-E3)."""


class Lines(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    price: float = 0.0012
    overhead: int = 3
    piece_chars: int = 400
    """Fixed: very long lines are judged by 200 characters on either side of a name, so pieces are cut that way."""
    whole_block_at: float = 0.85


class Judge(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    by: str = "rules"
    """`rules`, or `model`."""
    first: int = 1
    """Oldest groups that always stay."""
    newest: int = 6
    """Newest groups that always stay."""
    keep_result: float = 0.5
    """Score from which a result stays whole."""
    keep_call: float = 0.5
    """Score from which a call stays, with the first characters of its result."""
    head_chars: int = 300
    min_reduction: float = 0.25
    """Share of tokens below which the pass counts as nothing gained."""
    state_tokens: int = 25000
    """What a judging model is shown at most."""


class Summarize(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    template: str = "pumice"
    """`pumice`, `nine-section`, `state-snapshot`, `handoff-zh`, `handoff` or a template file."""
    template_text: str = ""
    """A template of the user's own as YAML; where `template` names a file, what stands in it."""
    model: str | None = None
    """`same`, `cheapest`, `<dialect>:<model>@<base url>`; None: extractive, without a model."""
    prompt: str = ""
    """Words added to the template's own instructions."""
    language: str = "auto"
    tokens: int = 4000
    """What the summary may take."""
    input_tokens: int = 100_000
    """What the summariser is shown at once; more is done in chunks and merged."""
    keep_tokens: int | None = None
    """Newest tokens that stay beside it as they are; None: what `keep` says."""
    keep_share: float | None = None
    """The same as a share of the history's tokens."""
    user_words: int | None = None
    """Tokens of a person's words kept verbatim beside it, newest first; None: what `user_words` says."""
    direction: str = "auto"
    """`up_to` (all but the newest is summarised), `from` (what is newer than the last summary), `auto` (by cache price)."""
    sealed: bool = False
    """Whether each cut comes with one item that may stand for everything in view, readable by this store's engine alone."""
    share: float = 1.0
    """Share of the line budget a summary may take where lines come back too."""


class Extract(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    tokens: int = 1000


class Recall(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    share: float = 0.25
    """Share of the target that passages brought back may take."""
    passages: int = 12


class Isolate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    tokens: int = 500
    """What a sub-agent's conclusion may take in its parent's view."""
