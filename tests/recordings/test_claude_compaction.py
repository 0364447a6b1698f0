"""What Claude Code sent after its own compactions, beside the full history."""

SUMMARY = "This session is being continued from a previous conversation"


def _boundary(log, name, **members):
    return log.record("system", name, subtype="compact_boundary", parent=None, logicalParentUuid="gone", **members)


def test_the_summary_stands_only_in_what_was_sent(claude, block, shown):
    """Calls after a boundary carry what was sent; the full history goes on as if nothing had been cut."""
    log = claude().user("u1", "go").says("a1", "m1", block(call="c1")).result("r1", "c1", "out")
    _boundary(log, "b1").user("s1", SUMMARY, isCompactSummary=True).says("a2", "m2", block("on it")).user("u2", "more")
    recording = log.says("a3", "m3", block("ok")).read()[0]
    assert shown(recording.messages) == [
        "user: go",
        "assistant: [c1]",
        "user: c1=out",
        "assistant: on it",
        "user: more",
        "assistant: ok",
    ]
    before, after, later = recording.calls
    assert before.recorded is None
    assert shown(after.recorded) == [f"user: {SUMMARY}"]
    assert shown(later.recorded) == [f"user: {SUMMARY}", "assistant: on it", "user: more"]
    assert [call.upto for call in recording.calls] == [1, 3, 5]


def test_what_follows_a_boundary(claude, block, shown):
    """Until the model speaks only a person's words are history; what the client put in was sent and is not."""
    log = claude().user("u1", "go").says("a1", "m1", block("1"))
    _boundary(log, "b1").user("s1", SUMMARY, isCompactSummary=True).user("k1", [block("Skill text")], isMeta=True)
    log.user("k2", "<command-name>/compact</command-name>").user("k3", "<local-command-stdout>Compacted</local-command-stdout>")
    recording = log.user("u2", "only the parser").says("a2", "m2", block("2")).read()[0]
    assert shown(recording.messages) == ["user: go", "assistant: 1", "user: only the parser", "assistant: 2"]
    assert len(recording.calls[1].recorded) == 5
    assert recording.injected == frozenset()


def test_a_second_compaction_begins_anew(claude, block, shown):
    """Only the newest boundary counts."""
    log = claude().user("u1", "go").says("a1", "m1", block("1"))
    _boundary(log, "b1").user("s1", SUMMARY, isCompactSummary=True).says("a2", "m2", block("2"))
    _boundary(log, "b2").user("s2", f"{SUMMARY} again", isCompactSummary=True)
    recording = log.says("a3", "m3", block("3")).read()[0]
    assert shown(recording.calls[2].recorded) == [f"user: {SUMMARY} again"]
    assert shown(recording.messages) == ["user: go", "assistant: 1", "assistant: 2", "assistant: 3"]


def test_a_summary_without_a_boundary(claude, block, shown):
    """Older clients wrote no boundary: the summary itself is one."""
    log = claude().user("u1", "go").says("a1", "m1", block("1")).user("s1", SUMMARY, isCompactSummary=True, parent=None)
    recording = log.says("a2", "m2", block("2")).read()[0]
    assert shown(recording.calls[1].recorded) == [f"user: {SUMMARY}"]
    assert shown(recording.messages) == ["user: go", "assistant: 1", "assistant: 2"]


def test_a_call_open_at_the_boundary(claude, block, shown):
    """It stays open in the full history; a result that comes after the boundary closes it there and was not sent."""
    log = claude().user("u1", "go").says("a1", "m1", block(call="c1"))
    _boundary(log, "b1").user("s1", SUMMARY, isCompactSummary=True).result("r1", "c1", "late", parent="a1")
    recording = log.says("a2", "m2", block("2"), parent="s1").read()[0]
    assert shown(recording.messages) == ["user: go", "assistant: [c1]", "user: c1=late", "assistant: 2"]
    assert shown(recording.calls[1].recorded) == [f"user: {SUMMARY}"]


def test_cleared_results(claude, block, shown):
    """From a clearing on the named results hold the client's placeholder in what was sent, and only there."""
    log = claude().user("u1", "go").says("a1", "m1", block(call="c1"), block(call="c2")).result("r1", "c1", "one")
    log.result("r2", "c2", [block("two")], parent="a1").says("a2", "m2", block(call="c3")).result("r3", "c3", "three")
    cleared = {"trigger": "auto", "compactedToolIds": ["c1"]}
    log.record("system", "x1", subtype="microcompact_boundary", microcompactMetadata=cleared)
    recording = log.says("a3", "m3", block("ok")).read()[0]
    assert recording.calls[1].recorded is None
    assert shown(recording.calls[2].recorded)[2] == "user: c1=[Old tool result content cleared] c2=1"
    assert shown(recording.messages)[2] == "user: c1=one c2=1"
    assert shown(recording.messages)[4] == shown(recording.calls[2].recorded)[4] == "user: c3=three"


def test_a_log_that_begins_with_a_summary(claude, block, shown):
    """Nothing fuller is known, so the summary is the history's first message, and no compaction of this log."""
    log = claude()
    _boundary(log, "b1").user("s1", SUMMARY, isCompactSummary=True).says("a1", "m1", block("on it")).user("u1", "more")
    recording = log.says("a2", "m2", block("ok")).read()[0]
    assert shown(recording.messages) == [f"user: {SUMMARY}", "assistant: on it", "user: more", "assistant: ok"]
    assert [call.recorded for call in recording.calls] == [None, None]
    assert recording.injected == {0}
