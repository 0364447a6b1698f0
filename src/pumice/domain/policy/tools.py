"""The part of a policy that says which tool definitions stand in the prefix, and in what order (F-A6)."""

import msgspec


class Tools(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    order: str = "kept"
    """`kept`: definitions leave in the order of the lane's first call, whatever the client does later; `client`: as sent."""
    defer_unused_over: int | None = None
    """Tokens of all definitions together above which those that no call has used are index-only; None defers nothing."""
    keep: tuple[str, ...] = ()
    """Tools that always stay loaded: names, or patterns such as `mcp__github__*`."""
    search: str = "bm25"
    """Which of the provider's searches finds deferred tools: `bm25` (words) or `regex` (the only one on Bedrock)."""
