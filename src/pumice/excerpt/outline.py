"""Declarations of a source text: the lines of their signatures, and how deep they stand.

Python is read by its own grammar. In other languages they are found by their words and by indentation: parsers for six of them
would add 9 MB to an install that is held under 60.
"""

import ast
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

_PARSED = 200_000
"""Characters up to which Python is parsed."""
_SIGNATURE = 8
"""Lines of a signature at most."""
_DEEPEST = 3
_MODIFIERS = (
    r"(?:(?:export|default|declare|public|private|protected|internal|static|abstract|final|sealed|override|virtual|open|inline"
    r"|async|unsafe|extern|partial|readonly|data|suspend|constexpr|synchronized|pub(?:\([^)\n]{0,40}\))?|@\w+)[ \t]+)*+"
)
_WORDS = (
    r"(?:class|interface|trait|struct|enum|union|namespace|module|mod|protocol|object|record|extension|impl|type|typedef"
    r"|def|fn|func|fun|function\*?|sub|macro_rules!)(?:[ \t]*+<[^>\n]{0,80}>)?[ \t]++[\w($&*<\[]"
)
_BOUND = (
    r"(?:const|let|var|val)[ \t]++[\w$]++[^=\n]{0,120}=[ \t]*+(?:async\b[ \t]*+)?"
    r"(?:function\b|\([^\n]*=>|[\w$]++[ \t]*+=>|class\b)"
)
_TESTED = r"(?:describe|it|test)(?:\.\w+)?\([\"'`]"
_DEFINED = r"\#[ \t]*define[ \t]+\w+\(|create[ \t]+(?:or[ \t]+replace[ \t]+)?(?:table|view|function|procedure)\b"
_DECLARED = re.compile(rf"[ \t]*+(?:{_MODIFIERS}(?:{_WORDS}|{_BOUND})|{_TESTED}|(?i:{_DEFINED}))")
_CALLABLE = re.compile(
    rf"[ \t]*+{_MODIFIERS}(?P<words>(?:[\w$.:<>\[\],?]++[ \t*&]++){{0,5}}[#~\w$:]++)[ \t]*\((?![^\n]*(?:=>|\bfunction\b))"
)
"""What may be a method or a function of C, if a body follows."""
_NO_NAMES = re.compile(
    r"\b(?:if|for|while|switch|catch|return|else|with|match|loop|do|elif|when|unless|until|new|throw|await|yield|case|not|and|or)\b"
)
_AFTER = ("throws ", "where ", "->", "noexcept", ": ")


class Part(NamedTuple):
    """A line of a signature."""

    depth: int
    """From 0."""
    is_head: bool


def of(lines: Sequence[str]) -> Mapping[int, Part]:
    """What each line that is part of a signature is, by its position; lines come without numbers before them."""
    text = "\n".join(lines)
    is_python = len(text) <= _PARSED and ("def " in text or "class " in text)
    tree = _parsed(text) if is_python else None
    return dict(_by_words(lines) if tree is None else _of_python(tree, lines))


def is_declared(line: str) -> bool:
    """Whether a line by itself declares something."""
    return bool(_DECLARED.match(line)) or (line.rstrip().endswith("{") and _may_be_callable(line))


def _parsed(text: str) -> ast.Module | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about the source, not about us
        try:
            return ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


def _of_python(tree: ast.Module, lines: Sequence[str]) -> Iterator[tuple[int, Part]]:
    waiting: list[tuple[ast.AST, int]] = [(tree, 0)]  # no recursion: each `elif` stands inside the one before
    while waiting:
        node, depth = waiting.pop()
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _parts(lines, node.lineno - 1, depth)
            depth = min(depth + 1, _DEEPEST)
        if not hasattr(node, "body"):  # most statements hold no others
            continue
        parts = [getattr(node, part, ()) for part in ("body", "orelse", "handlers", "finalbody")]
        waiting += [(inner, depth) for part in parts if isinstance(part, list) for inner in part]


def _by_words(lines: Sequence[str]) -> Iterator[tuple[int, Part]]:
    heads = [at for at, line in enumerate(lines) if _DECLARED.match(line) or (_may_be_callable(line) and _has_body(lines, at))]
    margins = {at: len(lines[at].expandtabs(4)) - len(lines[at].expandtabs(4).lstrip()) for at in heads}
    depths = {margin: min(depth, _DEEPEST) for depth, margin in enumerate(sorted(set(margins.values())))}
    for head in heads:
        yield from _parts(lines, head, depths[margins[head]])


def _may_be_callable(line: str) -> bool:
    """Whether a line begins as `static int name(…` and `name(…` do; a call does too."""
    found = _CALLABLE.match(line) if len(line) <= 300 and "(" in line else None
    return found is not None and not _NO_NAMES.search(found["words"])


def _has_body(lines: Sequence[str], head: int) -> bool:
    """Whether a brace opens after the parentheses, on their last line or on the next."""
    rows = _signature(lines, head)
    if sum(_opened(lines[at]) for at in rows) > 0:
        return False
    last, after = lines[rows[-1]].rstrip(), lines[rows[-1] + 1].strip() if rows[-1] + 1 < len(lines) else ""
    return last.endswith("{") or (last.endswith(")") and (after == "{" or after.startswith(_AFTER)))


def _parts(lines: Sequence[str], head: int, depth: int) -> Iterator[tuple[int, Part]]:
    return ((at, Part(depth, at == head)) for at in _signature(lines, head))


def _signature(lines: Sequence[str], head: int) -> range:
    """Positions from a head to where its parentheses are closed or a brace opens; the head alone where neither is near."""
    opened = 0
    for at in range(head, min(head + _SIGNATURE, len(lines))):
        opened += _opened(lines[at])
        if opened <= 0 or lines[at].rstrip().endswith("{"):
            return range(head, at + 1)
    return range(head, head + 1)


def _opened(line: str) -> int:
    return line.count("(") + line.count("[") - line.count(")") - line.count("]")
