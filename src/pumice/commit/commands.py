"""What a shell command line would do if it ran again, judged by the table in presets/effects/commands.yaml."""

import re
from collections.abc import Iterable

import msgspec

from pumice.commit import options, shell
from pumice.commit.options import Given
from pumice.domain.effect import Effect

Words = frozenset[str]
_NONE: Words = frozenset()
_ORDER = (Effect.READ, Effect.UNKNOWN, Effect.WRITE)
_SED_SUBSTITUTE = r"s(?P<{s}>[/|#,@])(?:(?:\\.|(?!(?P={s})).)*(?P={s})){{2}}[gpI\d]*"
_SED_PIECE = r"(?:[\d$,~!+\s]|/(?:\\.|[^/\\])*/)*(?:[pdq=]|" + _SED_SUBSTITUTE + r")?\s*"
_SED_READS = re.compile(_SED_PIECE.format(s="a") + r"(?:[;\n]" + _SED_PIECE.format(s="b") + ")*")
"""Scripts that print, delete, quit or substitute; `w`, `e`, blocks and anything else are not judged."""
_NO_STATEMENT = re.compile(r"/\*(?:(?!/\*).)*?\*/|--[^\n]*|^[ \t]*\\[^\n]*", re.S | re.M)
_STATEMENT = re.compile(r"(?:^|[;()])\s*(\w+)\s+[^\s(]")
_ATTACHED = re.compile(r"--[\w-]+=|-\w")
_SCRIPT = re.compile(r"\.(?:sh|bash|py|[cm]?js|ts|rb|pl|php|ps1)$")
_AWK_WRITES = re.compile(r"[>|]|system\s*\(|getline")


class Command(msgspec.Struct, frozen=True):
    """What the first words after a command decide."""

    read: Words = frozenset()
    write: Words = frozenset()
    read_if_bare: Words = frozenset()
    read_pairs: Words = frozenset()
    """`first:second`."""
    write_pairs: Words = frozenset()


class Tasks(msgspec.Struct, frozen=True):
    """Words that name a change wherever they name a task, a script, or what a command the table does not know is to do."""

    verbs: Words
    shows: Words
    """With one of these words a task only shows something."""
    tries: Words
    """Parts of a task's name that make it a trial of the thing, not the thing."""
    options: Words
    """Options that do the same."""
    many: Words
    """Commands each operand of which is a task."""
    run: Words
    """`command:first`, behind which one task follows."""
    not_of: Words
    """Commands whose operands are files and names of any kind."""


class Services(msgspec.Struct, frozen=True):
    """Commands that say, after the service they turn to, what is done to it."""

    names: Words
    verbs: Words


class Commands(msgspec.Struct, frozen=True):
    """The table of commands."""

    read: Words
    write: Words
    sub: dict[str, Command]
    read_with: dict[str, Words]
    unknown_with: dict[str, Words]
    write_with: dict[str, Words]
    dry: Words
    methods: dict[str, Words]
    """Options that name the method of a request."""
    read_methods: Words
    write_methods: Words
    write_statements: dict[str, Words]
    takes_value: dict[str, Words]
    bundled: Words
    """Commands whose first word is options even without a dash."""
    one_operand: Words
    tasks: Tasks
    services: Services
    same_as: dict[str, Words]
    wrappers: Words
    elevated: Words
    """Before a command that runs with other rights or from elsewhere: what it reads is not known to be all it does."""
    elsewhere: Words
    """The same, behind the name of a host or a container."""
    lines: Words
    """Those of them that hand their words to a shell."""
    shells: Words


def effect(line: str, table: Commands) -> Effect:
    """READ when every part of the line is known to read, WRITE when a part is known to write, else UNKNOWN."""
    parts = shell.split(line)
    try:
        return Effect.UNKNOWN if parts is None else _worst(_part(part, table) for part in parts)
    except RecursionError:
        return Effect.UNKNOWN


def _worst(effects: Iterable[Effect]) -> Effect:
    return max(effects, key=_ORDER.index, default=Effect.READ)


def _part(part: shell.Simple, table: Commands) -> Effect:
    own = Effect.WRITE if part.writes else _judge(shell.command_words(part.words), _fed(part), table)
    return _worst([own, *(_part(inner, table) for inner in part.inner)])


def _fed(part: shell.Simple) -> list[str]:
    """The texts a command reads from its line: here-documents, and what `echo` says before a pipe."""
    before = part.piped
    if before is None or not before.words or before.words[0] not in ("echo", "printf", "cat"):
        return part.fed
    said = [" ".join(before.words[1:]), *before.words[1:]] if before.words[0] != "cat" else []
    return [*part.fed, *said, *before.fed]


def _judge(words: list[str], fed: list[str], table: Commands) -> Effect:
    if not words:
        return Effect.READ
    name, rest = _named(words, table)
    given = _given(name, rest, table)
    if rest in (["--version"], ["--help"]):
        return Effect.READ
    if (stated := _stated(name, given, [*rest, *fed], table)) is not None:
        return stated
    if name in table.shells:
        return _script(rest, given, fed, table)
    if name in table.wrappers:
        return _judge(_unwrapped(rest, given), fed, table)
    if (inner := _behind(name, rest, given, table)) is not None:
        return _worst([Effect.UNKNOWN, _inner(name, inner, fed, table)])
    found = _by_name(name, rest, table)
    return _task(name, given, table) if found is Effect.UNKNOWN else found


def _named(words: list[str], table: Commands) -> tuple[str, list[str]]:
    """A command's own name, the one the table knows it by, and the words after it."""
    name, rest = words[0].rpartition("/")[2], words[1:]
    name = _main(name.partition("@")[0] or name, table)
    if name in table.bundled and rest and not rest[0].startswith("-"):
        rest = [f"-{rest[0]}", *rest[1:]]
    for first in options.read(rest, _valued(name, table), 1)[-1:]:
        pair = f"{name}:{first.value}"
        if (main := _main(pair, table)) != pair:
            return main, rest[first.at + 1 :]
    return name, rest


def _main(name: str, table: Commands) -> str:
    return next((main for main, names in table.same_as.items() if name in names), name)


def _valued(name: str, table: Commands) -> Words:
    return table.takes_value.get(name, _NONE) | table.methods.get(name, _NONE)


def _given(name: str, rest: list[str], table: Commands) -> list[Given]:
    """What is said to a command itself; what is said to one that it runs is not."""
    valued = _valued(name, table)
    own = _own(name, options.read(rest, valued, 1), table)
    return options.read(rest, valued, None if own is None else own + 1)


def _own(name: str, given: list[Given], table: Commands) -> int | None:
    """How many operands stand before those of the command that this one runs; None when it runs none."""
    pair = ":".join([name, *options.operands(given)[:1]])
    if name in table.wrappers or name in table.shells:
        return 0
    for names, own in ((table.elevated, 0), (table.elsewhere, 1)):
        if name in names or pair in names:
            return own + (pair in names)
    return None


def _stated(name: str, given: list[Given], texts: list[str], table: Commands) -> Effect | None:
    """What options and words decide whatever the command is about; those that write count before those that read."""
    has = {one.option for one in given}
    method = _method(name, given, table)
    if has & table.dry:
        return Effect.UNKNOWN
    if method is Effect.WRITE or _says(name, texts, table):
        return Effect.WRITE
    reads = bool(has & table.read_with.get(name, _NONE))
    if has & table.write_with.get(name, _NONE) and not reads and method is not Effect.READ:
        return Effect.WRITE
    if has & table.unknown_with.get(name, _NONE) or method is Effect.UNKNOWN:
        return Effect.UNKNOWN
    return Effect.READ if reads else None


def _method(name: str, given: list[Given], table: Commands) -> Effect | None:
    said = [one.value.upper() for one in given if one.option in table.methods.get(name, _NONE)]
    if not said:
        return None
    if table.write_methods.intersection(said):
        return Effect.WRITE
    return Effect.READ if table.read_methods.issuperset(said) else Effect.UNKNOWN


def _behind(name: str, rest: list[str], given: list[Given], table: Commands) -> list[str] | None:
    """The words of the command that another one runs; None when it runs none."""
    places = [one.at for one in given if not one.option]
    own = _own(name, given, table)
    if own is None:
        return None
    return rest[places[own] :] if own < len(places) else []


def _inner(name: str, words: list[str], fed: list[str], table: Commands) -> Effect:
    if name in table.lines:
        return _worst(effect(line, table) for line in [" ".join(words), *fed])
    return _judge(words, fed, table)


def _by_name(name: str, rest: list[str], table: Commands) -> Effect:
    if name == "sed":
        return _sed(rest)
    if name.endswith("awk"):
        return Effect.UNKNOWN if any(map(_AWK_WRITES.search, rest)) else Effect.READ
    if name in table.one_operand and sum(not word.startswith("-") for word in rest) > 1:
        return Effect.WRITE
    own = Effect.WRITE if name in table.write else Effect.READ if name in table.read else Effect.UNKNOWN
    if name in table.sub:
        valued = table.takes_value.get(name, _NONE)
        first = next((one.at for one in options.read(rest, valued) if not one.option), len(rest))
        found = _sub(table.sub[name], rest[first:], valued)
        return own if found is Effect.UNKNOWN else found
    return own


def _sub(command: Command, words: list[str], valued: Words) -> Effect:
    if not words:
        return Effect.UNKNOWN
    first = words[0].lower()
    pairs = {":".join(words[:2]), ":".join(options.operands(options.read(words, valued))[:2])}
    if pairs & command.write_pairs:
        return Effect.WRITE
    if first in command.read or pairs & command.read_pairs or (len(words) == 1 and first in command.read_if_bare):
        return Effect.READ
    return Effect.WRITE if first in command.write else Effect.UNKNOWN


def _sed(rest: list[str]) -> Effect:
    options = [word for word in rest if word.startswith("-")]
    if any(word.startswith("--in-place") or ("i" in word and not word.startswith("--")) for word in options):
        return Effect.WRITE
    if any(word not in ("-n", "-E", "-r", "-e", "-ne", "-nE", "-nr", "--quiet") for word in options):
        return Effect.UNKNOWN
    scripts = [rest[at + 1] for at, word in enumerate(rest[:-1]) if word in ("-e", "-ne")]
    scripts = scripts or [word for word in rest if not word.startswith("-")][:1]
    return Effect.READ if scripts and all(map(_SED_READS.fullmatch, scripts)) else Effect.UNKNOWN


def _script(rest: list[str], given: list[Given], fed: list[str], table: Commands) -> Effect:
    """`bash -lc "…"` does what its text does; a script file may do anything but what its name says is done for sure."""
    at = next((one.at for one in given if not one.option), len(rest))
    if at < len(rest) and any(one.option == "-c" for one in given):
        return effect(rest[at], table)
    named = [_task(rest[at], options.read(rest[at + 1 :], _NONE), table)] if at < len(rest) else []
    return _worst([Effect.UNKNOWN, *named, *(effect(text, table) for text in fed)])


def _unwrapped(rest: list[str], given: list[Given]) -> list[str]:
    """The command behind `timeout 10`, `xargs -n 1 -I {}`, `env A=1`: options, numbers and assignments left out."""
    at = next((one.at for one in given if not one.option), len(rest))
    while at < len(rest) and (rest[at].startswith("-") or "=" in rest[at] or re.fullmatch(r"[\d.]+[smhd]?|\{\}", rest[at])):
        at += 1
    return rest[at:]


def _task(name: str, given: list[Given], table: Commands) -> Effect:
    """What the name of a task, a script or a subcommand says of a command that nothing else decides."""
    tasks, words = table.tasks, options.operands(given)
    if name in tasks.not_of or (tasks.options | table.dry).intersection(one.option or one.value for one in given):
        return Effect.UNKNOWN
    if name in table.services.names:
        return _service(words[1:], table)
    if name in tasks.many:
        return Effect.WRITE if any(_is_verb(word, tasks) for word in words if "=" not in word) else Effect.UNKNOWN
    said = words[1:3] if ":".join([name, *words[:1]]) in tasks.run else words[:2]
    if tasks.shows.intersection(said):
        return Effect.UNKNOWN
    return Effect.WRITE if any(_is_verb(word, tasks) for word in (_script_name(name), *said[:1])) else Effect.UNKNOWN


def _service(words: list[str], table: Commands) -> Effect:
    """The first verb behind the service decides."""
    for word in words:
        verb = word.partition("-")[0]
        if verb in table.tasks.shows or verb in table.services.verbs:
            return Effect.WRITE if verb in table.services.verbs else Effect.UNKNOWN
    return Effect.UNKNOWN


def _script_name(word: str) -> str:
    return _SCRIPT.sub("", word.rpartition("/")[2])


def _is_verb(word: str, tasks: Tasks) -> bool:
    """Whether a task's name begins or ends with a verb: `deploy-prod`, `db:migrate`, not `migrate:status` or `deploy.yaml`."""
    pieces = re.split(r"[:._-]", word)
    if tasks.shows.union(tasks.tries).intersection(pieces):
        return False
    return pieces[-1] in tasks.verbs or (pieces[0] in tasks.verbs and "." not in word)


def _says(name: str, texts: list[str], table: Commands) -> bool:
    """Whether a word or a text fed to the command begins a statement that changes something."""
    verbs = table.write_statements.get(name, _NONE)
    if not verbs:
        return False
    texts = [_NO_STATEMENT.sub(" ", _ATTACHED.sub("", text, count=1) if _ATTACHED.match(text) else text) for text in texts]
    return any(first.lower() in verbs for text in texts for first in _STATEMENT.findall(text))
