"""What a necessary cut goes on to where unloading alone leaves hardly any room."""

from itertools import pairwise

from pumice import Engine
from pumice.domain.summary import Ask

WINDOW = 20_000


def _away(ask: Ask) -> str:
    raise RuntimeError(f"no model to answer {ask.key}")


def _step(number: int) -> list[dict[str, object]]:
    """A file that is read, and what the person says next."""
    call = {"type": "tool_use", "id": f"tu_{number}", "name": "Read", "input": {"file_path": f"src/part_{number}.py"}}
    text = "\n".join(f"{line}→def part_{number}_{line}(x): return x.field_{number * line} + {line}" for line in range(1, 40))
    result = {"type": "tool_result", "tool_use_id": call["id"], "content": text}
    more = {"type": "text", "text": f"Now read source {number + 1}, please."}
    return [{"role": "assistant", "content": [call]}, {"role": "user", "content": [result, more]}]


def test_with_an_open_breaker_no_cut_is_followed_by_another_at_once() -> None:
    """A cut that only unloads and stays near the limit would rewrite the whole prefix call after call."""
    engine = Engine.open(":memory:", model=_away)
    session = engine.session("x", policy="opencode", window=WINDOW)
    messages: list[dict[str, object]] = [{"role": "user", "content": "Please read all sources and write a memo."}]
    epochs = []
    for number in range(70):
        messages += _step(number)
        body = {"model": "claude-sonnet-4-5", "max_tokens": 1000, "messages": messages}
        epochs.append(session.compile(body, dialect="anthropic").epoch)
    cuts = [at for at, (before, after) in enumerate(pairwise(epochs), 1) if before != after]
    assert len(cuts) > 4
    assert min(later - sooner for sooner, later in pairwise(cuts)) >= 3
