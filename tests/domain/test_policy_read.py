"""A policy file means what it says, whatever it calls things; what is wrong is named by its path."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from pumice.domain.policy import Cold, Policy, keys
from pumice.domain.policy.limits import CHECKS, CHOICES, FORMS, FREE, ITEMS, RANGES
from pumice.domain.policy.read import build, over, read, written
from pumice.errors import BadPolicy

POLICIES = Path(__file__).parent / "policies"


def block(name: str) -> Policy:
    """One of the published YAML blocks, as it stands."""
    return read(yaml.safe_load((POLICIES / f"{name}.yaml").read_text("utf-8")), name=name)


def values(policy: Policy) -> dict[str, Any]:
    return dict(keys.values(policy))


def test_the_block_of_levels_loads_as_it_stands() -> None:
    """Wrapper, aliases and other names for levels, checks and breaker mean what they mean elsewhere."""
    found = values(block("levels"))
    assert (
        found
        | {
            "budget.reserve_output": 20_000,
            "budget.safety": 13_000,
            "budget.act": 0.8,
            "budget.warn": 0.5,
            "budget.of": "usable",
            "offload.single_result_over": 20_000,
            "order": ("mechanical", "offload", "summarize", "extract"),
            "cut": "step_boundary",
            "never_compress": ("goal", "plan", "approvals", "permissions"),
            "validate": ("goal_present", "open_items_present", "evidence_present"),
            "breaker.max_consecutive_failures": 3,
            "breaker.on_open": "unload_only",
        }
        == found
    )


def test_the_block_of_zones_loads_as_it_stands() -> None:
    """The three zones, a budget with an alias of another part, and what knowledge must have."""
    found = values(block("zones"))
    assert (
        found
        | {
            "stable": ("platform_policy", "agent_contract", "glossary"),
            "semi_stable": ("tool_manifest", "project_rules"),
            "dynamic": ("task_state", "retrieved_knowledge", "memory_hits", "recent_turns"),
            "budget.reserve_output": 8_000,
            "budget.act": 0.8,
            "offload.single_result_over": 20_000,
            "never_compress": ("plan", "permissions", "approvals"),
            "knowledge.mode": "pointer_first",
            "knowledge.require": ("source", "version", "effective_from", "scope"),
        }
        == found
    )
    assert found["order"], "a policy that says when to make room makes room, in the default order"


def test_the_block_of_offloading_loads_as_it_stands() -> None:
    """Values two parts deep, the address of the first result, and the fields that must not be lost."""
    found = values(block("offload"))
    assert (
        found
        | {
            "offload.single_result_over": 20_000,
            "offload.summary.head": 40,
            "offload.summary.tail": 40,
            "offload.summary.error_lines": "all",
            "offload.pointer": "workspace://logs/build-1187",
            "offload.read_back.tool": "read_range",
            "offload.read_back.max_per_round": 2,
            "offload.repin_after_reads": 3,
            "commit_before_compact.required_fields": ("delivery_status", "delivered_at", "refund_amount", "open_items"),
            "commit_before_compact.target": "task_state",
            "manifest_audit.on_scope_drop": "log_with_reason",
        }
        == found
    )


@pytest.mark.parametrize(
    "data",
    [
        {"unload_single_over": 5000},
        {"budget": {"unload_single_over": 5000}},
        {"offload": {"single_result_over": 5000}},
        {"tool_output_token_limit": 5000},
        {"compression": {"unload_single_over": 5000}},
        {"offload.single_result_over": 5000},
        {"unload_single_over": 5000, "budget": {"unload_single_over": 5000}, "offload": {"single_result_over": 5000}},
    ],
)
def test_one_thing_has_one_key_whatever_it_is_called(data: dict[str, Any]) -> None:
    """Every name of a key sets the same value, also when several say the same."""
    assert read(data, name="p") == read({"offload": {"single_result_over": 5000}}, name="p")


@pytest.mark.parametrize(
    ("data", "paths"),
    [
        (
            {"unload_single_over": 5000, "offload": {"single_result_over": 6000}},
            ("$.unload_single_over is 5000", "$.offload.single_result_over is 6000"),
        ),
        (
            {"compression": {"budget": {"compact_at": 0.8}}, "budget": {"act": 0.7}},
            ("$.compression.budget.compact_at is 0.8", "$.budget.act is 0.7"),
        ),
        ({"budget": {"warn": 0.5, "warn_at": 0.4}}, ("$.budget.warn is 0.5", "$.budget.warn_at is 0.4")),
        ({"compression": {"cold": None}, "cold": {"growth": 2}}, ("$.compression.cold is null", "$.cold.growth is 2.0")),
        (
            {"breaker": {"on_open": "human"}, "circuit_breaker": {"on_open": "unload_only"}},
            ("$.breaker.on_open is 'human'", "$.circuit_breaker.on_open is 'unload_only'"),
        ),
        ({"stable": ["glossary"], "semi_stable": ["glossary"]}, ("$.semi_stable: 'glossary'", "$.stable")),
        ({"first_sight": {"min": 3000, "max": 2000}}, ("$.first_sight.min: 3,000", "$.first_sight.max is 2,000")),
    ],
)
def test_two_values_for_one_thing_are_refused_with_both_paths(data: dict[str, Any], paths: tuple[str, ...]) -> None:
    """Which of the two was meant is not guessed."""
    with pytest.raises(BadPolicy) as refused:
        read(data, name="p")
    assert all(path in str(refused.value) for path in paths), refused.value


@pytest.mark.parametrize(
    ("data", "path", "accepted"),
    [
        ({"budget": {"compact_at": 1.2}}, "$.budget.compact_at: 1.2", "a number from 0.05 to 1"),
        ({"budget": {"compact_at": "much"}}, "$.budget.compact_at: 'much'", "a number from 0.05 to 1"),
        ({"budget": {"act": True}}, "$.budget.act: True", "a number from 0.05 to 1"),
        ({"budget": {"act": float("nan")}}, "$.budget.act: nan", "a number from 0.05 to 1"),
        ({"compression": {"budget": {"window": 60000.5}}}, "$.compression.budget.window: 60000.5", "a whole number from 256"),
        ({"budget": {"min_gain": "lots"}}, "$.budget.min_gain: 'lots'", "economics or a number from 0 to 0.95"),
        ({"budget": {"of": "half"}}, "$.budget.of: 'half'", "usable, window or input_limit"),
        ({"budget": 3}, "$.budget: 3", "a mapping of keys"),
        ({"budget": {"compact_on": 0.5}}, "$.budget.compact_on: unknown key", "Did you mean 'compact_at'"),
        ({"offload": {"summary": {"heads": 40}}}, "$.offload.summary.heads: unknown key", "Did you mean 'head'"),
        ({"offload": {"summary": {"error_lines": "most"}}}, "$.offload.summary.error_lines: 'most'", "all or a whole number"),
        ({"offload": {"pointer": "/etc/passwd"}}, "$.offload.pointer: '/etc/passwd'", "workspace://area/name"),
        ({"offload": {"pointer": "workspace://logs/../x"}}, "$.offload.pointer", "workspace://area/name"),
        ({"order": ["offload", "dream"]}, "$.order[1]: 'dream'", "mechanical, recent, offload"),
        ({"order": ["recent", "newest"]}, "$.order[1]: 'newest'", "Name each level once"),
        ({"order": "offload"}, "$.order: 'offload'", "a list of mechanical"),
        ({"never_compress": ["goals"]}, "$.never_compress[0]: 'goals'", "Did you mean 'goal'"),
        ({"validate": ["all_good"]}, "$.validate[0]: 'all_good'", "goal_present"),
        ({"cut": "anywhere"}, "$.cut: 'anywhere'", "step_boundary"),
        ({"circuit_breaker": {"on_open": "stop"}}, "$.circuit_breaker.on_open: 'stop'", "unload_only or human"),
        ({"manifest_audit": {"on_scope_drop": "ignore"}}, "$.manifest_audit.on_scope_drop: 'ignore'", "log_with_reason"),
        ({"cold": {"ttl": "soon"}}, "$.cold.ttl: 'soon'", "provider or a whole number"),
        ({"cut_order": ["history", "goal"]}, "$.cut_order[1]: 'goal'", "never cut"),
        ({"cut_order": ["system"]}, "$.cut_order[0]: 'system'", "never cut"),
        ({"compression": {"cut_order": ["pins"]}}, "$.compression.cut_order[0]: 'pins'", "never cut"),
        ({"stable": ["task_state"]}, "$.stable[0]: 'task_state'", "platform_policy, agent_contract, glossary"),
        ({"dynamic": ["glossary"]}, "$.dynamic[0]: 'glossary'", "pins, task_state"),
        ({"every_call": "often"}, "$.every_call: 'often'", "true or false"),
        ({"commit_before_compact": {"synonyms": ["a"]}}, "$.commit_before_compact.synonyms: ['a']", "a mapping of lists"),
        (
            {"commit_before_compact": {"required_fields": ["id", "-"]}},
            "$.commit_before_compact.required_fields[1]: '-'",
            "a letter",
        ),
        ({"commit_before_compact": {"required_fields": [""]}}, "$.commit_before_compact.required_fields[0]: ''", "a letter"),
        ({"commit_before_compact": {"synonyms": {"id": ["#"]}}}, "$.commit_before_compact.synonyms.id[0]: '#'", "a letter"),
        ({"commit_before_compact": {"synonyms": {"7": ["id"]}}}, "$.commit_before_compact.synonyms[0]: '7'", "a letter"),
        (
            {"commit_before_compact": {"required_fields": ["<pumice:x>"]}},
            "$.commit_before_compact.required_fields[0]",
            "our marks",
        ),
        ({"budget": {"reserve_output": 1.5}}, "$.budget.reserve_output: 1.5", "a share below 1 or a whole number from 0"),
        ({"budget": {"safety": 20000.5}}, "$.budget.safety: 20000.5", "a share below 1 or a whole number from 0"),
        ({"summarize": {"model": "foo:gpt@http://x"}}, "$.summarize.model: 'foo:gpt@http://x'", "openai-responses, gemini"),
        ({"summarize": {"model": "gemini:m@http://"}}, "$.summarize.model: 'gemini:m@http://'", "dialect:model@base-url"),
        ({None: 3}, "$.null: unknown key", "Known here"),
        ({"extends": ["balanced"]}, "$.extends: ['balanced']", "the name of a policy"),
        ({7: 1}, "$.7: unknown key", "Known here: name, task, budget"),
        ([1], "$: list given", "a mapping of keys"),
    ],
)
def test_a_wrong_key_or_value_is_refused_by_its_path(data: Any, path: str, accepted: str) -> None:
    """The path as the user wrote it, what was given, and what would be accepted."""
    with pytest.raises(BadPolicy) as refused:
        read(data, name="p")
    assert str(refused.value).startswith(path), refused.value
    assert accepted in str(refused.value), refused.value


def test_the_first_wrong_value_is_the_one_named() -> None:
    """From top to bottom, whatever kind of mistake it is."""
    with pytest.raises(BadPolicy, match=r"^\$\.keep\.reads"):
        read({"keep": {"reads": -1}, "budgets": {}, "budget": {"act": "x"}}, name="p")


def test_every_key_has_its_range_its_words_or_is_free() -> None:
    """No number without a range, no word without a choice: nothing is accepted that means nothing."""
    said = {**RANGES, **CHOICES, **FORMS, **ITEMS}
    for key, kind in keys.leaves().items():
        options = keys.kinds(kind)
        assert key in RANGES or not {int, float}.intersection(options), key
        assert key in said or key in FREE or options == (bool,), key
        assert keys.expected(key), key
    assert set(said) | FREE <= set(keys.leaves()), "no rule for a key there is not"


def test_every_default_is_in_its_own_range() -> None:
    """What a policy has without a word is what a file may say."""
    for key, value in values(Policy(name="p")).items():
        if value is not None and key in keys.leaves():
            plain = list(value) if isinstance(value, tuple) else value
            assert read({key: plain}, name="p") == read({}, name="p"), key


def test_what_is_never_compressed_only_grows() -> None:
    """A file that builds on another adds to what that one protects, and takes nothing away."""
    parent = values(read({"never_compress": ["plan_state", "facts"]}, name="parent"))
    child = build(over(parent, written({"never_compress": ["errors"]}).values), name="child")
    assert child.never_compress == ("plan", "facts", "errors")


def test_a_part_may_be_left_out_and_taken_up_again() -> None:
    """`cold: null` switches a part off, an empty or partial one on, whatever the parent says."""
    off = read({"cold": None}, name="off")
    assert off.cold is None
    assert build(over(values(off), written({"cold": {"growth": 2}}).values), name="p").cold == Cold(growth=2.0)
    assert build(over(values(off), written({"cold": {}}).values), name="p").cold == Cold()
    assert read({"budget": None}, name="p") == read({}, name="p"), "a part that is always there keeps its defaults"


def test_a_policy_that_builds_on_another_needs_that_one() -> None:
    """`extends` is the reader's who knows the others; alone it is refused, not dropped."""
    assert written({"compression": {"extends": "balanced"}}).extends == "balanced"
    with pytest.raises(BadPolicy, match=r"\$\.extends"):
        read({"extends": "balanced"}, name="p")


def test_a_wrong_value_is_repeated_shortly() -> None:
    """An error stays one readable line whatever was given."""
    with pytest.raises(BadPolicy) as refused:
        read({"budget": {"act": "x" * 10_000}}, name="p")
    assert len(str(refused.value)) < 200
    with pytest.raises(BadPolicy) as refused:
        read({"a\nb": 1}, name="p")
    assert "\n" not in str(refused.value)


def test_names_of_checks_are_words_for_checks_there_are() -> None:
    """Each name a policy may list is answered for by a proof."""
    assert set(ITEMS["validate"]) == set(CHECKS)


def test_a_tool_of_ones_own_is_said_to_read_or_write_beside_the_keys_of_its_part() -> None:
    """`tools: {refund: write}` says the same as `effects: {refund: write}`, and leaves definitions alone."""
    found = read({"tools": {"refund": "write", "search": "read", "effects": {"look": "read"}}}, name="p")
    assert found.effects == {"refund": "write", "search": "read", "look": "read"}
    assert found.tools is None
    assert read({"tools": {"order": "client", "refund": "write"}}, name="p").tools is not None
    assert over({"effects": {"a": "read", "b": "read"}}, written({"tools": {"a": "write"}}).values)["effects"] == {
        "a": "write",
        "b": "read",
    }
    with pytest.raises(
        BadPolicy, match=r"\$\.tools\.refund is 'write' and \$\.effects\.refund is .*'read'.*: both set effects\.refund"
    ):
        read({"tools": {"refund": "write"}, "effects": {"refund": "read"}}, name="p")
    with pytest.raises(BadPolicy) as refused:
        read({"tools": {"a\nb": "write", "effects": {"a\nb": "read"}}}, name="p")
    assert str(refused.value).count("\n") == 0
    with pytest.raises(BadPolicy, match=r"\$\.tools\.refund: unknown key.*"):
        read({"tools": {"refund": "maybe"}}, name="p")
    with pytest.raises(BadPolicy, match=r"\$\.effects: .* names with read, write, unknown"):
        read({"effects": {"refund": "maybe"}}, name="p")
