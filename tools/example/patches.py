"""What the scripted agent writes: the pattern, the changes to `parse`, the tests."""

TOO_LONG = '["b", "b17x", "b173#", "b173#L", "b173#40", "b173#L4-5", "b173 #L4", "../b173#L4", "B173", "b173#L0", "b１７３"]'
SPLIT = """[
        "b", "b17x", "b173#", "b173#L", "b173#40", "b173#L4-5", "b173 #L4",
        "../b173#L4", "B173", "b173#L0", "b１７３",
    ]"""

ORDINAL = '_ORDINAL = re.compile(r"^b\\d+$")'
ORDINAL_MISREMEMBERED = '_ORDINAL = re.compile("^b[0-9]+$")'
LABEL = '_LABEL = re.compile(r"^(?P<name>b\\d+)(?:#L(?P<a>\\d+)(?:-L(?P<b>\\d+))?)?$")'

TEST_FILE = f'''"""Labels and addresses are two spellings of one pointer."""

import pytest

from pumice.domain import pointer
from pumice.domain.pointer import Pointer
from pumice.errors import NotAddressable


@pytest.mark.parametrize("slice_", ["", "#L1", "#L40", "#L40-L58", "#L7-L7"])
def test_a_label_means_what_its_address_means(slice_: str) -> None:
    """An agent may copy the short form with the lines it wants."""
    assert pointer.parse(f"b173{{slice_}}") == pointer.parse(f"workspace://artifacts/b173{{slice_}}")


def test_a_sliced_label_prints_as_an_address() -> None:
    """What was parsed from a label can be stored and parsed again."""
    parsed = pointer.parse("b173#L40-L58")
    assert str(parsed) == "workspace://artifacts/b173#L40-L58"
    assert pointer.parse(str(parsed)) == parsed == Pointer("artifacts", "b173", 40, 58)


@pytest.mark.parametrize("text", ["b173#L58-L40", "workspace://artifacts/b173#L58-L40"])
def test_a_slice_that_runs_backwards_is_refused(text: str) -> None:
    """A backwards slice is a mistake of the writer, not an empty answer."""
    with pytest.raises(NotAddressable, match="L58"):
        pointer.parse(text)


@pytest.mark.parametrize("text", {TOO_LONG})
def test_what_only_looks_like_a_label_is_refused(text: str) -> None:
    """No path, no half slice, no line zero and no other digits get through."""
    with pytest.raises(NotAddressable):
        pointer.parse(text)
'''

PARSE_OLD = """    if _ORDINAL.match(text):
        return Pointer("artifacts", text)
    found = _POINTER.match(text)
    if not found or ".." in text:"""
PARSE_NEW = """    found = _LABEL.match(text) or _POINTER.match(text)
    if not found or ".." in text:"""
RETURN_OLD = """    first, last = found["a"], found["b"]
    return Pointer(found["area"], found["name"], int(first) if first else None, int(last) if last else None)"""
RETURN_NEW = """    first, last = (int(found[end]) if found[end] else None for end in "ab")
    return Pointer(found.groupdict().get("area", "artifacts"), found["name"], first, last)"""
RETURN_FIXED = """    first, last = (int(found[end]) if found[end] else None for end in "ab")
    if first == 0 or (last is not None and first is not None and last < first):
        raise NotAddressable(f"{text!r} asks for lines {first} to {last}.", hint="Lines count from 1, the smaller first.")
    return Pointer(found.groupdict().get("area", "artifacts"), found["name"], first, last)"""

LABEL_ASCII = LABEL.replace('$")', '$", re.ASCII)')

HINT_OLD = "Labels look like b173, addresses"
HINT_NEW = "Labels look like b173[#L4], addresses"

CHANGELOG_OLD = "### Added\n\n"
CHANGELOG_NEW = f"""{CHANGELOG_OLD}\
- Short labels take a slice: `b173#L40-L58` is `workspace://artifacts/b173#L40-L58`; backwards slices are refused. \
[ACME-20931-7]
"""
