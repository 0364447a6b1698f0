"""Tools of a Responses request wherever they are declared, as Codex does for models that call everything from code."""

import json
from typing import Any

from pumice import wire
from pumice.wire import tools
from pumice.wire.double import Double, Say, Use
from pumice.wire.size import estimate

NAMESPACE = {
    "type": "namespace",
    "name": "functions",
    "tools": [{"type": "custom", "name": "exec"}, {"type": "function", "name": "wait", "parameters": {}}],
}
PLAIN = [{"type": "function", "name": "view_image", "parameters": {}}, {"type": "web_search"}]


def body(*listed: dict[str, Any], **fields: Any) -> bytes:
    return json.dumps({"model": "gpt-6.2-sol", "input": [*listed, {"role": "user", "content": "go"}], **fields}).encode()


def item(*declared: dict[str, Any]) -> dict[str, Any]:
    return {"type": "additional_tools", "role": "developer", "tools": list(declared)}


def test_names_in_items_and_namespaces_are_known() -> None:
    """What the model can call is known, not only what stands in `tools` itself."""
    dialect = wire.get("openai-responses")
    assert tools.callable_names(dialect.open(body(item(NAMESPACE)))) == ("exec", "wait")
    assert tools.callable_names(dialect.open(body(tools=[*PLAIN, NAMESPACE]))) == ("view_image", "web_search", "exec", "wait")
    assert tools.callable_names(dialect.open(body({"role": "user", "content": "additional_tools"}))) == ()


def test_the_double_calls_them_as_they_are_declared() -> None:
    """A tool in a namespace is called with its namespace, a custom one with text."""
    double = Double([Say(calls=(Use("exec", {"input": "text(1)"}), Use("wait", {"cell_id": 2})))])
    custom, function = json.loads(double.answer(body(item(NAMESPACE)), "openai-responses").body)["output"]
    assert (custom["type"], custom["namespace"], custom["input"]) == ("custom_tool_call", "functions", "text(1)")
    assert (function["type"], function["namespace"], function["arguments"]) == ("function_call", "functions", '{"cell_id":2}')


def test_tools_in_an_item_are_not_free() -> None:
    """What an item declares is counted as if it stood in `tools`."""
    dialect = wire.get("openai-responses")
    in_item, in_field = (sum(estimate(dialect.units(raw), "gpt-5")) for raw in (body(item(*PLAIN)), body(tools=PLAIN)))
    assert 0 < in_field < in_item < in_field + 40
