"""A shell command line, split into the simple commands it would run."""

from collections.abc import Iterator

import msgspec

_OPERATORS = ("&&", "||", ";;", "|&", "|", ";", "&", "\n", "(", ")")
_REDIRECTIONS = ("&>>", "&>", "<<<", "<<-", "<<", "<&", "<(", "<", ">>", ">&", ">|", ">(", ">")
_SKIPPED = frozenset({"if", "then", "else", "elif", "while", "until", "do", "!", "{"})
_ENDS = frozenset({"fi", "done", "}", "esac", "for"})
_HARMLESS = frozenset({"/dev/null", "/dev/stdout", "/dev/stderr"})
_WORD_ENDS = " \t\r\n;|&<>()"


class Simple(msgspec.Struct):
    """One simple command: its words without quotes, and what its redirections do."""

    words: list[str] = msgspec.field(default_factory=list)
    writes: bool = False
    inner: list["Simple"] = msgspec.field(default_factory=list)
    """Commands inside `$(…)`, backticks and `<(…)`."""
    fed: list[str] = msgspec.field(default_factory=list)
    """Its here-documents and here-strings."""
    piped: "Simple | None" = None
    """The command whose output it reads."""


def split(command: str) -> list[Simple] | None:
    """The simple commands of a line in order; None when a quote does not end or a here-document could run code."""
    try:
        return list(_Scanner(command.replace("\\\n", " ")).commands())
    except (ValueError, RecursionError):
        return None


def command_words(words: list[str]) -> list[str]:
    """Words from the command on: shell keywords and assignments before it are left out."""
    at = 0
    while at < len(words) and (words[at] in _SKIPPED or _assigns(words[at])):
        at += 1
    rest = words[at:]
    return [] if rest and rest[0] in _ENDS else rest


def _assigns(word: str) -> bool:
    name, equals, _ = word.partition("=")
    return bool(equals) and name.isidentifier()


class _Scanner:
    def __init__(self, text: str, at: int = 0) -> None:
        self.text = text
        self.at = at
        self.heredocs: list[tuple[str, bool, Simple]] = []
        """Delimiters still to come, whether their bodies may run code, and who reads them."""

    def commands(self, *, nested: bool = False) -> Iterator[Simple]:
        """Simple commands up to the end, or up to the bracket that closes a nested line."""
        part, depth = Simple(), 0
        while self.at < len(self.text):
            operator = self._operator()
            depth += (operator == "(") - (operator == ")")
            if operator:
                yield part
                part = Simple(piped=part if operator in ("|", "|&") else None)
            if depth < 0 and nested:
                return
            if operator == "\n":
                self._skip_heredocs()
            elif not operator:
                self._token(part)
        if nested:
            raise ValueError("unclosed substitution")
        yield part

    def _token(self, part: Simple) -> None:
        if self.text[self.at] in " \t\r":
            self.at += 1
        elif self.text[self.at] == "#":
            self.at = self._end_of_line()
        elif not self._redirect(part):
            part.words.append(self._word(part))

    def _operator(self) -> str:
        if self.text.startswith("&>", self.at):
            return ""
        return self._eat(_OPERATORS)

    def _eat(self, signs: tuple[str, ...]) -> str:
        found = next((sign for sign in signs if self.text.startswith(sign, self.at)), "")
        self.at += len(found)
        return found

    def _end_of_line(self) -> int:
        end = self.text.find("\n", self.at)
        return len(self.text) if end < 0 else end

    def _redirect(self, part: Simple) -> bool:
        start = self.at
        while self.text[self.at : self.at + 1].isdigit():
            self.at += 1
        sign = self._eat(_REDIRECTIONS)
        if not sign:
            self.at = start
        elif sign in ("<(", ">("):
            part.inner += self.commands_inside()
            part.writes |= sign == ">("
        else:
            self._redirected(part, sign)
        return bool(sign)

    def _redirected(self, part: Simple, sign: str) -> None:
        while self.text[self.at : self.at + 1] in (" ", "\t"):
            self.at += 1
        runs = self.text[self.at : self.at + 1] not in ("'", '"', "\\")
        target = self._word(part)
        if sign in ("<<", "<<-"):
            self.heredocs.append((target, runs, part))
        elif sign == "<<<":
            part.fed.append(target)
        elif ">" in sign and target not in _HARMLESS and not (sign == ">&" and (target.isdigit() or target == "-")):
            part.writes = True

    def _skip_heredocs(self) -> None:
        for name, runs, reader in self.heredocs:
            start, line = self.at, ""
            while self.at < len(self.text) and line != name:
                end = self._end_of_line()
                line = self.text[self.at : end].strip()
                self.at = end + 1
            body = self.text[start : self.at]
            if runs and ("$(" in body or "`" in body):
                raise ValueError("a here-document that runs code")
            reader.fed.append(body)
        self.heredocs.clear()

    def _word(self, part: Simple) -> str:
        out: list[str] = []
        while self.at < len(self.text) and self.text[self.at] not in _WORD_ENDS:
            out.append(self._piece(part))
        if not out and self.at < len(self.text):
            raise ValueError("a word was expected")
        return "".join(out)

    def _piece(self, part: Simple) -> str:
        sign = self.text[self.at]
        if sign == "\\":
            self.at += 2
            return self.text[self.at - 1 : self.at]
        if sign == "'":
            return self._quoted("'")
        if sign == '"':
            return self._double(part)
        if sign == "`":
            part.inner += _Scanner(self._quoted("`")).commands()
            return "$()"
        if self.text.startswith("$(", self.at):
            self.at += 2
            part.inner += self.commands_inside()
            return "$()"
        self.at += 1
        return sign

    def commands_inside(self) -> list[Simple]:
        """The commands up to the closing bracket; arithmetic runs none."""
        scanner = _Scanner(self.text, self.at)
        if self.text.startswith("(", self.at) and self.text.find("))", self.at) >= 0:
            self.at = self.text.find("))", self.at) + 2
            return []
        found = list(scanner.commands(nested=True))
        self.at = scanner.at
        return found

    def _quoted(self, quote: str) -> str:
        end = self.text.find(quote, self.at + 1)
        if end < 0:
            raise ValueError("an unclosed quote")
        inside = self.text[self.at + 1 : end]
        self.at = end + 1
        return inside

    def _double(self, part: Simple) -> str:
        self.at += 1
        out: list[str] = []
        while self.at < len(self.text):
            sign = self.text[self.at]
            if sign == '"':
                self.at += 1
                return "".join(out)
            if sign in "\\`" or self.text.startswith("$(", self.at):
                out.append(self._piece(part))
            else:
                out.append(sign)
                self.at += 1
        raise ValueError("an unclosed quote")
