import base64
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pumice import excerpt
from pumice.excerpt import clean
from pumice.measure import tokens

LIMIT = 400


def cut(text: str, limit: int = LIMIT, tool: str = "") -> excerpt.Excerpt:
    made = excerpt.make(text, limit=limit, count=tokens.count, tool=tool)
    assert made is not None
    assert tokens.count(made.text) <= limit
    assert_verbatim(text, made.text)
    return made


def assert_verbatim(source: str, shown: str) -> None:
    cleaned = clean.terminal(source)
    strange = [line for line in shown.split("\n") if not line.startswith("⋯") and line not in cleaned]
    assert strange == []


def shown_lines(made: excerpt.Excerpt) -> list[str]:
    return [line for line in made.text.split("\n") if not line.startswith("⋯")]


LINE = st.one_of(
    st.text(max_size=60),
    st.sampled_from(
        ["", "error: x", "\x1b[31mred\x1b[0m", "10%\r20%\r30%", "a,b,c", '{"a": 1, "b": [1, 2]}', "x" * 900, "src/a.py:12: y"]
    ),
    st.integers(0, 10**9).map(lambda n: f"2026-08-12T10:00:{n % 60:02} INFO request {n} done"),
    st.binary(min_size=150, max_size=300).map(lambda data: base64.b64encode(data).decode()),
)


@given(st.lists(LINE, max_size=80), st.integers(1, 300))
@settings(max_examples=60, deadline=None)
def test_excerpt_keeps_to_its_limit_and_to_the_source(lines: list[str], limit: int) -> None:
    """Whatever the text: never over the limit, never a line that the source does not have, the same twice."""
    text = "\n".join(lines)
    made = excerpt.make(text, limit=limit, count=tokens.count)
    if made is not None:
        assert tokens.count(made.text) <= limit
        assert_verbatim(text, made.text)
        assert made.text
        assert 0 <= made.shown_lines <= made.total_lines == text.count("\n") + 1
    assert made == excerpt.make(text, limit=limit, count=tokens.count)


@given(
    st.recursive(
        st.one_of(st.text(max_size=40), st.integers(), st.none(), st.booleans()),
        lambda inner: st.one_of(st.lists(inner, max_size=12), st.dictionaries(st.text(max_size=8), inner, max_size=12)),
        max_leaves=150,
    ),
    st.sampled_from([None, 2]),
)
@settings(max_examples=50, deadline=None)
def test_any_json_is_cut_into_pieces_of_itself(value: object, indent: int | None) -> None:
    """Depth, keys and escapes do not matter: what is shown of JSON is its own text."""
    text = json.dumps(value, indent=indent)
    made = excerpt.make(text, limit=120, count=tokens.count)
    if made is not None:
        assert tokens.count(made.text) <= 120
        assert_verbatim(text, made.text)


def test_text_within_the_limit_stays_whole() -> None:
    """Nothing is gained by an excerpt of what fits."""
    assert excerpt.make("a short result", limit=100, count=tokens.count) is None


def test_limit_too_small_for_anything_gives_none() -> None:
    """An excerpt that could show nothing is none."""
    assert excerpt.make("word " * 5000, limit=1, count=tokens.count) is None


def test_errors_failing_tests_counts_and_exits_stay_in_view() -> None:
    """Deep in a long log the lines that decide stay: the failing test, its place, the error code, the sum, the exit."""
    noise = [f"2026-08-12 10:00:{n % 60:02} INFO worker {n % 7} handled request {n} in {n % 90} ms" for n in range(2000)]
    wanted = [
        "--- FAIL: TestParseDate (0.02s)",
        "    parse_test.go:118: got 2026-08-12, want 2026-08-13",
        "src/app.ts(14,7): error TS2304: Cannot find name 'colour'.",
        "E   AssertionError: assert 3 == 4",
        "1812 passed, 3 failed, 2 skipped in 41.7s",
        "Process exited with code 137",
    ]
    for at, line in enumerate(wanted):
        noise.insert(300 * (at + 1), line)
    made = cut("\n".join(noise))
    assert made.kind == "log"
    assert set(wanted) <= set(shown_lines(made))
    assert noise[0] in made.text
    assert noise[-1] in made.text


def test_line_that_differs_from_a_thousand_alike_stays_in_view() -> None:
    """The odd one out needs no error word to be kept."""
    lines = [f"node-{n:04d} state=ready load={n % 9}" for n in range(1000)]
    lines[617] = "node-0617 drained by operator"
    assert lines[617] in cut("\n".join(lines)).text


def test_gap_says_how_many_lines_and_whether_they_repeat() -> None:
    """A reader knows what is missing and where to ask for it."""
    text = "start\n" + "\n".join(f"tick {n}" for n in range(900)) + "\nend of run"
    made = cut(text, 60)
    gaps = [line for line in made.text.split("\n") if line.startswith("⋯")]
    assert any("lines (" in gap for gap in gaps)
    assert any("like the one above" in gap for gap in gaps)


def test_huge_line_of_json_is_shown_in_pieces() -> None:
    """B-M1: 5 MB without a newline give a bounded excerpt with marks, not the original."""
    text = json.dumps({"rows": [{"id": n, "name": f"name_{n}", "ok": n != 31_000} for n in range(100_000)]})
    made = cut(text, 500)
    assert len(text) > 4_000_000
    assert made.kind == "json"
    assert '"name_0"' in made.text
    assert '{"id": 31000, "name": "name_31000", "ok": false}' in made.text
    assert "JSON, 100000 items: object with id number, name string, ok boolean" in made.text


def test_huge_line_of_anything_is_cut_between_characters() -> None:
    """B-M1: a line of multi-byte characters is never cut inside one."""
    made = cut("汉字🔥" * 200_000, 300)
    assert made.text.encode("utf-8").decode("utf-8") == made.text
    assert "characters" in made.text


@pytest.mark.parametrize("order", [1, -1])
def test_huge_lines_beside_many_short_ones_are_bounded(order: int) -> None:
    """A long text may begin or end inside one line that is longer than all others together."""
    parts = ["\n".join(f"row {n}" for n in range(60_000)), "z" * 700_000 + " end"][::order]
    made = cut("\n".join(parts), 300)
    assert "\nrow " in "\n" + made.text
    assert "characters" in made.text or "lines" in made.text


def test_redrawn_and_coloured_output_collapses() -> None:
    """B-M2, B-M8: control sequences and what a carriage return draws over go; the last state stays."""
    spinner = "".join(f"\x1b[2K\r{n}% \x1b[32mbuilding\x1b[0m module_{n % 3}" for n in range(10_000)) + "\ndone in 4s\n"
    made = cut(spinner, 200)
    assert "\x1b" not in made.text
    assert "\r" not in made.text
    assert made.text.split("\n")[0] == "9999% building module_0"
    assert "done in 4s" in made.text


def test_values_a_control_character_tells_apart_stay_apart() -> None:
    """Lists ended by NUL and fields by a separator: taking the character out would make values nobody wrote."""
    made = cut("\0".join(f"src/pkg{n}/mod_{n * 7}.py" for n in range(3_000)))
    assert "src/pkg0/mod_0.py src/pkg1/mod_7.py" in made.text
    assert clean.terminal("4711\x1f0815\x07\n") == "4711 0815\n"


def test_windows_line_ends_are_no_redraws() -> None:
    """A carriage return before a newline is part of it."""
    text = "\r\n".join(f"row {n} of the listing" for n in range(600))
    assert "row 0 of the listing" in cut(text).text


def test_base64_is_never_shown() -> None:
    """Bytes as text say nothing: what stands around them does."""
    data = base64.b64encode(bytes(range(256)) * 40).decode()
    made = cut(f'{{"type": "image", "data": "{data}", "caption": "a red door", "thumbnail": "{data}", "more": "a lamp"}}', 200)
    assert data[:200] not in made.text
    assert "a red door" in made.text
    assert "a lamp" in made.text
    assert "characters of base64" in made.text


def test_error_result_is_cut_like_any_other() -> None:
    """B-C9: a result that failed is no reason to skip the limit."""
    trace = "Error: request failed\n" + "\n".join(f"    at handler{n} (/app/src/file{n}.js:{n}:7)" for n in range(20_000))
    assert "Error: request failed" in cut(trace, 300).text


def test_reminder_of_the_client_is_kept_whole() -> None:
    """What a client appends inside a result is its own message to the model."""
    reminder = "<system-reminder>\nThe file changed on disk. Read it again before you edit it.\n</system-reminder>"
    made = cut("\n".join(f"line {n} of many" for n in range(2000)) + "\n\n" + reminder, 200)
    assert made.text.endswith(reminder)


def test_note_of_the_client_that_it_cut_is_kept() -> None:
    """Codex and others leave a marker in the middle; without it the reader would take the rest for whole."""
    lines = [f"output {n}" for n in range(3000)]
    lines[1500] = "…7000 tokens truncated…"
    assert "…7000 tokens truncated…" in cut("\n".join(lines)).text


@pytest.mark.parametrize(
    "text",
    [
        "<persisted-output>\nOutput too large (106.2KB). Full output saved to: /tmp/x.txt\n\nPreview (first 2KB):\n…",
        "<tool_output_masked>\nhead\n…\ntail\n</tool_output_masked>",
        "head of output\n" * 500 + "... [truncated] ...\nFor full output see: /tmp/out.log",
    ],
)
def test_result_the_client_has_cut_is_recognised(text: str) -> None:
    """Its own pointer stays the address; we do not cut it again."""
    assert excerpt.is_already_cut(text)


@pytest.mark.parametrize("text", ["", "plain output", "the list was truncated", "def truncate(output): ..."])
def test_text_about_truncation_is_not_taken_for_cut(text: str) -> None:
    """Only a placeholder or a pointer counts."""
    assert not excerpt.is_already_cut(text)
