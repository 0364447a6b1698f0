"""Which language a text is in, as far as its script or its commonest words tell; small, offline, and silent when unsure."""

import re
from collections import Counter
from collections.abc import Mapping

from pumice.measure import entities

LEAST_LETTERS = 20
"""Letters below which a text is in no language; one of Chinese, Japanese or Korean counts as several."""
DENSE = 3
LEAST_SHARE, MOST_SHARE = 0.3, 0.2
"""Share of letters in its script that a text in a language has at least, and of foreign ones at most where that is Latin."""
LEAST_WORDS, LEAST_HITS, HIT_SHARE = 12, 4, 0.1
"""Words below which a text says nothing; common words of a language, and their share, that make it one in it."""
AHEAD = 2
"""So many times as many of them as of another language."""
_SCRIPTS: Mapping[str, re.Pattern[str]] = {
    "han": re.compile(r"[㐀-鿿]"),
    "kana": re.compile(r"[぀-ヿ]"),
    "hangul": re.compile(r"[가-힣ᄀ-ᇿ]"),
    "cyrillic": re.compile(r"[Ѐ-ӿ]"),
    "arabic": re.compile(r"[؀-ۿݐ-ݿ]"),
    "hebrew": re.compile(r"[֐-׿]"),
    "greek": re.compile(r"[Ͱ-Ͽ]"),
    "devanagari": re.compile(r"[ऀ-ॿ]"),
    "thai": re.compile(r"[฀-๿]"),
    "latin": re.compile(r"[A-Za-zÀ-ɏ]"),
}
_DENSE = ("han", "kana", "hangul")
_LATIN = (
    "en",
    "de",
    "fr",
    "es",
    "pt",
    "it",
    "nl",
    "pl",
    "tr",
    "sv",
    "da",
    "no",
    "nb",
    "fi",
    "cs",
    "sk",
    "hu",
    "ro",
    "hr",
    "id",
    "vi",
)
_WRITTEN: Mapping[str, tuple[str, ...]] = {
    "zh": ("han",), "ja": ("kana", "han"), "ko": ("hangul", "han"), "he": ("hebrew",), "el": ("greek",), "th": ("thai",),
    **dict.fromkeys(("ru", "uk", "bg", "be", "mk", "kk"), ("cyrillic",)),
    **dict.fromkeys(("ar", "fa", "ur"), ("arabic",)),
    **dict.fromkeys(("hi", "mr", "ne"), ("devanagari",)),
    **dict.fromkeys(_LATIN, ("latin",)),
}  # fmt: skip
"""Scripts of a language, the one that must occur first."""
_COMMON: Mapping[str, frozenset[str]] = {
    code: frozenset(words.split())
    for code, words in {
        "en": "the and is are was were of to in that with for has have been this it be by from as not which when on an at will",
        "de": "der die das und ist sind war nicht ein eine einen mit von für auf den dem zu wird auch nach bei aus als wurde",
        "fr": "le la les et est sont des du une un dans pour que qui pas sur avec au aux par ce cette été nous vers dont être",
        "es": "el la los las y es son del una un en para que no con por se al como está esta fue lo su más han ser",
        "pt": "o a os as e é são do da dos das uma um em para que não com por se no na ao foi está como mais pela",
        "it": "il lo la gli le e è sono del della dei una un in per che non con si al alla di da nel nella stato come",
        "nl": "de het een en is zijn van niet met voor op te dat die wordt werd aan door bij naar ook als uit heeft nog om",
        "pl": "i w na z jest są nie do że się od po dla przez jak oraz został które który przy jego jako już przed ma",
        "tr": "ve bir bu için ile olarak da de olan daha sonra çok gibi kadar ama her değil olduğu tarafından göre var yok",
    }.items()
}
_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"[^\W\d_]+")
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.S)


def of(text: str) -> str:
    """The code of the language that a text is clearly in; empty where it does not show."""
    words = _prose(text)
    shares = _shares(words)
    if not shares:
        return ""
    for code in ("ja", "ko", "zh"):
        if shares[_WRITTEN[code][0]] >= LEAST_SHARE:
            return code
    return _by_words(words) if shares["latin"] > 1 - MOST_SHARE else ""


def contradicts(text: str, asked: str) -> bool:
    """Whether a text is clearly not in the language asked for; never of one that is short, or of a language unknown here."""
    code = asked.casefold().replace("_", "-").partition("-")[0]
    words = _prose(text)
    shares = _shares(words)
    if not shares or code not in _WRITTEN:
        return False
    if _WRITTEN[code] == ("latin",):
        return 1 - shares["latin"] > MOST_SHARE or _is_other(words, code)
    share = sum(shares[script] for script in _WRITTEN[code])
    is_japanese = code == "zh" and shares["kana"] > shares["han"] / DENSE
    return share < LEAST_SHARE or not shares[_WRITTEN[code][0]] or is_japanese


def chinese_share(text: str) -> float | None:
    """Share of Chinese letters in a text without code and names; None when it has too few letters to tell."""
    return _shares(_prose(text)).get("han")


def _by_words(text: str) -> str:
    """The language whose commonest words a text has, far ahead of any other."""
    best, most = _hits(text).most_common(1)[0]
    return best if most and all(_leads(text, best, other) for other in _COMMON if other != best) else ""


def _is_other(text: str, code: str) -> bool:
    """Whether a text has the commonest words of another language; of one without a list only English is told."""
    hits = _hits(text)
    other = "en" if code not in _COMMON else hits.most_common(1)[0][0]
    return other != code and hits[other] > 0 and _leads(text, other, code)


def _leads(text: str, code: str, other: str) -> bool:
    """Whether a text is far rather in one language than in another, by the words they do not share."""
    words = _WORD.findall(text.casefold())
    ours, theirs = _COMMON[code], _COMMON.get(other, frozenset())
    return sum(word in ours - theirs for word in words) > AHEAD * sum(word in theirs - ours for word in words)


def _hits(text: str) -> Counter[str]:
    """How many words of a text are common ones of each language; none where they are too few to count."""
    words = _WORD.findall(text.casefold())
    found = Counter({code: sum(word in common for word in words) for code, common in _COMMON.items()})
    is_enough = len(words) >= LEAST_WORDS and max(found.values()) >= max(LEAST_HITS, HIT_SHARE * len(words))
    return found if is_enough else Counter(dict.fromkeys(found, 0))


def _shares(text: str) -> dict[str, float]:
    """Share of each script in the letters of a text; nothing when there are too few to tell."""
    letters = len(_LETTER.findall(text))
    found = {script: len(pattern.findall(text)) for script, pattern in _SCRIPTS.items()}
    dense = sum(found[script] for script in _DENSE)
    total = letters + (DENSE - 1) * dense
    if total < LEAST_LETTERS:
        return {}
    return {script: count * (DENSE if script in _DENSE else 1) / total for script, count in found.items()}


def _prose(text: str) -> str:
    """A text without code and names."""
    text = _CODE.sub(" ", text)
    for entity in reversed(entities.find(text)):
        text = f"{text[: entity.start]} {text[entity.end :]}"
    return text
