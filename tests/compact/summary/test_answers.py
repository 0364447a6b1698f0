"""Reading what a model wrote: tolerant around the form, strict about it."""

import pytest

from pumice.compact.summary import answer, template

OURS, SNAPSHOT, CHINESE = template.shipped("pumice"), template.shipped("state-snapshot"), template.shipped("handoff-zh")

PLAIN = """\
## Goal
- Fix the parser (b1)
## Constraints
- Never push to main (b1)
## Done
- [done] **src/app.py** Moved the lexer out (b12, b14)
- [failed attempt] Ran the old script: exit 3 (b20)
## To do
## Key decisions
## Current state
- Port is 8471
## Next step
- [next] Write the docs (b30)
"""


def told(text: str, chosen: template.Template = OURS) -> list[tuple[str, str, str, str, tuple[str, ...]]]:
    return [(one.section, one.status, one.key, one.text, one.sources) for one in answer.parse(text, chosen).items]


def test_items_come_with_section_status_subject_words_and_sources() -> None:
    """The whole form, and empty sections."""
    parsed = answer.parse(PLAIN, OURS)
    assert parsed.found == tuple(part.key for part in OURS.sections)
    assert told(PLAIN) == [
        ("goal", "", "", "Fix the parser", ("b1",)),
        ("constraints", "", "", "Never push to main", ("b1",)),
        ("done", "done", "src/app.py", "Moved the lexer out", ("b12", "b14")),
        ("done", "failed", "", "Ran the old script: exit 3", ("b20",)),
        ("state", "", "", "Port is 8471", ()),
        ("next_step", "next", "", "Write the docs", ("b30",)),
    ]


@pytest.mark.parametrize(
    "around",
    [
        "Sure, here is the summary:\n\n{}",
        "```markdown\n{}\n```",
        "<analysis>first I think\n## Goal\n- wrong\n</analysis>\n{}",
        "<summary>\n{}\n</summary>",
        "\n\n{}\n\n",
    ],
)
def test_fences_and_words_around_the_summary_do_not_matter(around: str) -> None:
    """Models dress their answers up."""
    assert told(around.format(PLAIN)) == told(PLAIN)


@pytest.mark.parametrize("heading", ["# Goal", "### Goal:", "**Goal**", "## 1. Goal", "## goal"])
def test_headings_are_known_in_every_usual_spelling(heading: str) -> None:
    """But a heading has to be one: the bare word in a line is not."""
    assert told(f"{heading}\n- x (b1)") == [("goal", "", "", "x", ("b1",))]
    assert told("Goal\n- x (b1)") == []


def test_a_fence_inside_an_item_keeps_its_lines() -> None:
    """Code with headings and bullets in it is no structure."""
    text = "## Current state\n- the file now:\n```python\n## Done\n- x = 1\n```\n(b4)\n## Next step\n"
    [(section, _, _, words, sources)] = told(text)
    assert (section, sources) == ("state", ("b4",))
    assert "## Done\n- x = 1" in words


def test_elements_are_sections_of_a_snapshot() -> None:
    """On lines of their own or not, with items or a single sentence."""
    text = (
        "<state_snapshot><overall_goal>Fix it (b1)</overall_goal>\n<key_knowledge>\n- a (b2)\n- b (b3)\n</key_knowledge>"
        "<file_system_state></file_system_state><recent_actions>\n- [DONE] ran x (b4)\n</recent_actions>"
        "<current_plan>\n- [TODO] docs (b5)\n</current_plan></state_snapshot>"
    )
    parsed = answer.parse(text, SNAPSHOT)
    assert parsed.is_whole
    assert [(one.section, one.status, one.text) for one in parsed.items] == [
        ("overall_goal", "", "Fix it"),
        ("key_knowledge", "", "a"),
        ("key_knowledge", "", "b"),
        ("recent_actions", "done", "ran x"),
        ("current_plan", "next", "docs"),
    ]


def test_elements_may_have_attributes_and_stand_in_any_order() -> None:
    """As XML has it; what stands inside one opens no other, and an empty one is there."""
    text = (
        '<state_snapshot><current_plan/>\n<key_knowledge lang="en">- it prints <files> (b2)</key_knowledge >'
        "<file_system_state></file_system_state><recent_actions></recent_actions>"
        "<overall_goal>Fix it (b1)</overall_goal></state_snapshot>"
    )
    parsed = answer.parse(text, SNAPSHOT)
    assert parsed.is_whole
    assert set(parsed.found) == {part.key for part in SNAPSHOT.sections}
    assert [(one.section, one.text) for one in parsed.items] == [
        ("key_knowledge", "it prints <files>"),
        ("overall_goal", "Fix it"),
    ]


def test_what_xml_escapes_is_read_back_once() -> None:
    """In elements only: under headings nothing is escaped."""
    escaped = "a &lt;b&gt; &amp;amp; &quot;c&quot; &apos;d&apos;"
    assert answer.parse(f"<overall_goal>{escaped}</overall_goal>", SNAPSHOT).items[0].text == "a <b> &amp; \"c\" 'd'"
    assert answer.parse(f"## Goal\n- {escaped}", OURS).items[0].text == escaped


@pytest.mark.parametrize(
    ("cited", "names"),
    [
        ("(block b70)", ("b70",)),
        ("(see b1)", ("b1",)),
        ("[b1]", ("b1",)),
        ("(blocks b1, b2 and b3)", ("b1", "b2", "b3")),
        ("(source: b4)", ("b4",)),
        ("（见 b5）", ("b5",)),
        ("(B6)", ("b6",)),
        ("(b7; see b8)", ("b7", "b8")),
    ],
)
def test_blocks_in_brackets_are_sources_whatever_leads_to_them(cited: str, names: tuple[str, ...]) -> None:
    """A word that says so is no part of the item; other words in brackets are."""
    [item] = answer.parse(f"## Goal\n- Fix it {cited}", OURS).items
    assert (item.text, item.sources) == ("Fix it", names)
    assert answer.parse("## Goal\n- Fix it (not b1)", OURS).items[0].sources == ()


def test_chinese_tags_and_brackets_are_read() -> None:
    """Full-width punctuation is usual there."""
    text = "## 任务目标\n- 修复解析器（b1）\n## 待办与下一步\n- 【下一步】写文档（b2、b3）\n- [待确认] 端口可能是 8471 (b4)"
    assert told(text, CHINESE) == [
        ("goal", "", "", "修复解析器", ("b1",)),
        ("to_do", "next", "", "写文档", ("b2", "b3")),
        ("to_do", "to_confirm", "", "端口可能是 8471", ("b4",)),
    ]


def test_a_word_in_brackets_that_is_no_status_is_reported() -> None:
    """Not taken for one, not dropped."""
    parsed = answer.parse("## Done\n- [WIP] half of it (b1)", OURS)
    assert parsed.tags == ("WIP",)
    assert parsed.items[0].text.startswith("[WIP]")


@pytest.mark.parametrize(("text", "chosen"), [("## Goal\n- x\n```\ncode", OURS), ("<overall_goal>x", SNAPSHOT)])
def test_an_answer_that_breaks_off_is_known_by_what_is_not_closed(text: str, chosen: template.Template) -> None:
    """A length stop leaves fences and elements open."""
    assert not answer.parse(text, chosen).is_whole


@pytest.mark.parametrize("text", ["", "   ", "I cannot do that.", "429 Too Many Requests", "<tool_call>{}</tool_call>", "⋯"])
def test_what_is_no_summary_has_no_sections(text: str) -> None:
    """Refusals, error texts and calls are not read as anything."""
    assert answer.parse(text, OURS).found == ()
    assert answer.parse(text, SNAPSHOT).found == ()
