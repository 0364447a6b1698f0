"""What a shell command line would do if it ran again, judged by the table in presets/effects.yaml."""

import re
from collections.abc import Iterable

import msgspec

from pumice.commit import shell
from pumice.domain.effect import Effect

Words = frozenset[str]
_ORDER = (Effect.READ, Effect.UNKNOWN, Effect.WRITE)
_SED_SUBSTITUTE = r"s(?P<{s}>[/|#,@])(?:(?:\\.|(?!(?P={s})).)*(?P={s})){{2}}[gpI\d]*"
_SED_PIECE = r"(?:[\d$,~!+\s]|/(?:\\.|[^/\\])*/)*(?:[pdq=]|" + _SED_SUBSTITUTE + r")?\s*"
_SED_READS = re.compile(_SED_PIECE.format(s="a") + r"(?:[;\n]" + _SED_PIECE.format(s="b") + ")*")
"""Scripts that print, delete, quit or substitute; `w`, `e`, blocks and anything else are not judged."""
_METHOD = re.compile(r"^(?:-X|--(?:request|method)=)")
_STATEMENT = re.compile(r"(?:^|;)\s*(\w+)\s")
_AWK_WRITES = re.compile(r"[>|]|system\s*\(|getline")


class Command(msgspec.Struct, frozen=True):
    """What the first words after a command decide."""

    read: Words = frozenset()
    write: Words = frozenset()
    read_if_bare: Words = frozenset()
    read_pairs: Words = frozenset()
    """`first:second`."""
    write_pairs: Words = frozenset()


class Commands(msgspec.Struct, frozen=True):
    """The `commands` part of the table."""

    read: Words
    write: Words
    sub: dict[str, Command]
    read_with: dict[str, Words]
    unknown_with: dict[str, Words]
    write_with: dict[str, Words]
    write_words: dict[str, Words]
    write_statements: dict[str, Words]
    takes_value: dict[str, Words]
    one_operand: Words
    wrappers: Words
    elevated: Words
    """Before a command that runs with other rights: what it reads is not known to be all it does."""
    shells: Words


def effect(line: str, table: Commands) -> Effect:
    """READ when every part of the line is known to read, WRITE when a part is known to write, else UNKNOWN."""
    parts = shell.split(line)
    return Effect.UNKNOWN if parts is None else _worst(_part(part, table) for part in parts)


def _worst(effects: Iterable[Effect]) -> Effect:
    return max(effects, key=_ORDER.index, default=Effect.READ)


def _part(part: shell.Simple, table: Commands) -> Effect:
    own = Effect.WRITE if part.writes else _judge(shell.command_words(part.words), table)
    return _worst([own, *(_part(inner, table) for inner in part.inner)])


def _judge(words: list[str], table: Commands) -> Effect:
    if not words:
        return Effect.READ
    name, rest = words[0].rpartition("/")[2], words[1:]
    if rest in (["--version"], ["--help"]) or _has(rest, table.read_with.get(name, frozenset())):
        return Effect.READ
    if _has(rest, table.write_with.get(name, frozenset())) or _says(rest, name, table):
        return Effect.WRITE
    if _has(rest, table.unknown_with.get(name, frozenset())):
        return Effect.UNKNOWN
    if name in table.shells:
        return _script(rest, table)
    if name in table.elevated:
        return _worst([Effect.UNKNOWN, _judge(_unwrapped(rest), table)])
    if name in table.wrappers:
        return _judge(_unwrapped(rest), table)
    return _by_name(name, rest, table)


def _by_name(name: str, rest: list[str], table: Commands) -> Effect:
    if name == "sed":
        return _sed(rest)
    if name.endswith("awk"):
        return Effect.UNKNOWN if _has(rest, frozenset({"-i", "-f"})) or any(map(_AWK_WRITES.search, rest)) else Effect.READ
    if name in table.one_operand and sum(not word.startswith("-") for word in rest) > 1:
        return Effect.WRITE
    own = Effect.WRITE if name in table.write else Effect.READ if name in table.read else Effect.UNKNOWN
    if name in table.sub:
        found = _sub(table.sub[name], _operands(rest, table.takes_value.get(name, frozenset())))
        return own if found is Effect.UNKNOWN else found
    return own


def _sub(command: Command, words: list[str]) -> Effect:
    if not words:
        return Effect.UNKNOWN
    pair = ":".join(words[:2])
    if pair in command.write_pairs:
        return Effect.WRITE
    if words[0] in command.read or pair in command.read_pairs or (len(words) == 1 and words[0] in command.read_if_bare):
        return Effect.READ
    return Effect.WRITE if words[0] in command.write else Effect.UNKNOWN


def _sed(rest: list[str]) -> Effect:
    options = [word for word in rest if word.startswith("-")]
    if any(word.startswith("--in-place") or ("i" in word and not word.startswith("--")) for word in options):
        return Effect.WRITE
    if any(word not in ("-n", "-E", "-r", "-e", "-ne", "-nE", "-nr", "--quiet") for word in options):
        return Effect.UNKNOWN
    scripts = [rest[at + 1] for at, word in enumerate(rest[:-1]) if word in ("-e", "-ne")]
    scripts = scripts or [word for word in rest if not word.startswith("-")][:1]
    return Effect.READ if scripts and all(map(_SED_READS.fullmatch, scripts)) else Effect.UNKNOWN


def _script(rest: list[str], table: Commands) -> Effect:
    """`bash -lc "…"` does what its text does; a script file may do anything."""
    for at, word in enumerate(rest[:-1]):
        if re.fullmatch(r"-[a-z]*c", word):
            return effect(rest[at + 1], table)
    return Effect.UNKNOWN


def _unwrapped(words: list[str]) -> list[str]:
    """The command behind `timeout 10`, `xargs -n 1 -I {}`, `env A=1`: options, numbers and assignments left out."""
    at = 0
    while at < len(words) and (words[at].startswith("-") or "=" in words[at] or re.fullmatch(r"[\d.]+[smhd]?|\{\}", words[at])):
        at += 1
    return words[at:]


def _operands(words: list[str], valued: Words) -> list[str]:
    """Words from the subcommand on; options before it, and the values they take, are left out."""
    at = 0
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in valued else 1
    return words[at:]


def _says(words: list[str], name: str, table: Commands) -> bool:
    """Whether a word says that something is changed: the method of a request, or the first of a statement."""
    methods, verbs = table.write_words.get(name, frozenset()), table.write_statements.get(name, frozenset())
    if any(_METHOD.sub("", word) in methods for word in words):
        return True
    return bool(verbs) and any(first.lower() in verbs for word in words for first in _STATEMENT.findall(word))


def _has(words: list[str], options: Words) -> bool:
    """Whether an option stands among the words, alone, with `=value`, or as a letter of a cluster such as `-uo`."""
    letters = {option[1] for option in options if len(option) == 2}
    for word in words:
        if not word.startswith("-"):
            continue
        if word.partition("=")[0] in options or (word[1:2] != "-" and letters & set(word[1:].partition("=")[0])):
            return True
    return False
