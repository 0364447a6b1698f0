"""Take docs/report.png again: `make run`'s report as Chromium shows it.

python tools/make_picture.py [CHROMIUM]
"""

import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from pumice.faces.cli import main as pumice

REPOSITORY = Path(__file__).resolve().parents[1]
EXAMPLE = "examples/long-session/session.json"
POLICIES = ("none", "newest", "balanced")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"]


def take(report: Path, picture: Path, chromium: str) -> None:
    """Open the report at the start of its last epoch and keep what is above the manifest."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 1460}, color_scheme="light")
        page.goto(report.as_uri())
        page.wait_for_selector(".rows .row")
        page.keyboard.press("E")
        page.screenshot(path=picture)
        browser.close()


def main() -> None:
    chromium = sys.argv[1] if len(sys.argv) > 1 else shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        raise SystemExit("no chromium or google-chrome on PATH; name one")
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.html"
        policies = [word for name in POLICIES for word in ("--policy", name)]
        code = pumice(["replay", EXAMPLE, *policies, "--window", "30000", "--html", str(report)])
        if code:
            raise SystemExit(code)
        take(report, REPOSITORY / "docs" / "report.png", chromium)


if __name__ == "__main__":
    main()
