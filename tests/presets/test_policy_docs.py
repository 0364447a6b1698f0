"""The page on policies says what the code does: every key, every preset, every other name, and its YAML loads."""

import re
from pathlib import Path
from typing import Any

import pytest

from pumice.domain.policy import keys
from pumice.domain.policy.aliases import KEYS, WORDS
from pumice.faces import settings
from pumice.faces.cli.policy import sizes
from pumice.measure.window import usable

PAGE = Path(__file__).resolve().parents[2] / "docs" / "policies.md"
YAML = re.compile(r"^```yaml\n(.*?)^```", re.MULTILINE | re.DOTALL)
CELL = re.compile(r"(?<!\\)\|")


def rows() -> list[list[str]]:
    """Cells of every table row of the page."""
    lines = (line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| `"))
    return [[cell.strip() for cell in CELL.split(line)[1:-1]] for line in lines]


def cell(value: Any) -> str:
    """A value as the page writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (tuple, list)):
        return ", ".join(value) or "–"
    if isinstance(value, (int, float)):
        return f"{value:,}" if isinstance(value, int) else f"{value:g}"
    return value or "–"


def test_every_key_has_its_row_with_what_the_code_takes() -> None:
    """Default, value in `balanced` where it differs, and accepted range or choices of each key, once."""
    told = {row[0].strip("`"): row[1:4] for row in rows() if len(row) == 5 and row[0].strip("`") in keys.leaves()}
    balanced = dict(keys.values(settings.policy("balanced")))
    for key, default in keys.defaults().items():
        said = cell(default)
        own = cell(balanced.get(key))
        accepted = keys.expected(key).removeprefix("a list of ").replace("|", "\\|")
        expected = [said, "" if own == said or key == "name" else own, accepted]
        assert told.get(key) == expected, f"docs/policies.md needs a row | `{key}` | {' | '.join(expected)} | meaning |"
    assert set(told) == set(keys.leaves())


def test_every_preset_has_its_row_with_what_it_comes_to() -> None:
    """Where it acts and goes down to on a window of 200,000 tokens, and by which levels."""
    told = {row[0].strip("`"): row[1:4] for row in rows() if len(row) == 5 and row[0].strip("`") not in keys.leaves()}
    for name in settings.preset_names():
        policy = settings.policy(name)
        made = sizes(policy, usable(policy.budget, window=200_000))
        expected = [cell(made.acts_at), cell(made.goes_down_to), cell(policy.order)]
        assert told.get(name) == expected, f"docs/policies.md needs a row | `{name}` | {' | '.join(expected)} | source |"


def test_every_other_name_has_its_row() -> None:
    """What may be written in place of a key or a word."""
    told = {row[0]: row[1] for row in rows() if len(row) == 2}
    for alias, key in KEYS.items():
        assert told.get(f"`{alias}`") == f"`{key}`"
    for key, words in WORDS.items():
        for alias, word in words.items():
            assert told.get(f"`{key}: [{alias}]`") == f"`{key}: [{word}]`"


@pytest.mark.parametrize("text", YAML.findall(PAGE.read_text("utf-8")))
def test_the_yaml_of_the_page_loads(text: str, tmp_path: Path) -> None:
    """A reader can paste it into a file."""
    file = tmp_path / "pasted.yaml"
    file.write_text(text, "utf-8")
    assert settings.policy(str(file)).name == "pasted"
