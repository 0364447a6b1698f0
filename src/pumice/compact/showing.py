"""What a layout still shows: how big its blocks and groups stand under the forms levels have given them so far."""

from collections.abc import Mapping

from pumice.compact.laid import lay
from pumice.compact.layout import Brief, Layout
from pumice.compact.ruler import Ruler
from pumice.domain.block import Block
from pumice.domain.decision import Decision
from pumice.domain.group import Group


class Showing:
    """Sizes of blocks as they stand, in calibrated tokens; that a group folds is the caller's to know."""

    def __init__(self, brief: Brief, layout: Layout) -> None:
        self._ruler: Ruler = brief.ruler
        self._forms: Mapping[str, Decision] = layout.forms

    def block(self, block: Block) -> int:
        """Tokens of a block in its present form; 0 when it is left out."""
        form = self._forms.get(block.id)
        return self._ruler.block(block) if form is None else self._ruler.shown(block, form)

    def group(self, group: Group) -> int:
        """Tokens of a group in its present form."""
        return sum(map(self.block, group.blocks))


def smaller(brief: Brief, before: Layout, after: Layout) -> Layout:
    """The layout of a level that made room; where what it puts in the preface costs more than it frees, the one before."""
    if after is before or lay(brief, after).tokens < lay(brief, before).tokens:
        return after
    return before
