"""Put questions to a model together: what is asked depends on nothing but what a question holds."""

import hashlib
from collections.abc import Sequence

import msgspec

from pumice.compact.summary.template import STATUSES, Part, Template, wording
from pumice.domain.policy import Summarize
from pumice.domain.summary import Ask, SummaryItem
from pumice.wire import jsonbytes

FINDINGS = 12
"""Findings a reminder names at most."""
FINDING_CHARS = 300
KNOWN_ITEMS = 60
"""Items of the summary before that a model is shown, the newest."""
KNOWN_CHARS = 200


class Wish(msgspec.Struct, frozen=True):
    """What is the same in every question of one summary."""

    template: Template
    policy: Summarize
    in_chinese: bool | None = None
    """Whether the answer is to be in Chinese; None: it may be."""

    def words(self, key: str, **filled: object) -> str:
        """A sentence of the template's language, braces filled in."""
        return wording()[self.template.language][key].format(**filled)


def about(wish: Wish, material: str, sources: Sequence[str], known: Sequence[SummaryItem] = ()) -> Ask:
    """Sum up material that is sent along."""
    return _ask(wish, "summary", (wish.words("shown"), *_form(wish), *_known(wish, known)), material, sources)


def live(wish: Wish, outline: str, sources: Sequence[str], known: Sequence[SummaryItem], view: str) -> Ask:
    """Sum up what stands in the live view, whose prefix a cache holds (K-E8); `view` is its identity."""
    parts = (wish.words("live"), *_form(wish), *_known(wish, known), wish.words("blocks", blocks=outline))
    return _ask(wish, "summary", parts, "", sources, view)


def merge(wish: Wish, parts: Sequence[Sequence[SummaryItem]], sources: Sequence[str]) -> Ask:
    """Make one summary of those of consecutive chunks."""
    material = "\n\n".join("\n".join(_line(item, wish.template) for item in part) for part in parts)
    return _ask(wish, "merge", (wish.words("merge"), *_form(wish)), material, sources)


def again(wish: Wish, first: Ask, findings: Sequence[str]) -> Ask:
    """The one reminder: the same question, and what was wrong with the answer."""
    listed = "\n".join(f"- {' '.join(found.split())[:FINDING_CHARS]}" for found in findings[:FINDINGS])
    asked = msgspec.structs.replace(
        first, prompt="\n\n".join((first.prompt, wish.words("again", findings=listed))), key="", reminds=True
    )
    return msgspec.structs.replace(asked, key=_key(asked, first.key))


def parts(template: Template) -> list[Part]:
    """The sections a model is asked for."""
    return [part for part in template.sections if not part.by_code]


def _form(wish: Wish) -> tuple[str, ...]:
    template, policy = wish.template, wish.policy
    tags = " ".join(f"[{template.tags[status]}]" for status in STATUSES)
    told = wish.words("form", sections=_sections(template), tags=f"{wish.words('tags', tags=tags)} ")
    limit = wish.words("limit", tokens=policy.tokens)
    besides = (wish.words("besides", prompt=policy.prompt),) if policy.prompt else ()
    rules = wish.words("rules", guess=f"[{template.tags['to_confirm']}]")
    return (template.about, told, rules, _language(wish), limit, *besides)


def _language(wish: Wish) -> str:
    if wish.in_chinese:
        return wording()["zh"]["language"]
    asked = wish.policy.language
    return wish.words("language") if asked == "auto" else wish.words("named", code=asked)


def _sections(template: Template) -> str:
    if template.shape == "headed":
        return "\n".join(f"## {part.title}{' *' if part.status else ''}\n{part.tells}" for part in parts(template))
    listed = "\n".join(f"<{part.key}>{' *' if part.status else ''}\n{part.tells}\n</{part.key}>" for part in parts(template))
    return f"<{template.root}>\n{listed}\n</{template.root}>"


def _known(wish: Wish, known: Sequence[SummaryItem]) -> tuple[str, ...]:
    lines = [_line(item, wish.template) for item in known if item.name][-KNOWN_ITEMS:]
    return (wish.words("known", known="\n".join(lines)),) if lines else ()


def _line(item: SummaryItem, template: Template) -> str:
    """An item as a model would write it."""
    tag = f"[{template.tags[item.status]}] " if item.status else ""
    subject = f"**{item.key}** " if item.key else ""
    text = " ".join(item.text.split())
    return f"- {item.section}: {tag}{subject}{text[:KNOWN_CHARS]} ({', '.join(item.sources)})"


def _ask(wish: Wish, purpose: str, parts: Sequence[str], material: str, sources: Sequence[str], view: str = "") -> Ask:
    made = Ask(
        purpose,
        "\n\n".join(parts),
        wish.policy.tokens,
        material,
        sources=tuple(sources),
        model=wish.policy.model or "",
    )
    return msgspec.structs.replace(made, key=_key(made, view))


def _key(ask: Ask, view: str) -> str:
    return hashlib.sha256(jsonbytes.encode((msgspec.to_builtins(ask), view))).hexdigest()
