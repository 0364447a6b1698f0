"""Rewinds and sub-agents in Claude Code logs."""


def test_a_rewind_leaves_its_branch_to_a_recording_of_its_own(claude, block, shown):
    """The main recording is what the newest prompt continues; every call is in exactly one recording."""
    log = claude().user("u1", "go").says("a1", "m1", block("first")).user("u2", "wrong way").says("a2", "m2", block(call="c1"))
    log.result("r1", "c1", "out").says("a3", "m3", block("lost"))
    log.user("u3", "right way", parent="a1").says("a4", "m4", block("good"))
    main, branch = log.read()
    assert shown(main.messages) == ["user: go", "assistant: first", "user: right way", "assistant: good"]
    assert [call.response_id for call in main.calls] == ["m1", "m4"]
    assert [call.response_id for call in branch.calls] == ["m2", "m3"]
    assert shown(branch.messages) == [
        *shown(main.messages)[:2],
        "user: wrong way",
        "assistant: [c1]",
        "user: c1=out",
        "assistant: lost",
    ]
    assert [call.upto for call in branch.calls] == [3, 5]


def test_an_abandoned_prompt_that_nothing_answered(claude, block, shown):
    """It was never sent, so it is in no recording."""
    log = claude().user("u1", "go").says("a1", "m1", block("yes")).user("u2", "typo").user("u3", "fixed", parent="a1")
    recordings = log.says("a2", "m2", block("ok")).read()
    assert len(recordings) == 1
    assert shown(recordings[0].messages) == ["user: go", "assistant: yes", "user: fixed", "assistant: ok"]


def test_the_first_prompt_edited(claude, block, shown):
    """A second prompt under what stood above the first one starts anew."""
    log = claude().record("progress", "p1", parent=None, data={}).user("u1", "one").says("a1", "m1", block("1"))
    main, branch = log.user("u2", "two", parent="p1").says("a2", "m2", block("2")).read()
    assert shown(main.messages) == ["user: two", "assistant: 2"]
    assert shown(branch.messages) == ["user: one", "assistant: 1"]


def test_parents_the_log_does_not_hold(claude, block, shown):
    """Where the chain breaks off, nothing is lost: the record continues the newest one."""
    log = claude().user("u1", "go").says("a1", "m1", block("1")).user("u2", "more", parent="gone")
    recording = log.says("a2", "m2", block("2")).read()[0]
    assert shown(recording.messages) == ["user: go", "assistant: 1", "user: more", "assistant: 2"]


def test_parents_in_a_circle(claude, block, shown):
    """Links that name each other end nowhere and are passed over."""
    log = claude().user("u1", "go").record("progress", "p1", parent="p2").record("progress", "p2", parent="p1")
    recording = log.says("a1", "m1", block("ok"), parent="p2").read()[0]
    assert shown(recording.messages) == ["user: go", "assistant: ok"]


def test_sub_agents_are_recordings_of_their_own(claude, block, shown):
    """Side records are told apart by agent id or by the root of their chain, and never stand in the main history."""
    log = claude().user("u1", "go").says("a1", "m1", block(call="t1"))
    log.user("s1", "find it", isSidechain=True, parent=None).user("z1", "count", isSidechain=True, parent=None, agentId="z")
    log.says("s2", "n1", block("found"), isSidechain=True, parent="s1").says(
        "z2", "n2", block("7"), isSidechain=True, agentId="z"
    )
    main, first, second = log.result("r1", "t1", "found", parent="a1").says("a2", "m2", block("ok")).read()
    assert shown(main.messages) == ["user: go", "assistant: [t1]", "user: t1=found", "assistant: ok"]
    assert shown(first.messages) == ["user: find it", "assistant: found"]
    assert shown(second.messages) == ["user: count", "assistant: 7"]
    assert [len(recording.calls) for recording in (main, first, second)] == [2, 1, 1]
