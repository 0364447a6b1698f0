"""The report as a person meets it: in a real browser, without a network, with the keyboard."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Request, sync_playwright

from pumice.domain.manifest import Manifest, Row, Usable
from pumice.faces import report
from pumice.faces.tracks import Figures, Track

pytestmark = pytest.mark.browser

CALLS = 40
CUT_AT = 25
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
HOSTILE = "<img src=x onerror=alert(1)>"


def row(number: int, call: int) -> Row:
    is_folded = call >= CUT_AT and number < 40
    return Row(
        id=f"b{number}",
        partition="tools" if number % 2 else "history",
        zone="dynamic",
        source=HOSTILE if number == 7 else "Read src/app.py",
        scope="tenant:local",
        version="",
        trust="tool",
        authority="none",
        permission_basis="client",
        outcome="fold" if is_folded else "keep",
        level="offload" if is_folded else "",
        reason="older than the newest groups" if is_folded else "in the newest groups",
        tokens=0 if is_folded else 100 + number,
        counted="calibrated",
        transform="pointer" if is_folded else "",
        content_hash="",
        pointer=f"workspace://artifacts/b{number}" if is_folded else "",
    )


def figures(call: int) -> Figures:
    rows = tuple(row(number, call) for number in range(1, 2 * call + 1))
    tools, history = (sum(r.tokens for r in rows if r.partition == name) for name in ("tools", "history"))
    tokens = 900 + tools + history
    epoch, cause = (1, "budget") if call >= CUT_AT else (0, "open")
    manifest = Manifest(call, "main", epoch, cause, "balanced", Usable(9_000, 800, 200, "argument"), 1.25, rows=rows)
    fresh = tokens if call in (1, CUT_AT) else 300
    return Figures(
        call, tokens, 8_000, {"system": 900, "tools": tools, "history": history}, tokens - fresh, fresh, epoch, cause, manifest
    )


def run(cost: float) -> report.PolicyRun:
    track = Track()
    for call in range(1, CALLS + 1):
        track.add(figures(call))
    return report.PolicyRun({"cost_usd": cost, "honest_cost_usd": cost * 1.1, "full_cost_usd": 2.0, "far_recall": 0.931}, track)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A Chromium of this machine; the tests skip where it has none."""
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None:
        pytest.skip("no chromium or google-chrome on PATH to open the report in")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report of one session under two policies."""
    path = tmp_path_factory.mktemp("report") / "report.html"
    session = report.SessionRuns("session.json", {"none": run(2.0), "balanced": run(0.8)})
    report.write(path, report.ReportData([session], {}))
    return path


class Opened:
    """A report in the browser, and what went wrong or out while it was looked at."""

    def __init__(self, browser: Browser, address: str, height: int = 1600) -> None:
        self.context = browser.new_context(offline=True, viewport={"width": 1300, "height": height})
        self.page: Page = self.context.new_page()
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", self._note)
        self.page.goto(address)
        self.page.wait_for_selector(".rows .row")

    def _note(self, request: Request) -> None:
        if not request.url.startswith(("file:", "data:")):
            self.requests.append(request.url)

    @property
    def heading(self) -> str:
        return self.page.inner_text(".call h2 span")


@pytest.fixture
def opened(browser: Browser, file: Path) -> Iterator[Opened]:
    """The report, opened offline; nothing may have been asked of the network or complained of."""
    view = Opened(browser, file.as_uri())
    yield view
    view.context.close()
    assert view.requests == []
    assert view.complaints == []


INKS = """canvas => {
  const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  const inks = new Map();
  for (let i = 0; i < pixels.length; i += 4)
    if (pixels[i + 3] === 255) { const ink = pixels.slice(i, i + 3).join(); inks.set(ink, (inks.get(ink) ?? 0) + 1); }
  return [...inks.values()].filter(count => count > 500).length;
}"""


def test_the_charts_are_drawn(opened: Opened) -> None:
    """Three charts with areas of their own colours, not empty canvases."""
    canvases = opened.page.query_selector_all(".plot canvas")
    assert len(canvases) == 3
    sizes, window, billed = (canvas.evaluate(INKS) for canvas in canvases)
    assert sizes >= 1
    assert window >= 3, "system, tools and history are areas of three colours"
    assert billed >= 2, "cached and uncached are areas of two colours"


def test_policies_stand_side_by_side(opened: Opened) -> None:
    """Costs are bars, figures a table; a field nobody knows takes no row."""
    assert opened.page.locator(".bar .name").all_inner_texts() == ["none", "balanced"]
    assert "0.40×" in opened.page.locator(".bar .value").nth(1).inner_text()
    assert opened.page.locator("tr", has_text="the same, far back").locator("td").all_inner_texts() == ["0.931", "0.931"]
    assert opened.page.locator("tr", has_text="values altered").count() == 0


def test_the_keyboard_walks_calls_epochs_and_policies(opened: Opened) -> None:
    """Everything can be reached without a pointer."""
    page = opened.page
    assert opened.heading == f"Call {CALLS}"
    for key, expected in [
        ("ArrowLeft", 39),
        ("Shift+ArrowLeft", 29),
        ("E", CUT_AT),
        ("Home", 1),
        ("ArrowRight", 2),
        ("e", CUT_AT),
        ("End", CALLS),
    ]:
        page.keyboard.press(key)
        assert opened.heading == f"Call {expected}", key
    page.keyboard.press("]")
    assert page.inner_text(".tabs button[aria-pressed=true]") == "none"
    page.keyboard.press("/")
    page.keyboard.type("b33")
    assert page.locator(".rows .row").count() == 1


QUICK = """keys => {
  for (const key of keys) dispatchEvent(new KeyboardEvent("keydown", { key }));
  return new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)));
}"""


def test_keys_faster_than_the_page_is_drawn_all_count(opened: Opened) -> None:
    """Each key moves on from where the one before led, however late the page shows it."""
    opened.page.evaluate(QUICK, ["ArrowLeft", "ArrowLeft", "E", "ArrowRight", "]"])
    assert opened.heading == f"Call {CUT_AT + 1}"
    assert opened.page.inner_text(".tabs button[aria-pressed=true]") == "none"


def test_the_manifest_shows_each_row_of_the_call(opened: Opened) -> None:
    """Rows are those of the selected call, can be filtered by outcome and sorted by size."""
    page = opened.page
    assert "80 rows" in page.inner_text(".count")
    page.click(".chip.fold")
    assert "39 rows · 0 tokens" in page.inner_text(".count")
    page.click(".chip.fold")
    page.click("th.tokens button")
    assert page.inner_text(".rows .row:nth-child(2) .id") == "b80"
    page.click(".call h2 button[aria-label='Call before']")
    assert "78 rows" in page.inner_text(".count")


def test_a_click_on_a_chart_selects_the_call(opened: Opened) -> None:
    """The pointer reaches any call through its place in the window map."""
    plot = opened.page.locator(".plot .u-over").nth(1)
    box = plot.bounding_box()
    assert box is not None
    plot.click(position={"x": box["width"] * (CUT_AT - 0.5) / CALLS, "y": box["height"] / 2})
    assert opened.heading == f"Call {CUT_AT}"
    assert "39" in opened.page.inner_text(".chip.fold b")


def test_a_deep_link_opens_call_and_block(browser: Browser, file: Path) -> None:
    """An address passed to a colleague shows the same block of the same call, and follows what is selected."""
    view = Opened(browser, f"{file.as_uri()}#s=0&p=none&c=12&b=b7")
    assert view.heading == "Call 12"
    assert view.page.inner_text(".detail h3").startswith("b7")
    assert HOSTILE in view.page.inner_text(".detail"), "hostile text is shown as text"
    assert view.page.locator(".detail img").count() == 0
    view.page.focus(".scroll")
    view.page.keyboard.press("ArrowDown")
    assert view.page.url.endswith("#s=0&p=none&c=12&b=b8")
    assert view.complaints == view.requests == []
    view.context.close()


def test_a_deep_link_to_a_block_brings_its_row_into_sight(browser: Browser, file: Path) -> None:
    """The manifest stands below the charts: who follows a link does not have to look for it."""
    view = Opened(browser, f"{file.as_uri()}#s=0&p=balanced&c=30&b=b44", height=800)
    view.page.wait_for_function("document.querySelector('[aria-selected=true]').getBoundingClientRect().bottom < innerHeight")
    view.context.close()


def test_the_page_follows_the_colour_scheme(opened: Opened) -> None:
    """Dark and light are both the page's own, charts included."""
    light = opened.page.evaluate("getComputedStyle(document.body).backgroundColor")
    opened.page.emulate_media(color_scheme="dark")
    assert opened.page.evaluate("getComputedStyle(document.body).backgroundColor") != light
    assert opened.page.locator(".plot canvas").nth(1).evaluate(INKS) >= 3
