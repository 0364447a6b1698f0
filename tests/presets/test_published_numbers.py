"""Each preset comes to the numbers its product has published, by the functions that decide in a session."""

from pathlib import Path

import pytest

from pumice.compact import triggers
from pumice.compact.summary import template
from pumice.domain.book import Room
from pumice.domain.policy import Policy
from pumice.domain.policy import read as policy_read
from pumice.domain.policy.limits import CHOICES, LEVELS
from pumice.faces import settings
from pumice.measure.window import usable


def room(policy: Policy, window: int) -> Room:
    """A window with nothing in it yet."""
    found = usable(policy.budget, window=window)
    return Room(found.window, found.tokens, head=0, factor=1.0, input_limit=found.input_limit)


def acts_at(name: str, window: int) -> int:
    policy = settings.policy(name)
    return triggers.act_at(room(policy, window), policy.budget)


def goes_to(name: str, window: int) -> int:
    policy = settings.policy(name)
    return triggers.goal(policy.budget, room(policy, window))


@pytest.mark.parametrize(
    ("name", "window", "tokens"),
    [
        ("claude-code", 200_000, 167_000),
        ("claude-code", 1_000_000, 967_000),
        ("codex", 200_000, 171_000),
        ("codex", 272_000, 232_560),
        ("codex-remote", 200_000, 171_000),
        ("gemini-cli", 1_048_576, 524_288),
        ("jev", 200_000, 120_000),
        ("anthropic-context-editing", 200_000, 100_000),
        ("anthropic-context-editing", 1_000_000, 100_000),
        ("opencode", 200_000, 180_000),
        ("cline", 200_000, 162_000),
        ("goose", 200_000, 160_000),
        ("goose", 32_768, 26_214),
        ("roo", 200_000, 160_000),
        ("balanced", 200_000, 167_000),
        ("newest", 60_000, 50_100),
    ],
)
def test_a_preset_acts_where_its_product_does(name: str, window: int, tokens: int) -> None:
    """The size of the complete request at which room is made (coding-agents §1, provider-contracts §1.5.1)."""
    assert acts_at(name, window) == tokens


def test_the_limit_of_codex_can_only_be_lowered() -> None:
    """200,000 → 190,000 usable → 171,000; a limit of the user's own counts where it is lower, and only there."""
    codex = settings.policy("codex")
    assert room(codex, 200_000).usable == 190_000
    for own, tokens in ((100_000, 100_000), (185_000, 171_000), (999_999, 171_000)):
        written = policy_read.written({"model_auto_compact_token_limit": own})
        policy = policy_read.build(policy_read.over(dict(policy_read.values(codex)), written.values), name="own")
        assert triggers.act_at(room(policy, 200_000), policy.budget) == tokens


def test_the_settings_of_codex_are_taken_as_they_are() -> None:
    """Its three keys stand at the top of a file that builds on the preset."""
    written = policy_read.written(
        {
            "extends": "codex",
            "tool_output_token_limit": 8000,
            "compact_prompt": "List open work.",
            "model_context_window": 100_000,
        }
    )
    codex = dict(policy_read.values(settings.policy("codex")))
    policy = policy_read.build(policy_read.over(codex, written.values), name="own")
    assert (policy.offload.single_result_over, policy.summarize.prompt) == (8000, "List open work.")
    assert usable(policy.budget).tokens == 95_000


@pytest.mark.parametrize(("name", "window", "tokens"), [("cline", 200_000, 113_400), ("jev", 200_000, 90_000)])
def test_a_preset_goes_down_as_far_as_its_product(name: str, window: int, tokens: int) -> None:
    """Cline goes to 0.7 of its trigger; a judge that gains less than a quarter has not reached its goal."""
    assert goes_to(name, window) == tokens
    published = {"cline": 0.70, "jev": 0.75}[name]
    assert tokens == round(published * acts_at(name, window))


@pytest.mark.parametrize("name", settings.preset_names())
def test_a_preset_is_made_of_shared_parts(name: str) -> None:
    """Every preset says all it means in keys anyone may use, and names levels there are."""
    policy = settings.policy(name)
    assert policy_read.build(dict(policy_read.values(policy)), name=name) == policy
    assert set(policy.order) <= set(LEVELS)


def test_no_code_decides_by_the_name_of_a_product() -> None:
    """What a preset does, a file of the user's own with the same values does too."""
    products = ("claude-code", "codex", "gemini-cli", "jev", "opencode", "cline", "goose", "roo", "anthropic-context-editing")
    root = Path(settings.__file__).parents[1]
    for part in ("domain", "commit", "compile", "compact", "engine"):
        for path in (root / part).rglob("*.py"):
            text = path.read_text("utf-8")
            assert not [name for name in products if f'"{name}"' in text], path


def test_task_types_differ_from_the_default_only_where_they_say_so() -> None:
    """They build on `balanced`: its prices, its first sight, its economics."""
    base = dict(policy_read.values(settings.policy("balanced")))
    for task in ("coding", "research", "support"):
        found = settings.effective(task)
        own = {key for key, value in policy_read.values(found.policy) if value != base[key]}
        assert {found.origins[key] for key in own} == {f"preset {task}"}
        assert found.policy.task == task
        assert found.policy.lines == settings.policy("balanced").lines


def test_templates_a_policy_may_name_are_those_there_are() -> None:
    """A wrong name is refused when the policy is read, not in the middle of a cut."""
    assert set(CHOICES["summarize.template"]) == set(template.names())
