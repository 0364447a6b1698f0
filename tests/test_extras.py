"""What to install names where pumice itself came from: under its name alone a registry may hold somebody else's package."""

import json
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from pumice import extras


@pytest.mark.parametrize(
    ("origin", "expected"),
    [
        (None, 'pip install "pumice[proxy]"'),
        ({"url": "file:///srv/my%20work/pumice", "dir_info": {}}, 'pip install "/srv/my work/pumice[proxy]"'),
        (
            {"url": "https://example.com/pumice.git", "vcs_info": {"vcs": "git", "commit_id": "abc"}},
            'pip install "pumice[proxy] @ git+https://example.com/pumice.git"',
        ),
        (
            {"url": "https://example.com/pumice-1.0.whl", "archive_info": {}},
            'pip install "pumice[proxy] @ https://example.com/pumice-1.0.whl"',
        ),
    ],
)
def test_the_command_names_what_is_installed(origin: object, expected: str, tmp_path: Path, monkeypatch) -> None:
    """A checkout, a repository, a file; the bare name only for what came from a registry."""
    info = tmp_path / "pumice-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: pumice\nVersion: 1.0\n")
    if origin is not None:
        (info / "direct_url.json").write_text(json.dumps(origin))
    monkeypatch.syspath_prepend(tmp_path)
    assert extras.command("proxy") == expected
    wanted = expected.removeprefix('pip install "').removesuffix('"')
    assert wanted.startswith("/") or Requirement(wanted).extras == {"proxy"}
