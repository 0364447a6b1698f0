"""What can be read off a secret's pattern: where to look for it, how far it reaches, whether it is one at all."""

import ast
import itertools
import re
import re._constants as op
import re._parser as parser
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

REACH = 8192
"""Bytes looked at from an anchor when a pattern has no end of its own."""
MOST = 32
"""Anchors of one rule."""
HEX = frozenset("0123456789abcdefABCDEF-")


class Shape(NamedTuple):
    """A pattern begins `back` bytes before one of the `anchors` (lower case)."""

    anchors: tuple[str, ...]
    back: int


def python(regex: str) -> str:
    """RE2's spelling in Python's: `\\z`, POSIX classes, and flags in the middle of a group."""
    regex = regex.replace(r"\z", r"\Z").replace("[:alnum:]", "a-zA-Z0-9")
    while found := re.search(r"(?<!\\)\(\?([is]+)\)", regex):
        cuts = _cuts(regex, found.end())
        parts = [regex[start + 1 : end] for start, end in itertools.pairwise([found.end() - 1, *cuts])]
        scoped = "|".join(f"(?{found[1]}:{part})" for part in parts)
        regex = regex[: found.start()] + scoped + regex[cuts[-1] :]
    return regex


def _cuts(regex: str, at: int) -> list[int]:
    """Where the choices of the group around `at` end, its own end last."""
    cuts: list[int] = []
    depth, in_class = 0, False
    while at < len(regex):
        sign = regex[at]
        at += sign == "\\"
        if in_class:
            in_class = sign != "]"
        elif depth == 0 and sign in "|)":
            cuts.append(at)
            if sign == ")":
                return cuts
        else:
            in_class = sign == "["
            depth += (sign == "(") - (sign == ")")
        at += 1
    return [*cuts, at]


def refuse(regex: str, *, labelled: bool) -> str:
    """Why a pattern is not taken; empty when it is."""
    if not anchors(regex).anchors:
        return "nothing fixed to look for"
    group = _first_group(parser.parse(regex.encode()))
    if labelled and group is not None and _letters(group) <= HEX:
        return "its secret cannot be told from a hash, a uuid or a number"
    return ""


def reach(regex: str) -> int:
    """Bytes a match can be long, a few for what follows it included."""
    _, most = parser.parse(regex.encode()).getwidth()
    return min(int(most), REACH) + 8


def anchors(regex: str) -> Shape:
    """The fixed text every match has, and how far behind its beginning; none when there is no such text."""
    back = 0
    items = _flat(parser.parse(regex.encode()))
    for at in range(len(items)):
        texts, _ = _texts(items[at:])
        if texts and min(map(len, texts)) >= 2:
            return Shape(tuple(sorted({text.lower() for text in texts})), back)
        low, high = _width(items[at])
        if low != high:
            break
        back += low
    return Shape((), 0)


def _flat(tree: Any) -> list[Any]:
    """The items of a sequence, groups without choices opened."""
    items: list[Any] = []
    for kind, value in tree:
        if kind is op.SUBPATTERN:
            items += _flat(value[3])
        elif kind not in (op.AT, op.ASSERT, op.ASSERT_NOT):
            items.append((kind, value))
    return items


def _texts(items: list[Any]) -> tuple[set[str], bool]:
    """The texts a sequence can begin with, as far as they are fixed, and whether that is all of it."""
    texts, complete = {""}, True
    for kind, value in items:
        more, whole = _choices(kind, value)
        grown = {a + b for a, b in itertools.product(texts, more)}
        if not more or len(grown) > MOST:
            return texts, False
        texts, complete = grown, whole
        if not whole:
            break
    return texts, complete


def _choices(kind: Any, value: Any) -> tuple[set[str], bool]:
    if kind is op.LITERAL:
        return {chr(value).lower()}, True
    if kind is op.IN and all(item[0] is op.LITERAL for item in value):
        return {chr(item[1]).lower() for item in value}, True
    if kind is op.BRANCH:
        branches = [_texts(_flat(branch)) for branch in value[1]]
        if all(all(texts) for texts, _ in branches):
            return set().union(*(texts for texts, _ in branches)), all(whole for _, whole in branches)
    return set(), False


def _width(item: Any) -> tuple[int, int]:
    tree = parser.SubPattern(parser.State(), [item])
    low, high = tree.getwidth()
    return int(low), int(high)


def _first_group(tree: Any) -> Any:
    for kind, value in tree:
        if kind is op.SUBPATTERN:
            if value[0] is not None:
                return value[3]
            if (found := _first_group(value[3])) is not None:
                return found
    return None


def _letters(tree: Any) -> set[str]:
    """Every character a pattern may hold; a star for 'any'."""
    found: set[str] = set()
    for kind, value in tree:
        if kind is op.LITERAL:
            found.add(chr(value))
        elif kind is op.IN:
            found |= _letters(value)
        elif kind is op.RANGE:
            found |= {chr(code) for code in range(value[0], value[1] + 1)}
        elif kind in (op.MAX_REPEAT, op.MIN_REPEAT):
            found |= _letters(value[2])
        elif kind is op.SUBPATTERN:
            found |= _letters(value[3])
        elif kind is op.BRANCH:
            found = found.union(*map(_letters, value[1]))
        else:
            found.add("*")
    return found


def denylist(wheel: Path, plugin: str) -> str:
    """The last pattern of a detect-secrets plugin, read from its source without running it."""
    with zipfile.ZipFile(wheel) as archive:
        tree = ast.parse(archive.read(f"detect_secrets/plugins/{plugin}.py"))
    known = {
        target.id: ast.literal_eval(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    compiled = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "compile"
    ]
    call = compiled[-1]
    ignore_case = any(isinstance(word.value, ast.Attribute) and word.value.attr == "IGNORECASE" for word in call.keywords)
    return ("(?i:%s)" if ignore_case else "%s") % _value(call.args[0], known)


def _value(node: Any, known: dict[str, Any]) -> str:
    """A string constant, or `"…".format(…)` of constants."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.Name):
        return str(known[node.id])
    if isinstance(node, ast.BinOp):
        return _value(node.left, known) + _value(node.right, known)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "escape":
        return re.escape(_value(node.args[0], known))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format":
        named = {word.arg or "": _value(word.value, known) for word in node.keywords}
        return _value(node.func.value, known).format(*(_value(arg, known) for arg in node.args), **named)
    raise SystemExit(f"a plugin's pattern is written in a new way: {ast.dump(node)[:200]}")
