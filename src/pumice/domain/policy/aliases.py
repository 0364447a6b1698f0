"""Other names a policy file may use: one thing has one key, whatever it is called."""

from collections.abc import Mapping

WRAPPER = "compression"
"""A key that may stand around a whole policy; what is inside counts as if it stood outside."""

KEYS: Mapping[str, str] = {
    "circuit_breaker": "breaker",
    "unload_single_over": "offload.single_result_over",
    "budget.unload_single_over": "offload.single_result_over",
    "budget.compact_at": "budget.act",
    "budget.warn_at": "budget.warn",
    "model_context_window": "budget.window",
    "model_auto_compact_token_limit": "budget.act_at",
    "tool_output_token_limit": "offload.single_result_over",
    "compact_prompt": "summarize.prompt",
    "offload.clear_at_least": "offload.at_least",
    "offload.exclude_tools": "offload.spare",
    "tools.effects": "effects",
    "read_back": "offload.read_back",
}
"""Dotted key as written → the key it stands for. From `model_context_window` on these are settings of Codex (coding-agents §1),
then fields of `clear_tool_uses_20250919` (provider-contracts §1.5.1)."""

SHORT: Mapping[str, str] = {"offload.read_back": "mode"}
"""Parts that one word may stand for → the key it is the value of."""

WORDS: Mapping[str, Mapping[str, str]] = {
    "order": {"newest": "recent", "unload": "offload", "extract_state": "extract"},
    "never_compress": {
        "plan_state": "plan",
        "pending_approvals": "approvals",
        "permission": "permissions",
        "sub_agents": "children",
    },
}
"""The same for items of lists, by key of the list."""
