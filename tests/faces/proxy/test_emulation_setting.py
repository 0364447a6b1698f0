"""For which upstreams and models it is done here: the setting, and what `auto` means."""

import pytest

from pumice.errors import InvalidInput
from pumice.faces.proxy.config import configured
from pumice.faces.proxy.emulate.setting import COMPACT, COUNT, Mode, mode

LOCAL = {"anthropic": "http://127.0.0.1:9", "openai": "http://127.0.0.1:9/v1"}


@pytest.mark.parametrize(
    ("chosen", "upstreams", "dialect", "model", "expected"),
    [
        (Mode.AUTO, {}, "anthropic", "claude-opus-4-8", False),
        (Mode.AUTO, {}, "anthropic", "anthropic/claude-opus-4-8", False),
        (Mode.AUTO, {}, "anthropic", "glm-5", True),
        (Mode.AUTO, LOCAL, "anthropic", "claude-opus-4-8", True),
        (Mode.AUTO, {}, "openai-responses", "gpt-5", False),
        (Mode.AUTO, LOCAL, "openai-responses", "gpt-5", True),
        (Mode.ON, {}, "anthropic", "claude-opus-4-8", True),
        (Mode.ON, {}, "openai-chat", "gpt-5", False),
        (Mode.ON, {}, "gemini", "gemini-3-pro", False),
        (Mode.OFF, LOCAL, "anthropic", "glm-5", False),
    ],
)
def test_the_setting_says_where(chosen: Mode, upstreams: dict[str, str], dialect: str, model: str, expected: bool) -> None:
    """auto: where the upstream is not the provider's own, or the model none of its; only dialects that have such features."""
    assert configured(upstreams=upstreams, emulate=chosen).emulation.covers(dialect, model) is expected


def test_paths_of_the_features_are_taken_only_where_it_is_done() -> None:
    """Elsewhere they are passed through like any path that is no model call."""
    here, there = configured(upstreams=LOCAL, emulate=Mode.AUTO).emulation, configured(emulate=Mode.AUTO).emulation
    assert (here.takes("POST", COMPACT), there.takes("POST", COMPACT)) == ("openai-responses", "")
    assert (here.takes("POST", COUNT), here.takes("GET", COUNT), here.takes("POST", "/v1/files")) == ("anthropic", "", "")
    assert configured(upstreams=LOCAL).emulation.takes("POST", COUNT) == ""


def test_a_wrong_setting_is_said() -> None:
    """It names what there is."""
    assert mode(" ON ") is Mode.ON
    with pytest.raises(InvalidInput, match="auto, on or off"):
        mode("sometimes")
