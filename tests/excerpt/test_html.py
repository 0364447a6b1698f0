"""The excerpt of a page is its text: the source's own words, no value altered, no script, nothing that reads as ours."""

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pumice import excerpt
from pumice.domain import marks
from pumice.excerpt import html
from pumice.measure import entities, tokens

NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def page(body: str) -> str:
    head = "<head><title>Orders</title><style>p { color: red }</style></head>"
    return f"<!DOCTYPE html>\n<html>{head}<body>\n{body}</body></html>"


def text_of(body: str) -> list[str]:
    shape = html.cut(page(body))
    assert shape is not None
    return shape.text.split("\n")[1:]


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("<h1>Order <em>of</em>\n  the day</h1><p>One<br>two</p>", ["Order of the day", "One", "two"]),
        ("<script>var a = '<p>no</p>';</script><!-- <p>no</p> --><p class='a > b'>yes", ["yes"]),
        ('<ul><li><a href="/x">Home</a></li><li>More</ul>', ["Home", "More"]),
        ("<table><tr><th>Name<th>Total<tr><td><p>Ann</p></td><td></td><td>3.50</td></table>", ["Name | Total", "Ann | | 3.50"]),
        ("<pre>def f(x):\n    return x &lt; 3\n</pre>", ["def f(x):", "    return x < 3"]),
        ("<p>AT&amp;T said &quot;it&#39;s done&quot; &mdash; caf&eacute;</p>", ['AT&T said "it\'s done" — café']),
        ("<p>un<i>believ</i>able 1&nbsp;000 5 < 6 and a<b</p>", ["unbelievable 1 000 5 < 6 and a<b"]),
        ("<p>退款<b>政策</b>：三百元</p>", ["退款政策：三百元"]),
    ],
    ids=["blocks", "silent", "links", "tables", "code", "references", "inline", "chinese"],
)
def test_the_text_of_a_page(body: str, lines: list[str]) -> None:
    """Blocks are lines, rows are lines, cells are apart; scripts, styles and comments are out."""
    assert text_of(body) == lines


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("<p>12<b>34</b> units</p>", "12<b>34 units"),
        ("<p>my_<i>name</i></p>", "my_<i>name"),
        ("<p>&#49;23 and 1&#46;5</p>", "&#49;23 and 1&#46;5"),
        ("<p>https://x.org/?a=1&amp;b=2</p>", "https://x.org/?a=1&amp;b=2"),
        ('<p>foo<span class="a-very-long-name-of-a-class-for-a-dot">.</span>bar</p>', "foo . bar"),
    ],
)
def test_a_value_that_markup_runs_through_stands_as_it_is_written(body: str, line: str) -> None:
    """No name or number is made that the source does not hold: the markup stays, or the parts stand apart."""
    assert text_of(body) == [line]


part = st.sampled_from(
    [
        "12", "3.4", "src/app.py", "a_b", "x", " ", "\n", "<b>", "</b>", "<p>", "</p>", "&amp;", "&#49;", "&#46;", "&lt;",
        "<td>", "<tr>", "<pre>", "<!--", "-->", "<script>", "</script>", "https://x.org/?a=", "&", "<", ">", "fooBar", "-",
        "&nbsp;", "汉字", "<a href='/7'>", "</a>", "&#8943;", "&lt;pumice:", "pins&gt;", "2024-01-01", "<h2>", "deadbeef",
    ]
)  # fmt: skip


@given(st.lists(part, max_size=60))
@settings(max_examples=60, deadline=None)
def test_no_value_is_altered_and_nothing_reads_as_ours(parts: list[str]) -> None:
    """Every name and number shown of any page stands in its source as such."""
    source = page("".join(parts))
    shape = html.cut(source)
    assert shape is not None
    numbers = set(NUMBER.findall(source))
    assert marks.is_clean(shape.text)
    for found in entities.find(shape.text):
        assert found.text in source, (found, shape.text)
    for number in NUMBER.findall(shape.text):
        assert number in numbers, (number, shape.text)


def test_the_excerpt_says_that_it_is_text_and_shows_what_matters() -> None:
    """The first line tells of the markup left out; the title, headings and prose come before the menu."""
    menu = "<ul>" + "".join(f'<li><a href="/m/{n}">Menu entry {n}</a></li>' for n in range(80)) + "</ul>"
    prose = "".join(
        f"<h2>Part {n}</h2><p>The order {n} was sent to the customer on day {n} of the month.</p>" for n in range(9)
    )
    made = excerpt.make("HTTP/1.1 200 OK\n\n" + page(menu + "<h1>All orders</h1>" + prose), limit=260, count=tokens.count)
    assert made is not None
    assert made.kind == "html"
    assert tokens.count(made.text) <= 260
    assert made.text.startswith("⋯ HTML, its text without the markup\n")
    assert "\nAll orders\n" in made.text
    assert all(f"\nPart {n}\n" in made.text for n in range(9))
    assert made.text.count("The order") > made.text.count("Menu entry")


@pytest.mark.parametrize(
    "text",
    [
        "     1→<!doctype html>\n     2→<html>\n" + "     3→<p>numbered lines of a file</p>\n" * 40,
        "<project>\n" + "<dependency><id>x</id></dependency>\n" * 40 + "</project>",
        "<retrieval_status>success</retrieval_status>\n" * 40,
        "The answer was\n<html>\nand then " + "words " * 900,
        "export const A = () => (\n" + "  <div>\n    <p>x</p>\n  </div>\n" * 30 + ");",
    ],
    ids=["file", "xml", "tags", "prose", "jsx"],
)
def test_what_is_no_page_is_not_taken_for_one(text: str) -> None:
    """The source of a page in an editor, other markup and code keep their lines."""
    assert not html.is_html(text)


PROSE = "".join(f"<h2>Section {n}</h2><p>{'words of the manual ' * 30}</p>" for n in range(40))


@pytest.mark.parametrize(
    "text",
    [
        f"<html><head><title>Manual</title></head><body>{PROSE}</body></html>",
        f"<!doctype html>\n<html lang=en><body>{PROSE}",
        f"\ufeff<?xml version='1.0'?>\n<!-- a > b -->\n<!DOCTYPE html PUBLIC 'x'>{PROSE}",
        f"<body class='x'>{PROSE}",
        f"HTTP/1.1 301 Moved\r\nLocation: /x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html>{PROSE}",
        f"Fetched https://x.org\n<html><body>{PROSE}</body></html>\n",
        f"<div class='main'>{PROSE}</div>",
    ],
    ids=["html", "doctype", "xhtml", "body", "headers", "after words", "fragment"],
)
def test_prose_with_few_tags_is_a_page_all_the_same(text: str) -> None:
    """How it begins or ends decides, not how much markup there is: no tag is shown, and words are."""
    made = excerpt.make(text, limit=300, count=tokens.count)
    assert made is not None
    assert made.kind == "html"
    assert made.text.count("\nSection ") > 5
    assert not re.search(r"</?(?:p|h2|body)\b", made.text)


NAMES = ["alder", "birch", "cedar", "delta", "ember", "fjord", "grove"]
RUNS = {
    "table": lambda n: f"<tr><td>{NAMES[n % 7]} {n}</td><td>{n * 1.5:.2f}</td></tr>",
    "row heads": lambda n: f"<tr><th>src/{NAMES[n % 7]}/f{n}.py</th><td>app.{NAMES[n % 5]}</td><td>{n * 1.5:.2f}</td></tr>",
    "outcomes": lambda n: f"<tr><td>{NAMES[n % 7]}</td><td>{n} tests passed</td></tr>",
    "menu": lambda n: f"<li><a href='/{n}'>{NAMES[n % 7]} {NAMES[n % 5]} {n}</a></li>",
    "list": lambda n: f"<li>{NAMES[n % 7]} {n}</li>",
}
SAID = [
    "Refunds are never granted after 30 days, except for broken goods.",
    "Last words: call 0800-4711.",
    "超过三十天不予退款。",
]


@pytest.mark.parametrize("kind", RUNS)
def test_rows_alike_come_after_every_sentence_and_the_odd_one_stays(kind: str) -> None:
    """A long table, menu or list shows how it begins, ends and what is odd in it, and pushes out nothing that is said."""
    rows = [RUNS[kind](n) for n in range(200)]
    rows[120] = "<tr><td>maple 120</td><td>987654.00</td><td>by hand</td></tr>"
    body = f"<h1>Fees</h1><p>{SAID[0]}</p><table>{''.join(rows)}</table><p>{SAID[1]}</p><p>{SAID[2]}</p>"
    made = excerpt.make(page(body), limit=250, count=tokens.count)
    assert made is not None
    assert all(said in made.text for said in SAID)
    assert "maple 120 | 987654.00 | by hand" in made.text
    shape = html.cut(page(rows[0] + rows[199]))
    assert shape is not None
    assert all(f"\n{line}\n" in made.text for line in shape.text.split("\n")[1:])


def test_rows_that_say_something_are_sentences() -> None:
    """A table of explanations is no run of figures: its rows weigh what their words do."""
    rows = "".join(f"<tr><td>--flag-{n}</td><td>sets how often the run number {n} is tried</td></tr>" for n in range(60))
    made = excerpt.make(page(f"<table>{rows}</table>" + "<p>So it is.</p>" * 60), limit=300, count=tokens.count)
    assert made is not None
    assert made.text.count("--flag-") > made.text.count("So it is.")


def test_a_program_in_a_page_keeps_its_lines() -> None:
    """Of a page that is nearly all script the script is what somebody works on."""
    script = "\n".join(f"  function draw_{n}(ctx) {{ return ctx.fill({n}) }}" for n in range(300))
    assert not html.is_html(f"<!doctype html>\n<html><body><h1>Game</h1><script>\n{script}\n</script></body></html>")


def test_a_fragment_of_a_page_is_one() -> None:
    """Tools cut pages out of their frames."""
    assert html.is_html('<div class="main">' + "<p>One</p><p>Two</p>" * 12 + "</div>")


@pytest.mark.parametrize(
    "piece",
    ["<", "<a ", "<!--", "</", "<a b='", "<![", "<script>", "&", "&amp;", "<b>1", "<a \"'", "<td>x", "<pre>\n ", '<a x="<b>" '],
)  # fmt: skip
def test_hostile_markup_takes_linear_time(piece: str) -> None:
    """What brings the standard library's parser to a halt takes a fraction of a second."""
    started = time.perf_counter()
    html.cut(page((piece * 200_000)[:200_000]))
    assert time.perf_counter() - started < 5


def test_a_page_of_5_mb_is_fast_and_says_what_was_read() -> None:
    """Only both ends of a huge page are looked at, and the excerpt says so."""
    body = "\n".join(f'<p class="x">paragraph {n} with <a href="/x/{n}">link {n}</a> &amp; words</p>' for n in range(60_000))
    started = time.perf_counter()
    made = excerpt.make(page("<br>" * 10 + body), limit=400, count=tokens.count)
    assert time.perf_counter() - started < 10
    assert made is not None
    assert re.match(r"⋯ HTML, its text without the markup, of \d{7} characters the first and the last 200000\n", made.text)
    shown = [line for line in made.text.split("\n")[1:] if not line.startswith("⋯")]
    assert shown[0] == "Orders"
    assert all(re.fullmatch(r"paragraph (\d+) with link \1 & words", line) for line in shown[1:])
    assert len(shown) > 10
    assert re.search(r"\n⋯ \d{5} text lines\b", made.text)
