"""Manifests packed for the page say the same as the manifests they came from."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from pumice.domain.manifest import Manifest, Row, Usable
from pumice.faces.tracks import COLUMNS, Figures, Track


def row_of(block: str, outcome: str = "keep", tokens: int = 10, reason: str = "newest", sources: Sequence[str] = ()) -> Row:
    return Row(
        id=block,
        partition="tools",
        zone="dynamic",
        source="Read secret.py",
        scope="tenant:t",
        version="",
        trust="tool",
        authority="none",
        permission_basis="client",
        outcome=outcome,
        level="offload",
        reason=reason,
        tokens=tokens,
        counted="counted",
        transform="",
        content_hash="ab" * 32,
        sources=tuple(sources),
        pointer="workspace://artifacts/b1",
    )


rows = st.lists(
    st.builds(
        row_of,
        st.sampled_from(["b1", "b2", "b3", "b4", "pins"]),
        st.sampled_from(["keep", "fold", "excerpt"]),
        st.integers(0, 5000),
        st.sampled_from(["newest", "</script><b>hi", "太旧"]),
        st.lists(st.sampled_from(["b1", "b2"]), max_size=2),
    ),
    max_size=8,
)


def call(number: int, manifest_rows: list[Row] | None) -> Figures:
    manifest = None
    if manifest_rows is not None:
        usable = Usable(60_000, 8_000, 2_000, "argument")
        manifest = Manifest(
            number, "main", 0, "open", "balanced", usable, 1.25, warnings=("about secret.py",), rows=tuple(manifest_rows)
        )
    return Figures(number, 10, 50_000, {"tools": 10}, 4, 6, 0, "open", manifest)


def pairs(spread: list[int]) -> Iterator[tuple[int, int]]:
    row = 0
    for gap, value in zip(*[iter(spread)] * 2, strict=True):
        row += gap
        yield row, value


def unpacked(packed: dict[str, Any]) -> Iterator[list[tuple[Any, ...]] | None]:
    """The rows of each call, as the page rebuilds them."""
    table, kinds, tokens = packed["rows"], {}, {}
    for packed_call in packed["calls"]:
        step = packed_call["manifest"]
        if step is None:
            yield None
            continue
        for row in step["gone"]:
            del kinds[row], tokens[row]
        kinds |= dict(pairs(step["kinds"]))
        for row in kinds:
            tokens.setdefault(row, 0)
        for row, more in pairs(step["tokens"]):
            tokens[row] += more
        yield [(table["ids"][row], tokens[row], *values(table, kind, step["shared"])) for row, kind in kinds.items()]


def values(table: dict[str, Any], kind: int, shared: dict[str, str]) -> Iterator[Any]:
    for column, word in zip(table["columns"], table["kinds"][kind], strict=True):
        yield shared.get(column, table["words"][word])


def plain(manifest_rows: list[Row]) -> list[tuple[Any, ...]]:
    return [(row.id, row.tokens, *(getattr(row, column) for column in COLUMNS)) for row in manifest_rows]


@given(st.lists(st.one_of(st.none(), rows), max_size=6))
def test_a_track_unpacks_to_the_rows_of_every_call(calls: list[list[Row] | None]) -> None:
    """Whatever comes, changes, goes and comes back, the page shows each call's own rows."""
    track = Track()
    for number, manifest_rows in enumerate(calls, 1):
        track.add(call(number, manifest_rows))
    for expected, found in zip(calls, unpacked(track.packed()), strict=True):
        if expected is None:
            assert found is None
            continue
        assert found is not None
        shown = [(row[0].split(" (")[0], *row[1:]) for row in found]
        assert sorted(shown, key=repr) == sorted(plain(expected), key=repr)


def test_a_row_that_does_not_change_is_written_once() -> None:
    """A long session stays small: an unchanged block costs nothing at later calls."""
    track = Track()
    for number in range(1, 400):
        track.add(call(number, [row_of("b1")]))
    steps = [packed["manifest"] for packed in track.packed()["calls"]]
    assert steps[0]["tokens"] == [0, 10]
    assert all(step["kinds"] == step["tokens"] == step["gone"] == [] for step in steps[1:])


def test_a_moving_token_factor_makes_no_new_kinds() -> None:
    """How tokens were counted is said once a call, so that a factor that moves at every call costs a few bytes."""
    track = Track()
    for number in range(1, 400):
        moved = msgspec.structs.replace(row_of("b1", tokens=1000 + number), counted=f"o200k × {number / 400}")
        track.add(call(number, [moved]))
    packed = track.packed()
    assert len(packed["rows"]["kinds"]) == 1
    assert [packed_call["manifest"]["tokens"] for packed_call in packed["calls"][1:]] == [[0, 1]] * 398
    assert packed["calls"][0]["manifest"]["shared"]["counted"] == "o200k × 0.0025"


def test_a_redacted_track_keeps_sizes_and_kinds_and_no_words_of_the_session() -> None:
    """What a redacted report shows of a block can be passed on without its text or its hash."""
    track = Track()
    track.add(call(1, [row_of("b1", "fold", 9, "in secret.py", ("b7",)), row_of("head:tool:secret_tool")]))
    packed = track.packed(redact=True)
    assert "secret" not in repr(packed)
    assert "ab" * 32 not in repr(packed)
    assert {"tools", "fold", "offload"} <= {word for word in packed["rows"]["words"] if isinstance(word, str)}
    assert packed["rows"]["ids"] == ["b1", "head:tool:1"]
    assert packed["calls"][0]["manifest"]["tokens"] == [0, 9, 1, 10]
    assert packed["calls"][0]["manifest"]["warnings"] == [""]
