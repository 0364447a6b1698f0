"""What a terminal would show of a text, and what in it only a machine can read."""

import re

_SEQUENCES = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor, erase
    r"|\][^\x07\x1b\n]*(?:\x07|\x1b\\)?"  # OSC: titles, links
    r"|[PX^_][^\x1b\n]*(?:\x1b\\)?"
    r"|[ -/]*[0-~]?)"
)
_OVERSTRUCK = re.compile(r"[^\n\x08]\x08")
_CONTROLS = bytes({*range(0x20), 0x7F} - set(b"\t\n\r"))
_SILENT = re.compile(r"[\x07\x08\x1b]")
_SEPARATING = re.compile(r"[\x00-\x06\x0b\x0c\x0e-\x1f\x7f]+")
"""A terminal shows nothing of these, but they end words: of `find -print0` or an environment, taking them out would join
two values into one that nobody wrote."""
_BASE64 = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{160,}={0,2}")
_REMINDER = r"<system-reminder>(?:(?!<system-reminder>).)*?</system-reminder>"
_LEADING = re.compile(rf"\s*(?:{_REMINDER}\s*)+", re.S)
_CLOSING = "</system-reminder>"


def terminal(text: str) -> str:
    """The text without control sequences and without what a carriage return has drawn over; line numbers stay."""
    if "\x1b" in text:
        text = _SEQUENCES.sub("", text)
    if "\x08" in text:
        text = _OVERSTRUCK.sub("", text)
    if _has_controls(text):
        text = _SEPARATING.sub(" ", _SILENT.sub("", text))
    if "\r" in text:
        text = text.replace("\r\n", "\n")
        if "\n" not in text and not _is_progress(text):
            return text.replace("\r", "\n")
        text = "\n".join(_drawn(line) if "\r" in line else line for line in text.split("\n"))
    return text


def encoded(text: str) -> list[tuple[int, int]]:
    """Spans of base64 runs: 160 characters or more that mix cases and digits."""
    return [match.span() for match in _BASE64.finditer(text) if _is_mixed(match[0])]


def reminders(text: str) -> tuple[str, str, str]:
    """What a client put before a result, the result, and what it appended: whole `<system-reminder>` elements."""
    lead = _LEADING.match(text)
    start = lead.end() if lead else 0
    end = len(text)
    while text[start:end].rstrip().endswith(_CLOSING):
        opening = text.rfind("<system-reminder>", start, end)
        if opening < 0:
            break
        end = opening
    return text[:start].strip(), text[start:end], text[end:].strip()


def _has_controls(text: str) -> bool:
    """Whether a text holds control characters; told from its bytes, at a tenth of what an expression takes."""
    raw = text.encode("utf-8", "surrogatepass")
    return len(raw.translate(None, _CONTROLS)) < len(raw)


def _drawn(line: str) -> str:
    """What stays of a line that was drawn over: its last part with ink."""
    return next((part for part in reversed(line.split("\r")) if part.strip()), "")


def _is_progress(text: str) -> bool:
    """Redraws repeat one line with other figures; a text whose lines end in a carriage return does not."""
    drawn = [re.sub(r"[\d#=>.\s█▏▎▍▌▋▊▉-]+", "", part) for part in text.split("\r")[:200]]
    return len(set(drawn)) * 2 <= len(drawn)


def _is_mixed(run: str) -> bool:
    sample = run[-160:]
    return any(c.isdigit() for c in sample) and any(c.islower() for c in sample) and any(c.isupper() for c in sample)
