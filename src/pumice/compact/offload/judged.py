"""Style `judged`: a judge decides call by call whether the call stays and whether its result does (F-C12).

Text is never touched. A result stays whole, or with its first characters, or goes with its call; of a long shell output that
does not stay whole those parts stay that are worth it, by the rules, since a model is not shown results. What may have
changed something keeps its call (F-B4), so that nothing that is told of it looks made up.
"""

from collections.abc import Mapping, Sequence

import msgspec

from pumice.compact import exchanges, taken
from pumice.compact.exchanges import Exchange
from pumice.compact.judge import Verdict, asking, rules
from pumice.compact.judge.asking import Judged
from pumice.compact.laid import lay
from pumice.compact.layout import Brief, Layout
from pumice.compact.offload import known, which
from pumice.compact.offload.forms import LEVEL, Former
from pumice.compact.section import Section
from pumice.compact.showing import Showing, smaller
from pumice.domain import marks
from pumice.domain.decision import Decision, Outcome

NOBODY = "judged by rules: judge.by is model, and neither summarize.model names one nor was the engine given one"
AWAY = (Outcome.FOLD, Outcome.DROP)


def lay_out(brief: Brief, before: Layout) -> Layout:
    """What the verdicts leave; what stood before where that frees too little of what there is to free."""
    held = exchanges.standing(brief.book.groups, brief.book.uses, before)
    decided = known.tombstones(brief, before, held)
    start = _built(brief, before, held, decided)
    open_ = _judged(brief, held, {**before.forms, **decided})
    said = _verdicts(brief, open_, start)
    after = smaller(brief, start, _built(brief, before, held, {**decided, **_forms(brief, open_, said.verdicts)}))
    chosen, outcome = _outcome(brief, start, after, open_)
    if open_ and brief.policy.judge.by == "model" and not _has_model(brief):
        outcome = (NOBODY, *outcome)
    return msgspec.structs.replace(
        chosen,
        asks=(*chosen.asks, *said.asks),
        refused=(*chosen.refused, *said.refused),
        warnings=(*chosen.warnings, *outcome),
    )


def _judged(brief: Brief, held: Sequence[Exchange], forms: Mapping[str, Decision]) -> list[Exchange]:
    """Exchanges a verdict may be about: not the first, not the newest, not what was cut before."""
    judge, groups = brief.policy.judge, brief.book.groups
    free = [one for one in held if not any(block.id in forms for block in one.blocks)]
    old = which.old(brief, which.offloadable(free, brief.policy.offload))
    return [one for one in old if judge.first <= one.position < len(groups) - judge.newest]


def _verdicts(brief: Brief, open_: Sequence[Exchange], start: Layout) -> Judged:
    """By the rules, and where the policy says so by what models have answered so far."""
    by_rules = rules.verdicts(brief, open_, Showing(brief, start))
    if brief.policy.judge.by != "model" or not _has_model(brief):
        return Judged(by_rules)
    cut = brief.book.epoch.cut
    said = asking.judged(
        brief.book,
        open_,
        state_tokens=brief.policy.judge.state_tokens,
        count=brief.ruler.count,
        late=cut.asks if cut else (),
        model=brief.policy.summarize.model or "",
    )
    told = {
        name: msgspec.structs.replace(one, parts=by_rules[name].parts)
        for name, one in said.verdicts.items()
        if name in by_rules
    }
    return msgspec.structs.replace(said, verdicts={**by_rules, **told})


def _has_model(brief: Brief) -> bool:
    return bool(brief.policy.summarize.model) or brief.book.has_model


def _forms(brief: Brief, open_: Sequence[Exchange], verdicts: Mapping[str, Verdict]) -> dict[str, Decision]:
    """What becomes of each exchange: nothing where its result stays whole."""
    judge, former, addresses = brief.policy.judge, Former(brief.ruler, brief.policy.offload.summary), known.addresses(brief)
    forms: dict[str, Decision] = {}
    for one in open_:
        verdict = verdicts[one.call.id]
        if verdict.result >= judge.keep_result:
            continue
        made = former.parts(
            one, addresses.of(one.result.id), "its parts are judged one by one", verdict.parts, judge.keep_result
        )
        if made is not None:
            addresses.give(one.result.id)
            forms[one.result.id] = made
            continue
        if verdict.call < judge.keep_call and one.can_be_repeated and one.may_go:
            forms |= exchanges.folded([one], level=LEVEL, reason=f"call {verdict.call:.2f}, result {verdict.result:.2f}")
            continue
        why = f"call {verdict.call:.2f}, result {verdict.result:.2f}: its first characters stay"
        made = former.opening(one, addresses.of(one.result.id), why, judge.head_chars)
        if made is not None:
            addresses.give(one.result.id)
            forms[one.result.id] = made
    return forms


def _built(brief: Brief, before: Layout, held: Sequence[Exchange], forms: Mapping[str, Decision]) -> Layout:
    """A layout under some decisions, with the line that says what they left."""
    if not forms:
        return before
    groups = brief.book.groups
    with_forms = known.with_forms(before, forms)
    swept = exchanges.swept(before.kept(groups), with_forms.forms, level=LEVEL)
    gone = [one for one in held if one.call.id in forms and forms[one.call.id].outcome is Outcome.FOLD]
    after = msgspec.structs.replace(with_forms, forms=swept)
    return msgspec.structs.replace(after, sections=(*before.sections, _section(brief, after, gone)))


def _section(brief: Brief, after: Layout, gone: Sequence[Exchange]) -> Section:
    away = {name for name, form in after.forms.items() if form.outcome in AWAY}
    messages = [node for group in brief.book.groups for node in group.nodes]
    kept = [node for group in after.kept(brief.book.groups) for node in group.nodes]
    shown = sum(any(block.id not in away for block in node.blocks) for node in kept)
    said = marks.gap(f"kept {shown}/{len(messages)} messages, no summary")
    return Section("note", said) if brief.policy.keep.pins == "none" else taken.digest_of(brief, gone, said)


def _outcome(brief: Brief, start: Layout, after: Layout, open_: Sequence[Exchange]) -> tuple[Layout, tuple[str, ...]]:
    """The layout that counts, and what has to be said of it (coding-agents §4.10: little to prune is no failure)."""
    size = max(1, lay(brief, start).tokens)
    gain = (size - lay(brief, after).tokens) / size
    least = brief.policy.judge.min_reduction
    if gain >= least:
        return after, ()
    showing = Showing(brief, start)
    share = sum(showing.block(block) for one in open_ for block in one.blocks) / size
    if share < least:
        return after, (f"judged: nothing to prune, {share:.0%} of the view is calls that may go",)
    return start, (f"judged: nothing gained, {gain:.0%} of the view would go and {least:.0%} has to",)
