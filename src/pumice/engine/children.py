"""Children: the lanes of a session's other agents, so that what a sub-agent did can be reached from its parent (F-C8)."""

from collections.abc import Mapping

from pumice.engine.tree import Tree


def lanes(tree: Tree, agent: str) -> Mapping[str, tuple[str, str]]:
    """First and last block of each other agent's newest lane, by the agent's name."""
    found: dict[str, tuple[str, str]] = {}
    for name, lane in tree.current.items():
        blocks = [block.id for node in lane.branch.nodes for block in node.blocks]
        if name != agent and blocks:
            found[name] = (blocks[0], blocks[-1])
    return found
