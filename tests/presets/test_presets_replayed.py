"""Every preset runs: no call over the window, no rule of the provider broken, nothing of a source altered."""

import json
from pathlib import Path

import pytest

from pumice import Engine
from pumice.evaluate.options import Options
from pumice.evaluate.replay import File, Plan, replay_file, result
from pumice.evaluate.result import PolicyResult
from pumice.faces import settings

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "long-session" / "session.json"
PRESETS = [name for name in settings.preset_names() if name != "none"]


def replayed(files: list[Path], presets: list[str], window: int) -> dict[str, PolicyResult]:
    """What each preset came to over all files together."""
    plan = Plan({name: settings.policy(name) for name in presets}, Options(window=window))
    return dict(result([found for path in files for found in replay_file(File(path, path.stem), plan)]).total.policies)


@pytest.fixture(scope="module")
def beginning(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first eighth of the shipped example session, as a request body."""
    body = json.loads(EXAMPLE.read_text("utf-8"))
    body["messages"] = body["messages"][: len(body["messages"]) // 8]
    path = tmp_path_factory.mktemp("example") / "session.json"
    path.write_text(json.dumps(body), "utf-8")
    return path


def test_each_preset_keeps_the_example_within_a_small_window(beginning: Path) -> None:
    """Whatever a product's numbers come to on a window they were not made for, every call fits and is valid."""
    for name, figures in replayed([beginning], PRESETS, 8_000).items():
        assert (figures.overflows, figures.violations, figures.altered_values) == (0, 0, 0), name
        assert figures.epochs > 0, f"{name} has made room"
        if settings.policy(name).keep.pins != "none":
            assert figures.constraint_survival in (1.0, None), name


@pytest.mark.recordings
@pytest.mark.parametrize("name", PRESETS)
def test_each_preset_keeps_real_sessions_within_their_window(data: Path, name: str) -> None:
    """Sessions of two clients on a window they overflow; `python -m bench pairs` replays all of them."""
    logs = sorted((data / "claude-code").glob("*.jsonl"), key=lambda path: path.stat().st_size)[:2]
    figures = replayed([*logs, data / "pi-sessions" / "large-session.jsonl"], [name], 60_000)[name]
    assert (figures.overflows, figures.violations, figures.altered_values) == (0, 0, 0)


BLOCKS = sorted((Path(__file__).parents[1] / "domain" / "policies").glob("*.yaml"))


@pytest.mark.parametrize("block", BLOCKS, ids=lambda path: path.stem)
def test_each_published_block_makes_room_in_a_session(beginning: Path, block: Path) -> None:
    """What loads as it stands also does its work: calls fit, rules hold, and something was compacted."""
    figures = replayed([beginning], [str(block)], 8_000)[str(block)]
    assert (figures.overflows, figures.violations, figures.altered_values) == (0, 0, 0)
    assert figures.epochs > 0
    assert figures.constraint_survival == 1.0


def test_the_first_result_offloaded_goes_by_the_name_the_policy_gives(beginning: Path) -> None:
    """`pointer` is where the first result can be read back; later ones have a number behind."""
    asked = {"extends": str(BLOCKS[1]), "order": ["offload"], "offload": {"newest": 1}}
    with Engine.open(":memory:") as engine:
        session = engine.session("s", policy=asked, window=8_000)
        view = session.compile(beginning.read_bytes(), dialect="anthropic")
        text = view.raw.decode()
        assert "workspace://logs/build-1187" in text
        assert "workspace://logs/build-1187-2" in text
        first = session.read_range("workspace://logs/build-1187", limit=3)
        assert first.text
        assert first.text != session.read_range("workspace://logs/build-1187-2", limit=3).text
