"""A summary: what was said and done, as items of a template's sections, each with its sources."""

import msgspec


class SummaryItem(msgspec.Struct, frozen=True):
    section: str
    """Key of the template's section it stands under."""
    text: str
    key: str = ""
    """What it is about (a path, a step, a name): a later item of the same section and key replaces it."""
    status: str = ""
    """`done`, `failed`, `to_confirm`, `next`; empty where it has none."""
    sources: tuple[str, ...] = ()
    """Ids of the blocks it was taken from; an item without any is a hint and shown as one."""
    verbatim: bool = False
    """Its text is words of a source, not a model's."""

    @property
    def name(self) -> str:
        """What it goes by: its key, else all of its text."""
        return self.key or self.text


class Summary(msgspec.Struct, frozen=True):
    template: str
    version: int
    items: tuple[SummaryItem, ...]
    until: str = ""
    """Id of the newest block it covers: the next pass takes only what is newer."""
    by: str = ""
    """What wrote it: empty for the deterministic summariser, else the model's name."""


class Ask(msgspec.Struct, frozen=True):
    """A question to a model: everything the answer may depend on."""

    purpose: str
    """`summary`, `merge`, `judge`, `extract`, `probe`."""
    prompt: str
    """The instructions; tools are forbidden in any case."""
    max_tokens: int
    material: str = ""
    """What the question is about, where it does not stand in the live view; empty: it does, and the view's prefix may be
    reused (K-E8)."""
    key: str = ""
    """Identity of what is asked: the answer is kept under it and used wherever the same is asked again."""
    sources: tuple[str, ...] = ()
    """Ids of the blocks the material shows."""
    model: str = ""
    """Which model is asked, `<dialect>:<model>[@<base url>]`; empty: the one the engine was given."""
    reminds: bool = False
    """It is the one reminder: nothing is asked again after it."""
