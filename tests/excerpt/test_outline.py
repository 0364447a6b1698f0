"""The excerpt of code is its outline: what it declares, with whole signatures, and the number of every line shown."""

import re
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pumice import excerpt
from pumice.excerpt import code, outline
from pumice.measure import tokens

GAP = re.compile(r"⋯ \d+ lines? \((\d+)(?:–(\d+))?\)")
TYPESCRIPT = """\
import x from "y";
export default class Foo<T> extends Bar {
  constructor(private x: string, y = "b") {
    super(x);
  }
  async load(id: string): Promise<T> {
    if (id) {
      return await fetch(id);
    }
    items.forEach((item) => {
      go(item);
    });
  }
}
export const run = async (a: number) => {
  return a;
};
export type Id = string | number;
const plain = 3;
describe("thing", () => {
});
"""
GO = """\
package main
func (r *Repo) Foo(ctx context.Context,
	id string,
) (map[string]int, error) {
	if err := r.x(); err != nil {
		return nil, err
	}
}
type Repo struct {
	A int
}
func Generic[T any](a T) T { return a }
"""
RUST = """\
use std::io;
pub(crate) struct Foo<'a> {
    x: &'a str,
}
impl<'a, T: Clone> Foo<'a> {
    pub async fn new(x: &'a str) -> Result<Self, Error> {
        match x { _ => {} }
    }
}
macro_rules! my { () => {} }
"""
JAVA = """\
@Service
public class Foo extends Bar<Baz> implements X {
    private final Map<String, List<Integer>> m = new HashMap<>();
    public static <T extends A> List<T> get(Map<String, T> m,
            int b)
            throws X {
        for (int i = 0; i < 3; i++) {
            call(i);
        }
        return new ArrayList<>() {
        };
    }
    private void old(int a)
    {
        foo(a);
    }
}
"""
C = """\
#define MAX(a, b) ((a) > (b))
struct foo {
    int a;
};
static inline int add(int a, int b)
{
    return foo(a);
}
int main(int argc, char **argv) {
    while (1) {
    }
}
"""


@pytest.mark.parametrize(
    ("text", "heads"),
    [
        (TYPESCRIPT, [2, 3, 6, 15, 18, 20]),
        (GO, [2, 9, 12]),
        (RUST, [2, 5, 6, 10]),
        (JAVA, [2, 4, 13]),
        (C, [1, 2, 5, 9]),
        ("module Foo\n  class Bar < Baz\n    def self.x(a)\n      puts a\n    end\n  end\nend\n", [1, 2, 3]),
    ],
    ids=["typescript", "go", "rust", "java", "c", "ruby"],
)
def test_declarations_of_many_languages_are_found(text: str, heads: list[int]) -> None:
    """Classes, functions and methods are heads; calls, loops and plain values are none."""
    assert [at + 1 for at, part in sorted(outline.of(text.split("\n")).items()) if part.is_head] == heads


def test_python_is_read_by_its_grammar() -> None:
    """Signatures over several lines, nested and conditional functions; a class in a string is none."""
    text = (
        'class A(B):\n    async def f(\n        self, a: int = (1),\n    ) -> None:  # noqa\n        x = """\nclass Not:\n"""\n'
    )
    text += "if True:\n    def g(): pass\nelif x:\n    def h(): pass\n"
    found = outline.of(text.split("\n"))
    assert [(at, part.depth, part.is_head) for at, part in sorted(found.items())] == [
        (0, 0, True), (1, 1, True), (2, 1, False), (3, 1, False), (8, 0, True), (10, 0, True),
    ]  # fmt: skip


def test_a_slice_of_python_has_an_outline_too() -> None:
    """A part of a file need not parse."""
    assert list(outline.of(["        return 1", "", "    def g(self,", "          a):", "        x = ("])) == [2, 3]


def module(functions: int) -> str:
    return "\n".join(
        f"def compute_{n}(order, tax_rate={n}):\n    subtotal = order.lines[{n}].price\n    return subtotal * tax_rate\n"
        for n in range(functions)
    )


def test_every_function_is_named_before_any_body_is_shown() -> None:
    """The outline comes first; what room is left shows the lines that name most."""
    text = "import os\n\n" + module(20)
    made = excerpt.make(text, limit=560, count=tokens.count)
    assert made is not None
    assert made.kind == "code"
    assert all(f"def compute_{n}(order, tax_rate={n}):" in made.text for n in range(20))


@given(st.integers(4, 60), st.integers(60, 400))
@settings(max_examples=30, deadline=None)
def test_every_line_shown_has_its_number(functions: int, limit: int) -> None:
    """Counting lines and gaps from the top gives the number of each line in the source."""
    text = module(functions)
    made = excerpt.make(text, limit=limit, count=tokens.count)
    if made is None:
        return
    assert tokens.count(made.text) <= limit
    source, at = text.split("\n"), 0
    for line in made.text.split("\n")[1:]:
        gap = GAP.fullmatch(line)
        if gap:
            assert int(gap[1]) == at + 1
            at = int(gap[2] or gap[1])
        else:
            assert source[at] == line
            at += 1


def test_lines_that_a_tool_has_numbered_keep_their_numbers() -> None:
    """What a tool wrote before each line is not written again."""
    text = "\n".join(f"{n:6}→{line}" for n, line in enumerate(module(60).split("\n"), 1))
    made = excerpt.make(text, limit=300, count=tokens.count)
    assert made is not None
    assert made.kind == "code"
    assert "     1→def compute_0(order, tax_rate=0):" in made.text
    assert "⋯ 3 lines\n" in made.text


@pytest.mark.parametrize(
    "text",
    [
        "The type of the thing is good.\nclass action lawsuits are bad, said he.\nIf (you) go (there), then\n" * 30,
        "# Plan\n\n```python\n" + module(12) + "\n```\n\nThen we talk.\n",
        "\n".join(f"2026-01-01T00:00:{n % 60:02} INFO class Worker started; def" for n in range(200)),
        "\n".join(f"- function {n} does something, which is good to know" for n in range(100)),
        "<retrieval_status>success</retrieval_status>\n" * 40,
    ],
    ids=["prose", "markdown", "log", "list", "tags"],
)
def test_what_is_no_code_is_not_taken_for_it(text: str) -> None:
    """Words about code, logs and lists keep their own shape."""
    assert not code.is_code(text)


def test_its_own_sources_are_code() -> None:
    """The sniffing knows real files, and their outline names every class and function of them."""
    for path in sorted((Path(excerpt.__file__).parent).glob("[a-z]*.py")):
        text = path.read_text("utf-8")
        if text.count("def ") >= 3:
            assert code.is_code(text), path
            heads = [at for at, part in outline.of(text.split("\n")).items() if part.is_head]
            assert len(heads) == len(re.findall(r"^ *(?:async )?(?:def|class) ", text, re.M)), path


@pytest.mark.parametrize(
    "text",
    [
        "def f():\n" + "(" * 150_000,
        "def f(): pass\n" + "x = " + "+".join("1" * 90_000),
        "if a:\n def f(): pass\n" + "elif a:\n def g(): pass\n" * 5000,
        "class A {\n" * 4 + ("public " * 50_000 + "\n") * 8 + "static int foo(a, b\n" * 50_000,
        "class A {\n" * 8 + ("a.b<c>[d],? * &" * 18 + "(\n") * 10_000,
        "func f() {\n" * 5 + "類 = 返回;\n" * 300_000,
        "class A:\n    def f(self):\n        return '\\d'\n" * 60_000,
    ],
)  # fmt: skip
def test_hostile_and_huge_code_is_fast(text: str) -> None:
    """Depth, unclosed parentheses, endless modifiers and megabytes end in a bounded excerpt within a second or so."""
    started = time.perf_counter()
    made = excerpt.make(text, limit=300, count=tokens.count)
    assert time.perf_counter() - started < 10
    assert made is None or tokens.count(made.text) <= 300
