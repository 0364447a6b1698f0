"""The diet of a lane: how its tool definitions leave, decided at its first call and the same at every later one."""

import msgspec


class Diet(msgspec.Struct, frozen=True):
    """What a policy made of a lane's tools (F-A6)."""

    names: tuple[str, ...] = ()
    """The tools of the lane's first call, in the order they left."""
    keeps_order: bool = True
    """They leave in that order at every call; else as the client sends them."""
    deferred: tuple[str, ...] = ()
    """Names of definitions that wait outside the prefix until a search finds them."""
    search: str = "bm25"
    note: str = ""
    """Why tools that the policy wants deferred all stay; empty where there is nothing to say."""
    key: str = ""
    """Identity of the head as it leaves, hex: two lanes with the same one share what the provider's cache holds of it."""
