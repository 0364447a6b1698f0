"""Whether what a person says next answers a question of the model's, or passes it over."""

import re
from collections.abc import Sequence

from pumice.commit.topic import topic

_WORDS, _LETTERS = 4, 8
"""Words, or Chinese letters, from which a message can be a request of its own; what is shorter answers."""
_LONGEST_CONSENT = 12
"""Words of a sentence whose beginning still decides what it is."""
_APPROVES = re.compile(
    r"^(?:yes|yeah|yep|yup|sure|ok|okay|approved?|lgtm|looks\s+good|sounds\s+good|go\s+ahead|do\s+it|please\s+do|proceed|confirmed?|correct"
    r"|exactly|perfect|agreed)\b|^(?:可以|好的?|行|同意|批准|确认|没问题|是的|对的?)(?=[，。！,.! ]|$)",
    re.I,
)
_REPLIES = re.compile(
    r"^(?:no|nope|nah|not\b|neither|both|either|none|all\s+of|whatever|whichever|skip|leave\s+(?:it|that)|never\s?mind|don['’]?t\s+(?:know|care)"
    r"|i\s|we\s|it\s|that\s|they\s|because|maybe|option\b|\(?[A-D1-9][.)]?(?:\s|$))"
    r"|^(?:不|没|别|算了|都|随便|因为|我|选|第[一二三四])",
    re.I,
)
"""How a reply to something asked opens."""
_ORDERS = re.compile(
    r"^(?:(?:and|but|also|so|then|now|well|first|next|just|please|pls)\b[,:]?\s+)*"
    r"(?:can|could|would|will)?\s*(?:you\s+)?(?:please\s+)?"
    r"(?P<verb>let|make|ensure|check|look|see|find|run|add|fix|write|read|show|tell|give|create|change|update|remove|delete|move|rename|test"
    r"|open|close|send|call|explain|verify|implement|build|refactor|commit|push|deploy|install|clean|document|review|start|stop|continue"
    r"|use|try|go|keep|put|set|take|pick)\b"
    r"|^(?:what|why|how|who|where|when|which|is|are|does|did)\b.*[?]"
    r"|^(?:请|先|再|然后|现在|帮我|给我|把|接着|另外)|[？吗]$",
    re.I,
)
"""How a request or a question of a person's own opens."""
_CHOICES = ("use", "try", "go", "keep", "put", "set", "take", "pick")
"""Requests that are choices where something to choose was asked for."""
_CHOOSE = re.compile(r"\b(?:which|what|where|how|who|whom|when|or)\b|哪|什么|怎么|还是|谁", re.I)


def consents(sentence: str) -> bool:
    """Whether a sentence says yes to what was asked."""
    return _is_short(sentence) and not sentence.endswith(("?", "？")) and bool(_APPROVES.match(sentence))


def is_answered(question: str, sentences: Sequence[str]) -> bool:
    """Whether words answer a question: a yes or no, a reply, a choice, or something on its topic.

    A request of its own that shares no word with the question leaves it open, and so does silence.
    """
    first = sentences[0] if sentences else ""
    if not first:
        return False
    if consents(first) or _REPLIES.match(first) or _is_brief(" ".join(sentences)):
        return True
    order = _ORDERS.search(first)
    if order is None or ((order["verb"] or "").lower() in _CHOICES and _CHOOSE.search(question)):
        return True
    return is_about(question, sentences)


def is_about(question: str, sentences: Sequence[str]) -> bool:
    """Whether words share one with the question that says what it is about."""
    return bool(topic(question) & topic(" ".join(sentences)))


def _is_short(sentence: str) -> bool:
    return len(sentence.split()) <= _LONGEST_CONSENT


def _is_brief(text: str) -> bool:
    return len(text.split()) < _WORDS and len(re.findall(r"[㐀-鿿]", text)) < _LETTERS
