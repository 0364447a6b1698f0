"""What a person has laid down: sentences of theirs, whole and with their exceptions, and how a command is known."""

import re
from collections.abc import Iterator
from itertools import pairwise

from pumice.commit.sentences import Sentence, split

_ENDS = " .!;:,。！；：，…"
_QUOTES = re.compile(r"[\"'“”‘’«»「」『』*`]")
_POLITE = re.compile(
    r"^(?:(?:please|pls|kindly|and|also|so|ok|okay|now|then|well|next|hi|hello|thanks|btw|note)\b[,:.!]?\s+|(?:请|麻烦|另外|还有|注意)[，：:]?)+"
)
"""Openings that say nothing: a sentence without them is the same one."""
_EXCEPTION = re.compile(
    r"^(?:except(?!ion)|unless|save\s+for|apart\s+from|other\s+than|with\s+(?:the\s+|one\s+)?exceptions?|(?:the\s+)?(?:only\s+|one\s+)?exceptions?\b"
    r"|but\s+(?:not|only)\b|除非|除了|例外|但)",
    re.I,
)
_HANGS = re.compile(
    r"(?:[,，、(（—–]|\b(?:and|or|but|nor|not|never|to|only|if|when|unless|except|for|the|an?|in|of|with|without))$", re.I
)
_GOES_ON = re.compile(r"^(?:and|or|but|if|when|while|unless|except|nor|in|to|for|of|with|without)\b")
_CLOSED = re.compile(r"[.!?。！？]$")
_LABEL = re.compile(
    r"(?:hard\s+|explicit\s+)?(?:rules?|bans?|limits?|constraints?|dut(?:y|ies)|exceptions?|preferences?|scope|style|format|budget|language)"
    r"|约束|限制|规则|禁令|偏好|例外|上限|要求",
    re.I,
)
"""Labels that say what kind of sentence stands behind them, and nothing of it."""

_WHO = (
    r"(?:agents?|assistant|model|developers?|team|contributors?|maintainers?|every(?:one|body)|anyone|nobody|no\s+one|you|we)"
)
_DUTY = r"(?:must|shall|has\s+to|have\s+to|needs?\s+to|ought\s+to)"
_COMMAND = re.compile(
    rf"\b{_DUTY}\b|\b(?:should|may|can)\s+(?:never|always|only)\b|\bshould\s+not\b|\bshouldn['’]t\b|\bmustn['’]t\b"
    r"|\bmay\s+not\b(?!\s+(?:be\s+(?:able|available|needed|necessary|enough|complete)|exist|work|have|matter|always|yet)\b)"
    r"|\b(?:cannot|can['’]t|can\s+not)\s+be\s+(?:changed|touched|deleted|pushed|merged|deployed|edited|modified)\b"
    r"|\b(?:is|are|be|stays?)\s+(?:only\s+|never\s+|not\s+|strictly\s+|always\s+)?"
    r"(?:allowed|permitted|required|forbidden|prohibited|mandatory|banned|obligatory|off[- ]limits)\b"
    r"|\b(?:only|not|never|strictly)\s+(?:allowed|permitted)\b|^(?:required|forbidden|prohibited|mandatory)\b"
    r"|(?<!\bwas )(?<!\bwere )(?<!\bhad )(?<!\bhas )(?<!\bis )(?<!\bare )(?<!\bbeen )"
    r"\bnever\s+(?!\w+(?:ed|s)\b|been\b|ran\b|mind\b)\w"
    r"|^(?:always|do\s+not|don['’]t|make\s+sure|ignore\s+(?:all|any|previous|the)|system\s*:)"
    r"|^(?:avoid|refrain\s+from)\b|^only\s+(?:ask|change|commit|deploy|edit|merge|push|release|run|touch|use)\b"
    r"|^no\s+(?:\w+\s+)?\w+s\s+(?:on|in|to|before|after|without|during)\b"
    r"|^(?:ask|get|obtain|request|consult|notify|inform)\b.*\b(?:before|prior\s+to|first)\b"
    r"|\brequires?\s+(?:an?\s+|the\s+)?(?:\w+\s+)?(?:approval|permission|review|sign-?off|ticket|consent)\b"
    rf"|\b{_WHO}\s+(?:should|(?:is|are)\s+to)\b|应先|[都均](?:要|需|须)|需(?:经|先)"
    r"|必须|不得|不要|不许|不准|不允许|禁止|严禁|切勿|绝不|务必|一定要|只能|只允许|只许|应当|一律|须(?:经|先|由)",
    re.I,
)
_AGENT = re.compile(rf"\b{_WHO}\s+(?:\w+\s+)?(?:{_DUTY}|should|may|can(?:not)?|(?:is|are)\s)", re.I)
_ALWAYS = re.compile(r"^(?:every|each|all|any)\b|\b(?:always|only|never|before|after|without|unless)\b", re.I)
_FACT = re.compile(
    rf"\b{_DUTY}\s+(?:not\s+|also\s+|both\s+|all\s+)?(?:be\s+(?:an?|none|null|str|int|bool|float|bytes|list|dict|true|false|set|unset"
    r"|passed|given|defined|imported|held|awaited|closed|empty|positive|negative|non-\w+|unique|valid|absolute|relative|hashable"
    r"|running|available|reachable|enabled|disabled|at\s+least\s+version|present|installed|specified|equal|greater|less)|return|hold|match|equal|accept|contain|raise|exist|point|start|inherit"
    r"|implement|have|differ|agree|satisfy)\b"
    r"|\b(?:nothing|none\s+of\s+(?:it|them|this))\s+(?:else\s+|more\s+)?(?:has|have|needs?)\s+to\b"
    r"|\b(?:arguments?|fields?|parameters?|options?|flags?|versions?|packages?|dependency|modules?|keys?|headers?)\s+(?:is|are)\s+required\b",
    re.I,
)
"""What code has to be is a fact of it, and that nothing is left to do one of the work."""
_OPEN = re.compile(
    r"\b(?:needs?|has|have|must)\s+(?:still\s+|yet\s+)?(?:to\s+)?be\s+\w+|\bstill\s+(?:needs?|has|have)\s+to\b", re.I
)
_FAULT = re.compile(r"\w*(?:error|exception|warning|failure)\b|\bfailed\b|错误|报错", re.I)
_NUMBERED = re.compile(r"^\s*\d+(?:→|\t)\s*")
_CLAUSES = re.compile(r"[;:]\s+|[；：]")
_QUOTED = re.compile(r"```.*?```|`[^`\n]+`|[\"“「][^\"”」\n]{12,}[\"”」]", re.S)


def wholly(text: str, own: str, beside: str = "") -> bool:
    """Whether each sentence of a text is one that a person typed, whole.

    White space, quotation marks and a polite opening do not count. An exception that follows stands in the text or beside it.
    """
    known = _units(own)
    follows = {one: after for one, after in pairwise(known) if _EXCEPTION.match(after)}
    told = _units(text)
    given = {*told, *_units(beside)}
    return bool(told) and all(one in known and follows.get(one, one) in given for one in told)


def nearest(text: str, own: str) -> str:
    """The sentence of a person's that shares most words with a text, as it stands; empty when none shares a word."""
    words = set(re.findall(r"\w+", text.casefold()))
    shared = {one.text: len(words & set(re.findall(r"\w+", one.text.casefold()))) for one in split(own)}
    best = max(shared, key=lambda one: shared[one], default="")
    return " ".join(best.split()) if best and shared[best] else ""


def is_label(key: str, own: str) -> bool:
    """Whether what an item is said to be about leaves its sentence as it is."""
    return bool(_LABEL.fullmatch(_bare(key))) or _bare(key) in _bare(own)


def commands(text: str, *, is_open: bool = False) -> Iterator[str]:
    """The sentences of a text that tell somebody what to do or to leave; quotations are what they are.

    Where a text tells what is open, something that has still to be done is none.
    """
    for sentence in split(_QUOTED.sub(_blank, text)):
        if any(_is_command(clause, is_open=is_open) for clause in _CLAUSES.split(sentence.text)):
            yield text[sentence.start : sentence.end]


def program_line(sentence: str) -> str:
    """A message of a program that went wrong, or a numbered line without its number; empty where a sentence is neither."""
    line = _NUMBERED.sub("", sentence)
    return line if line != sentence or _FAULT.search(sentence) else ""


def _is_command(clause: str, *, is_open: bool) -> bool:
    if not _COMMAND.search(clause):
        return False
    is_work = is_open and bool(_OPEN.search(clause)) and not _ALWAYS.search(clause)
    return bool(_AGENT.search(clause)) or not (is_work or _FACT.search(clause))


def _units(text: str) -> list[str]:
    """Sentences in a form in which they compare; a line that goes on in the next one is one with it."""
    joined: list[str] = []
    before: Sentence | None = None
    for one in split(text):
        if before is not None and _is_one(before, one, text[before.end : one.start]):
            joined[-1] += f" {one.text}"
        else:
            joined.append(one.text)
        before = one
    return [unit for unit in map(_bare, joined) if unit]


def _is_one(before: Sentence, after: Sentence, gap: str) -> bool:
    if gap.strip() or gap.count("\n") != 1 or _CLOSED.search(before.text):
        return False
    return bool(_HANGS.search(before.text) or _GOES_ON.match(after.text))


def _blank(quoted: re.Match[str]) -> str:
    return re.sub(r"[^\n]", "§", quoted[0])


def _bare(text: str) -> str:
    plain = " ".join(_QUOTES.sub("", text).split()).casefold().strip(_ENDS)
    return _POLITE.sub("", plain).strip(_ENDS)
