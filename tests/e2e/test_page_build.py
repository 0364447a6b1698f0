"""The page in the package is the one its sources make, and its build trusts no address but the registry's own."""

import importlib.util
import json
from importlib import resources
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def hook() -> ModuleType:
    """The build hook, which is no part of the package."""
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_built_from_the_sources_at_hand(hook: ModuleType) -> None:
    """What the browser tests look at is what a wheel built now would hold; `make install` builds it."""
    page = (resources.files("pumice.faces") / "page" / "report.html").read_text("utf-8")
    stamp = hook.STAMP.search(page)
    assert stamp is not None
    assert stamp[1] == hook._digest(ROOT / "web")


def test_a_changed_source_asks_for_a_new_page(hook: ModuleType, tmp_path: Path) -> None:
    """The stamp covers names and contents, and nothing that a build or a contributor leaves behind."""
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "main.tsx").write_text("one")
    before = hook._digest(tmp_path)
    for folder in hook.NOT_SOURCES:
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "left.js").write_text("behind")
    assert hook._digest(tmp_path) == before
    (tmp_path / "src" / "main.tsx").write_text("two")
    assert hook._digest(tmp_path) != before


def test_the_lock_file_names_no_download_address() -> None:
    """Every machine takes the packages from the registry it is set up with, checked by their hashes."""
    packages = json.loads((ROOT / "web" / "package-lock.json").read_text("utf-8"))["packages"]
    named = {name: package for name, package in packages.items() if name}
    assert named
    assert not any("resolved" in package for package in named.values())
    assert all(package["integrity"].startswith("sha512-") for package in named.values())
