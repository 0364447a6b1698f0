"""What each key of a policy accepts: numbers in a range, words of a choice, texts of a form."""

from collections.abc import Mapping

from pumice.domain.resident import NAMES as RESIDENT

LEVELS = ("mechanical", "recent", "offload", "summarize", "extract", "recall", "isolate", "rebuild")

FLOOR = ("goal", "plan", "permissions", "approvals", "pins", "children")
"""What no level ever takes away, whatever `never_compress` says."""

SAME, CHEAPEST = "same", "cheapest"
"""What a policy may call a model of the conversation's own vendor."""

CHECKS = (
    *("budget_fits", "pairs_whole", "pointers_resolve", "sections_present", "pins_present", "goal_present", "plan_present"),
    *("next_step_present", "permissions_present", "approvals_present", "children_present", "open_items_present"),
    *("evidence_present", "decision_fields_present", "status_consistent", "sources_present", "key_entities_present"),
)
"""Names a policy may list under `validate`; `compact.validate` has a check for each, and runs them all in any case."""

_TOKENS, _SMALL, _SHARE, _COUNT = (0, 10_000_000), (0, 1_000_000), (0.0, 1.0), (0, 1000)

RANGES: Mapping[str, tuple[float, float]] = {
    "budget.window": (256, 100_000_000),
    "budget.reserve_output": _TOKENS,
    "budget.safety": _TOKENS,
    "budget.warn": (0.05, 1.0),
    "budget.act": (0.05, 1.0),
    "budget.act_at": (256, 100_000_000),
    "budget.to": (0.05, 1.0),
    "budget.to_under_50k": (0.05, 1.0),
    "budget.turns_ahead": (1, 10_000),
    "budget.min_gain": (0.0, 0.95),
    "budget.max_view": (256, 100_000_000),
    "triggers.turns": (1, 100_000),
    "triggers.tool_rounds": (1, 100_000),
    "triggers.minutes": (0.1, 100_000),
    "triggers.cost_usd": (0.0, 1_000_000),
    "cold.growth": (1.0, 100.0),
    "cold.ttl": (1, 1_000_000),
    "questions.wait_seconds": (0.0, 3600.0),
    "breaker.max_consecutive_failures": (1, 1000),
    "breaker.half_open_after": (1, 100_000),
    "first_sight.min": (100, 1_000_000),
    "first_sight.max": (100, 1_000_000),
    "first_sight.show": (0.05, 1.0),
    "first_sight.only_if_below": (0.05, 1.0),
    "keep.last_groups": (1, 1000),
    "keep.reads": _COUNT,
    "keep.reads_share": _SHARE,
    "keep.groups": (1, 1000),
    "keep.groups_share": _SHARE,
    "keep.state_tokens": (0, 100_000),
    "user_words.tokens": _TOKENS,
    "user_words.above_window": (0, 100_000_000),
    "user_words.share": (0.05, 1.0),
    "pins.whole_up_to": (10, 300),
    "pins.budget": _SMALL,
    "pointers.share": _SHARE,
    "media.images": _COUNT,
    "reasoning.newest": _COUNT,
    "few_shot.examples": _COUNT,
    "few_shot.tokens": _SMALL,
    "notes.tokens": (100, 100_000),
    "reminder.after": (1, 100_000),
    "recent.first": _COUNT,
    "recent.groups": (1, 100_000),
    "recent.turns": (1, 100_000),
    "recent.tool_rounds": (1, 100_000),
    "recent.tokens": (100, 100_000_000),
    "recent.reduction_weight": _SHARE,
    "recent.retention_weight": _SHARE,
    "offload.single_result_over": (100, 10_000_000),
    "offload.newest": _COUNT,
    "offload.newest_tokens": _TOKENS,
    "offload.at_least": _TOKENS,
    "offload.summary.head": (0, 10_000),
    "offload.summary.tail": (0, 10_000),
    "offload.summary.error_lines": (0, 10_000),
    "offload.read_back.max_per_round": (1, 1000),
    "offload.repin_after_reads": (2, 1000),
    "lines.price": _SHARE,
    "lines.overhead": (0, 100),
    "lines.piece_chars": (400, 400),
    "lines.whole_block_at": (0.1, 1.0),
    "judge.first": _COUNT,
    "judge.newest": _COUNT,
    "judge.keep_result": _SHARE,
    "judge.keep_call": _SHARE,
    "judge.head_chars": (0, 100_000),
    "judge.min_reduction": _SHARE,
    "judge.state_tokens": (1000, 1_000_000),
    "summarize.tokens": (200, 100_000),
    "summarize.input_tokens": (1000, 10_000_000),
    "summarize.keep_tokens": _TOKENS,
    "summarize.keep_share": _SHARE,
    "summarize.user_words": _TOKENS,
    "summarize.share": _SHARE,
    "extract.tokens": (100, 100_000),
    "recall.share": _SHARE,
    "recall.passages": (1, 1000),
    "isolate.tokens": (100, 100_000),
    "shares.system": _SHARE,
    "shares.goal": _SHARE,
    "shares.memory": _SHARE,
    "shares.state": _SHARE,
    "shares.tools": _SHARE,
    "shares.history": _SHARE,
    "tools.defer_unused_over": _TOKENS,
}
"""Accepted numbers by key, both ends included."""

CHOICES: Mapping[str, tuple[str, ...]] = {
    "task": ("any", "coding", "research", "support"),
    "cut": ("step_boundary",),
    "budget.of": ("usable", "window", "input_limit"),
    "budget.min_gain": ("economics",),
    "triggers.on_cost": ("warn", "harder", "cheapest"),
    "cold.ttl": ("provider",),
    "breaker.on_open": ("unload_only", "human"),
    "keep.pins": ("whole", "none"),
    "preface.place": ("front",),
    "recent.shape": ("oldest", "middle", "tool_rounds", "hybrid"),
    "offload.style": ("results", "lines", "judged"),
    "offload.summary.error_lines": ("all",),
    "offload.read_back.mode": ("auto", "tool", "files", "mcp", "none"),
    "judge.by": ("rules", "model"),
    "summarize.template": ("pumice", "nine-section", "state-snapshot", "handoff", "handoff-zh"),
    "summarize.model": (SAME, CHEAPEST),
    "summarize.language": ("auto",),
    "summarize.direction": ("auto", "up_to", "from"),
    "commit_before_compact.target": ("task_state",),
    "manifest_audit.on_scope_drop": ("log_with_reason",),
    "knowledge.mode": ("pointer_first", "resident", "retrieved", "pointer", "tool"),
    "tools.order": ("kept", "client"),
    "tools.search": ("bm25", "regex"),
}
"""Accepted words by key."""

_MOVING = (
    *("pins", "task_state", "plan", "notes", "approvals", "children", "retrieved_knowledge", "memory_hits", "skill_text"),
    *("recent_turns", "summary", "goal", "evidence", "media"),
)
"""What stands among or before the messages and may change (DESIGN §3)."""

NEVER_CUT: Mapping[str, tuple[str, ...]] = {"cut_order": ("system", *FLOOR)}
"""What a list may not name, since it never gives way, by key."""

_KINDS = ("file_read", "edit", "shell", "code", "search", "fetch", "act", "plan", "agent", "ask", "unknown")
"""What a tool does, by the words of the effects table."""

ITEMS: Mapping[str, tuple[str, ...]] = {
    "order": LEVELS,
    "first_sight.spare": _KINDS,
    "mechanical.rules": ("superseded", "duplicate", "fixed", "plans", "noise", "reasoning", "chatter"),
    "offload.kinds": _KINDS,
    "stable": RESIDENT,
    "semi_stable": RESIDENT,
    "dynamic": _MOVING,
    "cut_order": ("tools", "history", "memory", "state"),
    "never_compress": (
        *FLOOR,
        *("decisions", "constraints", "facts", "open_items", "next_step", "side_effects", "files", "errors"),
        *("failed_attempts", "notes"),
    ),
    "validate": CHECKS,
    "knowledge.require": ("source", "version", "effective_from", "effective_to", "scope", "classification", "owner"),
    "head.freeze": ("uuid", "timestamp", "date", "hash", "counter", "status"),
}
"""Accepted items of lists of words, by key."""

TOKENS_OR_SHARE = ("budget.reserve_output", "budget.safety")
"""Numbers that are tokens, and whole; below 1 a share of the window."""

DIALECTS = ("anthropic", "openai-chat", "openai-responses", "gemini")
"""Of models a policy may name by their address."""

FORMS: Mapping[str, tuple[str, str]] = {
    "first_sight.over": (r"window/[1-9]\d{0,5}", "window/N with a whole N above 0"),
    "offload.pointer": (
        r"|workspace://[a-z][a-z0-9_-]*/[A-Za-z0-9](?:[A-Za-z0-9_-]|\.(?!\.)){0,119}",
        "workspace://area/name",
    ),
    "offload.read_back.folder": (r"|/[^\x00-\x1f\x7f]{0,500}", "an absolute path"),
    "offload.read_back.tool": (r"[A-Za-z_][A-Za-z0-9_.-]{0,63}", "the name of a tool"),
    "summarize.model": (
        rf"(?:{'|'.join(DIALECTS)}):[^@\s]+@https?://[^\s/:]\S*",
        f"dialect:model@base-url with {', '.join(DIALECTS)} as dialects",
    ),
    "summarize.template": (r"[^\n]+\.ya?ml", "a .yaml file"),
    "summarize.language": (r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*", "a language such as en or zh"),
}
"""Accepted forms of texts by key: a pattern for the whole text, and how it is said."""

SOUGHT = ("commit_before_compact.required_fields", "commit_before_compact.synonyms")
"""Names that are looked for in texts: of any language, but not without a letter."""

FREE = frozenset(
    {
        *("name", "summarize.prompt", "summarize.template_text", "offload.spare", "triggers.degrade", "tools.keep"),
        *("probes", "probe_texts", "effects"),
        *SOUGHT,
    }
)
"""Names of the user's own: any text."""
