"""The forms in which English speakers lay down rules; each pattern is one form."""

import re


def _any(words: str) -> str:
    """One of the listed words; `_` stands for white space."""
    return "(?:" + "|".join(word.replace("_", r"\s+") for word in words.split()) + ")"


_LEADING = _any(
    "and but so also then just ok okay oh hey no yes yeah yep well again now omfg btw note important rule however instead "
    "always if_so"
)
_OPEN = (
    r"(?:^|[.,;:!(–—]\s*|\s[-–—]\s+)"
    rf"(?:{_LEADING}\b[,:]?\s+){{0,3}}(?:please\s+|pls\s+|kindly\s+|let['’]?s\s+)?(?:just\s+|really\s+)?"
)
"""A clause begins at the start, after punctuation, or after the small words that open a wish."""
_SELF = _any(
    "know think remember recall have need mind worry see understand believe feel get_it care like you we they i forget"
)
_PAST = rf"(?!{_any('seen been had heard saw was were did mind said used_to')}\b|\w+(?<!s)s\b)"
"""What follows a wish is a plain verb: no past, no third person."""
_NOT = r"(?:do\s+not|don['’]?t|dont|never|must\s+never)"
_NUMBER = r"(?:[$€£]?\d[\d,.]*|one|two|three|four|five|six|seven|eight|nine|ten|a\s+single)"
_GUESS = _any("be_(?:a|an|too|that|so|hard|difficult|any) matter take have we it i you they")
_MUST_BE = _any("some something because due the that wrong missing there why how what kidding joking")
_NO_WORDS = _any(
    "problem worries worry thanks thank idea need rush way one longer doubt luck clue wonder matter more i it we that this not "
    "reason sense"
)
_TOUCH = _any("changing touching breaking modifying editing altering removing deleting")
_DO = _any(
    "use touch edit change modify work look read write run fix update add include show consider return answer commit test the "
    "in on for for_now"
)
_NO_THING = _any("thing way one problem issue question difference reason")

_NO_VERB = _any(
    "thing way one problem issue question difference reason the this that these those a an my your our its his her two three"
)

BANS = (
    rf"{_OPEN}{_NOT}\s+(?:ever\s+)?(?!{_SELF}\b){_PAST}[\w_*`'\"-]+",
    rf"\b(?:and|but)\s+(?:please\s+|also\s+)?{_NOT}\s+(?!{_SELF}\b){_PAST}[\w_*`'\"-]+",
    rf"{_OPEN}(?:avoid|refrain\s+from|stop\s+{_any('using adding changing creating making writing doing touching editing')})\b",
    r"\blet['’]?s\s+not\b|\blet\s+us\s+not\b",
    rf"(?<!there )\b(?:must|should|shall)(?:\s*n['’]t|nt|\s+not|\s+never|\s+_not_|\s+\*\*?not\*?\*)\b(?!\s+{_GUESS}\b)",
    r"\byou(?:['’]re|\s+are)\s+not\s+(?:allowed|permitted|to)\b",
    r"\byou\s+(?:can['’]?t|cannot|may\s+not)\s+(?!see\b|tell\b|imagine\b|find\b)\w+",
    r"\b(?:is|are|be)\s+(?:not\s+(?:allowed|permitted|to\s+be)|forbidden|prohibited|off[- ]limits)\b",
    r"\b(?:leave|keep)\s+(?:[\w./`'-]+\s+){1,5}?(?:alone|untouched|unchanged|as\s+(?:is|it\s+is|they\s+are))\b",
    r"\bshould\s+stay\s+as\s+is\b|\bhands\s+off\b|\bno\s+more\s+\w+ing\b",
    rf"{_OPEN}no\s+(?!{_NO_WORDS}\b)(?:[\w./-]+\s+){{0,3}}?[\w./-]+s\b"
    r"(?=\s*(?:$|[.!,;)]|please|at\s+all|allowed|anywhere|in\b|for\b|without\b))",
    r"\bI\s+(?:really\s+|actually\s+)?(?:don['’]?t|do\s+not)\s+(?:want|wish)\b|\bprefer\s+not\s+to\b",
    r"\bnothing\s+(?:else\s+)?(?:should|must|may)\b|\bunder\s+no\s+circumstances\b",
)
DUTIES = (
    rf"(?<!there )(?<!this )(?<!\bit )\bmust\b(?!\s+(?:not|never|have|there|be\s+(?:a|an|{_MUST_BE}))\b)\s+\w+",
    r"\b(?:this|it)\s+must\s+(?:be|stay|remain|work|support|run|pass|return)\b(?!\s+(?:a|an|because|due|that|why|wrong|there)\b)",
    rf"{_OPEN}always\s+{_PAST}\w+|(?<!there )\bshould\s+(?:always|only)\b",
    rf"{_OPEN}(?:you\s+)?(?:make\s+sure|ensure|be\s+sure\s+to|remember\s+to|(?:do\s+not|don['’]?t)\s+forget\s+to)\b",
    rf"{_OPEN}(?:be\s+careful\s+(?:to|with|not)|take\s+care\s+(?:to|not))\b",
    rf"{_OPEN}(?:keep|stick\s+to|stick\s+with|preserve|maintain|respect|follow)\s+"
    rf"(?!{_any('going it_up in_mind me trying looking doing working reading up that_in')}\b)[\w`'\"/.-]+",
    r"\b(?:from\s+now\s+on|going\s+forward|for\s+the\s+rest\s+of\s+(?:this|the))\b",
    r"(?<!\bI )\b(?:has|have)\s+to\s+(?:be|stay|remain|work|pass)\b",
    rf"{_OPEN}use\s+(?:only\s+)?[^.?!\n]{{1,80}}\b(?:not|instead\s+of|rather\s+than|no)\s+\w+|{_OPEN}(?:use|please\s+use)\s+only\b",
    rf"{_OPEN}please\s+(?:use|write|answer|reply|respond|speak|format|name)\b",
    r"\bis\s+(?:a\s+must|mandatory|non-negotiable)\b|\bat\s+all\s+(?:times|costs)\b",
)
LIMITS = (
    r"\b(?:at\s+(?:most|least)|no\s+(?:more|fewer|less|later|earlier|longer)\s+than|not\s+more\s+than|max(?:imum)?(?:\s+of)?)"
    rf"\s+{_NUMBER}\b",
    rf"\b(?:pay|spend|allow|use|retry|keep|only|can|may|accept)\w*\b[^.?!\n]{{0,30}}\bup\s+to\s+{_NUMBER}\b",
    rf"\b(?:fit|stay|be|bring|keep|cost)\w*\b[^.?!\n]{{0,40}}\b(?:under|below|within)\s+{_NUMBER}",
    r"\b(?:do(?:es)?n['’]?t|not|never|without)\s+exceed(?:ing)?\b[^.?!\n]{0,20}\d",
    r"\bbudget\s+(?:is|of)\s+[$€£]?\d",
    r"\bdefaults?\s+(?:to|is|must\s+be)\s+['\"`]?(?:off|on|true|false|disabled|enabled)\b",
)
EXCEPTIONS = (
    r"\bunless\b|\bexcept\s+(?!for\s+the\s+fact|that\b|maybe)",
    r"\b(?:only\s+(?:if|when|after|once|in\s+case)|as\s+long\s+as|provided\s+that|on\s+(?:the\s+)?condition)\b",
    rf"\bwithout\s+(?:first\s+|ever\s+)?(?:asking|{_TOUCH}|my\s+(?:ok|approval|permission|consent))\b",
    rf"{_OPEN}(?:only|just)\s+{_DO}\b(?!\s+{_NO_THING}\b)",
    rf"{_OPEN}only\s+(?!{_NO_VERB}\b)[a-z]+\b[^.?!\n]{{1,80}}?\b(?:if|when|once|after|in\s+case)\b",
    r"\bonly\s+(?:the\s+)?[\w`'\"./-]+(?:\s+[\w`'\"./-]+){0,3}?\s+(?:should|may|must|is\s+allowed|are\s+allowed)\b",
    r"\bI(?:['’]m|\s+am)?\s+(?:would\s+)?only\s+(?:want|need|interested)\b|\bnothing\s+but\b",
)
_SUBJECTS = _any("i we you he she it they this that these those the my our any")
_ASKING = _any("is are was were can could would will why what how which who")
_ASKING_NOT = _any("is are does should wo would could")
NO_RULE = re.compile(
    rf"^(?:(?:should|shall|do|does|did|have|has)\s+{_SUBJECTS}|{_ASKING}|{_ASKING_NOT}n['’]?t|don['’]?t\s+(?:we|you|they))\b",
    re.I,
)
"""How questions open."""
REQUEST = re.compile(
    r"\b(?:can|could|would|will)\s+(?:you|we)\b[^?]*?\b(?:(?:make\s+sure|ensure)(?:\s+[\w$'’-]+){6,}|never"
    r"|only\s+(?:use|change|touch|edit)|(?:but|and)\s+(?:do\s+not|don['’]?t|not|only)|as\s+long\s+as|unless"
    rf"|without\s+{_TOUCH})\b",
    re.I,
)
"""A question that asks for something to be done, with a condition: the condition counts."""
TALK = re.compile(
    r"^(?:i|we)\s+(?:really\s+|just\s+|also\s+)?(?:don['’]?t|do\s+not|didn['’]?t|can['’]?t|cannot|couldn['’]?t)\s+(?!want|wish)"
    r"|^(?:\w+,?\s+){0,2}i\s+(?:\w+ly\s+|just\s+|already\s+|have\s+|had\s+)*(?:\w+ed|did|made|wrote|put|ran|saw|got|took|was)\b"
    r"|^i\s+(?:just\s+)?(?:want|wanted|need)\s+to\s+make\s+sure\b|\bnever\s*mind\b|^thank",
    re.I,
)
"""Sentences about the speaker: not knowing, not having, checking, having done."""
STRONG = re.compile(r"\b(?:must|should|shall)\s*(?:n['’]t|not|never)\b", re.I)
"""What counts even in a sentence that tells what somebody did."""
_IT = r"(?:it|this|that|they|(?:the|my|our|at\s+least|all|some)\s+(?:[\w./'-]+\s+){1,3}?)"
_DID = _any(
    "fail(?:s|ed|ing)? work(?:s|ed)? happen(?:s|ed)? crash(?:es|ed)? occur(?:s|red)? breaks? broke ran hangs? was were seems? "
    "return(?:s|ed)? shows? appears? compile[sd] took takes"
)
DESCRIBES = re.compile(rf"^(?:(?:and|but|so|ok|hm+|well|now)\b,?\s+)*{_IT}\s*(?:\w+ly\s+)?{_DID}\b", re.I)
"""Reports of what something did: a limit or a condition in them lays nothing down."""
