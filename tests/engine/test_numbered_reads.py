"""A line of a file that was read from its middle is read back by the number that stands before it."""

import pytest
from tests_support import Agent, World


def numbered(first: int, last: int) -> str:
    return "\n".join(f"{at:6d}→value_{at} = {at * 7}" for at in range(first, last + 1))


async def started(world: World, text: str) -> Agent:
    agent = world.agent().says("Read the file.").runs("c1", text, tool="Read", file_path="src/config.go", offset=281)
    await agent.call()
    return agent


@pytest.mark.parametrize("frame", ["{}", "<file>\n{}\n</file>"])
async def test_the_number_in_a_view_is_the_offset_of_a_read(world: World, frame: str) -> None:
    """Whatever the client puts around the lines; what is told of the place counts the same way."""
    agent = await started(world, frame.format(numbered(281, 320)))
    for at in (281, 295, 320):
        agent.session.reads.reset()
        found = await agent.session.read_range("b3", at, 1)
        assert (found.text.split("→")[0].strip(), found.offset) == (str(at), at)
    assert found.total in (320, 321)


async def test_pages_follow_each_other_from_the_first_line(world: World) -> None:
    """Without an offset a read begins where the text does; the next offset goes on there, and nothing comes twice."""
    text = numbered(281, 320)
    agent = await started(world, text)
    taken, offset = [], 1
    while offset:
        agent.session.reads.reset()
        piece = await agent.session.read_range("b3", offset, 15)
        taken.append(piece.text)
        offset = piece.next_offset or 0
    assert "\n".join(taken) == text
    agent.session.reads.reset()
    assert (await agent.session.tail("b3", 2)).offset == 319


async def test_a_hit_of_a_search_is_read_where_it_says(world: World) -> None:
    """Words, letters and patterns alike."""
    agent = await started(world, numbered(281, 320))
    for query, regex in (("value_300", False), ("= 2100", False), ("value_30[0]", True)):
        hit = (await agent.session.search(query, regex=regex))[0]
        agent.session.reads.reset()
        assert hit.line == 300
        assert (await agent.session.read_range(hit.pointer, hit.line, 1)).text == hit.text


async def test_a_section_read_again_stands_with_its_own_lines(world: World) -> None:
    """What is kept in view is what was read, by place, not by number."""
    agent = await started(world, numbered(281, 320))
    for _ in range(3):
        agent.session.reads.reset()
        await agent.session.read_range("b3", 295, 3)
    (section,) = agent.session.tree.reread
    assert (section.first, section.last) == (15, 17)
