"""Known failures of other agents, B to F, where a model writes the summaries: it fails, forgets or makes things up."""

import asyncio
import json

import pytest
from rows import Row, preface, sent
from scripted import Scripted, until
from summed import WENT, breaker, policy, saying, until_epoch

from pumice.domain.ports import Answer
from pumice.domain.summary import Ask
from pumice.faces import settings
from pumice.measure import tokens
from pumice.wire import asking

RULE = "Never touch migrations/ and keep port=8471 in every configuration."


async def test_b2_an_empty_summary_is_a_failure_and_loses_nothing() -> None:
    """Each counts once in a row, the third opens the breaker; the history stays readable and the deterministic text stands."""
    model = Scripted("empty")
    row = Row(policy=policy("codex", tokens=900), answering=model).user(f"Fix the parser. {RULE}")
    for number in range(1, 6):
        view = await until_epoch(row, number, 60)
        assert "<pumice:summary>" in preface(view) or breaker(row).opened_at is not None
        assert RULE in str(sent(view))
        assert len(model.asked) <= 2 * number
    assert breaker(row).opened_at is not None
    asked = len(model.asked)
    await until_epoch(row, 5, 60)
    assert len(model.asked) == asked
    for name, block in list(row.session.blocks().items())[::7]:
        row.session.reads.reset()
        assert (await row.session.read_range(name, unit="chars", limit=99_999)).text == block.text


@pytest.mark.parametrize("name", ["claude-code", "codex", "gemini-cli"])
async def test_b7_a_used_up_quota_is_not_asked_again(name: str) -> None:
    """A refusal opens the breaker at once; the work goes on below the budget without a single further question."""
    model = Scripted("quota")
    row = Row(policy=policy(name, tokens=900), answering=model).user("Fix the parser.")
    await until_epoch(row, 1)
    assert breaker(row).opened_at is not None
    asked = len(model.asked)
    view = await until_epoch(row, 2)
    assert len(model.asked) == asked
    assert view.tokens.total <= view.usable.tokens


async def test_c1_c2_a_summariser_is_shown_what_fits_its_own_budget() -> None:
    """A history far above that is asked about in parts, items of every kind capped, reasoning left out; then merged."""
    model = Scripted(saying(WENT))
    row = Row(window=120_000, policy=policy("codex", input_tokens=3000, tokens=600), answering=model).user("Go on. " * 800)
    for at in range(8):
        row.says(f"Thought {at}. " + "I wonder about all of it. " * 200).uses("x" * 9000, "[" + "1," * 3000 + "1]")
    await row.user("And now?").call()
    view = await row.session.compact()
    assert {ask.purpose for ask in model.asked} == {"summary", "merge"}
    assert len(model.asked) > 4
    assert max(tokens.count(ask.material) for ask in model.asked) <= 3000
    assert "It went on." in preface(view)
    assert view.tokens.total <= view.usable.tokens


@pytest.mark.parametrize(("address", "most"), [("openai-chat:gpt-4", 8192), ("openai-chat:gpt-4o", 128_000)])
async def test_c4_what_a_summariser_is_shown_depends_on_its_own_window(address: str, most: int) -> None:
    """A session of a model with 200,000 tokens is summed up by one with 8,000: no question is larger than that takes."""
    model = Scripted("fail")
    row = Row(window=60_000, policy=policy("codex", model=address, tokens=1000), answering=model).user("Read all of it.")
    for _ in range(16):
        row.uses("\n".join(f"{at}: reading {at * 7919 % 1000} of sensor {at % 13}" for at in range(100)))
    await row.user("And now?").call()
    await row.session.compact()
    assert model.asked
    for ask in model.asked:
        assert tokens.count(ask.material) + tokens.count(ask.prompt) + ask.max_tokens < most
    assert (len(model.asked) > 2) is (most < 10_000)


async def test_c11_a_summary_cut_off_by_its_own_reasoning_is_a_failure() -> None:
    """A model that thinks has room for that besides the answer; one that used all of it up is told so once, and has failed."""
    target = asking.Target("openai-chat", "gpt-5.1")
    full = {"message": {"role": "assistant", "content": ""}, "finish_reason": "length"}

    def thinking(ask: Ask) -> Answer:
        asked = json.loads(asking.request(ask, target))
        assert asked["max_completion_tokens"] >= 2 * ask.max_tokens
        return asking.read(json.dumps({"id": "r", "model": "gpt-5.1", "choices": [full]}).encode(), target)

    assert "cut off at its cap" in thinking(Ask("summary", "Sum up.", 4000)).flaw
    row = Row(policy=policy("codex"), answering=Scripted(thinking)).user(f"Fix the parser. {RULE}")
    view = await until_epoch(row, 1)
    assert breaker(row).failures == 0
    assert "<pumice:summary>" in preface(view)
    assert RULE in preface(view)
    await until_epoch(row, 3)
    assert breaker(row).failures == 1


async def test_c12_a_full_window_is_compacted_while_its_model_hangs() -> None:
    """Nothing waits for a summary that may never come."""
    model = Scripted("hang")
    row = Row(window=8000, policy=policy("claude-code"), answering=model).user("Fix the parser.").reads(12, 60)
    view = await row.call()
    assert view.epoch == 1
    assert view.tokens.total <= view.usable.tokens
    await until(lambda: bool(model.asked))
    await row.session.close()


async def test_e10_what_a_policy_asks_a_summary_to_keep_is_in_every_question() -> None:
    """Chunks, merge and reminder are all told; the words are the policy's own, not a file's that a model may overlook."""
    model = Scripted("empty", saying(WENT))
    wish = "Keep all ticket ids."
    row = Row(window=60_000, policy=policy("codex", input_tokens=3000, prompt=wish), answering=model).user("Triage.")
    for at in range(24):
        row.uses("\n".join(f"owner_{n} holds TCK-{at}{n:04}" for n in range(60)), tool="Bash", command=f"next {at}")
    await row.user("And now?").call()
    await row.session.compact()
    assert {ask.purpose for ask in model.asked} == {"summary", "merge"}
    assert all(wish in ask.prompt for ask in model.asked)


async def test_f1_f6_a_summariser_that_repeats_itself_neither_grows_nor_fades() -> None:
    """Over many passes the summary keeps within its cap, no question holds an earlier answer whole, a value stays as it was."""

    def exhaustive(ask: Ask) -> str:
        known = [line for line in ask.prompt.splitlines() if line.startswith("- ") and "It went on" in line]
        again = "\n".join(f"- It went on, as before {at}. ({ask.sources[-1]})" for at in range(len(known) + 8))
        return saying(again)(ask)

    model = Scripted(exhaustive)
    row = Row(policy=policy("codex", tokens=900), answering=model).user(f"Fix the parser. {RULE}")
    views = [await until_epoch(row, number) for number in range(1, 7)]
    sizes = [tokens.count(preface(view).partition("<pumice:summary>")[2]) for view in views]
    assert max(sizes) <= 1000
    assert all(RULE in preface(view) for view in views)
    assert all("<pumice:" not in ask.material for ask in model.asked)
    assert max(tokens.count(ask.prompt) for ask in model.asked) < 4000


async def test_f3_details_a_model_leaves_out_can_be_read_back() -> None:
    """A summary that names no path, command or number costs none: each is found by a search and served from its block."""
    model = Scripted(saying(WENT, "nine-section"))
    row = Row(policy=policy("claude-code"), answering=model).user("Measure everything.")
    for at in range(40):
        row.uses(f"built {at * 7919 + 1} objects\n" + f"detail of {at}\n" * 40, tool="Bash", command=f"make part_{at} -j{at}")
        await row.call()
        await asyncio.sleep(0)
    assert row.views[-1].epoch > 0
    for words in (part for at in range(40) for part in (f"make part_{at}", str(at * 7919 + 1))):
        (hit, *_) = await row.session.search(words)
        row.session.reads.reset()
        assert words in (await row.session.read_range(hit.pointer, offset=hit.line, limit=1)).text


@pytest.mark.parametrize("name", ["claude-code", "codex", "coding"])
async def test_f4_the_file_at_work_and_the_next_step_outlive_a_summary_that_forgets_them(name: str) -> None:
    """State is written by code and stands beside whatever a model says."""
    said = saying(WENT, settings.policy(name).summarize.template)
    row = Row(policy=policy(name), answering=Scripted(said)).user("Fix src/parser.py so that tests/test_parser.py passes.")
    row.reads(3, 30).uses(
        "FAILED tests/test_parser.py::test_nested - IndexError: list index out of range\n1 failed",
        tool="Bash",
        command="pytest",
    )
    todos = [{"content": "fix the off-by-one in src/parser.py", "status": "in_progress"}]
    row.uses("Todos have been modified successfully", tool="TodoWrite", todos=todos)
    view = await until_epoch(row, 2)
    text = str(sent(view))
    assert "src/parser.py" in text
    assert "IndexError: list index out of range" in text
    assert "fix the off-by-one in src/parser.py" in text


async def test_f6_a_value_a_model_alters_is_not_taken() -> None:
    """What it says of `port=8471` is held against the source: another number is refused, and the words stand as typed."""
    model = Scripted(saying("- The port is 8472. ({source})"))
    row = Row(policy=policy("codex"), answering=model).user(f"Fix the parser. {RULE}")
    for number in range(1, 6):
        view = await until_epoch(row, number)
        assert "8472" not in str(sent(view))
        assert "port=8471" in str(sent(view))


@pytest.mark.parametrize("name", ["claude-code", "codex", "gemini-cli", "coding", "notes", "hybrid", "jev"])
async def test_f7_every_policy_counts_before_and_after_alike(name: str) -> None:
    """The size a cut was planned for is the size of the view by the same counter, which the manifest names."""
    row = Row(policy=policy(name), answering=Scripted("fail")).user("Read.")
    view = await until_epoch(row, 1)
    assert view.manifest.economics.after == pytest.approx(view.tokens.messages, rel=0.01, abs=20)
    assert view.manifest.economics.before > view.tokens.messages
    assert view.tokens.counted.startswith("estimate")
