"""The line index: entity → newest line and uses, grown group by group."""

from pumice.compact.lines import LineIndex


def where(index: LineIndex, name: str) -> tuple[str, int]:
    """Block and line of a name's newest occurrence."""
    entry = index.entries[name]
    place = index.places[entry.place]
    return place.block.id, place.scan.pieces[entry.piece].line


def test_a_name_moves_to_the_newest_block_that_holds_it(story) -> None:
    """Supersession at line level: what is said again is found where it was said last."""
    story.step("", ("Read", {"file_path": "a.py"}, "1→old_name = 1\n2→x"))
    newest = story.step("", ("Bash", {"command": "grep"}, "hit\nold_name = 2"))[-1]
    assert where(story.book().lines, "old_name") == (newest.id, 2)


def test_a_use_is_a_response_of_the_model_not_a_mention(story) -> None:
    """Text and arguments of one response are one use; results and users are none."""
    story.user("look at find_me")
    story.step("find_me find_me", ("Grep", {"pattern": "find_me"}, "find_me\nfind_me"))
    story.step("find_me again")
    entry = story.book().lines.entries["find_me"]
    assert (entry.uses, entry.used_in) == (2, 2)


def test_growing_equals_building_anew(long_story) -> None:
    """After a rewind the index of the kept groups is the same as one that never saw the rest."""
    book = long_story.book()
    rebuilt = book.lines.rebuilt(book.groups[:20], book.uses)
    fresh = LineIndex()
    for group in book.groups[:20]:
        fresh.add(group, book.uses)
    assert {name: where(rebuilt, name) for name in rebuilt.entries} == {name: where(fresh, name) for name in fresh.entries}
    assert {name: entry.uses for name, entry in rebuilt.entries.items()} == {
        name: entry.uses for name, entry in fresh.entries.items()
    }


def test_adding_reads_only_what_is_new(long_story) -> None:
    """A block whose bytes were seen before is not scanned again."""
    book = long_story.book()
    other = book.lines.rebuilt(book.groups, book.uses)
    assert all(one.scan is two.scan for one, two in zip(book.lines.places, other.places, strict=True))
